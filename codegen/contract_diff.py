"""Find the differences between two states of the contract: before and after an Overlay, or in two versions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from typing import Any

import attrs

Place = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""


class Absent(Enum):
    """The type of ABSENT."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT
"""The value at a place where a document has none; null is a value."""


@attrs.frozen
class Difference:
    """A place at which two documents have different values.

    Attributes:
        place: The place.
        before: The value in the first document, or ABSENT.
        after: The value in the second one, or ABSENT.
    """

    place: Place
    before: Any
    after: Any


def differences(before: Any, after: Any, place: Place = ()) -> Iterator[Difference]:
    """Yield the differences between two values, as deep as both are objects; a list is compared as a set.

    Args:
        before: The first value.
        after: The second one.
        place: The place of both.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from differences(before.get(key, ABSENT), after.get(key, ABSENT), (*place, key))
    elif isinstance(before, list) and isinstance(after, list):
        old, new = ([json_text(entry) for entry in entries] for entries in (before, after))
        yield from (Difference((*place, i), before[i], ABSENT) for i, text in enumerate(old) if text not in new)
        yield from (Difference((*place, i), ABSENT, after[i]) for i, text in enumerate(new) if text not in old)
    elif json_text(before) != json_text(after):
        yield Difference(place, before, after)


def json_text(value: Any) -> str:
    """Return a value as JSON, to compare it: in Python `True` equals 1."""
    return json.dumps(value, sort_keys=True, default=repr)
