"""Rate limiters, which decide when a request may be sent, and the algorithm that they share."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .interface import RateLimiter, RateLimiterStats
    from .local import LocalRateLimiter
    from .permit import Permit
    from .redis import RedisRateLimiter

# Imported when they are first used, each with its module: most programs need the local one only, and no extra.
MODULES = {
    "LocalRateLimiter": "local",
    "Permit": "permit",
    "RateLimiter": "interface",
    "RateLimiterStats": "interface",
    "RedisRateLimiter": "redis",
}

__all__ = ["LocalRateLimiter", "Permit", "RateLimiter", "RateLimiterStats", "RedisRateLimiter"]


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
