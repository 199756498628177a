"""When an iCalendar RRULE (RFC 5545) comes round, in UTC: dateutil counts, and is kept from counting for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from math import prod
from typing import Final

from dateutil.rrule import rrule, rrulestr

# The least and the most that a number may be; with a minus it counts from the end where 1 is the least.
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

# After so many of these a rule is where it was; months and years have no fixed length, and are few.
LENGTHS: Final = {
    "SECONDLY": timedelta(seconds=1),
    "MINUTELY": timedelta(minutes=1),
    "HOURLY": timedelta(hours=1),
    "DAILY": timedelta(days=1),
    "WEEKLY": timedelta(weeks=1),
}
# Of these there are too many to look at each: what they can never meet is found out before.
MANY: Final = ("SECONDLY", "MINUTELY", "HOURLY")
# What multiplies the moments of a minute, and what those of an hour, too.
FINER: Final = ("BYSECOND", "BYMINUTE")
DAYS: Final = frozenset({"BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYDAY"})

# The calendar repeats itself after 400 years, weekdays included.
CYCLE_YEARS: Final = 400
CYCLE: Final = timedelta(days=146_097)
# How far is looked at least.
CENTURY: Final = 100


def moments(rule: str, start: datetime, after: datetime) -> Iterator[datetime]:
    """The moments behind *after* of a rule that counts from *start*, until none comes in a century.

    Raises ValueError for what is no RRULE: at once, or with the first moment.
    """
    return coming(read(rule), start, after)


def read(rule: str) -> dict[str, str]:
    """The parts of a rule by name; raises ValueError with the part that is wrong."""
    parts: dict[str, str] = {}
    for part in rule.upper().removeprefix("RRULE:").split(";"):
        name, _, value = part.partition("=")
        form = FORMS.get(name)
        if form is None or name in parts:
            raise ValueError(f"{part!r} is no part of one, or comes twice")
        several = value.split(",") if name.startswith("BY") else [value]
        if not all(form.fullmatch(each) and (name not in RANGES or fits(name, int(each))) for each in several):
            raise ValueError(f"{part!r} cannot be read")
        parts[name] = value
    if "FREQ" not in parts:
        raise ValueError("FREQ is missing")
    if {"COUNT", "UNTIL"} <= parts.keys():
        raise ValueError("COUNT and UNTIL exclude each other")
    check_positions(parts)
    return parts


def fits(name: str, number: int) -> bool:
    """Whether a number is in the range of its part."""
    low, high = RANGES[name]
    return low <= (abs(number) if low else number) <= high


def check_positions(parts: dict[str, str]) -> None:
    """Refuse positions that no moment can have: they would be looked for among all seconds to come."""
    if "BYSETPOS" not in parts or parts["FREQ"] not in MANY:
        return
    finer = FINER[: MANY.index(parts["FREQ"])]
    most = prod(len(set(parts[name].split(","))) for name in finer if name in parts)
    if all(abs(int(each)) > most for each in parts["BYSETPOS"].split(",")):
        raise ValueError(f"BYSETPOS={parts['BYSETPOS']} names nothing: there are {most} at most in each of FREQ")


def coming(parts: dict[str, str], start: datetime, after: datetime) -> Iterator[datetime]:
    """The moments behind *after*, looked for again where they ended for want of a calendar."""
    last: datetime | None = after
    while last is not None:
        after, last = last, None
        for moment in stretch(parts, start, after):
            if moment > after:
                yield moment
                last = moment


def stretch(parts: dict[str, str], start: datetime, after: datetime) -> Iterator[datetime]:
    """The moments of a rule from some moment before *after* to one at least a century behind.

    They are counted at the end of the calendar, where dateutil gives up soonest.
    """
    count = int(parts["COUNT"]) if "COUNT" in parts else None
    until = datetime.strptime(parts["UNTIL"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) if "UNTIL" in parts else None
    try:
        later = max((datetime.max.year - CENTURY - max(start, after).year) // CYCLE_YEARS, 0) * CYCLE
        begun = start + later if count is not None else forwarded(parts, start + later, after + later)
        if not any_day(parts, begun):
            return
        for moment in islice(counted(parts, begun), count):
            if until is not None and moment - later > until:
                return
            yield moment - later
    except OverflowError:
        # An interval that leads out of the calendar.
        return


def counted(parts: dict[str, str], start: datetime) -> rrule:
    """The rule of dateutil, without an end: of COUNT and UNTIL it would take only one."""
    text = ";".join(f"{name}={parts[name]}" for name in parts if name not in ("COUNT", "UNTIL"))
    rule = rrulestr(text, dtstart=start)
    assert isinstance(rule, rrule)
    return rule


def any_day(parts: dict[str, str], start: datetime) -> bool:
    """Whether the days ever come that a rule of many moments is for; a 30 February does not."""
    days = {name: re.sub("[+-]?[0-9]", "", parts[name]) if name == "BYDAY" else parts[name] for name in DAYS & {*parts}}
    # Months alone always come.
    if parts["FREQ"] not in MANY or days.keys() <= {"BYMONTH"}:
        return True
    return next(iter(counted({"FREQ": "YEARLY", **days}, start)), None) is not None


def forwarded(parts: dict[str, str], start: datetime, after: datetime) -> datetime:
    """A later start that gives the same moments behind *after*, so that those before need not be counted."""
    length = LENGTHS.get(parts["FREQ"])
    if length is None:
        return start
    step = length * int(parts.get("INTERVAL", 1))
    # One step less: the first week may be half of one.
    return start + step * max((after - start) // step - 1, 0)
