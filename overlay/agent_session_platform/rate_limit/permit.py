"""Permission to send one request."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

Backoff: TypeAlias = Callable[[int], float]
"""Returns the seconds of a closure without Retry-After, by how many of them came one after another."""


class Permit(NamedTuple):
    """Permission to send one request; a tuple, because each request has one.

    Attributes:
        round: Number of the round in which it was granted; a round ends with the first permit after a 429.
        at: When it was granted, in seconds of the rate limiter's clock.
    """

    round: int
    at: float
