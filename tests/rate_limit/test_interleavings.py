"""The rate limiter under any order of events, in virtual time: no waiter is lost or overtaken."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given, settings, strategies as st

from benchmarks.virtual_time import run
from tests.rate_limit.places import Call, opened

MAX_CONNECTIONS = 3
PATIENCE = 1000.0
ACTIONS = st.one_of(
    st.tuples(st.just("acquire"), st.sampled_from([0.05, 1.0, 1000.0])),
    st.tuples(st.just("cancel"), st.integers(0, 20)),
    st.tuples(st.just("accepted"), st.integers(0, MAX_CONNECTIONS)),
    st.tuples(st.just("refused"), st.sampled_from([None, 0.0, 0.1, 2.0])),
    st.tuples(st.just("failed"), st.integers(0, MAX_CONNECTIONS)),
    st.tuples(st.just("sleep"), st.sampled_from([0.0, 0.01, 0.5, 3.0, 100.0])),
)


class Calls:
    """The waiting calls and the calls with a permit, by number. A refused call waits again at once."""

    def __init__(self) -> None:
        self.limiter = opened(MAX_CONNECTIONS)
        self.loop = asyncio.get_running_loop()
        self.calls: dict[int, Call] = {}
        self.waiting: dict[int, asyncio.Task[Any]] = {}
        self.held: list[int] = []
        self.closed_until = 0.0

    async def act(self, action: str, argument: Any) -> None:
        """Let one event happen, and check what follows."""
        match action:
            case "acquire":
                number = len(self.calls)
                self.calls[number] = call = Call(self.limiter, patience=PATIENCE)
                self.waiting[number] = asyncio.create_task(call.permitted(argument))
            case "cancel" if self.waiting:
                self.waiting[sorted(self.waiting)[argument % len(self.waiting)]].cancel()
            case "accepted" | "failed" if self.held:
                number = self.held.pop(argument % len(self.held))
                await self.calls[number].end(accepted=action == "accepted")
            case "refused" if self.held:
                number = self.held.pop(0)
                closed_for = self.calls[number].refused(argument)
                self.closed_until = max(self.closed_until, self.loop.time() + closed_for)
                self.waiting[number] = asyncio.create_task(self.calls[number].again(PATIENCE))
            case "sleep":
                await asyncio.sleep(argument)
        await self.settle()

    async def settle(self) -> None:
        """Let every task run as far as it can, and check that the limiter keeps its promises."""
        for _ in range(8):
            await asyncio.sleep(0)
        granted: list[int] = []
        for number in [number for number, task in self.waiting.items() if task.done()]:
            task = self.waiting.pop(number)
            if task.cancelled() or task.exception() is not None:
                await self.calls[number].end(accepted=False)
                continue
            granted.append(number)
            self.held.append(number)
        assert not granted or self.loop.time() >= self.closed_until
        assert not granted or all(number > max(granted) for number in self.waiting)
        assert len(self.held) == self.limiter.stats().in_flight <= MAX_CONNECTIONS
        assert len(self.waiting) >= self.limiter.stats().waiting

    async def finish(self) -> None:
        """When all requests are over, no call waits any more."""
        for _ in range(200):
            for number in self.held:
                await self.calls[number].end()
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
