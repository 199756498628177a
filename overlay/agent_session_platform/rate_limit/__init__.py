"""Rate limiters, which decide when a request may be sent, and the algorithm that they share."""

from __future__ import annotations

from .interface import Permit, RateLimiter, RateLimiterStats
from .local import LocalRateLimiter
from .redis import RedisRateLimiter

__all__ = ["LocalRateLimiter", "Permit", "RateLimiter", "RateLimiterStats", "RedisRateLimiter"]
