"""When a cron expression comes round next, in UTC."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
WEEKDAYS: Final = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")

# A 29 February may be eight years away, and the next but nine of one more; what does not come by then never does.
FARTHEST: Final = timedelta(days=36_525)
LAST_DAY: Final = date.max - timedelta(days=31)
DAY: Final = timedelta(days=1)

PART: Final = re.compile(r"(?P<low>\*|\w+)(?:-(?P<high>\w+))?(?:/(?P<step>\d+))?")


class Field(NamedTuple):
    """One of the five fields: its name, its range, and the names that its numbers have."""

    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


FIELDS: Final = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day of month", 1, 31),
    Field("month", 1, 12, MONTHS),
    Field("day of week", 0, 7, WEEKDAYS),
)


class Cron(NamedTuple):
    """A cron expression as it was read: the times of a day in order, and its days; None for `*`."""

    times: tuple[time, ...]
    days: frozenset[int] | None
    months: frozenset[int] | None
    weekdays: frozenset[int] | None

    def dates(self, first: date) -> Iterator[date]:
        """The days from *first* on, in order, as far as it is looked."""
        last = first + FARTHEST if first < LAST_DAY - FARTHEST else LAST_DAY
        day = first
        while day <= last:
            if self.months is not None and day.month not in self.months:
                day = (day.replace(day=1) + 31 * DAY).replace(day=1)
                continue
            if self.falls_on(day):
                yield day
            day += DAY

    def falls_on(self, day: date) -> bool:
        """Whether a day of one of the months is meant: days of both kinds are alternatives, one alone restricts."""
        of_month = self.days is not None and day.day in self.days
        of_week = self.weekdays is not None and day.isoweekday() % 7 in self.weekdays
        return of_month or of_week or (self.days is None and self.weekdays is None)


def next_run(expression: str, after: datetime, nth: int = 1) -> datetime | None:
    """The first moment behind *after* that *expression* names, or the *nth*; None when none comes in a century.

    Raises ValueError for what is no cron expression. Both moments are in UTC.
    """
    cron, left, today = parse(expression), nth, after.date()
    for day in cron.dates(today):
        passed = bisect_right(cron.times, after.time()) if day == today else 0
        coming = len(cron.times) - passed
        if left <= coming:
            return datetime.combine(day, cron.times[passed + left - 1], UTC)
        left -= coming
    return None


@lru_cache(maxsize=1024)
def parse(expression: str) -> Cron:
    """Read the five fields; raises ValueError with the field and the part that cannot be read."""
    parts = expression.split()
    if len(parts) != len(FIELDS):
        raise ValueError("not a standard cron expression of five fields")
    minutes, hours, days, months, weekdays = (
        None if part == "*" else numbers(part, field) for part, field in zip(parts, FIELDS, strict=True)
    )
    times = (time(hour, minute) for hour in sorted(hours or range(24)) for minute in sorted(minutes or range(60)))
    # The week begins on Sunday, which is 0 and 7.
    sunday_first = None if weekdays is None else frozenset(number % 7 for number in weekdays)
    return Cron(tuple(times), days, months, sunday_first)


def numbers(text: str, field: Field) -> frozenset[int]:
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
    return frozenset(found)


def number(text: str, field: Field) -> int:
    """One number of a field, or the name of one."""
    if text.upper() in field.names:
        return field.names.index(text.upper()) + field.low
    if not (text.isascii() and text.isdecimal()) or not field.low <= int(text) <= field.high:
        raise ValueError(f"{field.name}: {text!r} is not between {field.low} and {field.high}")
    return int(text)
