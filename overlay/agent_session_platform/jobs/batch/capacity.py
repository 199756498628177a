"""Adaptive concurrency: additive increase, multiplicative decrease (AIMD), as in TCP. Pure: it knows no clock."""

from __future__ import annotations

from typing import Final

FLOOR: Final = 1


class Capacity:
    """The limit of the rows in flight: halved by a refusal, and back by one after as many successes as it allows.

    Refusals come in groups, because requests are sent at once. Those that were sent before the limit fell say nothing
    about the new limit, and do not lower it again: each request is sent in a round, and a refusal begins the next.

    Args:
        maximum: The greatest limit, and the first one.

    Attributes:
        maximum: The greatest limit.
        limit: How many rows may be in flight now, from 1 to `maximum`.
        current: Number of the current round.
    """

    def __init__(self, maximum: int) -> None:
        self.maximum: Final = maximum
        self.limit: int = maximum
        self.current: int = 0
        self._successes = 0

    def refused(self, round: int) -> bool:
        """Halve the limit after the refusal of a request; return whether it was one of the current round."""
        if round != self.current:
            return False
        self.limit = max(FLOOR, self.limit // 2)
        self.current += 1
        self._successes = 0
        return True

    def succeeded(self, round: int) -> None:
        """Count a row that was not refused; one of an earlier round says nothing about the current limit."""
        if round != self.current or self.limit >= self.maximum:
            return
        self._successes += 1
        if self._successes >= self.limit:
            self.limit += 1
            self._successes = 0
