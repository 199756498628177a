"""The sandbox's clock: it stands still or ticks, and runs in order what becomes due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from .scheduler import Scheduler

# Fixed, so that every run shows the same times.
START: Final = datetime(2026, 11, 1, tzinfo=UTC)

# An hourly schedule has as many runs in five years, one that runs every minute in five weeks. They take a few seconds.
MAX_RUNS: Final = 50_000


class TooManyRunsError(ValueError):
    """More runs were due than one move of the clock may do. The clock stands at the last run; advance it again."""


class Clock:
    """The time of a sandbox. Moving it runs what becomes due and never sleeps.

    Args:
        base: The time at which the clock stands, or a function that makes it tick. Must have a timezone.

    Attributes:
        scheduler: The runs to come.
        most_runs: How many runs one move of the clock may do.
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
        """Call *callback* whenever the clock was set without running what was due."""
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

    def advance_to(self, moment: datetime) -> datetime:
        """Move the clock forward to *moment*, a time with a timezone, and return it.

        Any error leaves the clock at the time of the failed run, with all earlier runs done.

        Raises:
            ValueError: The time is in the past or has no timezone.
            TooManyRunsError: More than `most_runs` runs are due until then.
        """
        if moment.tzinfo is None:
            raise ValueError(f"the moment must have a timezone: {moment}")
        now = self()
        if moment < now:
            raise ValueError(f"the clock does not go back: from {now} to {moment}")
        self._at = now
        try:
            if not self._run(moment):
                raise TooManyRunsError(
                    f"{self.most_runs} runs are done, the clock stands at {self._at} and more is due until {moment}: "
                    "advance again to go on from there, advance less at once, or disable what recurs so often"
                )
            self._at = moment
        finally:
            self._offset += self._at - now
            self._at = None
        return self()

    def set(self, moment: datetime) -> None:
        """Set the clock to *moment*, earlier or later, and skip the runs in between."""
        self._offset += moment - self()
        for callback in self._on_set:
            callback()

    def catch_up(self) -> None:
        """Run what is due on a clock that ticks; after `most_runs` runs, leave the rest to the next call."""
        if self.ticks:
            try:
                self._run(self())
            finally:
                self._at = None

    def _run(self, until: datetime) -> bool:
        """Do the runs up to a time, each at its time; return False if `most_runs` was reached.

        Runs of the same time are never separated, however many they are.
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
