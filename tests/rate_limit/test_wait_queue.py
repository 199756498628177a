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

    async def serve(self, *probes: bool) -> list[int]:
        """Give permits out, one after the other, and return who was served; some are probes."""
        await settle()
        for is_probe in probes:
            self.queue.serve(PERMIT, is_probe=is_probe)
            await settle()
        return self.served


@pytest.mark.parametrize(
    ("joined", "probes", "served"),
    [
        # Each waiter probes twice before the next one does.
        ((0, 1, 0, 1, 0, 1, 0), [True] * 7, [0, 0, 1, 1, 0, 0, 1]),
        # Ticket 0 probes twice, is refused and comes back; 1 probes, and is accepted: 0 goes to the end.
        ((0, 0, 0, 1, 2, 3), [True, True, True, False, False, False], [0, 0, 1, 2, 3, 0]),
        # A waiter whose last probe is accepted keeps its place.
        ((0, 0, 1, 2), [True, False, False, False], [0, 0, 1, 2]),
        ((0, 0, 0, 1, 2), [True, True, False, False, False], [0, 0, 0, 1, 2]),
    ],
    ids=["twice", "to the end", "accepted", "accepted the second time"],
)
async def test_who_probes_and_goes_next(joined: tuple[int, ...], probes: list[bool], served: list[int]) -> None:
    waiters = Waiters()
    for ticket in joined:
        waiters.join(ticket)
    assert await waiters.serve(*probes) == served


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


async def test_a_waiter_whose_permit_does_not_hold_raises_when_the_queue_was_shut() -> None:
    waiters = Waiters(lambda permit: False)
    waiting = waiters.join(0)
    await settle()
    waiters.queue.serve(PERMIT)
    waiters.queue.shut()
    with pytest.raises(ClientClosedError):
        await waiting
    assert waiters.given_back == [PERMIT]


async def test_a_coroutine_that_is_thrown_away_while_it_waits_leaves_no_waiter() -> None:
    waiters = Waiters()
    waiting = waiters.queue.wait(0, NEVER, nothing)
    waiting.send(None)
    waiting.close()
    assert not waiters.queue
