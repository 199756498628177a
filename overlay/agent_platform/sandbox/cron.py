"""When a cron expression comes round next, in UTC: the five fields as rules of dateutil."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from dateutil.rrule import DAILY, rrule, rruleset

MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")

# A 29 February may be eight years away; what does not come by then never does.
FARTHEST = timedelta(days=366 * 9)

LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

PART = re.compile(r"(?P<low>\*|\w+)(?:-(?P<high>\w+))?(?:/(?P<step>\d+))?")


class Field(NamedTuple):
    """One of the five fields: its name, its range, and the names that its numbers have."""

    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


FIELDS = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day of month", 1, 31),
    Field("month", 1, 12, MONTHS),
    Field("day of week", 0, 7, WEEKDAYS),
)


def next_run(expression: str, after: datetime) -> datetime | None:
    """The first moment behind *after* that *expression* names, None when there is none; raises ValueError."""
    minutes, hours, days, months, weekdays = parse(expression)
    if days is not None and weekdays is None and min(days) > max(LONGEST[month - 1] for month in months or ()):
        # Such as 31 February; dateutil would look for it up to the year 9999.
        return None
    rules = rruleset()
    common: dict[str, Any] = {"byminute": minutes, "byhour": hours, "bymonth": months, "bysecond": 0}
    start = after.replace(hour=0, minute=0, second=0, microsecond=0)
    # Days of both kinds are alternatives, as cron has it; one alone restricts.
    kinds: tuple[dict[str, Any], ...] = ({"bymonthday": days}, {"byweekday": weekdays})
    for kind in kinds:
        if None not in kind.values():
            rules.rrule(rrule(DAILY, dtstart=start, until=start + FARTHEST, **common, **kind))
    if days is None and weekdays is None:
        rules.rrule(rrule(DAILY, dtstart=start, until=start + FARTHEST, **common))
    found: datetime | None = rules.after(after)
    return found


def parse(expression: str) -> tuple[list[int] | None, ...]:
    """The numbers of each field, None for one that is `*`; raises ValueError."""
    parts = expression.split()
    if len(parts) != len(FIELDS):
        raise ValueError("not a standard cron expression of five fields")
    minutes, hours, days, months, weekdays = (
        None if part == "*" else numbers(part, field) for part, field in zip(parts, FIELDS, strict=True)
    )
    every = [list(range(field.low, field.high + 1)) for field in FIELDS]
    # In cron the week begins on Sunday, which is 0 and 7; in dateutil Monday is 0.
    converted = None if weekdays is None else sorted({(number - 1) % 7 for number in weekdays})
    return minutes or every[0], hours or every[1], days, months or every[3], converted


def numbers(text: str, field: Field) -> list[int]:
    """The numbers that one field names: lists, ranges and steps."""
    found: set[int] = set()
    for part in text.split(","):
        match = PART.fullmatch(part)
        if match is None:
            raise ValueError(f"{field.name}: {part!r} cannot be read")
        low, high, step = match["low"], match["high"], int(match["step"] or 1)
        if low == "*":
            first, last = field.low, field.high
        else:
            first = number(low, field)
            last = number(high, field) if high else (field.high if match["step"] else first)
        if step < 1 or last < first:
            raise ValueError(f"{field.name}: {part!r} names nothing")
        found.update(range(first, last + 1, step))
    return sorted(found)


def number(text: str, field: Field) -> int:
    """One number of a field, or the name of one."""
    if text.upper() in field.names:
        return field.names.index(text.upper()) + field.low
    if not text.isdecimal() or not field.low <= int(text) <= field.high:
        raise ValueError(f"{field.name}: {text!r} is not between {field.low} and {field.high}")
    return int(text)
