"""Occurrences of cron expressions, computed by cronsim, and of iCalendar RRULEs (RFC 5545) in UTC, by dateutil.

Each search is bounded: an expression that never occurs must not stop the sandbox.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final

from cronsim import CronSim, CronSimError
from dateutil.rrule import rrule, rrulestr

# The fields of a cron expression, with the names that cronsim uses in its errors, and the values of each.
FIELDS: Final = {
    "minute": "0 to 59",
    "hour": "0 to 23",
    "day-of-month": "1 to 31",
    "month": "1 to 12 or JAN to DEC",
    "day-of-week": "0 to 7 or SUN to SAT",
}
# Times that are counted to find the next one, some hundred thousand in a second.
MAX_COUNT: Final = 500_000

# The lowest and the highest number of each part. If the lowest is 1, a negative number counts from the end.
RANGES: Final = {
    "BYSECOND": (0, 59),
    "BYMINUTE": (0, 59),
    "BYHOUR": (0, 23),
    "BYMONTHDAY": (1, 31),
    "BYYEARDAY": (1, 366),
    "BYWEEKNO": (1, 53),
    "BYMONTH": (1, 12),
    "BYSETPOS": (1, 366),
}
WEEKDAY: Final = "MO|TU|WE|TH|FR|SA|SU"
FORMS: Final = {
    "FREQ": re.compile("SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY"),
    "UNTIL": re.compile("[0-9]{8}T[0-9]{6}Z"),
    "COUNT": re.compile("0*[1-9][0-9]{0,8}"),
    "INTERVAL": re.compile("0*[1-9][0-9]{0,8}"),
    "WKST": re.compile(WEEKDAY),
    "BYDAY": re.compile(rf"(?:[+-]?(?:[1-9]|[1-4][0-9]|5[0-3]))?(?:{WEEKDAY})"),
    **dict.fromkeys(RANGES, re.compile("[+-]?[0-9]{1,3}")),
}

# Months and years have no fixed length. Counting them from the start is fast enough.
LENGTHS: Final = {
    "SECONDLY": timedelta(seconds=1),
    "MINUTELY": timedelta(minutes=1),
    "HOURLY": timedelta(hours=1),
    "DAILY": timedelta(days=1),
    "WEEKLY": timedelta(weeks=1),
}
# Frequencies with too many intervals to search a century one by one.
FINER: Final = ("SECONDLY", "MINUTELY", "HOURLY")
DAYS: Final = frozenset({"BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYDAY"})

# The calendar, weekdays included, repeats itself after 400 years.
CYCLE_YEARS: Final = 400
CYCLE: Final = timedelta(days=146_097)
CENTURY: Final = 100


def cron_occurrences(expression: str, after: datetime, every: int = 1) -> Iterator[datetime]:
    """Return the times that a cron expression names, in order, until none comes for 50 years.

    If both the day of the month and the day of the week are restricted, either may match.

    Args:
        expression: Five fields: minute, hour, day of month, month and day of week, with lists, ranges and steps.
        after: The times are later than this one, which must be in UTC.
        every: Return only every nth of the times; at least 1. Beyond 500,000 there is none.

    Raises:
        ValueError: It is not such an expression. The message names the field.
    """
    fields = expression.split()
    if len(fields) != len(FIELDS):
        raise ValueError("not a standard cron expression of five fields")
    by_name = dict(zip(FIELDS, fields, strict=True))
    for name in ("day-of-month", "day-of-week"):
        # L (last) and # (nth) are extensions of cronsim.
        if {*"L#"} & {*by_name[name].upper()}:
            raise _invalid(name, by_name[name])
    try:
        simulation = CronSim(expression, after)
    except CronSimError as error:
        name = str(error).removeprefix("Bad ")
        raise _invalid(name, by_name[name]) from None
    except ValueError:
        # int() refuses thousands of digits.
        raise ValueError("a number of the cron expression has too many digits") from None
    return iter(()) if every > MAX_COUNT else _until_the_calendar_ends(islice(simulation, every - 1, None, every))


def _invalid(name: str, field: str) -> ValueError:
    return ValueError(f"{name}: {field[:80]!r} is not valid; it takes {FIELDS[name]}")


def _until_the_calendar_ends(times: Iterator[datetime]) -> Iterator[datetime]:
    try:
        yield from times
    except OverflowError:
        return


def rrule_occurrences(rule: str, start: datetime, after: datetime) -> Iterator[datetime]:
    """Return the times of a recurrence rule, until none comes for a century; with COUNT, the first 500,000 at most.

    Args:
        rule: An RRULE, with or without `RRULE:` before it.
        start: The time from which the rule counts, in UTC.
        after: The times are later than this one.

    Raises:
        ValueError: It is not an RRULE; some rules raise it only with the first time.
    """
    return _occurrences(_parse(rule), start, after)


def _parse(rule: str) -> dict[str, str]:
    """Return the parts of a rule by name."""
    parts: dict[str, str] = {}
    for part in rule.upper().removeprefix("RRULE:").split(";"):
        name, _, value = part.partition("=")
        form = FORMS.get(name)
        if form is None or name in parts:
            raise ValueError(f"{part!r} is unknown or repeated")
        values = value.split(",") if name.startswith("BY") else [value]
        if not all(form.fullmatch(each) and _in_range(name, each) for each in values):
            raise ValueError(f"{part!r} is not valid")
        parts[name] = value
    if "FREQ" not in parts:
        raise ValueError("FREQ is missing")
    if {"COUNT", "UNTIL"} <= parts.keys():
        raise ValueError("COUNT and UNTIL exclude each other")
    by_parts = {name for name in parts if name.startswith("BY")}
    if (parts["FREQ"] in FINER and "BYSETPOS" in by_parts) or (parts["FREQ"] == "SECONDLY" and by_parts):
        raise ValueError(
            f"{', '.join(sorted(by_parts))}: not with FREQ={parts['FREQ']}, which takes too long to search"
        )
    return parts


def _in_range(name: str, text: str) -> bool:
    if name not in RANGES:
        return True
    low, high = RANGES[name]
    return low <= (abs(int(text)) if low else int(text)) <= high


def _occurrences(parts: dict[str, str], start: datetime, after: datetime) -> Iterator[datetime]:
    """Yield the times; when a search ends at the end of its calendar, search again from the last time."""
    last: datetime | None = after
    while last is not None:
        after, last = last, None
        for occurrence in _search(parts, start, after):
            if occurrence > after:
                yield occurrence
                last = occurrence


def _search(parts: dict[str, str], start: datetime, after: datetime) -> Iterator[datetime]:
    """Yield the times from before *after* to at least a century later.

    The rule is moved to the end of the calendar, because dateutil searches until the year 9999.
    """
    count = min(int(parts["COUNT"]), MAX_COUNT) if "COUNT" in parts else None
    until = datetime.strptime(parts["UNTIL"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) if "UNTIL" in parts else None
    try:
        shift = max((datetime.max.year - CENTURY - max(start, after).year) // CYCLE_YEARS, 0) * CYCLE
        first = start + shift if count is not None else _skip_to(parts, start + shift, after + shift)
        if not _any_day(parts, first):
            return
        for occurrence in islice(_unbounded(parts, first), count):
            if until is not None and occurrence - shift > until:
                return
            yield occurrence - shift
    except OverflowError:
        # The interval leaves the calendar.
        return


def _unbounded(parts: dict[str, str], start: datetime) -> rrule:
    """Return dateutil's rule without COUNT and UNTIL, which apply to the moved calendar only here."""
    text = ";".join(f"{name}={parts[name]}" for name in parts if name not in ("COUNT", "UNTIL"))
    rule = rrulestr(text, dtstart=start)
    assert isinstance(rule, rrule)
    return rule


def _any_day(parts: dict[str, str], start: datetime) -> bool:
    """Return whether the days of a frequent rule exist; 30 February does not."""
    days = {name: re.sub("[+-]?[0-9]", "", parts[name]) if name == "BYDAY" else parts[name] for name in DAYS & {*parts}}
    if parts["FREQ"] not in FINER or days.keys() <= {"BYMONTH"}:
        return True
    return next(iter(_unbounded({"FREQ": "YEARLY", **days}, start)), None) is not None


def _skip_to(parts: dict[str, str], start: datetime, after: datetime) -> datetime:
    """Return a later start that gives the same times later than *after*, to skip counting the earlier ones."""
    length = LENGTHS.get(parts["FREQ"])
    if length is None:
        return start
    step = length * int(parts.get("INTERVAL", 1))
    # One step less, because the first week may be incomplete.
    return start + step * max((after - start) // step - 1, 0)
