"""500 calls at once for a server with a rate limit: with the SDK, and as it is done by hand.

The clock is virtual, so the result is the same each time and takes no time.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Coroutine
from functools import cache, partial
from typing import Any, Final, NamedTuple

import httpx
from agent_session_platform import AgentPlatform, AgentPlatformError

from benchmarks.limiters import TokenBucket
from benchmarks.virtual_time import run

CALLS: Final = 500
LATENCY: Final = 0.05
TOO_MANY_REQUESTS: Final = 429
BASE_URL: Final = "https://platform.example.com"
PATH: Final = "/v3/enterprise/snapshot-setup/blueprints"

# More than common SDKs have, which often stop after two: five more attempts, whose delays double, each with a random
# part.
RETRIES: Final = 5
BACKOFF_BASE: Final = 0.5
BACKOFF_CAP: Final = 8.0

# What somebody guesses who does not know the limit.
GUESSED_RATES: Final = (40, 60)
SEMAPHORES: Final = (10, 50)


class Limit(NamedTuple):
    """What a server accepts."""

    rate: int
    """Requests per second, in the long run."""
    burst: int
    """Requests at once."""


LIMIT: Final = Limit(50, 10)


class Way(NamedTuple):
    """How the calls were made, and what came of it."""

    name: str
    ended: list[float]
    """The seconds after which each successful call had ended, in order."""
    failed: int
    refused: int
    """How many requests got a 429."""

    @property
    def seconds(self) -> float:
        """When the last successful call had ended."""
        return self.ended[-1]


class Server:
    """A server with a token bucket.

    Args:
        limit: What it accepts.
        retry_after: Whether a 429 says in Retry-After how long to wait, in whole seconds.
    """

    def __init__(self, limit: Limit, *, retry_after: bool) -> None:
        self._retry_after = retry_after
        self._bucket = TokenBucket(*limit)
        self.refused = 0

    async def respond(self, request: httpx.Request) -> httpx.Response:
        """Respond to a request after half of the latency on each way."""
        await asyncio.sleep(LATENCY / 2)
        wait = self._bucket.admit(asyncio.get_running_loop().time())
        await asyncio.sleep(LATENCY / 2)
        if wait is None:
            return httpx.Response(200, json={"data": []})
        self.refused += 1
        headers = {"Retry-After": str(math.ceil(wait))} if self._retry_after else {}
        return httpx.Response(429, headers=headers, json={"title": "busy"})


Call = Callable[[int], Awaitable[bool]]
"""Makes the call of a number, and returns whether it succeeded."""


@cache
def ways(limit: Limit = LIMIT, *, retry_after: bool = False) -> list[Way]:
    """Return the ways, the SDK's first.

    Args:
        limit: What the server accepts.
        retry_after: Whether the server says in Retry-After how long to wait.
    """
    by_hand: dict[str, Callable[[httpx.AsyncClient], Call]] = {
        "each call retries by itself": _retrying,
        **{f"a semaphore of {size}, with retries": partial(_semaphore, size=size) for size in SEMAPHORES},
        **{f"{rate} calls a second, with retries": partial(_fixed_rate, rate=rate) for rate in GUESSED_RATES},
    }
    return [
        _seeded(_with_the_sdk(Server(limit, retry_after=retry_after))),
        *(_seeded(_by_hand(name, way, Server(limit, retry_after=retry_after))) for name, way in by_hand.items()),
    ]


def _seeded(way: Coroutine[Any, Any, Way]) -> Way:
    """Run a way with the same random numbers each time, and leave those of the process as they were."""
    state = random.getstate()
    random.seed(1)
    try:
        return run(way)
    finally:
        random.setstate(state)


async def _with_the_sdk(server: Server) -> Way:
    async with AgentPlatform(BASE_URL, "svc_figure", transport=httpx.MockTransport(server.respond)) as platform:

        async def call(number: int) -> bool:
            try:
                await platform.enterprise.blueprints.list()
            except AgentPlatformError:
                return False
            return True

        return await _burst("this SDK", server, call)


async def _by_hand(name: str, way: Callable[[httpx.AsyncClient], Call], server: Server) -> Way:
    async with httpx.AsyncClient(base_url=BASE_URL, transport=httpx.MockTransport(server.respond)) as client:
        return await _burst(name, server, way(client))


async def _burst(name: str, server: Server, call: Call) -> Way:
    loop = asyncio.get_running_loop()
    ended: list[float] = []
    begun = loop.time()

    async def one(number: int) -> None:
        if await call(number):
            ended.append(loop.time() - begun)

    await asyncio.gather(*map(one, range(CALLS)))
    return Way(name, sorted(ended), CALLS - len(ended), server.refused)


def _retrying(client: httpx.AsyncClient, turn: Callable[[], Awaitable[None]] | None = None) -> Call:
    async def call(number: int) -> bool:
        for attempt in range(RETRIES + 1):
            if turn is not None:
                await turn()
            response = await client.get(PATH)
            if response.status_code != TOO_MANY_REQUESTS:
                return True
            backoff = min(BACKOFF_CAP, BACKOFF_BASE * 2**attempt) * random.uniform(0.5, 1)
            await asyncio.sleep(max(float(response.headers.get("Retry-After", 0)), backoff))
        return False

    return call


def _semaphore(client: httpx.AsyncClient, size: int) -> Call:
    semaphore = asyncio.Semaphore(size)
    retrying = _retrying(client)

    async def call(number: int) -> bool:
        async with semaphore:
            return await retrying(number)

    return call


def _fixed_rate(client: httpx.AsyncClient, rate: float) -> Call:
    next_at = 0.0

    async def turn() -> None:
        """Wait until the next request may be sent: retries have their turns, too."""
        nonlocal next_at
        now = asyncio.get_running_loop().time()
        at = max(now, next_at)
        next_at = at + 1 / rate
        await asyncio.sleep(at - now)

    return _retrying(client, turn)
