"""Clock: the time of a sandbox, its planned runs, and the occurrences of cron expressions and RRULEs."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import islice
from time import monotonic
from typing import Final

import attrs
from cronsim import CronSim, CronSimError
from dateutil.rrule import rrule, rrulestr

# Fixed, so that tests see the same times in every run.
START: Final = datetime(2026, 11, 1, tzinfo=UTC)

# An hourly schedule has this number of runs in five years, and a schedule for every minute in five weeks. Doing them
# takes a few seconds.
MAX_RUNS: Final = 50_000
# Seconds that one move of the clock may take; the times of some rules take long to find.
MAX_SECONDS: Final = 5.0

# The times that the clock can show. Outside of them, sums of times could not be expressed.
EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)


class TooManyRunsError(ValueError):
    """More runs were due than one move of the clock may do. The clock is at the last run; advance it again."""


@attrs.frozen
class Plan:
    """Something that runs at certain times.

    Attributes:
        times: The future times, in order.
        run: Called with the time of the run.
        is_active: Returns False if the plan must be removed instead of run.
    """

    times: Iterator[datetime]
    run: Callable[[datetime], None]
    is_active: Callable[[], bool]


class Scheduler:
    """The plans by number, and the next run of each."""

    def __init__(self) -> None:
        self._plans: dict[int, tuple[int, Plan]] = {}
        # The serial number distinguishes the current entry of a plan from outdated ones.
        self._upcoming: list[tuple[datetime, int, int]] = []
        self._serial = 0

    def plan(self, number: int, plan: Plan) -> None:
        """Add the plan with this number, in place of an older one."""
        at = next(plan.times, None)
        if at is None:
            self.cancel(number)
            return
        self._serial += 1
        self._plans[number] = (self._serial, plan)
        heappush(self._upcoming, (at, number, self._serial))

    def cancel(self, number: int) -> None:
        """Remove the plan with this number, if there is one."""
        self._plans.pop(number, None)

    def clear(self) -> None:
        """Remove all plans."""
        self._plans.clear()
        self._upcoming.clear()

    def next_due(self, until: datetime) -> tuple[datetime, Callable[[], None]] | None:
        """Return the time of the next run up to a time, and the function that does it; None if none is due."""
        while self._upcoming and self._upcoming[0][0] <= until:
            at, number, serial = self._upcoming[0]
            current, plan = self._plans.get(number, (0, None))
            if plan is not None and serial == current:
                if plan.is_active():
                    return at, partial(self._run, number, plan, at)
                self.cancel(number)
            heappop(self._upcoming)
        return None

    def _run(self, number: int, plan: Plan, at: datetime) -> None:
        # Planned again before it runs, so that a run that fails is not repeated without end.
        heappop(self._upcoming)
        self.plan(number, plan)
        plan.run(at)


class Clock:
    """The time of a sandbox. Moving it does the runs that become due, and never sleeps.

    Args:
        base: A fixed time, or a function that returns the current time of a clock that ticks. Must have a timezone.

    Attributes:
        scheduler: The future runs.
        lock: Held while the state of the sandbox changes, because several threads may use it.
        most_runs: The number of runs that one move of the clock may do.
        most_seconds: The seconds that one move of the clock may take.

    Raises:
        ValueError: A fixed time is outside the years 1970 to 2199.
    """

    def __init__(self, base: datetime | Callable[[], datetime] = START) -> None:
        self.scheduler = Scheduler()
        self.lock = threading.RLock()
        self.most_runs = MAX_RUNS
        self.most_seconds = MAX_SECONDS
        self._base = base
        self._offset = timedelta()
        # The time of the current run, while the clock is moved.
        self._at: datetime | None = None
        self._on_set: list[Callable[[], None]] = []
        if isinstance(base, datetime) and base.tzinfo is not None:
            check_time(base)

    def __call__(self) -> datetime:
        """Return the current time in UTC.

        Raises:
            ValueError: The base has no timezone, so the time would depend on the machine.
        """
        if self._at is not None:
            return self._at
        base = self._base if isinstance(self._base, datetime) else self._base()
        if base.tzinfo is None:
            raise ValueError(f"the time of a sandbox must have a timezone, such as UTC: {base}")
        # A clock that ticks stands still at the end.
        return min(max(base.astimezone(UTC) + self._offset, EARLIEST), LATEST)

    @property
    def ticks(self) -> bool:
        """True if time passes by itself."""
        return not isinstance(self._base, datetime)

    def on_set(self, callback: Callable[[], None]) -> None:
        """Register a function to call after `set`, which skips runs."""
        self._on_set.append(callback)

    def advance(
        self, by: timedelta | None = None, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move the clock forward by a duration, and return the new time.

        Raises:
            ValueError: As for `advance_to`.
            TooManyRunsError: As for `advance_to`.
        """
        try:
            step = (by or timedelta()) + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
            until = self() + step
        except OverflowError:
            raise ValueError(f"the clock cannot go as far as that: it ends at {LATEST}") from None
        if step < timedelta():
            raise ValueError(f"the clock does not go back: {step}")
        return self.advance_to(until)

    def advance_to(self, time: datetime) -> datetime:
        """Move the clock forward to a time, and return that time in UTC.

        If a run raises an error, the clock shows the time of that run, and all earlier runs are done.

        Args:
            time: The new time, with a timezone.

        Raises:
            ValueError: The time is in the past, is after the year 2199 or has no timezone.
            TooManyRunsError: More than `most_runs` runs are due until then, or they take more than `most_seconds`.
        """
        if time.tzinfo is None:
            raise ValueError(f"the time must have a timezone: {time}")
        time = check_time(time)
        with self.lock:
            now = self()
            if time < now:
                raise ValueError(f"the clock does not go back: from {now} to {time}")
            self._at = now
            try:
                done = self._run(time)
                if done is not None:
                    raise TooManyRunsError(
                        f"{min(done, self.most_runs)} runs are done, the clock shows {self._at} and more runs are due "
                        f"until {time}: advance again to continue, advance by less, or disable schedules and "
                        "automations that run often"
                    )
                self._at = time
            finally:
                self._offset += self._at - now
                self._at = None
            return self()

    def set(self, time: datetime) -> None:
        """Set the clock to an earlier or later time, and skip the runs in between.

        Raises:
            ValueError: The time is outside the years 1970 to 2199.
        """
        with self.lock:
            self._offset += check_time(time) - self()
            for callback in self._on_set:
                callback()

    def catch_up(self) -> None:
        """Do the due runs of a clock that ticks; beyond the limits of one move, leave the rest to the next call."""
        if self.ticks:
            with self.lock:
                try:
                    self._run(self())
                finally:
                    self._at = None

    def _run(self, until: datetime) -> int | None:
        """Do the runs up to a time, each at its time; return their number if more are due than one move may do.

        All runs of one time are done together, even if they exceed `most_runs`.
        """
        done, end = 0, monotonic() + self.most_seconds
        while (due := self.scheduler.next_due(until)) is not None:
            at, run = due
            if at != self._at and (done >= self.most_runs or (done and monotonic() > end)):
                return done
            self._at = at if self._at is None else max(at, self._at)
            run()
            done += 1
        return None


def check_time(at: datetime) -> datetime:
    """Return a time in UTC.

    Raises:
        ValueError: It is outside the years 1970 to 2199, which the clock can show.
    """
    if not EARLIEST <= at <= LATEST:
        raise ValueError(f"the clock cannot go as far as {at}: it goes from {EARLIEST} to {LATEST}")
    return at.astimezone(UTC)


def parse_datetime(text: str) -> datetime:
    """Parse an ISO 8601 date-time, and return it in UTC.

    Raises:
        ValueError: It is not a date-time, has no timezone, or is outside the years 1 to 9999 in UTC.
    """
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("not an ISO 8601 date-time") from None
    if parsed.tzinfo is None:
        raise ValueError("must have a timezone")
    try:
        return parsed.astimezone(UTC)
    except OverflowError:
        raise ValueError("must be between the years 1 and 9999 in UTC") from None


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
