"""Timers of an event loop such as uvloop's: one that is due at once is a plain handle, which does not know its time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from agent_session_platform import LocalRateLimiter
from agent_session_platform_sandbox import Sandbox

SOON = 0.01


class ForgetfulLoop(asyncio.SelectorEventLoop):
    """An event loop in which no timer knows its time."""

    def call_at(self, when: float, callback: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
        return Forgetful(super().call_at(when, callback, *arguments, **settings))


class Forgetful:
    """A handle that can only be cancelled."""

    _source_traceback = None  # asyncio itself reads it

    def __init__(self, handle: asyncio.TimerHandle) -> None:
        self.cancel = handle.cancel


def run(coroutine: Any) -> Any:
    with asyncio.Runner(loop_factory=ForgetfulLoop) as runner:
        return runner.run(coroutine)


def test_calls_wait_for_a_permit() -> None:
    async def happen() -> int:
        limiter = LocalRateLimiter()
        limiter.open(1, "key")
        loop = asyncio.get_running_loop()
        held = await limiter.acquire(0, loop.time() + 60)
        waiting = [asyncio.create_task(limiter.acquire(ticket, loop.time() + 60 - ticket)) for ticket in (1, 2)]
        await asyncio.sleep(0)
        limiter.refused(held, SOON)
        limiter.release(held)
        limiter.release(await waiting[0], accepted=True)
        limiter.release(await waiting[1], accepted=True)
        return limiter.stats().waiting

    assert run(happen()) == 0


@pytest.mark.parametrize("transport", ["httpx", "aiohttp"])
def test_calls_have_a_response(transport: str) -> None:
    pytest.importorskip("aiohttp")

    async def happen() -> list[Any]:
        async with sandbox.client(base_url=base_url, transport=transport) as platform:
            return await asyncio.gather(*(platform.enterprise.roles.list() for _ in range(3)))

    sandbox = Sandbox()
    with sandbox.serve() as base_url:
        assert len(run(happen())) == 3
