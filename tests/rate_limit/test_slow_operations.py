"""Slow operations leave the others alone: the rate limiter limits the rate, not the number of calls at once."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, RequestOptions, RetryPolicy

from benchmarks.virtual_time import run

HEALTHY_SECONDS = 0.007
ONE_ATTEMPT = RequestOptions(retry=RetryPolicy(attempts=1))


class Server(httpx.AsyncBaseTransport):
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


def platform_of(server: Server, max_connections: int = 100) -> AgentPlatform:
    return AgentPlatform("https://platform.example.com", "svc_slow", transport=server, max_connections=max_connections)


async def call(platform: AgentPlatform, seconds: float, path: str = "/v3/x") -> None:
    await platform.request("GET", path, query={"seconds": seconds}, options=ONE_ATTEMPT)


def test_ten_calls_that_hang_hold_the_next_one_for_a_fifth_of_a_second_at_most() -> None:
    async def happen() -> float:
        async with platform_of(Server()) as platform:
            hanging = [asyncio.ensure_future(call(platform, 6.0)) for _ in range(10)]
            await asyncio.sleep(0)
            began = asyncio.get_running_loop().time()
            await call(platform, HEALTHY_SECONDS)
            taken = asyncio.get_running_loop().time() - began
            await asyncio.gather(*hanging)
            return taken

    assert run(happen()) <= 0.2 + HEALTHY_SECONDS + 0.001


def test_a_hundred_calls_that_take_a_second_each_take_less_than_two() -> None:
    server = Server()

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
    async with platform_of(Server(), max_connections) as platform:
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
        async with platform_of(Server()) as platform:
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
