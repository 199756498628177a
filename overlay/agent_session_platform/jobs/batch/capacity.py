"""The number of rows in flight: as many as the server has places for, learned from 429s. Pure: it knows no clock."""

from __future__ import annotations

import math
from typing import Final

FLOOR: Final = 1

# Seconds after a refusal before one more row than there are places is tried; doubled by each trial that is refused.
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 60.0


class Capacity:
    """The limit of the rows in flight.

    A 429 says that there are no more places than those that are held, by the objects of rows in flight: so many are
    left, and one more is tried now and then. Each trial that is accepted is followed by the next one at once. Where no
    row holds a place, nothing is known of them: the limit is then halved, and comes back by one after as many successes
    as it allows (AIMD, as in TCP).

    Refusals come in groups, because requests are sent at once. Those that were sent before the limit fell say nothing
    about the new limit: each request is sent in a round, and a refusal begins the next.

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
        """Lower the limit after the refusal of a request; return whether it was one of the current round.

        Args:
            round: The round in which it was sent.
            now: The current time in seconds.
            held: How many rows in flight hold a place.
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
