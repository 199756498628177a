"""A whole client against limits of every kind, near and far, in virtual time: no call fails, little time is lost."""

from __future__ import annotations

import asyncio
import random
from statistics import fmean
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, RateLimitedError, RequestOptions

from benchmarks.limiters import Changing, Queue, TokenBucket
from benchmarks.limits import MATRIX, OTHERS, Cell, Server, measure
from tests.fixtures import in_virtual_time
from tests.rate_limit.places import now

# A part of the matrix of `benchmarks/limits.py`, because the whole matrix takes a minute: one long cell of each kind.
PART = [
    cell
    for cell in (*MATRIX, *OTHERS)
    if cell.round_trip in {0.002, 0.3} and cell.header in {"integer", "none"}
    if cell.calls <= 1000 or (cell.calls <= 2000 and (cell.round_trip, cell.header) == (0.3, "integer"))
]


class RandomRefusal:
    """A limiter that refuses a share of all requests at random, whatever their rate."""

    def admit(self, now: float) -> float | None:
        return 0.01 if random.random() < 0.02 else None

    def ideal(self, requests: int) -> float:
        return 1.0


def client(server: httpx.AsyncBaseTransport, max_connections: int = 100) -> AgentPlatform:
    return AgentPlatform("https://platform.example.com", "svc_x", transport=server, max_connections=max_connections)


@pytest.mark.parametrize("cell", [cell for cell in PART if cell not in MATRIX], ids=lambda cell: cell.name)
def test_no_call_fails_and_it_takes_at_most_two_and_a_half_times_the_shortest_time(cell: Cell) -> None:
    """Rule rate-limits: no number is shown, so the client learns from what the server answers."""
    outcome = measure(cell, seed=101)
    assert (outcome.failed, outcome.ratio <= 2.5) == (0, True), outcome


def test_on_average_it_takes_little_more_than_the_shortest_time_and_few_requests_are_refused() -> None:
    cells = [cell for cell in PART if cell in MATRIX]
    outcomes = [measure(cell, seed=102) for cell in cells]
    assert sum(outcome.failed for outcome in outcomes) == 0
    assert max(outcome.ratio for outcome in outcomes) <= 2.5
    assert fmean(outcome.ratio for outcome in outcomes) <= 1.6
    assert sum(outcome.refused for outcome in outcomes) <= 0.1375 * 500 * len(cells)


@pytest.mark.parametrize("header", ["integer", "fraction", "none"])
@in_virtual_time
async def test_a_limit_that_is_raised_is_found_within_half_a_minute(header: str) -> None:
    """The server accepts 0.8 requests a second for five minutes, and then fifty a second."""
    random.seed(103)
    async with client(Server(Changing(0.8, 50, 300), header, 0.1)) as platform:

        async def work() -> None:
            while now() < 300:
                await platform.enterprise.blueprints.list()

        working = asyncio.gather(*(work() for _ in range(3)))
        await asyncio.sleep(300)
        await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(300)))
        assert now() - 300 <= 30
        await working


@pytest.mark.parametrize("header", ["none", "fraction"])
@pytest.mark.parametrize("make", [RandomRefusal, lambda: Queue(4, 0.08, 20)], ids=["2 % refused", "short queue"])
def test_no_call_fails_at_a_server_that_refuses_whatever_the_rate_is(make: Any, header: str) -> None:
    assert measure(Cell("other", header, 0.01, 300, make), seed=1).failed == 0


# Calls that wait for the rate limiter go in order, and slow calls do not delay the others.

# How many requests go out before the first response is in.
FIRST_REQUESTS = 16


@pytest.mark.parametrize("hint", ["none", "integer", "fraction"])
@pytest.mark.parametrize("burst", [1, 5])
@in_virtual_time
async def test_60_calls_against_20_a_second_end_in_the_order_in_which_they_were_made(burst: int, hint: str) -> None:
    """The calls of the first burst are an exception, because they were in flight together."""
    server = Server(TokenBucket(20, burst), hint, round_trip=0.0)
    ended: list[int] = []
    async with client(server) as platform:

        async def call(number: int) -> None:
            await platform.enterprise.blueprints.list()
            ended.append(number)

        await asyncio.gather(*(call(number) for number in range(60)))
    assert server.refused > burst
    assert set(ended[:FIRST_REQUESTS]) == set(range(FIRST_REQUESTS))
    assert ended[FIRST_REQUESTS:] == list(range(FIRST_REQUESTS, 60))


