"""The requests that count towards the window: sent a moment ago, and without a response so far.

A limiter of a server refuses at once. A request that was sent longer ago is silent: the server works on it slowly. That
says nothing about the rate, so it must not hold back others. Two counters are enough: one for the current interval and
one for the interval before. Nothing here uses a clock.
"""

from __future__ import annotations

import math

# The length of an interval: a request counts until the end of the one after its own.
FRESH_SECONDS = 0.1

# Of a server that is far away the intervals are longer: so many times its shortest time to respond, up to a bound.
LATENCY_FACTOR = 1.5
MOST_FRESH_SECONDS = 0.5


class FreshRequests:
    """Counters of the requests that were sent a moment ago; the class that inherits them counts up and down.

    Attributes:
        fresh: How many requests count.
        newest: How many of them were sent in the current interval.
        newest_since: When the current interval began.
        older_since: When the one before it began.
        expires_at: When the current interval ends; the older requests are silent from then on, unless the server turns
            out to be far away.
        balance: How many requests were abandoned in the current interval, less the responses in it.
        latency: The shortest time in which the server responded; infinite before its first response.
    """

    latency: float

    def forget(self, now: float) -> None:
        """Count no request that was sent so far."""
        self.fresh: int = 0
        self.newest: int = 0
        self.balance: int = 0
        self.newest_since = self.older_since = now
        self.expires_at = now + self._seconds()

    def expire(self, now: float) -> int:
        """Begin a new interval if the current one is over.

        Returns:
            How many requests became silent or were abandoned, beyond the number of responses in the same time.
        """
        seconds = self._seconds()
        if now < self.newest_since + seconds:
            # The latency was not known when it began.
            self.expires_at = self.newest_since + seconds
            return 0
        begin = self.expires_at
        if now >= begin + seconds:
            # The new one would be over, too.
            begin, self.newest = now, 0
        silent = self.fresh - self.newest + self.balance
        self.fresh, self.newest, self.balance = self.newest, 0, 0
        self.older_since, self.newest_since = self.newest_since, begin
        self.expires_at = begin + seconds
        return max(0, silent)

    def _seconds(self) -> float:
        if self.latency == math.inf:
            return FRESH_SECONDS
        return min(max(FRESH_SECONDS, LATENCY_FACTOR * self.latency), MOST_FRESH_SECONDS)
