"""Clock: the time of a sandbox, its planned runs, and the occurrences of cron expressions and RRULEs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import chain, islice, takewhile
from typing import Final

import attrs
from cronsim import CronSim, CronSimError
from dateutil.rrule import rrulestr

# The time is fixed, so that tests see the same times in every run.
START: Final = datetime(2026, 11, 1, tzinfo=UTC)

# An hourly schedule runs this many times in five years, and a schedule for every minute in five weeks. Carrying out all
# these runs takes a few seconds.
MAX_RUNS: Final = 50_000
# The queue of the next runs may have this many entries of plans that were replaced or cancelled.
MAX_SKIPPED: Final = 1000
# At most this many times of one recurrence are counted. Counting some hundred thousand times takes a second.
MAX_COUNT: Final = 500_000

# The first and the last time that the clock can show. Beyond these limits, sums of times could not be expressed.
EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)


class TooManyRunsError(ValueError):
    """More runs were due than one move of the clock may do. The clock is at the last run; advance the clock again."""


@attrs.define
class Plan:
    """Something that runs at certain times.

    Attributes:
        times: The times of future runs, in order.
        run: A function that is called with the time of each run.
        is_active: A function that returns False if the plan must be removed instead of run.
        at: The time of the next run; None after the last.
    """

    times: Iterator[datetime]
    run: Callable[[datetime], None]
    is_active: Callable[[], bool]
    at: datetime | None = attrs.field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.at = next(self.times, None)


class Clock:
    """The time of a sandbox. When the clock is moved, it does the runs that become due; it never sleeps.

    Args:
        base: A fixed time, or a function that returns the current time of a clock that ticks. Must have a timezone.

    Attributes:
        lock: Held while the state of the sandbox changes, because several threads may use it.
        most_runs: The number of runs that one move of the clock may do.
        on_set: Called by `set`, which skips runs.

    Raises:
        ValueError: A fixed time is outside the years 1970 to 2199.
    """

    def __init__(self, base: datetime | Callable[[], datetime] = START) -> None:
        # The plans by number. Runs at the same time are done in the order of these numbers.
        self._plans: dict[int, Plan] = {}
        # The times of the next runs, the earliest first; an entry whose plan was replaced or cancelled is skipped.
        self._queue: list[tuple[datetime, int, int, Plan]] = []
        self._queued = 0
        self.lock = threading.RLock()
        self.most_runs = MAX_RUNS
        self.on_set: Callable[[], None] = lambda: None
        self._base = base
        self._offset = timedelta()
        # The time of the current run, while the clock is moved.
        self._at: datetime | None = None
        if isinstance(base, datetime) and base.tzinfo is not None:
            check_time(base)

    def __call__(self) -> datetime:
        """Return the current time in UTC.

        Raises:
            ValueError: The base has no timezone, so the time would depend on the machine.
        """
        if self._at is not None:
            return self._at
        base = self._base
        if not isinstance(base, datetime):
            base = base()
        if base.tzinfo is None:
            raise ValueError(f"the time of a sandbox must have a timezone, such as UTC: {base}")
        # A clock that ticks stops at the last time that it can show.
        return min(max(base.astimezone(UTC) + self._offset, EARLIEST), LATEST)

    @property
    def ticks(self) -> bool:
        """True if time passes by itself."""
        return not isinstance(self._base, datetime)

    def advance(
        self, by: timedelta | None = None, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move the clock forward by a duration, and return the new time. See `advance_to`.

        Raises:
            ValueError: The duration is negative, or leads beyond the year 2199.
            TooManyRunsError: More than `most_runs` runs are due until the new time.
        """
        try:
            step = (by or timedelta()) + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
            return self.advance_to(self() + step)
        except OverflowError:
            raise ValueError(f"the clock cannot go as far as that: it ends at {LATEST}") from None

    def advance_to(self, time: datetime) -> datetime:
        """Move the clock forward to a time, and return that time in UTC.

        If a run raises an error, the clock shows the time of that run, and all earlier runs are done. A run may itself
        move the clock, through a script. The runs that become due by this are done after that run.

        Args:
            time: The new time, with a timezone.

        Raises:
            ValueError: The time is in the past, is after the year 2199 or has no timezone.
            TooManyRunsError: More than `most_runs` runs are due until then.
        """
        if time.tzinfo is None:
            raise ValueError(f"the time must have a timezone: {time}")
        time = check_time(time)
        with self.lock:
            now = self()
            if time < now:
                raise ValueError(f"the clock does not go back: from {now} to {time}")
            if self._at is not None:
                self._at = time
                return time
            self._at = now
            try:
                if self._run(time):
                    raise TooManyRunsError(
                        f"{self.most_runs} runs are done, the clock shows {self._at} and more runs are due until "
                        f"{time}: advance again to continue, or disable schedules and automations that run often"
                    )
                self._at = max(time, self._at)
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
            if self._at is None:
                self._offset += check_time(time) - self()
            else:
                self._at = check_time(time)
            self.on_set()

    def catch_up(self) -> None:
        """Do the due runs of a clock that ticks. If they are too many for one move, the next call does the rest."""
        if self.ticks:
            with self.lock:
                if self._at is not None:
                    return
                now = self()
                try:
                    self._run(now)
                finally:
                    # A run may have moved the clock.
                    if self._at is not None and self._at > now:
                        self._offset += self._at - now
                    self._at = None

    def plan(self, number: int, plan: Plan) -> None:
        """Add a plan, or replace the plan that has the number."""
        self._plans[number] = plan
        self._enqueue(number, plan)

    def cancel(self, number: int) -> None:
        """Remove the plan that has a number, if there is one."""
        self._plans.pop(number, None)

    def clear(self) -> None:
        """Remove all plans."""
        self._plans.clear()
        self._queue.clear()

    def _enqueue(self, number: int, plan: Plan) -> None:
        if plan.at is None:
            return
        self._queued += 1
        heappush(self._queue, (plan.at, number, self._queued, plan))
        if len(self._queue) > 2 * len(self._plans) + MAX_SKIPPED:
            self._queue = [entry for entry in self._queue if self._is_current(entry)]
            heapify(self._queue)

    def _is_current(self, entry: tuple[datetime, int, int, Plan]) -> bool:
        at, number, _, plan = entry
        return self._plans.get(number) is plan and plan.at == at

    def _run(self, until: datetime) -> bool:
        """Do the runs up to a time, and return whether more runs are due than one move may do.

        During a run, the clock shows the time of that run. All runs of one time are done together, even if they exceed
        `most_runs`.
        """
        done = 0
        latest: datetime | None = None
        while self._queue:
            at, number, _, plan = entry = self._queue[0]
            if not self._is_current(entry):
                heappop(self._queue)
                continue
            if at > max(until, self._at or until):
                return False
            if done >= self.most_runs and at != latest:
                return True
            heappop(self._queue)
            self._at = max(at, self._at or at)
            latest = at
            # The next run is planned before this run, so that a run that fails is not repeated without end.
            plan.at = next(plan.times, None)
            is_active = plan.is_active()
            if plan.at is None or not is_active:
                del self._plans[number]
            else:
                self._enqueue(number, plan)
            if is_active:
                plan.run(at)
                done += 1
        return False


