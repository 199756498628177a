"""The rate limiter under any order of events, in virtual time: no waiter is lost or overtaken."""

from __future__ import annotations

import asyncio
from typing import Any

from agent_session_platform import LocalRateLimiter
from agent_session_platform.rate_limit.interface import Permit
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.virtual_time import run
from tests.rate_limit.test_local import refused

MAX_CONNECTIONS = 3
ACTIONS = st.one_of(
    st.tuples(st.just("acquire"), st.sampled_from([0.05, 1.0, 1000.0])),
    st.tuples(st.just("cancel"), st.integers(0, 20)),
    st.tuples(st.just("accepted"), st.integers(0, MAX_CONNECTIONS)),
    st.tuples(st.just("refused"), st.sampled_from([None, 0.0, 0.1, 2.0])),
    st.tuples(st.just("failed"), st.integers(0, MAX_CONNECTIONS)),
    st.tuples(st.just("sleep"), st.sampled_from([0.0, 0.01, 0.5, 3.0, 100.0])),
)


class Calls:
    """The waiting calls and the calls with a permit, by ticket. A refused call waits again at once."""

    def __init__(self) -> None:
        self.limiter = LocalRateLimiter()
        self.limiter.open(MAX_CONNECTIONS, "key")
        self.loop = asyncio.get_running_loop()
        self.waiting: dict[int, asyncio.Task[Permit]] = {}
        self.held: dict[int, Permit] = {}
        self.tickets = 0
        self.closed_until = 0.0

    async def act(self, action: str, argument: Any) -> None:
        """Let one event happen, and check what follows."""
        match action:
            case "acquire":
                self.acquire(self.tickets, argument)
                self.tickets += 1
            case "cancel" if self.waiting:
                self.waiting[sorted(self.waiting)[argument % len(self.waiting)]].cancel()
            case "accepted" | "failed" if self.held:
                self.limiter.release(self.take(argument)[1], accepted=action == "accepted")
            case "refused" if self.held:
                self.closed_until = max(self.closed_until, self.loop.time() + (argument or 0.0))
                ticket, permit = self.take(0)
                closed_for = refused(self.limiter, permit, argument)
                self.limiter.release(permit)
                assert self.loop.time() + closed_for >= self.closed_until
                self.acquire(ticket, 1000.0)
            case "sleep":
                await asyncio.sleep(argument)
        await self.settle()

    def acquire(self, ticket: int, seconds: float) -> None:
        """Let the call with that ticket wait for a permit."""
        self.waiting[ticket] = asyncio.create_task(asyncio.wait_for(self.limiter.acquire(ticket), seconds))

    def take(self, index: int) -> tuple[int, Permit]:
        """End one call in flight, and return its ticket and its permit."""
        ticket = list(self.held)[index % len(self.held)]
        return ticket, self.held.pop(ticket)

    async def settle(self) -> None:
        """Let every task run as far as it can, and check that the limiter keeps its promises."""
        for _ in range(6):
            await asyncio.sleep(0)
        done = [ticket for ticket, task in self.waiting.items() if task.done()]
        granted = []
        for ticket in done:
            task = self.waiting.pop(ticket)
            if not task.cancelled() and task.exception() is None:
                granted.append(ticket)
                self.held[ticket] = task.result()
        assert not granted or self.loop.time() >= self.closed_until
        assert not granted or all(ticket > max(granted) for ticket in self.waiting)
        assert len(self.held) == self.limiter.stats().in_flight <= MAX_CONNECTIONS
        assert len(self.waiting) >= self.limiter.stats().waiting

    async def finish(self) -> None:
        """When all requests are over, no call waits any more."""
        for _ in range(200):
            for permit in self.held.values():
                self.limiter.release(permit, accepted=True)
            self.held.clear()
            if not self.waiting:
                break
            await asyncio.sleep(10)
            await self.settle()
        assert (self.waiting, self.limiter.stats().in_flight, self.limiter.stats().waiting) == ({}, 0, 0)


@given(st.lists(ACTIONS, max_size=60))
@settings(deadline=None, max_examples=150, database=None, derandomize=True)
def test_the_limiter_keeps_its_promises_under_any_order_of_events(actions: list[tuple[str, Any]]) -> None:
    async def happen() -> None:
        calls = Calls()
        for action, argument in actions:
            await calls.act(action, argument)
        await calls.finish()

    run(happen())
