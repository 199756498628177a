"""Occurrences of a standard cron expression, computed by cronsim."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from cronsim import CronSim, CronSimError

# As cronsim names the fields in its errors, with what each of them takes.
FIELDS: Final = {
    "minute": "0 to 59",
    "hour": "0 to 23",
    "day-of-month": "1 to 31, and a day that some month has",
    "month": "1 to 12 or JAN to DEC",
    "day-of-week": "0 to 7 or SUN to SAT",
}


def cron_occurrences(expression: str, after: datetime) -> Iterator[datetime]:
    """Return the times that a cron expression names, until none comes for 50 years.

    If both the day of the month and the day of the week are restricted, either may match.

    Args:
        expression: Five fields: minute, hour, day of month, month and day of week, with lists, ranges and steps.
        after: The times are later than this one, which must be in UTC.

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
    return _until_the_calendar_ends(simulation)


def _invalid(name: str, field: str) -> ValueError:
    return ValueError(f"{name}: {field[:80]!r} is not valid; it takes {FIELDS[name]}")


def _until_the_calendar_ends(simulation: CronSim) -> Iterator[datetime]:
    try:
        yield from simulation
    except OverflowError:
        return
