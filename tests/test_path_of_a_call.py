"""The path of one call: short, and first come, first served."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from types import FrameType
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from limiters import FixedWindow, TokenBucket
from limits import HINTS, Server
from virtual_time import run

PACKAGES = ("agent_session_platform", "agent_session_platform_api")

# How many requests go out before the first response is in.
FIRST_REQUESTS = 10


async def test_one_call_runs_at_most_55_functions_of_ours_in_at_most_14_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader can follow it: `await org.sessions.get(...)` on a mock transport, from the facade to the model."""
    # Another test may have imported it; then each call has a span.
    monkeypatch.delitem(sys.modules, "opentelemetry.trace", raising=False)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json={"session_id": "assistant-1"}))
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and any(package in frame.f_code.co_filename for package in PACKAGES):
            calls[frame.f_code.co_filename] += 1

    async with AgentPlatform("https://platform.example.com", "svc_path", transport=transport) as platform:
        sessions = platform.organization("org-acme").sessions
        await sessions.get("assistant-1")
        sys.setprofile(count)
        try:
            await sessions.get("assistant-1")
        finally:
            sys.setprofile(None)
    assert (calls.total() <= 55, len(calls) <= 14) == (True, True), (calls.total(), sorted(calls))
    assert calls


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
    server = Server(TokenBucket(20, burst), HINTS[hint], latency=0.0)
    ended = run(in_order_of_their_ends(60, server))
    assert server.refused > burst
    assert set(ended[:FIRST_REQUESTS]) == set(range(FIRST_REQUESTS))
    assert ended[FIRST_REQUESTS:] == list(range(FIRST_REQUESTS, 60))


def test_a_refused_call_goes_before_those_that_were_made_later() -> None:
    """One call is refused, and six come while the limit holds: the refused one ends first."""
    server = Server(FixedWindow(1, 1), HINTS["fraction"], latency=0.01)

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