def check_time(at: datetime) -> datetime:
    """Return a time in UTC.

    Raises:
        ValueError: The time is outside the years 1970 to 2199, which the clock can show.
    """
    if not EARLIEST <= at <= LATEST:
        raise ValueError(f"the clock cannot go as far as {at}: it goes from {EARLIEST} to {LATEST}")
    return at.astimezone(UTC)


def parse_datetime(text: str) -> datetime:
    """Parse an ISO 8601 date-time, and return it in UTC.

    Raises:
        ValueError: The text is not a date-time, has no timezone, or is outside the years 1 to 9999 in UTC.
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


def cron_occurrences(expression: str, after: datetime, every: int = 1) -> Iterator[datetime]:
    """Return the times that a cron expression names, in order, up to the year 2199; at most 500,000 are counted.

    If both the day of the month and the day of the week are restricted, either may match.

    Args:
        expression: Five fields: minute, hour, day of month, month and day of week, with lists, ranges and steps.
        after: Only later times are returned; must be in UTC.
        every: Return only every nth of the times; at least 1.

    Raises:
        ValueError: The text is not a cron expression. The message names the field.
    """
    fields = expression.split()
    if len(fields) != 5:
        raise ValueError("not a standard cron expression of five fields")
    # L (last) and # (nth) are extensions of cronsim.
    if {*"L#"} & {*f"{fields[2]}{fields[4]}".upper()}:
        raise ValueError("L and # are not part of a standard cron expression")
    try:
        times = takewhile(lambda at: at <= LATEST, CronSim(expression, after))
    except CronSimError as error:
        raise ValueError(f"{error} in the cron expression {expression[:80]!r}") from None
    every = min(every, MAX_COUNT + 1)
    return islice(times, every - 1, MAX_COUNT, every)


RULE_PARTS: Final = frozenset(
    {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTH"}
)
# These parts need a FREQ of a day or more: with a shorter FREQ, dateutil searches hour by hour.
DAY_PARTS: Final = frozenset({"BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"})
DAYS: Final = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
# dateutil searches up to the year 9999, which takes seconds if a rule never occurs. The calendar repeats every 400
# years, so the search begins this many years later, and covers only the last twentieth of that time.
LATER: Final = 19 * 400


def rrule_occurrences(rule: str, start: datetime, after: datetime) -> Iterator[datetime]:
    """Return the times of a recurrence rule, in order, up to the year 2199; at most 500,000 are counted.

    Args:
        rule: An RRULE, with or without `RRULE:` before it.
        start: The time from which the rule counts, in UTC.
        after: Only later times are returned.

    Raises:
        ValueError: The text is not an RRULE, or the rule never occurs.
    """
    text = rule.upper().removeprefix("RRULE:")
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.partition("=")
        parts[name] = value
    known = RULE_PARTS
    if parts.get("FREQ") in DAYS:
        known |= DAY_PARTS
    for name in parts:
        if name not in known:
            raise ValueError(f"{name!r} is unknown, or not possible with this FREQ")
    # dateutil would never return with an INTERVAL of 0, and does not check COUNT.
    for name in ("INTERVAL", "COUNT"):
        if not 1 <= int(parts.get(name, 1)) <= MAX_COUNT:
            raise ValueError(f"INTERVAL and COUNT must be from 1 to {MAX_COUNT}")
    if {"COUNT", "UNTIL"} <= parts.keys() or len(text.split()) > 1:
        raise ValueError("it must not have COUNT and UNTIL, which exclude each other, or a space")
    try:
        end = LATEST
        if "UNTIL" in parts:
            end = min(LATEST, parse_datetime(parts.pop("UNTIL")))
        found = rrulestr(";".join(map("=".join, parts.items())), dtstart=start.replace(year=start.year + LATER))
        times = takewhile(lambda at: at <= end, (at.replace(year=at.year - LATER) for at in islice(found, MAX_COUNT)))
        # dateutil finds some errors only when it computes the first time.
        first = next(times, None)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{rule!r} is not valid: {error}") from None
    if first is None:
        raise ValueError(f"{rule!r} never occurs")
    return times_after(chain([first], times), after)


def times_after(times: Iterable[datetime], after: datetime) -> Iterator[datetime]:
    """Return the times that are later than a time."""
    return (at for at in times if at > after)
