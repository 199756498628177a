"""Occurrences of a standard cron expression, computed by cronsim."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from cronsim import CronSim, CronSimError

# The names that cronsim uses in its errors, with the values of each field.
FIELDS: Final = {
    "minute": "0 to 59",
    "hour": "0 to 23",
    "day-of-month": "1 to 31",
    "month": "1 to 12 or JAN to DEC",
    "day-of-week": "0 to 7 or SUN to SAT",
}

# The search for the nth occurrence would otherwise stop the sandbox for minutes.
CENTURY: Final = timedelta(days=36_525)


def cron_occurrences(expression: str, after: datetime, every: int = 1) -> Iterator[datetime]:
    """Return the times that a cron expression names, in order.

    If both the day of the month and the day of the week are restricted, either may match. The times end when none comes
    for 50 years; with *every*, when none comes for a century.

    Args:
        expression: Five fields: minute, hour, day of month, month and day of week, with lists, ranges and steps.
        after: The times are later than this one, which must be in UTC.
        every: Return only every nth of the times; at least 1.

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
        if name == "day-of-month" and _is_day(by_name[name]):
            # A valid day that none of the months has, such as 31 February.
            return iter(())
        raise _invalid(name, by_name[name]) from None
    except ValueError:
        # int() refuses thousands of digits.
        raise ValueError("a number of the cron expression has too many digits") from None
    return _until_the_calendar_ends(simulation if every == 1 else _every_nth(simulation, fields, every))


def _is_day(field: str) -> bool:
    try:
        CronSim(f"0 0 {field} * *", datetime.min)
    except CronSimError:
        return False
    return True


def _every_nth(simulation: CronSim, fields: list[str], every: int) -> Iterator[datetime]:
    """Yield every nth time; count days instead of times, because each day that matches has the same times."""
    times = sorted(product(simulation.hours, simulation.minutes))
    latest = simulation.dt
    first = next(simulation)
    index = times.index((first.hour, first.minute)) + every - 1
    before = first.replace(hour=0, minute=0) - timedelta(seconds=1)
    for number, day in enumerate(CronSim(" ".join(["0", "0", *fields[2:]]), before)):
        if day - latest > CENTURY:
            return
        while number == index // len(times):
            hour, minute = times[index % len(times)]
            latest = day.replace(hour=hour, minute=minute)
            yield latest
            index += every


def _invalid(name: str, field: str) -> ValueError:
    return ValueError(f"{name}: {field[:80]!r} is not valid; it takes {FIELDS[name]}")


def _until_the_calendar_ends(times: Iterator[datetime]) -> Iterator[datetime]:
    try:
        yield from times
    except OverflowError:
        return
