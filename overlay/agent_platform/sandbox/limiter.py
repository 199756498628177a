"""A rate limit that one can switch on: a token bucket."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .problems import RefusedError


@dataclass(slots=True)
class RateLimit:
    """Lets *burst* requests through at once and *per_second* in the long run; the rest is refused with 429.

    `retry_after` is the form of the header: "seconds" (an integer), "fraction", or None for no header. `refused`
    counts the refusals.
    """

    per_second: float
    burst: int = 1
    retry_after: str | None = "seconds"
    clock: Callable[[], float] = time.monotonic
    refused: int = 0
    _tokens: float = field(init=False)
    _filled_at: float = field(init=False)

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
        self._tokens = min(float(self.burst), self._tokens + (now - self._filled_at) * self.per_second)
        self._filled_at = now
        if self._tokens >= 1:
            self._tokens -= 1
            return
        self.refused += 1
        wait = (1 - self._tokens) / self.per_second
        headers: dict[str, str] = {}
        if self.retry_after == "seconds":
            headers["Retry-After"] = str(math.ceil(wait))
        elif self.retry_after == "fraction":
            headers["Retry-After"] = f"{wait:.3f}"
        raise RefusedError(429, "too many requests", headers=headers)