class SlowServer(httpx.AsyncBaseTransport):
    """A server whose response takes as many seconds as the query says; it refuses `/busy` with 429."""

    def __init__(self) -> None:
        self.under_way = self.most = self.refused = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await asyncio.sleep(float(request.url.params["seconds"]))
        finally:
            self.under_way -= 1
        is_busy = request.url.path == "/busy"
        self.refused += is_busy
        return httpx.Response(429 if is_busy else 200, json={})


HEALTHY_SECONDS = 0.007


async def call(platform: AgentPlatform, seconds: float, path: str = "/v3/x", attempts: int = 1) -> None:
    options = RequestOptions(attempts=attempts)
    await platform.request("GET", path, query={"seconds": seconds}, options=options)


async def close_for_a_moment(platform: AgentPlatform) -> float:
    """Let a 429 close the rate limiter, and return when it opens."""
    with pytest.raises(RateLimitedError):
        await call(platform, 0.001, "/busy")
    return now() + platform.rate_limiter.stats().closed_for


@in_virtual_time
async def test_an_operation_that_is_always_refused_does_not_keep_the_others_waiting() -> None:
    server = SlowServer()
    async with client(server) as platform:
        refused = asyncio.ensure_future(call(platform, 0.01, "/busy", attempts=5))
        while not server.refused:
            await asyncio.sleep(0.001)
        began = now()
        await asyncio.gather(*(call(platform, 0.01) for _ in range(20)))
        assert now() - began < 0.05
        with pytest.raises(RateLimitedError):
            await refused


# Slow operations leave the others alone: the rate limiter limits the rate, not the number of calls at once.


@in_virtual_time
async def test_ten_calls_that_hang_hold_the_next_one_for_a_fifth_of_a_second_at_most() -> None:
    async with client(SlowServer()) as platform:
        hanging = [asyncio.ensure_future(call(platform, 6.0)) for _ in range(10)]
        await asyncio.sleep(0)
        await call(platform, HEALTHY_SECONDS)
        assert now() <= 0.2 + HEALTHY_SECONDS + 0.001
        await asyncio.gather(*hanging)


@in_virtual_time
async def test_a_hundred_calls_that_take_a_second_each_take_little_more_than_two() -> None:
    server = SlowServer()
    async with client(server) as platform:
        await asyncio.gather(*(call(platform, 1.0) for _ in range(100)))
    assert now() < 2.2
    assert server.most >= 80


@pytest.mark.parametrize(("seconds", "first_429"), [(4.0, False), (10.0, True)], ids=["", "after-a-429"])
@pytest.mark.parametrize(("hanging", "max_connections", "given_up_after"), [(10, 100, 0.05), (100, 200, 0.5)])
@in_virtual_time
async def test_workers_on_an_operation_that_hangs_leave_the_others_alone(
    hanging: int, max_connections: int, given_up_after: float, seconds: float, first_429: bool
) -> None:
    """Two workers alone make two calls each 7 ms; at least half of it also after a 429, when one probe goes first."""
    healthy = 0
    async with client(SlowServer(), max_connections) as platform:
        if first_429:
            await close_for_a_moment(platform)
        end = now() + seconds

        async def work(duration: float) -> None:
            nonlocal healthy
            while now() < end:
                try:
                    async with asyncio.timeout(given_up_after):
                        await call(platform, duration)
                    healthy += 1
                except TimeoutError:
                    pass

        await asyncio.gather(*(work(3600.0) for _ in range(hanging)), work(HEALTHY_SECONDS), work(HEALTHY_SECONDS))
        assert platform.rate_limiter.stats().in_flight == 0
    assert healthy >= seconds / HEALTHY_SECONDS


@in_virtual_time
async def test_a_probe_that_hangs_keeps_the_others_for_a_moment_only() -> None:
    async with client(SlowServer()) as platform:
        opens_at = await close_for_a_moment(platform)
        probe = asyncio.ensure_future(call(platform, 6.0))
        await asyncio.sleep(0)
        await call(platform, HEALTHY_SECONDS)
        assert now() - opens_at <= 0.5 + HEALTHY_SECONDS + 0.001
        await probe
