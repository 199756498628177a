"""Healthy calls beside calls that hang: how many succeed, as a ratio to bare httpx with the same pool and server.

Some workers call an operation that never responds, two call a healthy one, and each gives a call up after 0.5 s.
Needs `PYTHONPATH=.`; `python benchmarks/slow_operation.py [SECONDS]` measures each case for so many seconds.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import httpx
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    LocalRateLimiter,
    RateLimitedError,
    RateLimiter,
    RedisRateLimiter,
    RequestOptions,
    RetryPolicy,
)

from tests.servers.fault_server import Connection, Request, fault_server
from tests.servers.redis_server import SERVER, RedisServer
from tests.servers.scripts import EMPTY_LIST, response, silence

HEALTHY_WORKERS = 2
HEALTHY_SECONDS = 0.005
GIVE_UP_SECONDS = 0.5
# Workers that hang, and connections.
CASES = ((10, 100), (100, 200))
BUSY, HANGING, HEALTHY = "/v3/busy", "/v3/hanging", "/v3/healthy"

Get = Callable[[str], Awaitable[object]]


async def healthy(request: Request, connection: Connection) -> None:
    """Respond after a moment."""
    await asyncio.sleep(HEALTHY_SECONDS)
    await connection.send(EMPTY_LIST)


async def count_healthy(get: Get, hanging: int, seconds: float) -> int:
    """Let all workers run, and count the healthy calls that succeed."""
    end, succeeded = time.monotonic() + seconds, 0

    async def work(path: str) -> None:
        nonlocal succeeded
        while time.monotonic() < end:
            with suppress(TimeoutError, httpx.HTTPError, AgentPlatformError):
                await get(path)
                succeeded += 1

    await asyncio.gather(*(work(HANGING) for _ in range(hanging)), *(work(HEALTHY) for _ in range(HEALTHY_WORKERS)))
    return succeeded


async def bare_httpx(url: str, hanging: int, connections: int, seconds: float) -> int:
    """Measure bare httpx."""
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=30.0) as client:

        async def get(path: str) -> object:
            async with asyncio.timeout(GIVE_UP_SECONDS):
                return await client.get(path)

        return await count_healthy(get, hanging, seconds)


async def sdk(platform: AgentPlatform, hanging: int, seconds: float, *, by_options: bool, after_429: bool) -> int:
    """Measure the SDK, with calls that are given up from outside or by an option, and right after a 429 or not."""
    options = RequestOptions(timeout=GIVE_UP_SECONDS) if by_options else None

    async def get(path: str) -> object:
        async with asyncio.timeout(None if by_options else GIVE_UP_SECONDS):
            return await platform.request("GET", path, options=options)

    async with platform:
        if after_429:
            with suppress(RateLimitedError):
                await platform.request("GET", BUSY, options=RequestOptions(retry=RetryPolicy.none()))
        return await count_healthy(get, hanging, seconds)


def limiters(redis: RedisServer | None) -> Iterator[tuple[str, RateLimiter]]:
    """Make each kind of rate limiter."""
    yield "LocalRateLimiter", LocalRateLimiter()
    if redis is not None:
        redis.flush()
        yield "RedisRateLimiter", RedisRateLimiter(redis.url)


async def measure(hanging: int, connections: int, seconds: float, redis: RedisServer | None) -> None:
    """Measure one case, and print a line for each transport, rate limiter and way to give up."""
    scripts = {HANGING: silence, BUSY: response({}, "429 Too Many Requests")}
    async with fault_server(healthy, by_path=scripts) as server:
        bare = await bare_httpx(server.base_url, hanging, connections, seconds)
        print(f"{hanging} workers that hang, {connections} connections: bare httpx {bare / seconds:.0f}/s", flush=True)
        for transport in (None, "httpx2", "aiohttp"):
            for way in ("given up", "timeout=", "after a 429"):
                for name, limiter in limiters(redis):
                    platform = AgentPlatform(
                        server.base_url,
                        "svc_benchmark",
                        transport=transport,
                        max_connections=connections,
                        rate_limiter=limiter,
                    )
                    calls = await sdk(
                        platform, hanging, seconds, by_options=way == "timeout=", after_429=way == "after a 429"
                    )
                    ratio = calls / max(bare, 1)
                    print(f"  {transport or 'httpx':8} {name:17} {way:12} {ratio:.2f}", flush=True)


def main(seconds: float = 10.0) -> None:
    redis = RedisServer() if SERVER is not None else None
    if redis is not None:
        redis.start()
    try:
        for hanging, connections in CASES:
            asyncio.run(measure(hanging, connections, seconds, redis))
    finally:
        if redis is not None:
            redis.close()


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:]))
