"""The time of a sandbox: it stands still, or ticks, and whatever it passes is done in order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

# The same in every run, so that two runs show the same times.
START: Final = datetime(2026, 11, 1, tzinfo=UTC)

# An hourly schedule runs as often in five years, one of every minute in five weeks; it takes a few seconds.
MOST_RUNS: Final = 50_000


class TooManyRunsError(ValueError):
    """More was due on the way than is done at once; the clock stands where it got, and all is done up to there."""


class Due(NamedTuple):
    """Something to be done: when, in which order among what is due at that moment, and how."""

    at: datetime
    number: int
    run: Callable[[], None]


# What is due next up to a moment, of one kind of things; None when nothing is.
Source = Callable[[datetime], Due | None]


class Clock:
    """Tells the time of a sandbox; `advance` moves it and runs what is due meanwhile, without ever sleeping.

    *base* is where it stands, or what it ticks by. `most_runs` is how much is done at once.
    """

    def __init__(self, base: datetime | Callable[[], datetime] = START) -> None:
        self.most_runs = MOST_RUNS
        self._base = base
        self._moved = timedelta()
        self._at: datetime | None = None
        self._sources: list[Source] = []
        self._told: list[Callable[[], None]] = []

    def __call__(self) -> datetime:
        """The time now, in UTC; raises ValueError where *base* has no timezone: it would depend on the machine."""
        if self._at is not None:
            return self._at
        base = self._base if isinstance(self._base, datetime) else self._base()
        if base.tzinfo is None:
            raise ValueError(f"the time of a sandbox must have a timezone, such as UTC: {base}")
        return base.astimezone(UTC) + self._moved

    @property
    def ticks(self) -> bool:
        """Whether time passes by itself."""
        return not isinstance(self._base, datetime)

    def watch(self, source: Source, moved: Callable[[], None] | None = None) -> None:
        """Ask *source* for what is due whenever time passes; tell *moved* when the clock was set without that."""
        self._sources.append(source)
        if moved is not None:
            self._told.append(moved)

    def advance(
        self, by: timedelta | None = None, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Let time pass and give the time then; raises as `advance_to`."""
        step = (by or timedelta()) + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        if step < timedelta():
            raise ValueError(f"the clock does not go back: {step}")
        return self.advance_to(self() + step)

    def advance_to(self, moment: datetime) -> datetime:
        """Let time pass until *moment*, and give it.

        Raises ValueError when that is past or has no timezone, and TooManyRunsError when more than `most_runs` are due
        on the way. Whatever is raised on the way leaves the clock where it got, with all done that was due before.
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
                    "advance again to go on from there, take less time at once, or disable what recurs so often"
                )
            self._at = moment
        finally:
            self._moved += self._at - now
            self._at = None
        return self()

    def set(self, moment: datetime) -> None:
        """Stand at *moment*, be it earlier or later, and run nothing: neither now nor later what was due between."""
        self._moved += moment - self()
        for moved in self._told:
            moved()

    def catch_up(self) -> None:
        """Run what is due by now, where the clock ticks by itself; what is too much is left to the next time."""
        if self.ticks:
            try:
                self._run(self())
            finally:
                self._at = None

    def _run(self, until: datetime) -> bool:
        """Run what is due, at the time when it is; tells whether that was all.

        All of one moment is run, however much it is.
        """
        done = 0
        while (due := self._next(until)) is not None:
            if done >= self.most_runs and due.at != self._at:
                return False
            self._at = due.at if self._at is None else max(due.at, self._at)
            due.run()
            done += 1
        return True

    def _next(self, until: datetime) -> Due | None:
        found = (source(until) for source in self._sources)
        return min((due for due in found if due is not None), key=lambda due: (due.at, due.number), default=None)


def moment(text: str) -> datetime:
    """What a date-time in ISO 8601 with a timezone names, in UTC.

    Raises ValueError for what is none, and for one that lies outside the calendar in UTC.
    """
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("not an ISO 8601 date-time") from None
    if given.tzinfo is None:
        raise ValueError("must have a timezone")
    try:
        return given.astimezone(UTC)
    except OverflowError:
        raise ValueError("must be between the years 1 and 9999 in UTC") from None
