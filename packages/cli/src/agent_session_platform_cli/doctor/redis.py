"""Check of the Redis that several processes share a rate limit in."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from agent_session_platform import ConfigurationError, RedisRateLimiter

from .finding import Finding, not_tried, ok, warning

REDIS: Final = "Redis"
VARIABLES: Final = ("AGENT_PLATFORM_REDIS", "REDIS_URL")
SECONDS: Final = 3.0

ALONE: Final = "Until then a RedisRateLimiter limits each process by itself."


async def check_redis() -> Finding:
    """Ping the Redis that the environment names; nothing is written to it."""
    variable = next(filter(os.environ.get, VARIABLES), None)
    if variable is None:
        return not_tried(REDIS, f"neither {' nor '.join(VARIABLES)} is set")
    url = os.environ[variable]
    try:
        RedisRateLimiter(url)
    except ConfigurationError as error:
        return warning(REDIS, f"{variable} cannot be used: {error}.", f"Correct {variable}.", source=variable)
    # Imported here: without the extra, the limiter says so.
    from redis.asyncio import Redis

    client = Redis.from_url(url)  # pyright: ignore[reportUnknownMemberType]  # of redis-py
    named = f"The Redis at {_place(url)}, which {variable} names,"
    try:
        async with asyncio.timeout(SECONDS):
            await client.ping()  # pyright: ignore[reportUnknownMemberType]  # of redis-py
    except Exception as error:
        # Its message may have a password.
        text = f"{named} cannot be used ({type(error).__name__})."
        return warning(REDIS, text, f"Start it, or correct address and password in {variable}. {ALONE}")
    finally:
        with suppress(Exception):
            await client.aclose()
    return ok(REDIS, f"{named} responds; whether it runs scripts was not tried.", source=variable)


def _place(url: str) -> str:
    """Return host and port of a URL: it may have a password."""
    return urlsplit(url).netloc.rpartition("@")[2] or "a socket"
