"""The client against limiters of every kind: failures, wasted requests, and time as a ratio to the shortest possible.

The whole client runs against simulated servers, in virtual time, with the same result each time.
"""

from __future__ import annotations

import asyncio
import math
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import NamedTuple

import httpx
from agent_session_platform import AgentPlatform, AgentPlatformError
from limiters import BoundedQueue, FixedWindow, Limiter, SlidingWindow, TokenBucket
from virtual_time import run

HINTS: dict[str, Callable[[float], str | None]] = {
    "none": lambda wait: None,
    "integer": lambda wait: str(math.ceil(wait)),
    "fraction": lambda wait: f"{wait:.3f}",
    "date": lambda wait: format_datetime(datetime.now(UTC) + timedelta(seconds=math.ceil(wait) + 1), usegmt=True),
}

LIMITERS: dict[str, Callable[[], Limiter]] = {
    "token bucket 50/s burst 10": lambda: TokenBucket(50, 10),
    "token bucket 5/s burst 3": lambda: TokenBucket(5, 3),
    "token bucket 200/s burst 20": lambda: TokenBucket(200, 20),
    "token bucket 20/s burst 100": lambda: TokenBucket(20, 100),
    "fixed window 50 in 1 s": lambda: FixedWindow(50, 1),
    "fixed window 100 in 10 s": lambda: FixedWindow(100, 10),
    "sliding window 50 in 1 s": lambda: SlidingWindow(50, 1),
    "sliding window 100 in 10 s": lambda: SlidingWindow(100, 10),
    "queue of 20, 4 workers, 80 ms": lambda: BoundedQueue(4, 0.08, 20),
    "queue of 5, 1 worker, 20 ms": lambda: BoundedQueue(1, 0.02, 5),
}


class Server(httpx.AsyncBaseTransport):
    """A server with a latency, behind a limiter."""

    def __init__(self, limiter: Limiter, hint: Callable[[float], str | None], latency: float) -> None:
        self.limiter, self.hint, self.latency = limiter, hint, latency
        self.requests = self.refused = 0
        self.last_admitted = 0.0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.latency / 2 * random.uniform(0.8, 1.2))
        self.requests += 1
        wait = self.limiter.admit(loop.time())
        if wait is not None:
            self.refused += 1
            hint = self.hint(wait)
            await asyncio.sleep(self.latency / 2)
            return httpx.Response(429, headers={} if hint is None else {"Retry-After": hint}, json={"title": "busy"})
        if isinstance(self.limiter, BoundedQueue):
            await asyncio.sleep(self.limiter._ends[-1] - loop.time())
        self.last_admitted = loop.time()
        await asyncio.sleep(self.latency / 2)
        return httpx.Response(200, json={"data": []})


class Outcome(NamedTuple):
    """Calls that failed, refused requests per call, and the time divided by the shortest possible."""

    failed: int
    waste: float
    ratio: float


async def burst(calls: int, server: Server) -> Outcome:
    """Make so many calls at once."""
    async with AgentPlatform("https://platform.example.com", "svc_benchmark", transport=server) as platform:
        begun = asyncio.get_running_loop().time()
        outcomes = await asyncio.gather(
            *(platform.enterprise.blueprints.list() for _ in range(calls)), return_exceptions=True
        )
        taken = asyncio.get_running_loop().time() - begun
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, AgentPlatformError):
            raise outcome
    failed = sum(isinstance(outcome, BaseException) for outcome in outcomes)
    return Outcome(failed, server.refused / calls, taken / server.limiter.ideal(calls))


def measure(limiter: Callable[[], Limiter], hint: str, calls: int, latency: float, seed: int) -> Outcome:
    """Run the client once against a new limiter."""
    random.seed(seed)
    return run(burst(calls, Server(limiter(), HINTS[hint], latency)))


def main(calls: int = 500, seeds: int = 3) -> None:
    print(f"{calls} calls at once; each cell: failed, wasted, time / ideal (mean of {seeds}; worst)")
    for latency in (0.002, 0.05):
        print(f"\nlatency {1000 * latency:g} ms")
        for name, limiter in LIMITERS.items():
            cells = []
            for hint in HINTS:
                outcomes = [measure(limiter, hint, calls, latency, seed) for seed in range(seeds)]
                mean = sum(outcome.ratio for outcome in outcomes) / seeds
                worst = max(outcome.ratio for outcome in outcomes)
                waste = sum(outcome.waste for outcome in outcomes) / seeds
                failed = sum(outcome.failed for outcome in outcomes)
                cells.append(f"{hint}: {failed or '-'} {100 * waste:4.1f}% {mean:.2f} ({worst:.2f})")
            print(f"  {name:30} " + " | ".join(cells), flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
