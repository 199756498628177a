"""The client against servers that are near and far, with limits of every kind: a matrix in virtual time.

A cell is a kind of limit, a form of Retry-After and a round trip. Its result is the time of many calls made at once, as
a ratio to the shortest time in which that server could accept them, with the refused requests and the failed calls.
`python -m benchmarks.limits [CLIENT...]` prints a table in Markdown; `--seeds N` repeats it, `--cells` adds each cell,
`--only TEXT` chooses cells, `--json FILE` saves the outcomes for `plot.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple
from unittest.mock import patch

import httpx
from agent_session_platform import AgentPlatform, AgentPlatformError

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
ROUND_TRIPS = (0.002, 0.05, 0.1, 0.2, 0.3)

Make = Callable[[], Limiter]
LIMITS: dict[str, tuple[int, Make]] = {
    "token bucket 50/s": (500, lambda: TokenBucket(50, 10)),
    "fixed window 50/s": (500, lambda: FixedWindow(50, 1)),
    "sliding window 50/s": (500, lambda: SlidingWindow(50, 1)),
    "concurrency 10": (500, lambda: Queue(10, 0.2)),
}
# So many calls that the shortest time is some ten seconds.
OTHER_LIMITS: dict[str, tuple[int, Make]] = {
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
OTHER_ROUND_TRIPS = (0.002, 0.1, 0.3)
OTHER_HEADERS = ("integer", "fraction", "none")


class Cell(NamedTuple):
    """One server, and how many calls are made at once."""

    limit: str
    header: str
    round_trip: float
    calls: int
    make: Make

    @property
    def name(self) -> str:
        return f"{self.limit}, Retry-After {self.header}, {1000 * self.round_trip:g} ms"

    @property
    def ideal(self) -> float:
        """The shortest time: that of the limit or that of the connections, and a round trip."""
        connected = self.calls / CONNECTIONS * self.round_trip
        return max(self.make().ideal(self.calls), connected) + self.round_trip


MATRIX = [
    Cell(limit, header, round_trip, calls, make)
    for limit, (calls, make) in LIMITS.items()
    for header in HEADERS
    for round_trip in ROUND_TRIPS
]
OTHERS = [
    Cell(limit, header, round_trip, calls, make)
    for limit, (calls, make) in OTHER_LIMITS.items()
    for header in OTHER_HEADERS
    for round_trip in OTHER_ROUND_TRIPS
]


class Outcome(NamedTuple):
    """The time divided by the shortest one, refused requests and failed calls."""

    ratio: float
    refused: int
    failed: int


def virtual_now(zone: tzinfo | None = None) -> datetime:
    """Return the date of the virtual clock."""
    return EPOCH + timedelta(seconds=asyncio.get_running_loop().time())


class Server(httpx.AsyncBaseTransport):
    """A server with a limit, some way off.

    Args:
        limiter: Its limit.
        header: Which form Retry-After has.
        round_trip: Seconds that request and response travel; the way there takes up to a fifth more or less.
    """

    def __init__(self, limiter: Limiter, header: str, round_trip: float) -> None:
        self.limiter, self.header, self.round_trip = limiter, HEADERS[header], round_trip
        self.requests = self.refused = 0

    async def ask(self) -> tuple[bool, str | None]:
        """Send a request; return whether it was accepted, and the value of Retry-After."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.round_trip / 2 * random.uniform(0.8, 1.2))
        self.requests += 1
        wait = self.limiter.admit(loop.time())
        header = None if wait is None else self.header(wait, virtual_now())
        worked = self.limiter.takes(loop.time()) if wait is None and isinstance(self.limiter, Queue) else 0.0
        await asyncio.sleep(worked + self.round_trip / 2)
        self.refused += wait is not None
        return wait is None, header

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        accepted, header = await self.ask()
        if accepted:
            return httpx.Response(200, json={"data": []})
        return httpx.Response(429, headers={} if header is None else {"Retry-After": header}, json={"title": "busy"})


Client = Callable[[Server, int], Awaitable[int]]
"""Makes so many calls at once, and returns how many failed."""


async def sdk(server: Server, calls: int) -> int:
    """Make calls at once with this SDK, and return how many failed."""
    async with AgentPlatform("https://platform.example.com", "svc_benchmark", transport=server) as platform:
        lists = (platform.enterprise.blueprints.list() for _ in range(calls))
        outcomes = await asyncio.gather(*lists, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, AgentPlatformError):
            raise outcome
    return sum(isinstance(outcome, BaseException) for outcome in outcomes)


def seconds_of(header: str | None) -> float:
    """Return how long a Retry-After asks to wait."""
    if header is None:
        return 0.0
    if "GMT" not in header:
        return float(header)
    return max(0.0, (parsedate_to_datetime(header) - virtual_now()).total_seconds())


async def gathered(call: Callable[[], Awaitable[bool]], calls: int, at_once: int) -> int:
    """Make calls at once with a semaphore of so many, and return how many failed."""
    semaphore = asyncio.Semaphore(at_once)

    async def one() -> bool:
        async with semaphore:
            return await call()

    return calls - sum(await asyncio.gather(*(one() for _ in range(calls))))


