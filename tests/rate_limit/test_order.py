"""Calls that wait for the rate limiter: first come, first served."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from agent_session_platform import AgentPlatform, RateLimitedError

from benchmarks.limiters import FixedWindow, TokenBucket
from benchmarks.limits import Server
from benchmarks.virtual_time import run

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
