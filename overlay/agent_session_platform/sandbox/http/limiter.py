"""A rate limit that one can switch on: a token bucket, in real time or in that of the sandbox."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from ..problems import RefusedError

# What a sum of fractions may lack of a whole.
TOLERANCE = 1e-6


@dataclass(slots=True)
class RateLimit:
    """Lets *burst* requests through at once and *per_second* in the long run; the rest is refused with 429.

    Time is real unless told otherwise, also where the sandbox's clock stands still: a client that is told to wait does
    so in real time, and gets on by itself. How many are refused then depends on the machine. With
    `RateLimit(1, burst=2, clock=sandbox.clock)` the limit keeps to the sandbox's time, and a test is the same in every
    run: nothing more is let through until `sandbox.clock.advance(seconds=1)`, and a client that nobody helps so gives
    up with RateLimitedError after the attempts of its RetryPolicy. It still waits in real time, also in its gate before
    the next call: many a second and `retry_after="fraction"` keep such a test short.

    `retry_after` is the form of the header, in seconds of *clock*: "seconds" (an integer), "fraction", or None for no
    header. Whoever waits so long is let through. `refused` counts the refusals.
    """

    per_second: float
    burst: int = 1
    retry_after: str | None = "seconds"
    clock: Callable[[], float | datetime] = time.monotonic
    refused: int = 0
    _tokens: float = field(init=False)
    _filled_at: float | datetime = field(init=False)

    def __post_init__(self) -> None:
        if self.per_second <= 0 or self.burst < 1:
            raise ValueError(
                f"per_second must be positive and burst at least 1, not {self.per_second} and {self.burst}"
            )
        if self.retry_after not in ("seconds", "fraction", None):
            raise ValueError(f"retry_after must be 'seconds', 'fraction' or None, not {self.retry_after!r}")
        self._tokens = float(self.burst)
        self._filled_at = self.clock()

    def admit(self) -> None:
        """Take a token, or refuse with 429."""
        now = self.clock()
        # A clock that was set back has not taken anything away.
        passed = max(0.0, seconds_between(self._filled_at, now))
        self._tokens = min(float(self.burst), self._tokens + passed * self.per_second)
        self._filled_at = now
        if self._tokens >= 1 - TOLERANCE:
            self._tokens -= 1
            return
        self.refused += 1
        wait = (1 - TOLERANCE - self._tokens) / self.per_second
        headers: dict[str, str] = {}
        if self.retry_after == "seconds":
            headers["Retry-After"] = str(math.ceil(wait))
        elif self.retry_after == "fraction":
            headers["Retry-After"] = f"{math.ceil(1000 * wait) / 1000:.3f}"
        raise RefusedError(429, "too many requests", headers=headers)


def seconds_between(earlier: float | datetime, later: float | datetime) -> float:
    """How many seconds are between two readings of one clock."""
    if isinstance(earlier, datetime) and isinstance(later, datetime):
        return (later - earlier).total_seconds()
    if isinstance(earlier, datetime) or isinstance(later, datetime):
        raise TypeError("the clock of a RateLimit must tell seconds or date-times, not both")
    return later - earlier