async def semaphore(server: Server, calls: int) -> int:
    """A semaphore of 50, and five retries with exponential backoff and jitter that honour Retry-After."""

    async def call() -> bool:
        for attempt in range(6):
            accepted, header = await server.ask()
            if accepted:
                return True
            await asyncio.sleep(max(seconds_of(header), random.uniform(0.5, 1) * min(8.0, 0.5 * 2**attempt)))
        return False

    return await gathered(call, calls, 50)


async def stamina(server: Server, calls: int) -> int:
    """Retries as stamina makes them by default: ten attempts within 45 s, a backoff of 0.1 to 5 s, a jitter of 1 s."""
    loop = asyncio.get_running_loop()

    async def call() -> bool:
        begun = loop.time()
        for attempt in range(10):
            accepted, _ = await server.ask()
            if accepted:
                return True
            if loop.time() - begun > 45:
                break
            await asyncio.sleep(min(5.0, 0.1 * 2**attempt + random.uniform(0, 1)))
        return False

    return await gathered(call, calls, CONNECTIONS)


async def botocore(server: Server, calls: int) -> int:
    """The adaptive mode of botocore: five attempts, a token bucket whose rate is that of CUBIC, and a retry quota."""
    loop = asyncio.get_running_loop()
    rate = math.inf
    measured = tokens = 0.0
    filled = cut_at = loop.time()
    most, quota = 0.0, 500.0
    sent: deque[float] = deque()

    async def turn() -> None:
        nonlocal tokens, filled
        while rate < math.inf:
            now = loop.time()
            tokens, filled = min(max(1.0, rate), tokens + (now - filled) * rate), now
            if tokens >= 1:
                tokens -= 1
                return
            # Never nothing: rounding would keep a virtual clock where it is.
            await asyncio.sleep(max(0.001, (1 - tokens) / rate))

    def learn(accepted: bool) -> None:
        nonlocal rate, measured, most, cut_at
        now = loop.time()
        while sent and sent[0] < now - 1:
            sent.popleft()
        measured = 0.2 * measured + 0.8 * len(sent)
        if not accepted:
            most = max(0.5, min(rate, measured))
            rate, cut_at = 0.7 * most, now
        elif rate < math.inf:
            rate = min(0.4 * (now - cut_at - (most * 0.3 / 0.4) ** (1 / 3)) ** 3 + most, max(0.5, 2 * measured))

    async def call() -> bool:
        nonlocal quota
        for attempt in range(5):
            await turn()
            sent.append(loop.time())
            accepted, _ = await server.ask()
            learn(accepted)
            if accepted:
                quota = min(500.0, quota + 1)
                return True
            if quota < 5:
                break
            quota -= 5
            await asyncio.sleep(random.random() * min(20.0, 2.0**attempt))
        return False

    return await gathered(call, calls, CONNECTIONS)


CLIENTS: dict[str, Client] = {"this SDK": sdk, "semaphore": semaphore, "stamina": stamina, "botocore": botocore}


def measure(cell: Cell, client: Client, seed: int) -> Outcome:
    """Run a client once against a new server."""
    random.seed(f"{cell.name} {seed}")
    server = Server(cell.make(), cell.header, cell.round_trip)

    async def timed() -> tuple[float, int]:
        failed = await client(server, cell.calls)
        return asyncio.get_running_loop().time(), failed

    with patch("agent_session_platform.transport.sender.datetime") as clock:
        clock.now = virtual_now
        taken, failed = run(timed())
    return Outcome(taken / cell.ideal, server.refused, failed)


def summary(label: str, cells: list[list[Outcome]]) -> str:
    """Return the figures of cells as a row of a table in Markdown; with the spread over the seeds, if there are any."""
    runs = list(zip(*cells, strict=True))
    means = [fmean(outcome.ratio for outcome in run) for run in runs]
    spread = f" ± {pstdev(means):.2f}" if len(runs) > 1 else ""
    worst = max(outcome.ratio for run in runs for outcome in run)
    refused, failed = (sum(each[place] for run in runs for each in run) / len(runs) for place in (1, 2))
    return f"| {label:<40} | {fmean(means):5.2f}{spread} | {worst:5.2f} | {refused:7,.0f} | {failed:6,.0f} |"


def main(names: list[str], seeds: int, only: str, *, cells: bool, saved: Path | None) -> None:
    """Measure clients, and print a row for each half of the matrix and each kind of limit in it."""
    print("| client, servers | mean | worst | refused | failed |\n|---|---|---|---|---|")
    outcomes: dict[str, dict[str, list[list[Outcome]]]] = {}
    for name in names:
        outcomes[name] = {}
        for title, half in (("the eighty cells", MATRIX), ("other servers", OTHERS)):
            groups: dict[str, list[list[Outcome]]] = {}
            for cell in (cell for cell in half if only in cell.name):
                measured = [measure(cell, CLIENTS[name], seed) for seed in range(seeds)]
                for label in (title, cell.limit):
                    groups.setdefault(label, []).append(measured)
                if cells:
                    print(summary(cell.name, [measured]), flush=True)
            for label, group in groups.items():
                print(summary(f"{name}, {label}", group), flush=True)
            outcomes[name] |= groups
    if saved is not None:
        saved.write_text(json.dumps(outcomes), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clients", nargs="*", default=list(CLIENTS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--cells", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    main(given.clients, given.seeds, given.only, cells=given.cells, saved=given.json)
