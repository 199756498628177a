"""Counts of what was seen, as plain JSON: two of them are added member by member, whichever process made them.

A whole number is a count, a text is a date, and an object has more of them. A name that the contract does not know is
kept where everything seen at its place had it, and it is written only after some times: all others may be values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from agent_session_platform.contract import is_object

Tally = dict[str, Any]

# Each takes less than 50 bytes of the file.
MOST_ENTRIES: Final = 40_000
# Of each kind in one place: a place with more is a mapping with free keys, or no set of values.
MOST_NAMES: Final = 64
MOST_VALUES: Final = 32
# What was seen less often is not written: once, every name is in all that was seen.
LEAST: Final = 3

# In no spelling that a member has: how often unknown names were looked at, those that came each time, and how often
# there were others; the values of a set that the contract shows, those that it does not, and how many were not kept.
NAMED: Final = "*named"
OTHERS: Final = "*others"
FREE: Final = "*free"
VALUES: Final = "*values"
NEW: Final = "*new"
MANY: Final = "*many"

# Names that are written to a file and read from one: whoever writes a file by hand changes no terminal and no Markdown.
KEY: Final = re.compile(r"[A-Za-z0-9_./+*{}:@$#=, -]{1,250}")
# An unknown name; ids, addresses and paths have other characters or more digits.
NAME: Final = re.compile(r"(?=.{1,40}\Z)[A-Za-z_-]+[0-9]{0,3}[A-Za-z_-]*")


class Room:
    """Room for so many entries more, so that neither memory nor the file grows without end."""

    def __init__(self, entries: int = MOST_ENTRIES) -> None:
        self.left = entries

    def count(self, tally: Tally, key: str, times: int = 1) -> None:
        """Add to a count; without room for a new one nothing is counted."""
        if key in tally:
            tally[key] += times
        elif KEY.fullmatch(key) and self.left > 0:
            self.left -= 1
            tally[key] = times

    def below(self, tally: Tally, key: str) -> Tally:
        """Return the tally that is a member of another one; without room for a new one, one that is thrown away."""
        found: Tally | None = tally.get(key)
        if found is None:
            found = {}
            if KEY.fullmatch(key) and self.left > 0:
                self.left -= 1
                tally[key] = found
        return found

    def narrow(self, tally: Tally, names: Collection[str], times: int = 1) -> Tally:
        """Keep those unknown names that came each time, and return their tallies.

        Args:
            tally: Of the place.
            names: The names that came now.
            times: How often they came.
        """
        others: Tally = tally.get(OTHERS, {})
        kept = {name for name in names if NAME.fullmatch(name) and (name in others or NAMED not in tally)}
        if len(kept) > MOST_NAMES:
            kept.clear()
        missing = others.keys() - kept
        self.count(tally, NAMED, times)
        if missing or len(kept) < len(names):
            self.count(tally, FREE, times)
        for name in missing:
            del others[name]
        others = self.below(tally, OTHERS) if kept and NAMED in tally else {}
        for name in kept:
            self.below(others, name)
        return others

    def add(self, tally: Tally, other: Mapping[str, Any]) -> None:
        """Add all counts of *other*; of what is new and has too little room nothing, because a part would mislead."""
        if NAMED in tally and NAMED in other:
            both = tally.get(OTHERS, {}).keys() & other.get(OTHERS, {}).keys()
            if len(both) < max(len(tally.get(OTHERS, ())), len(other.get(OTHERS, ()))):
                self.count(tally, FREE)
            tally[OTHERS] = {name: value for name, value in tally.get(OTHERS, {}).items() if name in both}
            other = {**other, OTHERS: {name: other[OTHERS][name] for name in both}}
        for key, value in other.items():
            if isinstance(value, int):
                self.count(tally, key, value)
            elif isinstance(value, str):
                # Without its dates a tally is of no use; they are as few as the tallies.
                tally[key] = (min if key == "first" else max)(tally.get(key, value), value)
            elif key in tally:
                self.add(tally[key], value)
            elif (entries := size(value)) <= self.left:
                self.left -= entries
                # With room that cannot be used up.
                Room(entries).add(tally.setdefault(key, {}), value)
        if MANY in tally or len(tally.get(NEW, ())) > MOST_VALUES:
            tally.pop(NEW, None)
            tally.setdefault(MANY, 1)


def take_unsure(tally: Tally) -> Tally:
    """Take out the names that came each time, but too rarely to be written, and return them at their places."""
    taken: Tally = {}
    if OTHERS in tally and tally.get(NAMED, 0) < LEAST:
        taken = {key: tally.pop(key) for key in (NAMED, OTHERS) if key in tally}
    for key, value in list(tally.items()):
        if is_object(value):
            if below := take_unsure(value):
                taken[key] = below
            if not value:
                del tally[key]
    return taken


def seen_today(tally: Tally) -> None:
    """Note that something was seen today."""
    today = datetime.now(UTC).date().isoformat()
    # The clock of a computer may be set back.
    tally["first"] = min(tally.get("first", today), today)
    tally["last"] = max(tally.get("last", today), today)


def size(value: object) -> int:
    """Return how many entries a tally takes, with those below it."""
    return 1 + (sum(map(size, value.values())) if is_object(value) else 0)
