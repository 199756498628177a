"""The gate under any order of events, in virtual time: nobody is lost, nobody overtakes, and closed is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from agent_session_platform import LocalRateLimiter
from agent_session_platform.rate_limit.interface import Permit
from hypothesis import given, settings
from hypothesis import strategies as st
from virtual_time import run

LIMIT = 3
ACTIONS = st.one_of(
    st.tuples(st.just("enter"), st.sampled_from([0.05, 1.0, 1000.0])),
    st.tuples(st.just("cancel"), st.integers(0, 20)),
    st.tuples(st.just("accepted"), st.integers(0, LIMIT)),
    st.tuples(st.just("limited"), st.sampled_from([None, 0.0, 0.1, 2.0])),
    st.tuples(st.just("drop"), st.integers(0, LIMIT)),
    st.tuples(st.just("sleep"), st.sampled_from([0.0, 0.01, 0.5, 3.0, 100.0])),
)


class Crowd:
    """Those who want to pass, by number, and the permits that are held."""

    def __init__(self) -> None:
        self.gate = LocalRateLimiter()
        self.gate.open(LIMIT, "scope")
        self.loop = asyncio.get_running_loop()
        self.waiting: dict[int, asyncio.Task[Permit]] = {}
        self.held: list[Permit] = []
        self.came = 0
        self.closed_until = 0.0

    async def act(self, action: str, argument: Any) -> None:
        """Let one thing happen, and see what follows."""
        match action:
            case "enter":
                self.waiting[self.came] = asyncio.create_task(self.gate.enter(self.loop.time() + argument))
                self.came += 1
            case "cancel" if self.waiting:
                self.waiting[sorted(self.waiting)[argument % len(self.waiting)]].cancel()
            case "accepted" if self.held:
                self.gate.accepted(self.held.pop(argument % len(self.held)))
                self.gate.leave()
            case "limited" if self.held:
                self.closed_until = max(self.closed_until, self.loop.time() + (argument or 0.0))
                self.gate.limited(self.held.pop(0), argument)
                self.gate.leave()
            case "drop" if self.held:
                self.held.pop(argument % len(self.held))
                self.gate.leave()
            case "sleep":
                await asyncio.sleep(argument)
            case _:
                pass
        await self.settle()

    async def settle(self) -> None:
        """Let everybody move who can, and hold the gate to its word."""
        for _ in range(6):
            await asyncio.sleep(0)
        done = [number for number, task in self.waiting.items() if task.done()]
        passed = []
        for number in done:
            task = self.waiting.pop(number)
            if not task.cancelled() and task.exception() is None:
                passed.append(number)
                self.held.append(task.result())
        assert not passed or self.loop.time() >= self.closed_until
        assert not passed or all(number > max(passed) for number in self.waiting)
        assert len(self.held) == self.gate.stats().in_flight <= LIMIT
        assert len(self.waiting) >= self.gate.stats().waiting

    async def go_home(self) -> None:
        """When all give back what they hold, nobody is left standing."""
        for _ in range(200):
            for permit in self.held:
                self.gate.accepted(permit)
                self.gate.leave()
            self.held.clear()
            if not self.waiting:
                break
            await asyncio.sleep(10)
            await self.settle()
        assert (self.waiting, self.gate.stats().in_flight, self.gate.stats().waiting) == ({}, 0, 0)


@given(st.lists(ACTIONS, max_size=60))
@settings(deadline=None, max_examples=150, database=None, derandomize=True)
def test_any_order_of_events_keeps_the_gate_honest(actions: list[tuple[str, Any]]) -> None:
    async def happen() -> None:
        crowd = Crowd()
        for action, argument in actions:
            await crowd.act(action, argument)
        await crowd.go_home()

    run(happen())
