"""The gate: closed for all by one 429, in order of arrival, and never losing a permit."""

from __future__ import annotations

import asyncio

import pytest
from agent_session_platform import ClientClosedError, ConfigurationError, LocalRateLimiter
from agent_session_platform.rate_limit.adaptive_rate import FIRST_WINDOW
from agent_session_platform.rate_limit.interface import Permit, RateLimiter

SOON = 0.01
NEVER = 1e9


def opened(limit: int) -> LocalRateLimiter:
    gate = LocalRateLimiter()
    gate.open(limit, "scope")
    return gate


def later(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


async def close(gate: LocalRateLimiter, seconds: float) -> None:
    """A request goes through and is answered with 429."""
    gate.limited(await gate.enter(NEVER), seconds)
    gate.leave()


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_only_so_many_are_let_through_at_once() -> None:
    gate = opened(2)
    tasks = [asyncio.create_task(gate.enter(NEVER)) for _ in range(5)]
    await settle()
    assert [task.done() for task in tasks] == [True, True, False, False, False]
    gate.leave()
    await settle()
    assert [task.done() for task in tasks] == [True, True, True, False, False]
    for task in tasks:
        task.cancel()


async def test_a_closed_gate_lets_nobody_through_until_its_time_has_passed() -> None:
    gate = opened(10)
    await close(gate, SOON)
    opens_at = later(SOON)
    await asyncio.gather(*(enter_and_leave(gate) for _ in range(5)))
    assert later(0) >= opens_at


async def enter_and_leave(gate: LocalRateLimiter) -> None:
    await gate.enter(NEVER)
    gate.leave()


async def test_closing_again_never_shortens() -> None:
    gate = opened(10)
    permit = await gate.enter(NEVER)
    gate.limited(permit, 100)
    gate.limited(permit, 1)
    assert gate.stats().closed_for > 90


async def test_after_a_429_one_probe_goes_first_and_the_others_follow_at_a_pace() -> None:
    gate = opened(10)
    await close(gate, 0)
    tasks = [asyncio.create_task(gate.enter(NEVER)) for _ in range(3)]
    await settle()
    assert sum(task.done() for task in tasks) == 1
    gate.accepted(await tasks[0])
    gate.leave()
    await settle()
    assert sum(task.done() for task in tasks) == 1
    begun = later(0)
    await asyncio.gather(*tasks)
    assert gate.stats().pace is not None
    assert later(0) - begun >= 1.5 / (gate.stats().pace or 1.0)


async def test_a_passage_that_was_granted_before_a_429_waits_behind_it() -> None:
    """Granted, but not yet on its way: nothing is sent while the gate is closed."""
    gate = opened(2)
    first, second = await gate.enter(NEVER), await gate.enter(NEVER)
    waiting = asyncio.create_task(gate.enter(NEVER))
    await settle()
    gate.leave()
    gate.limited(second, 100)
    await settle()
    assert not waiting.done()
    assert (first.round, gate.stats().in_flight) == (second.round, 1)
    waiting.cancel()
    await settle()
    assert gate.stats().in_flight == 1


async def test_a_burst_is_not_let_through_before_the_first_answers_are_in() -> None:
    gate = opened(1000)
    tasks = [asyncio.create_task(gate.enter(NEVER)) for _ in range(500)]
    await settle()
    assert sum(task.done() for task in tasks) == FIRST_WINDOW
    for task in tasks:
        task.cancel()


async def test_passages_are_granted_in_order_of_arrival() -> None:
    gate = opened(1)
    order: list[int] = []

    async def pass_through(number: int) -> None:
        await gate.enter(NEVER)
        order.append(number)
        gate.leave()

    await asyncio.gather(*(pass_through(number) for number in range(20)))
    assert order == list(range(20))


async def test_a_cancelled_waiter_loses_nobodys_place() -> None:
    gate = opened(1)
    await gate.enter(NEVER)
    first, second = (asyncio.create_task(gate.enter(NEVER)) for _ in range(2))
    await settle()
    first.cancel()
    await settle()
    gate.leave()
    await second
    assert gate.stats().in_flight == 1


async def test_a_passage_granted_in_the_instant_of_cancellation_is_given_back() -> None:
    gate = opened(1)
    await gate.enter(NEVER)
    waiting = asyncio.create_task(gate.enter(NEVER))
    await settle()
    gate.leave()
    waiting.cancel()
    await settle()
    assert gate.stats().in_flight == 0
    await gate.enter(NEVER)


async def test_a_deadline_ends_the_wait() -> None:
    gate = opened(1)
    await close(gate, 100)
    with pytest.raises(TimeoutError):
        await gate.enter(later(SOON))
    assert gate.stats().waiting == 0
    assert gate.stats().in_flight == 0


async def test_stats_tell_what_the_gate_is_doing() -> None:
    gate = opened(3)
    assert (gate.stats().window, gate.stats().pace) == (3, None)
    gate.limited(await gate.enter(NEVER), 5)
    stats = gate.stats()
    assert (stats.in_flight, stats.window, stats.waiting, stats.rate_limited) == (1, 1, 0, 1)
    assert 4 < stats.closed_for <= 5.3


async def test_an_answer_to_an_earlier_request_says_nothing_about_the_window_of_now() -> None:
    gate = opened(10)
    before = await gate.enter(NEVER)
    gate.limited(before, 0)
    for _ in range(5):
        gate.accepted(before)
    assert gate.stats().window == 1


async def test_several_429s_to_one_round_close_it_once() -> None:
    gate = opened(10)
    permits = [await gate.enter(NEVER) for _ in range(5)]
    for permit in permits:
        gate.limited(permit, 0)
        gate.leave()
    assert gate.stats().rate_limited == 5
    assert (await gate.enter(NEVER)).round == permits[0].round + 1


async def test_a_dismissed_gate_sends_everybody_away() -> None:
    gate = opened(1)
    await gate.enter(NEVER)
    waiting = asyncio.create_task(gate.enter(NEVER))
    await settle()
    gate.dismiss()
    with pytest.raises(ClientClosedError):
        await waiting
    with pytest.raises(ClientClosedError):
        await gate.enter(NEVER)


async def test_a_gate_belongs_to_one_client() -> None:
    with pytest.raises(ConfigurationError, match="a gate belongs to one client"):
        opened(1).open(1, "scope")


def test_a_gate_can_be_looked_at_before_it_is_opened() -> None:
    assert LocalRateLimiter().stats().in_flight == 0


def test_the_local_gate_keeps_the_protocol() -> None:
    assert isinstance(LocalRateLimiter(), RateLimiter)


def test_a_passage_tells_its_round() -> None:
    assert Permit(1, 2.0).round == 1


async def test_a_gate_that_opens_between_two_looks_at_the_clock_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uvloop wakes a timer up to a millisecond early."""
    gate = opened(10)
    await close(gate, SOON)
    opens_at = gate._pace.closed_until
    waiting = asyncio.create_task(gate.enter(NEVER))
    await settle()
    assert gate._timer is not None
    gate._timer.cancel()
    gate._timer = None
    readings = iter([opens_at - 1e-9])
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: next(readings, opens_at + 1e-9))
    gate._admit()
    monkeypatch.undo()
    async with asyncio.timeout(5):
        await waiting
