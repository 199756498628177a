"""The queue before a rate limiter: the lowest ticket is served first, whenever its waiter has joined."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from agent_session_platform import ClientClosedError
from agent_session_platform.rate_limit.interface import Permit
from agent_session_platform.rate_limit.local import WaitQueue

from benchmarks.virtual_time import run

NEVER = 1e9
PERMIT = Permit(1, 0.0)


def nothing() -> None:
    pass


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Waiters:
    """A queue, and the tickets of the waiters that got a permit, in that order."""

    def __init__(self, is_valid: Callable[[Permit], bool] = lambda permit: True) -> None:
        self.given_back: list[Permit] = []
        self.served: list[int] = []
        self.queue = WaitQueue(is_valid, self.given_back.append)

    def join(self, ticket: int, deadline: float = NEVER) -> asyncio.Task[Permit]:
        """Let a waiter join."""

        async def wait() -> Permit:
            permit = await self.queue.wait(ticket, deadline, nothing)
            self.served.append(ticket)
            return permit

        return asyncio.create_task(wait())

    async def serve(self, count: int, round_: int = 1) -> None:
        """Give so many permits out, one after the other."""
        for _ in range(count):
            self.queue.serve(Permit(round_, 0.0))
        await settle()


async def test_the_lowest_ticket_is_served_first() -> None:
    waiters = Waiters()
    for ticket in (3, 1, 4, 0, 2):
        waiters.join(ticket)
    await settle()
    await waiters.serve(5)
    assert waiters.served == [0, 1, 2, 3, 4]


async def test_a_call_that_comes_back_goes_before_all_later_tickets() -> None:
    waiters = Waiters()
    first = waiters.join(0)
    await settle()
    await waiters.serve(1)
    await first
    for ticket in (1, 2, 0):
        waiters.join(ticket)
    await settle()
    await waiters.serve(3)
    assert waiters.served == [0, 0, 1, 2]


async def test_each_waiter_probes_twice_before_the_next_one_does() -> None:
    waiters = Waiters()
    for ticket in (0, 1, 0, 1, 0, 1, 0):
        waiters.join(ticket)
    await settle()
    for _ in range(7):
        waiters.queue.serve(PERMIT, is_probe=True)
        await settle()
    assert waiters.served == [0, 0, 1, 1, 0, 0, 1]


async def test_a_waiter_whose_probes_were_refused_while_another_was_accepted_goes_to_the_end() -> None:
    waiters = Waiters()
    for ticket in (0, 0, 0, 1, 2, 3):
        waiters.join(ticket)
    await settle()
    # Ticket 0 probes twice, is refused and comes back; 1 probes, and is accepted.
    for is_probe in (True, True, True, False, False, False):
        waiters.queue.serve(PERMIT, is_probe=is_probe)
        await settle()
    assert waiters.served == [0, 0, 1, 2, 3, 0]


@pytest.mark.parametrize("probes", [1, 2])
async def test_a_waiter_whose_last_probe_is_accepted_keeps_its_place(probes: int) -> None:
    waiters = Waiters()
    for ticket in (*[0] * (probes + 1), 1, 2):
        waiters.join(ticket)
    await settle()
    for is_probe in (*[True] * probes, False, False, False):
        waiters.queue.serve(PERMIT, is_probe=is_probe)
        await settle()
    assert waiters.served == [*[0] * (probes + 1), 1, 2]


async def test_equal_tickets_are_served_in_order_of_arrival() -> None:
    waiters = Waiters()
    first, second = waiters.join(7), waiters.join(7)
    await settle()
    await waiters.serve(1)
    assert (first.done(), second.done()) == (True, False)
    second.cancel()


def test_each_waiter_ends_at_its_own_deadline() -> None:
    async def ends() -> list[tuple[int, float]]:
        loop, waiters = asyncio.get_running_loop(), Waiters()
        began, ended = loop.time(), list[tuple[int, float]]()

        async def wait(ticket: int, seconds: float) -> None:
            with pytest.raises(TimeoutError):
                await waiters.join(ticket, began + seconds)
            ended.append((ticket, round(loop.time() - began, 3)))

        await asyncio.gather(wait(0, 3.0), wait(1, 1.0), wait(2, 2.0), wait(3, 1.0))
        return ended

    assert run(ends()) == [(1, 1.0), (3, 1.0), (2, 2.0), (0, 3.0)]


async def test_a_waiter_whose_permit_does_not_hold_any_more_keeps_its_place() -> None:
    waiters = Waiters(lambda permit: permit.round == 2)
    for ticket in range(5):
        waiters.join(ticket)
    await settle()
    await waiters.serve(3, round_=1)
    assert len(waiters.given_back) == 3
    await waiters.serve(5, round_=2)
    assert waiters.served == [0, 1, 2, 3, 4]


async def test_a_cancelled_waiter_loses_nobodys_place() -> None:
    waiters = Waiters()
    tasks = [waiters.join(ticket) for ticket in range(4)]
    await settle()
    tasks[0].cancel()
    tasks[2].cancel()
    await settle()
    assert len(waiters.queue) == 2
    await waiters.serve(2)
    assert waiters.served == [1, 3]


async def test_a_permit_is_given_back_when_its_waiter_was_cancelled_in_the_same_turn() -> None:
    waiters = Waiters()
    waiting = waiters.join(0)
    await settle()
    waiters.queue.serve(PERMIT)
    waiting.cancel()
    await settle()
    assert waiters.given_back == [PERMIT]


async def test_a_deadline_that_has_passed_raises_a_timeout_error() -> None:
    waiters = Waiters()
    with pytest.raises(TimeoutError):
        await waiters.join(0, asyncio.get_running_loop().time())
    assert not waiters.queue


async def test_a_waiter_whose_permit_does_not_hold_raises_when_the_queue_was_shut() -> None:
    waiters = Waiters(lambda permit: False)
    waiting = waiters.join(0)
    await settle()
    waiters.queue.serve(PERMIT)
    waiters.queue.shut()
    with pytest.raises(ClientClosedError):
        await waiting
    assert waiters.given_back == [PERMIT]


async def test_nobody_joins_a_queue_that_is_shut() -> None:
    waiters = Waiters()
    waiters.queue.shut()
    with pytest.raises(ClientClosedError):
        await waiters.join(0)


async def test_a_coroutine_that_is_thrown_away_while_it_waits_leaves_no_waiter() -> None:
    waiters = Waiters()
    waiting = waiters.queue.wait(0, NEVER, nothing)
    waiting.send(None)
    waiting.close()
    assert not waiters.queue
