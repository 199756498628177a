"""How many rows of a batch may be in flight."""

from __future__ import annotations

import math
from typing import Final

# Seconds after a 429 before one more row than there are places is tried; each trial that gets a 429 doubles them.
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 60.0


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
        self.places = min(held, self.maximum) or max(1, self.places // 2)
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
