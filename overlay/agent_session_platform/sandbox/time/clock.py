"""The sandbox's clock: it does due runs in order of time, and moves only on request unless it ticks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from .scheduler import Scheduler

# Fixed, so that tests see the same times in every run.
START: Final = datetime(2026, 11, 1, tzinfo=UTC)

# An hourly schedule has this number of runs in five years, and a schedule for every minute in five weeks. Doing them
# takes a few seconds.
MAX_RUNS: Final = 50_000


class TooManyRunsError(ValueError):
    """More runs were due than one move of the clock may do. The clock is at the last run; advance it again."""


class Clock:
    """The time of a sandbox. Moving it does the runs that become due, and never sleeps.

    Args:
        base: A fixed time, or a function that returns the current time of a clock that ticks. Must have a timezone.

    Attributes:
        scheduler: The future runs.
        most_runs: The number of runs that one move of the clock may do.
    """

    def __init__(self, base: datetime | Callable[[], datetime] = START) -> None:
        self.scheduler = Scheduler()
        self.most_runs = MAX_RUNS
        self._base = base
        self._offset = timedelta()
        # The time of the current run, while the clock is moved.
        self._at: datetime | None = None
        self._on_set: list[Callable[[], None]] = []

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
        return base.astimezone(UTC) + self._offset

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
        step = (by or timedelta()) + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        if step < timedelta():
            raise ValueError(f"the clock does not go back: {step}")
        return self.advance_to(self() + step)

    def advance_to(self, time: datetime) -> datetime:
        """Move the clock forward to a time, and return that time in UTC.

        If a run raises an error, the clock shows the time of that run, and all earlier runs are done.

        Args:
            time: The new time, with a timezone.

        Raises:
            ValueError: The time is in the past or has no timezone.
            TooManyRunsError: More than `most_runs` runs are due until then.
        """
        if time.tzinfo is None:
            raise ValueError(f"the time must have a timezone: {time}")
        now = self()
        if time < now:
            raise ValueError(f"the clock does not go back: from {now} to {time}")
        self._at = now
        try:
            if not self._run(time):
                raise TooManyRunsError(
                    f"{self.most_runs} runs are done, the clock shows {self._at} and more runs are due until {time}: "
                    "advance again to continue, advance by less, or disable schedules and automations that run often"
                )
            self._at = time
        finally:
            self._offset += self._at - now
            self._at = None
        return self()

    def set(self, time: datetime) -> None:
        """Set the clock to an earlier or later time, and skip the runs in between."""
        self._offset += time - self()
        for callback in self._on_set:
            callback()

    def catch_up(self) -> None:
        """Do the due runs of a clock that ticks; after `most_runs` runs, leave the rest to the next call."""
        if self.ticks:
            try:
                self._run(self())
            finally:
                self._at = None

    def _run(self, until: datetime) -> bool:
        """Do the runs up to a time, each at its time; return False if more are due than `most_runs`.

        All runs of one time are done together, even if they exceed `most_runs`.
        """
        done = 0
        while (due := self.scheduler.next_due(until)) is not None:
            if done >= self.most_runs and due.at != self._at:
                return False
            self._at = due.at if self._at is None else max(due.at, self._at)
            due.run()
            done += 1
        return True


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
