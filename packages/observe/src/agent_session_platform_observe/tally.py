"""Counts of what was seen, as plain JSON: two of them are added member by member, whichever process made them.

A whole number is a count, a text is a date, and an object has more of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from agent_session_platform.contract import is_object

from .names import MOST_NAMES, MOST_VALUES

Tally = dict[str, Any]

# Each takes less than 50 bytes of the file.
MOST_ENTRIES: Final = 40_000

FIRST: Final = "first"
LAST: Final = "last"
# Of a shape, in no spelling that a member has: the members that the contract does not show, whether objects had too
# many of these, the values of a set that the contract shows, those that it does not, and how many were not kept.
OTHERS: Final = "*others"
FREE: Final = "*free"
VALUES: Final = "*values"
NEW: Final = "*new"
MANY: Final = "*many"

# Names that are written to a file and read from one: whoever writes a file by hand changes no terminal and no Markdown.
KEY: Final = re.compile(r"[A-Za-z0-9_./+*{}:@$#=, -]{0,250}")


class Room:
    """Room for so many entries more, so that neither memory nor the file grows without end."""

    def __init__(self, entries: int = MOST_ENTRIES) -> None:
        self.left = entries

    def take(self) -> bool:
        """Return whether there is room for one more entry, and take it."""
        self.left -= 1
        return self.left >= 0

    def count(self, tally: Tally, key: str, times: int = 1) -> None:
        """Add to a count; without room for a new one nothing is counted."""
        if key in tally:
            tally[key] += times
        elif KEY.fullmatch(key) and self.take():
            tally[key] = times

    def below(self, tally: Tally, key: str) -> Tally:
        """Return the tally that is a member of another one; without room for a new one, one that is thrown away."""
        found: Tally | None = tally.get(key)
        if found is None:
            found = {}
            if KEY.fullmatch(key) and self.take():
                tally[key] = found
        return found

    def add(self, tally: Tally, other: Mapping[str, Any]) -> None:
        """Add all counts of *other*; of what is new and has too little room nothing, because a part would mislead."""
        for key, value in other.items():
            if isinstance(value, int):
                self.count(tally, key, value)
            elif isinstance(value, str):
                # Without its dates a tally is of no use; they are as few as the tallies.
                tally[key] = (min if key == FIRST else max)(tally.get(key, value), value)
            elif key in tally:
                self.add(tally[key], value)
            elif (entries := size(value)) <= self.left:
                self.left -= entries
                tally[key] = copy_of(value)
        bound(tally)


def bound(tally: Tally) -> None:
    """Drop the names and values of a shape that has too many of them: they are no fields, and no set."""
    if FREE in tally or len(tally.get(OTHERS, ())) > MOST_NAMES:
        tally.pop(OTHERS, None)
        tally.setdefault(FREE, 1)
    if MANY in tally or len(tally.get(NEW, ())) > MOST_VALUES:
        tally.pop(NEW, None)
        tally.setdefault(MANY, 1)


def copy_of(value: Mapping[str, Any]) -> Tally:
    """Return a tally with the same counts, within its bounds."""
    found = {key: copy_of(each) if is_object(each) else each for key, each in value.items()}
    bound(found)
    return found


def seen_today(tally: Tally) -> None:
    """Note that something was seen today."""
    today = datetime.now(UTC).date().isoformat()
    # The clock of a computer may be set back.
    tally[FIRST] = min(tally.get(FIRST, today), today)
    tally[LAST] = max(tally.get(LAST, today), today)


def size(value: object) -> int:
    """Return how many entries a tally takes, with those below it."""
    return 1 + (sum(map(size, value.values())) if is_object(value) else 0)
