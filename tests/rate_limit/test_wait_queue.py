"""The queue before a rate limiter: the lowest ticket is served first, whenever its waiter has joined."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent_session_platform.rate_limit.interface import Permit
from agent_session_platform.rate_limit.local import WaitQueue

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


async def test_a_coroutine_that_is_thrown_away_while_it_waits_leaves_no_waiter() -> None:
    waiters = Waiters()
    waiting = waiters.queue.wait(0, NEVER, nothing)
    waiting.send(None)
    waiting.close()
    assert not waiters.queue
