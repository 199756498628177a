"""A whole client against limits of every kind, near and far, in virtual time: no call fails, little time is lost."""

from __future__ import annotations

import asyncio
import random
from statistics import fmean
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, RateLimitedError, RequestOptions, RetryPolicy

from benchmarks.limiters import Changing, FixedWindow, Queue, TokenBucket
from benchmarks.limits import MATRIX, OTHERS, Cell, Server, measure
from benchmarks.virtual_time import run

# A part of the matrix of `benchmarks/limits.py`, which takes a minute as a whole.
PART = [
    cell
    for cell in (*MATRIX, *OTHERS)
    if cell.round_trip in {0.002, 0.3} and cell.header in {"integer", "none"} and cell.calls <= 2000
]


class RandomRefusal:
    """A limiter that refuses a share of all requests at random, whatever their rate."""

    def admit(self, now: float) -> float | None:
        return 0.01 if random.random() < 0.02 else None

    def ideal(self, requests: int) -> float:
        return 1.0


@pytest.mark.parametrize("cell", [cell for cell in PART if cell not in MATRIX], ids=lambda cell: cell.name)
def test_no_call_fails_and_it_takes_at_most_two_and_a_half_times_the_shortest_time(cell: Cell) -> None:
    outcome = measure(cell, seed=101)
    assert (outcome.failed, outcome.ratio <= 2.5) == (0, True), outcome


def test_on_average_it_takes_little_more_than_the_shortest_time_and_few_requests_are_refused() -> None:
    cells = [cell for cell in PART if cell in MATRIX]
    outcomes = [measure(cell, seed=102) for cell in cells]
    assert sum(outcome.failed for outcome in outcomes) == 0
    assert max(outcome.ratio for outcome in outcomes) <= 2.5
    assert fmean(outcome.ratio for outcome in outcomes) <= 1.6
    assert sum(outcome.refused for outcome in outcomes) <= 0.12 * 500 * len(cells)


@pytest.mark.parametrize("header", ["integer", "fraction", "none"])
def test_a_limit_that_is_raised_is_found_within_half_a_minute(header: str) -> None:
    """0.8 requests a second for five minutes, and then fifty."""
    random.seed(103)
    server = Server(Changing(0.8, 50, 300), header, 0.1)

    async def happen() -> float:
        loop = asyncio.get_running_loop()
        async with AgentPlatform("https://platform.example.com", "svc_limits", transport=server) as platform:

            async def work() -> None:
                while loop.time() < 300:
                    await platform.enterprise.blueprints.list()

            working = asyncio.gather(*(work() for _ in range(3)))
            await asyncio.sleep(300)
            await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(300)))
            taken = loop.time() - 300
            await working
            return taken

    assert run(happen()) <= 30


@pytest.mark.parametrize("header", ["none", "fraction"])
@pytest.mark.parametrize("make", [RandomRefusal, lambda: Queue(4, 0.08, 20)], ids=["2 % refused", "short queue"])
def test_no_call_fails_at_a_server_that_refuses_whatever_the_rate_is(make: Any, header: str) -> None:
    assert measure(Cell("other", header, 0.01, 300, make), seed=1).failed == 0


# Calls that wait for the rate limiter: first come, first served, and slow ones keep nobody waiting.

# How many requests go out before the first response is in.
FIRST_REQUESTS = 10


async def in_order_of_their_ends(calls: int, server: Server) -> list[int]:
    """The numbers of calls that are made at once, in the order in which they end."""
    ended: list[int] = []
    async with AgentPlatform("https://platform.example.com", "svc_path", transport=server) as platform:

        async def call(number: int) -> None:
            await platform.enterprise.blueprints.list()
            ended.append(number)

        await asyncio.gather(*(call(number) for number in range(calls)))
    return ended


@pytest.mark.parametrize("hint", ["none", "integer", "fraction"])
@pytest.mark.parametrize("burst", [1, 5])
def test_60_calls_against_20_a_second_end_in_the_order_in_which_they_were_made(burst: int, hint: str) -> None:
    """But for those of the first burst, which were under way together."""
    server = Server(TokenBucket(20, burst), hint, round_trip=0.0)
    ended = run(in_order_of_their_ends(60, server))
    assert server.refused > burst
    assert set(ended[:FIRST_REQUESTS]) == set(range(FIRST_REQUESTS))
    assert ended[FIRST_REQUESTS:] == list(range(FIRST_REQUESTS, 60))


def test_a_refused_call_goes_before_those_that_were_made_later() -> None:
    """One call is refused, and six come while the limit holds: the refused one ends first."""
    server = Server(FixedWindow(1, 1), "fraction", round_trip=0.01)

    async def calls() -> list[int]:
        ended: list[int] = []
        async with AgentPlatform("https://platform.example.com", "svc_path", transport=server) as platform:
            await platform.enterprise.blueprints.list()

            async def call(number: int) -> None:
                await platform.enterprise.blueprints.list()
                ended.append(number)

            tasks = [asyncio.ensure_future(call(0))]
            while not platform.rate_limiter.stats().rate_limited:
                await asyncio.sleep(0.001)
            tasks += [asyncio.ensure_future(call(number)) for number in range(1, 7)]
            await asyncio.gather(*tasks)
        return ended

    assert run(calls()) == list(range(7))


