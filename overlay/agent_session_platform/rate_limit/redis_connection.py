"""The connection of a rate limiter to Redis: made from what the caller passes, and closed only if it was made here."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import ConfigurationError, InvalidArgumentError
from ..text import format_value, type_name
from ..validators import is_number
from .compare_and_set import SharedRate

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from .retry_quota import RetryQuota

# The version of the shared state: programs with an older version of the SDK, whose state is another, have another key.
STATE_VERSION = "2:"


class RedisConnection:
    """A client of redis-py with the settings of a rate limiter; it connects with its first command.

    Args:
        redis: A URL, or a client of redis-py's asyncio, which is not closed here.
        prefix: Beginning of the key below which the state is.
        timeout: Timeout of each Redis command, in seconds; more than 0.

    Raises:
        ConfigurationError: The extra is not installed, the URL is invalid, or *redis* is neither.
        InvalidArgumentError: *prefix* or *timeout* is of the wrong type or out of range.
    """

    def __init__(self, redis: str | Redis, prefix: str, timeout: float) -> None:
        if not isinstance(prefix, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"prefix must be a string, not {format_value(prefix)}")
        if not is_number(timeout) or not 0 < timeout < math.inf:
            raise InvalidArgumentError(f"timeout must be a positive number of seconds, not {format_value(timeout)}")
        self._redis = connect(redis)
        self._is_own = isinstance(redis, str)
        self._prefix = prefix
        self._timeout = timeout

    def share(self, key: str, quota: RetryQuota) -> SharedRate:
        """Return the rate of all processes with the same key.

        Args:
            key: Name of the base URL and credential whose limit is shared.
            quota: The retry quota of this process.
        """
        return SharedRate(self._redis, self._prefix + STATE_VERSION + key, self._timeout, quota)

    async def aclose(self) -> None:
        """Close a client that was made here; give up after the timeout."""
        if self._is_own:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._timeout):
                    await self._redis.aclose()


def connect(source: str | Redis) -> Redis:
    """Return a client of redis-py for a URL, or the client itself.

    Raises:
        ConfigurationError: redis-py is not installed, the URL is invalid, or *source* is neither.
    """
    try:
        import redis
        from redis.asyncio import Redis
    except ImportError:
        raise ConfigurationError("a RedisRateLimiter needs redis: pip install 'redis>=5.0.1,<9'") from None
    if isinstance(source, redis.Redis):
        raise ConfigurationError("redis must be a URL or a redis.asyncio.Redis, not a redis.Redis, which would block")
    if not isinstance(source, str) and not hasattr(source, "register_script"):
        raise ConfigurationError(f"redis must be a URL or a redis.asyncio.Redis, not {type_name(source)}")
    try:
        # The last parameters of from_url have no types.
        from_url: Callable[[str], Redis] = getattr(Redis, "from_url")  # noqa: B009
        return from_url(source) if isinstance(source, str) else source
    except ValueError:
        # Its message may contain a part of the password.
        raise ConfigurationError("redis must be a URL such as redis://localhost:6379/0") from None
