"""The grammar of a file of observations: anybody may have written it, and all that reads tallies relies on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final, TypeAlias

from agent_session_platform.contract import is_object

from .order import PAGES, SEAMS
from .record import (
    ACCEPTED,
    BODIES,
    BODY,
    COUNT,
    CREDENTIALS,
    HEADERS,
    MEDIA,
    ORDER,
    QUERY,
    REFUSED,
    REQUEST,
    RESPONSES,
)
from .shape import COUNT as READ_COUNT
from .shape import DEPTH, FORMATS, ITEM, LENGTHS, MEMBERS, TYPE
from .tally import FIRST, FREE, KEY, LAST, MANY, NEW, OTHERS, VALUES, Tally

Rule: TypeAlias = Callable[[object, str], Any]
"""Returns a value as the rest of the package relies on it, None for an incomplete one, or raises ValueError."""


def count(value: object, place: str) -> int:
    """Return a count."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"`{place}` must be a whole number")
    return value


def day(value: object, place: str) -> str:
    """Return a date."""
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        raise ValueError(f"`{place}` must be a date, such as 2026-11-20") from None


def table(rule: Rule) -> Rule:
    """Return the rule of an object with free names, all of whose values follow one rule."""

    def checked(value: object, place: str) -> Tally:
        if not is_object(value):
            raise ValueError(f"`{place}` must be an object")
        if not all(map(KEY.fullmatch, value)):
            raise ValueError(f"`{place}` has a name that no file of observations has")
        found = {key: rule(member, key) for key, member in value.items()}
        return {key: member for key, member in found.items() if member is not None}

    return checked


def record(rules: dict[str, Rule], required: tuple[str, ...] = ()) -> Rule:
    """Return the rule of an object with known names; without a required one, which had no room, it is incomplete."""

    def checked(value: object, place: str) -> Tally | None:
        if not is_object(value):
            raise ValueError(f"`{place}` must be an object")
        if unknown := value.keys() - rules.keys():
            shown = min(unknown) if KEY.fullmatch(min(unknown)) else "a name"
            raise ValueError(f"`{place}` has {shown}, which no file of observations has there")
        found = {key: rules[key](member, key) for key, member in value.items()}
        found = {key: member for key, member in found.items() if member is not None}
        return found if all(name in found for name in required) else None

    return checked


COUNTS: Final = table(count)


def shape_rule(levels: int) -> Rule:
    """Return the rule of a shape with so many levels below it."""
    rules: dict[str, Rule] = {READ_COUNT: count, FREE: count, MANY: count}
    rules |= dict.fromkeys((TYPE, FORMATS, LENGTHS, VALUES, NEW), COUNTS)
    if levels:
        below = shape_rule(levels - 1)
        rules |= {MEMBERS: table(below), OTHERS: table(below), ITEM: below}
    return record(rules, (READ_COUNT, TYPE))


SHAPE: Final = shape_rule(DEPTH + 2)
DATES: Final[dict[str, Rule]] = {FIRST: day, LAST: day}
RESPONSE: Final = record(
    {**DATES, COUNT: count, **dict.fromkeys((MEDIA, HEADERS, BODIES), COUNTS), BODY: SHAPE}, (FIRST, LAST, COUNT)
)
SENT: Final = record({BODIES: COUNTS, BODY: SHAPE}, (BODIES,))
OPERATION: Final = record(
    {
        **DATES,
        RESPONSES: table(RESPONSE),
        REQUEST: record({ACCEPTED: SENT, REFUSED: SENT}),
        ORDER: record({PAGES: table(COUNTS), SEAMS: table(COUNTS)}),
        **dict.fromkeys((QUERY, CREDENTIALS), table(COUNTS)),
    },
    (FIRST, LAST),
)
OPERATIONS: Final = table(OPERATION)
