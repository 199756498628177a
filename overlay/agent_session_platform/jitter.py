"""Random waits: calls that failed in the same instant must not come back in the same instant."""

from __future__ import annotations

import random
from collections.abc import Callable

# On top of a Retry-After: up to 5 % of it, and up to 0.05 s where that is more.
RETRY_AFTER_SHARE = 0.05
RETRY_AFTER_SECONDS = 0.05

# Avoid float overflow; every cap is reached before.
DOUBLINGS = 60


def lengthen(retry_after: float, uniform: Callable[[float, float], float] = random.uniform) -> float:
    """Return the seconds to wait for a Retry-After: never less than it asks for, and a little more at random."""
    return retry_after + uniform(0.0, max(RETRY_AFTER_SECONDS, RETRY_AFTER_SHARE * retry_after))


def backoff(attempt: int, base: float, cap: float, uniform: Callable[[float, float], float] = random.uniform) -> float:
    """Return the seconds to wait after failed attempt number *attempt*: exponential backoff with full jitter.

    Args:
        attempt: Number of the failed attempt, from 1.
        base: Upper bound of the first wait in seconds; doubled with each further attempt.
        cap: Upper bound of any wait in seconds.
        uniform: Source of randomness.
    """
    return uniform(0.0, min(cap, base * 2.0 ** min(attempt - 1, DOUBLINGS)))