def test_a_call_that_is_always_refused_does_not_keep_the_others_waiting() -> None:
    """Its 429s are its own: after two probes the next call probes, and opens the rate limiter for all."""
    refused: list[str] = []

    class Quota(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await asyncio.sleep(0.01)
            if request.url.path.endswith("/reviews-of-a-used-up-quota"):
                refused.append(request.url.path)
                return httpx.Response(429, json={"title": "Too Many Requests"})
            return httpx.Response(200, json={})

    async def calls() -> tuple[float, BaseException | None]:
        async with AgentPlatform("https://platform.example.com", "svc_path", transport=Quota()) as platform:
            loop = asyncio.get_running_loop()
            spent = asyncio.ensure_future(platform.request("POST", "/v3/enterprise/reviews-of-a-used-up-quota"))
            while not refused:
                await asyncio.sleep(0.001)
            began = loop.time()
            await asyncio.gather(*(platform.request("GET", f"/v3/enterprise/{number}") for number in range(20)))
            taken = loop.time() - began
            return taken, (await asyncio.gather(spent, return_exceptions=True))[0]

    taken, error = run(calls())
    assert isinstance(error, RateLimitedError)
    # Three closures, of half a second, one and two at the most, and the others at the adaptive rate.
    assert taken < 6.0


# Slow operations leave the others alone: the rate limiter limits the rate, not the number of calls at once.

HEALTHY_SECONDS = 0.007
ONE_ATTEMPT = RequestOptions(retry=RetryPolicy(attempts=1))


class SlowServer(httpx.AsyncBaseTransport):
    """A server on which each path takes so many seconds; `busy` is refused with 429."""

    def __init__(self) -> None:
        self.under_way = self.most = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await asyncio.sleep(float(request.url.params["seconds"]))
        finally:
            self.under_way -= 1
        return httpx.Response(429 if request.url.path == "/busy" else 200, json={})


def platform_of(server: SlowServer, max_connections: int = 100) -> AgentPlatform:
    return AgentPlatform("https://platform.example.com", "svc_slow", transport=server, max_connections=max_connections)


async def call(platform: AgentPlatform, seconds: float, path: str = "/v3/x") -> None:
    await platform.request("GET", path, query={"seconds": seconds}, options=ONE_ATTEMPT)


def test_ten_calls_that_hang_hold_the_next_one_for_a_fifth_of_a_second_at_most() -> None:
    async def happen() -> float:
        async with platform_of(SlowServer()) as platform:
            hanging = [asyncio.ensure_future(call(platform, 6.0)) for _ in range(10)]
            await asyncio.sleep(0)
            began = asyncio.get_running_loop().time()
            await call(platform, HEALTHY_SECONDS)
            taken = asyncio.get_running_loop().time() - began
            await asyncio.gather(*hanging)
            return taken

    assert run(happen()) <= 0.2 + HEALTHY_SECONDS + 0.001


def test_a_hundred_calls_that_take_a_second_each_take_less_than_two() -> None:
    server = SlowServer()

    async def happen() -> float:
        async with platform_of(server) as platform:
            await asyncio.gather(*(call(platform, 1.0) for _ in range(100)))
            return asyncio.get_running_loop().time()

    assert run(happen()) < 2.0
    assert server.most == 100


async def healthy_calls(
    hanging: int, max_connections: int, *, seconds: float, first_429: bool, given_up_after: float
) -> int:
    """Count the healthy calls of two workers in so many seconds, while others make calls that hang and give up."""
    loop, count = asyncio.get_running_loop(), 0
    async with platform_of(SlowServer(), max_connections) as platform:
        if first_429:
            with pytest.raises(AgentPlatformError):
                await call(platform, 0.001, "/busy")
        end = loop.time() + seconds

        async def work(duration: float) -> None:
            nonlocal count
            while loop.time() < end:
                try:
                    async with asyncio.timeout(given_up_after):
                        await call(platform, duration)
                    count += 1
                except TimeoutError:
                    pass

        await asyncio.gather(*(work(3600.0) for _ in range(hanging)), work(HEALTHY_SECONDS), work(HEALTHY_SECONDS))
        assert platform.rate_limiter.stats().in_flight == 0
    return count


@pytest.mark.parametrize("first_429", [False, True], ids=["", "after-a-429"])
@pytest.mark.parametrize(
    ("hanging", "max_connections", "given_up_after"),
    [(10, 100, 0.05), (100, 200, 0.5)],
)
def test_workers_on_an_operation_that_hangs_leave_the_others_alone(
    hanging: int, max_connections: int, given_up_after: float, first_429: bool
) -> None:
    """Two workers alone make two calls each 7 ms; at least half of it also after a 429, when one probe goes first."""
    seconds = 10.0 if first_429 else 2.0
    settings: Any = {"seconds": seconds, "first_429": first_429, "given_up_after": given_up_after}
    assert run(healthy_calls(hanging, max_connections, **settings)) >= seconds / HEALTHY_SECONDS


def test_a_probe_that_hangs_keeps_the_others_for_a_moment_only() -> None:
    async def happen() -> float:
        async with platform_of(SlowServer()) as platform:
            with pytest.raises(AgentPlatformError):
                await call(platform, 0.001, "/busy")
            opens_at = asyncio.get_running_loop().time() + platform.rate_limiter.stats().closed_for
            probe = asyncio.ensure_future(call(platform, 6.0))
            await asyncio.sleep(0)
            await call(platform, HEALTHY_SECONDS)
            taken = asyncio.get_running_loop().time() - opens_at
            await probe
            return taken

    assert run(happen()) < 0.5
