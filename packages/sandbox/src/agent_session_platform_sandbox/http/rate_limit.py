"""The rate limit of a sandbox: a token bucket, in real time or in the time of the sandbox."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from datetime import datetime

import attrs

from ..problems import RefusedError

# Rounding of sums of fractions must not cost a token.
TOLERANCE = 1e-6
# Beyond these, a waiting time or a number of tokens could not be expressed.
SLOWEST = 1e-6
FASTEST = 1e9


def _is_rate(limit: RateLimit, attribute: object, burst: int) -> None:
    if not (SLOWEST <= limit.per_second <= FASTEST and 1 <= burst <= FASTEST):
        raise ValueError(
            f"per_second must be positive (from {SLOWEST:f} to {FASTEST:.0f}) and burst at least 1 (and no more than "
            f"that), numbers that a float can hold, not {limit.per_second} and {burst}"
        )


def _is_form(limit: RateLimit, attribute: object, form: str | None) -> None:
    if form not in ("seconds", "fraction", None):
        raise ValueError(f"retry_after must be 'seconds', 'fraction' or None, not {form!r}")


@attrs.define
class RateLimit:
    """A token bucket that refuses requests beyond its rate with 429.

    Time is real by default, even if the sandbox's clock does not tick: a client waits for Retry-After in real
    time. The number of refused requests then depends on the machine. With `RateLimit(1, burst=2, clock=sandbox.clock)`
    the limit uses the sandbox's time, and a test is the same in every run: nothing more is admitted until
    `sandbox.clock.advance(seconds=1)`. The client still waits in real time, also in its rate limiter before the next
    call, and raises RateLimitedError after the attempts of its RetryPolicy; a high rate and `retry_after="fraction"`
    keep such a test short.

    Args:
        per_second: Requests per second in the long run; positive.
        burst: Requests that are admitted at once; at least 1.
        retry_after: Form of the Retry-After header: "seconds" (an integer), "fraction", or None for no header. A client
            that waits for this time, by *clock*, is admitted.
        clock: Returns seconds or date-times.

    Attributes:
        refused: Number of refused requests.

    Raises:
        ValueError: A setting is out of range.
    """

    per_second: float
    burst: int = attrs.field(default=1, validator=_is_rate)
    retry_after: str | None = attrs.field(default="seconds", validator=_is_form)
    clock: Callable[[], float | datetime] = time.monotonic
    refused: int = 0
    _tokens: float = attrs.field(init=False)
    _filled_at: float | datetime = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._tokens = float(self.burst)
        self._filled_at = self.clock()

    def admit(self) -> None:
        """Take a token.

        Raises:
            RefusedError: 429 if there is none.
        """
        now = self.clock()
        before = self._filled_at
        if isinstance(now, datetime) and isinstance(before, datetime):
            passed = (now - before).total_seconds()
        elif isinstance(now, datetime) or isinstance(before, datetime):
            raise TypeError("the clock of a RateLimit must return either seconds or date-times, not both")
        else:
            passed = now - before
        # A clock that was set back removes no tokens.
        self._tokens = min(float(self.burst), self._tokens + max(0.0, passed) * self.per_second)
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
