"""Rows in flight: how many may be, which are, and how far the run is."""

from __future__ import annotations

import asyncio
import math
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.text import format_value

if TYPE_CHECKING:
    from .item import BatchItem

FLOOR: Final = 1

# Seconds after a 429 before one more row than there are places is tried; each trial that gets a 429 doubles them.
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 60.0


def check_concurrency(value: Any) -> None:
    """Refuse what cannot be the greatest number of rows in flight.

    Raises:
        InvalidArgumentError: It is no whole number, or less than 1.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidArgumentError(f"concurrency must be a whole number of at least 1, not {format_value(value)}")


class Capacity:
    """The limit of the rows in flight.

    An object on the platform holds a place. A 429 shows that there are no places but those that the objects of rows in
    flight hold: the limit falls to that number, and one more row is tried now and then. When such a trial is accepted,
    the next one follows at once. If no row holds a place, the number of places is not known: a 429 then halves the
    limit, and after as many successes as it allows it rises by one (AIMD, as in TCP).

    Many requests may get a 429 at once. Those that were sent before the limit fell say nothing about the new limit:
    each request belongs to a round, and a 429 begins the next round.

    Args:
        maximum: The greatest limit, and the first one.

    Attributes:
        maximum: The greatest limit.
        places: How many rows may be in flight, as far as is known; from 1 to `maximum`.
        current: Number of the current round.
    """

    def __init__(self, maximum: int) -> None:
        self.maximum: Final = maximum
        self.places: int = maximum
        self.current: int = 0
        self._successes = 0
        self._pause = 0.0
        # Whether places are counted by the rows that hold them.
        self._counts_held = False
        self._trial_at = math.inf

    @property
    def grows_at(self) -> float:
        """The time at which one more row is tried; infinite where none is."""
        return self._trial_at if self._counts_held and self.places < self.maximum else math.inf

    def limit(self, now: float) -> int:
        """Return how many rows may be in flight now, from 1 to `maximum`."""
        return self.places + (now >= self.grows_at)

    def limited(self, round: int, now: float, held: int) -> bool:
        """Lower the limit after a 429.

        Args:
            round: The round in which the request was sent.
            now: The current time in seconds.
            held: The number of rows in flight that hold a place.

        Returns:
            Whether the request was sent in the current round; the limit is not lowered for an earlier one.
        """
        if round != self.current:
            return False
        self.current += 1
        self._successes = 0
        self._counts_held = held > 0
        self.places = min(held, self.maximum) or max(FLOOR, self.places // 2)
        self._pause = min(max(FIRST_PAUSE, 2 * self._pause), LONGEST_PAUSE)
        self._trial_at = now + self._pause
        return True

    def accepted(self, round: int, now: float, held: int) -> None:
        """Raise the limit to the rows that hold a place, now that one more does; arguments as of `limited`."""
        self._counts_held = True
        if held <= self.places:
            return
        self.places = min(held, self.maximum)
        if round == self.current:
            self._pause, self._trial_at = 0.0, now

    def succeeded(self, round: int) -> None:
        """Count a row that came to its end; one of an earlier round says nothing about the current limit."""
        if round != self.current or self._counts_held or self.places >= self.maximum:
            return
        self._successes += 1
        if self._successes >= self.places:
            self.places += 1
            self._successes = 0


# Seconds between two lines: a terminal over a slow connection keeps up.
EVERY = 0.1


class ProgressBar:
    """One line that is written again in its place: rows by state, rows in a second, rows in flight.

    Args:
        stream: Where to write it; None takes stderr.
        enabled: Whether to write; None writes only on a terminal.
        clock: Returns seconds.
    """

    def __init__(
        self, stream: TextIO | None = None, enabled: bool | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._enabled = self._stream.isatty() if enabled is None else enabled
        self._clock = clock
        self._began = self._written = clock()
        self._counts: Counter[str] = Counter()

    def count(self, state: str) -> None:
        """Count a row that has come to its end in this run."""
        self._counts[state] += 1

    def show(self, in_flight: int, limit: int, *, last: bool = False) -> None:
        """Write the line, unless one was written just now; the *last* one stays on the terminal."""
        now = self._clock()
        if not self._enabled or (now - self._written < EVERY and not last):
            return
        self._written = now
        rate = self._counts.total() / max(now - self._began, EVERY)
        states = ", ".join(f"{count} {state}" for state, count in self._counts.items()) or "0 rows"
        line = f"{states} | {rate:.1f}/s | {in_flight} of at most {limit} in flight"
        width = shutil.get_terminal_size().columns - 1
        # Blanks cover what is left of a longer line.
        self._stream.write(f"\r{line[:width]:<{width}}{chr(10) if last else ''}")
        self._stream.flush()


T = TypeVar("T")


class WithdrawnError(Exception):
    """A request was withdrawn before it was sent; its row is as it was."""


@attrs.frozen
class Work:
    """A row that is to be advanced: what the store has of it, and the arguments of its request."""

    item: BatchItem
    arguments: Mapping[str, Any]


class Flight:
    """A row in flight.

    Args:
        work: The row.
        round: The round of the concurrency in which it began.
        on_accepted: Called when the server has accepted its request.

    Attributes:
        is_sent: Whether its request may have left; it has not left before.
        is_accepted: Whether its object is there.
    """

    def __init__(self, work: Work, round: int, on_accepted: Callable[[Flight], None]) -> None:
        self.work: Final = work
        self.round: Final = round
        self.is_sent = False
        self.is_accepted = False
        self._on_accepted = on_accepted
        self._sending: asyncio.Task[Any] | None = None

    def accept(self) -> None:
        """Note that its object is there."""
        if not self.is_accepted:
            self.is_accepted = True
            self._on_accepted(self)

    def withdraw(self) -> None:
        """Give its request up, if it was not sent."""
        if self._sending is not None and not self.is_sent:
            self._sending.cancel()

    async def carry(self, step: Coroutine[Any, Any, T]) -> T:
        """Await the step that sends the request; once it is sent to its end, also where the caller is cancelled.

        What the request did is then known, and kept.

        Raises:
            WithdrawnError: It was withdrawn.
        """
        self.is_sent = False
        self._sending = task = asyncio.get_running_loop().create_task(step)
        task.add_done_callback(look_at)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise WithdrawnError from None
            self.withdraw()
            await asyncio.wait((task,))
            raise
        finally:
            self._sending = None


def look_at(task: asyncio.Task[Any]) -> None:
    """See the exception of a task; asyncio would log one that is never retrieved."""
    if not task.cancelled():
        task.exception()
