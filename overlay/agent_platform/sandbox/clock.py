"""The time of a sandbox: it stands still, or ticks, and whatever it passes is done in order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

# The same in every run, so that two runs show the same times.
START: Final = datetime(2026, 11, 1, tzinfo=UTC)


class Due(NamedTuple):
    """Something to be done: when, in which order among what is due at that moment, and how."""

    at: datetime
    number: int
    run: Callable[[], None]


# What is due next up to a moment, of one kind of things; None when nothing is.
Source = Callable[[datetime], Due | None]


class Clock:
    """Tells the time of a sandbox; `advance` moves it and runs what is due meanwhile, without ever sleeping.

    *base* is where it stands, or what it ticks by.
    """

    def __init__(self, base: datetime | Callable[[], datetime] = START) -> None:
        self._base = base
        self._moved = timedelta()
        self._at: datetime | None = None
        self._sources: list[Source] = []

    def __call__(self) -> datetime:
        """The time now, in UTC."""
        if self._at is not None:
            return self._at
        base = self._base if isinstance(self._base, datetime) else self._base()
        return base.astimezone(UTC) + self._moved

    @property
    def ticks(self) -> bool:
        """Whether time passes by itself."""
        return not isinstance(self._base, datetime)

    def watch(self, source: Source) -> None:
        """Ask *source* for what is due whenever time passes."""
        self._sources.append(source)

    def advance(
        self, by: timedelta | None = None, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Let time pass and give the time then; raises ValueError for one that would go back."""
        step = (by or timedelta()) + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        if step < timedelta():
            raise ValueError(f"the clock does not go back: {step}")
        return self.advance_to(self() + step)

    def advance_to(self, moment: datetime) -> datetime:
        """Let time pass until *moment*; raises ValueError when that is past, or has no timezone."""
        if moment.tzinfo is None:
            raise ValueError(f"the moment must have a timezone: {moment}")
        now = self()
        if moment < now:
            raise ValueError(f"the clock does not go back: from {now} to {moment}")
        self._run(moment.astimezone(UTC))
        self._moved += moment - now
        return self()

    def set(self, moment: datetime) -> None:
        """Stand at *moment*, be it earlier or later, and run nothing."""
        self._moved += moment - self()

    def catch_up(self) -> None:
        """Run what is due by now, where the clock ticks by itself."""
        if self.ticks:
            self._run(self())

    def _run(self, until: datetime) -> None:
        try:
            while (due := self._next(until)) is not None:
                self._at = max(due.at, self._at or due.at)
                due.run()
        finally:
            self._at = None

    def _next(self, until: datetime) -> Due | None:
        found = (source(until) for source in self._sources)
        return min((due for due in found if due is not None), key=lambda due: (due.at, due.number), default=None)
