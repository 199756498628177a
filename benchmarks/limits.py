"""Measure the client in virtual time against servers with different limits and different round trips.

A cell of the matrix is a server: a kind of limit, a form of Retry-After and a round trip. The client makes many calls
to the server at once. The result is the time of all calls, divided by the shortest time in which the server could
accept them, and the numbers of refused requests and failed calls. `python -m benchmarks.limits` prints a table in
Markdown, with the same numbers in each run.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import format_datetime
from statistics import fmean
from typing import NamedTuple
from unittest.mock import patch

import httpx
from agent_session_platform import AgentPlatform

from benchmarks.limiters import Changing, FixedWindow, Limiter, Queue, SlidingWindow, TokenBucket
from benchmarks.virtual_time import run

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
CONNECTIONS = 100

HEADERS: dict[str, Callable[[float, datetime], str | None]] = {
    "integer": lambda wait, now: str(math.ceil(wait)),
    "fraction": lambda wait, now: f"{wait:.3f}",
    "date": lambda wait, now: format_datetime(now + timedelta(seconds=math.ceil(wait) + 1), usegmt=True),
    "none": lambda wait, now: None,
}

LIMITS: dict[str, tuple[int, Callable[[], Limiter]]] = {
    "token bucket 50/s": (500, lambda: TokenBucket(50, 10)),
    "fixed window 50/s": (500, lambda: FixedWindow(50, 1)),
    "sliding window 50/s": (500, lambda: SlidingWindow(50, 1)),
    "concurrency 10": (500, lambda: Queue(10, 0.2)),
}
# The number of calls is chosen so that the shortest time is about ten seconds.
OTHER_LIMITS: dict[str, tuple[int, Callable[[], Limiter]]] = {
    "1/s": (30, lambda: TokenBucket(1, 3)),
    "5/s": (80, lambda: TokenBucket(5, 5)),
    "20/s": (300, lambda: TokenBucket(20, 10)),
    "200/s": (2000, lambda: TokenBucket(200, 20)),
    "1,000/s": (8000, lambda: TokenBucket(1000, 100)),
    "100 in 10 s": (500, lambda: FixedWindow(100, 10)),
    "concurrency 3": (150, lambda: Queue(3, 0.2)),
    "concurrency 50": (2000, lambda: Queue(50, 0.2)),
    "50/s, then 10/s": (400, lambda: Changing(50, 10, 5)),
}


class Cell(NamedTuple):
    """One server, and the number of calls that are made to it at once."""

    limit: str
    header: str
    round_trip: float
    calls: int
    make: Callable[[], Limiter]

    @property
    def name(self) -> str:
        return f"{self.limit}, Retry-After {self.header}, {1000 * self.round_trip:g} ms"

    @property
    def ideal(self) -> float:
        """The shortest time that the limit and the number of connections allow, with a round trip."""
        connected = self.calls / CONNECTIONS * self.round_trip
        return max(self.make().ideal(self.calls), connected) + self.round_trip


MATRIX = [
    Cell(limit, header, round_trip, calls, make)
    for limit, (calls, make) in LIMITS.items()
    for header in HEADERS
    for round_trip in (0.002, 0.05, 0.1, 0.2, 0.3)
]
OTHERS = [
    Cell(limit, header, round_trip, calls, make)
    for limit, (calls, make) in OTHER_LIMITS.items()
    for header in ("integer", "fraction", "none")
    for round_trip in (0.002, 0.1, 0.3)
]


class Outcome(NamedTuple):
    """The time divided by the shortest time, and the numbers of refused requests and failed calls."""

    ratio: float
    refused: int
    failed: int


def virtual_now(zone: tzinfo | None = None) -> datetime:
    """Return the date of the virtual clock."""
    return EPOCH + timedelta(seconds=asyncio.get_running_loop().time())


class Server(httpx.AsyncBaseTransport):
    """A server with a limit and a round trip.

    Args:
        limiter: The limit of the server.
        header: The form of Retry-After.
        round_trip: Seconds for request and response; the time of the request varies by up to a fifth.
    """

    def __init__(self, limiter: Limiter, header: str, round_trip: float) -> None:
        self.limiter, self.header, self.round_trip = limiter, HEADERS[header], round_trip
        self.refused = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.round_trip / 2 * random.uniform(0.8, 1.2))
        wait = self.limiter.admit(loop.time())
        header = None if wait is None else self.header(wait, virtual_now())
        worked = self.limiter.takes(loop.time()) if wait is None and isinstance(self.limiter, Queue) else 0.0
        await asyncio.sleep(worked + self.round_trip / 2)
        if wait is None:
            return httpx.Response(200, json={"data": []})
        self.refused += 1
        return httpx.Response(429, headers={} if header is None else {"Retry-After": header}, json={"title": "busy"})


async def make_calls(server: Server, calls: int) -> tuple[float, int]:
    """Make calls at once; return when the last one ended, and how many failed."""
    async with AgentPlatform("https://platform.example.com", "svc_benchmark", transport=server) as platform:
        called = [platform.enterprise.blueprints.list() for _ in range(calls)]
        results = await asyncio.gather(*called, return_exceptions=True)
    return asyncio.get_running_loop().time(), sum(isinstance(each, Exception) for each in results)


def measure(cell: Cell, seed: int) -> Outcome:
    """Run the SDK once against a new server."""
    random.seed(f"{cell.name} {seed}")
    server = Server(cell.make(), cell.header, cell.round_trip)
    with patch("agent_session_platform.transport.sender.datetime") as clock:
        clock.now = virtual_now
        taken, failed = run(make_calls(server, cell.calls))
    return Outcome(taken / cell.ideal, server.refused, failed)


def main() -> None:
    """Measure all servers; print a row for the eighty servers of the matrix, and a row for the others."""
    print("| servers | calls | mean | worst | within twice | refused | failed |\n|---|---|---|---|---|---|---|")
    for title, cells in (("the eighty servers", MATRIX), ("other servers", OTHERS)):
        ratios, refused, failed = zip(*(measure(cell, seed=0) for cell in cells), strict=True)
        calls = sum(cell.calls for cell in cells)
        within_twice = f"{sum(ratio <= 2 for ratio in ratios)} of {len(cells)}"
        counts = f"{within_twice} | {sum(refused):,} | {sum(failed):,}"
        print(f"| {title} | {calls:,} | {fmean(ratios):.2f} | {max(ratios):.2f} | {counts} |", flush=True)


if __name__ == "__main__":
    main()
