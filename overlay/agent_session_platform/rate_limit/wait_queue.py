"""The calls that wait for a permit, in the order of their tickets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from ..errors import ClientClosedError
from .interface import Permit


class WaitQueue:
    """A queue that gives each permit to the waiter with the lowest ticket.

    Attributes:
        waiters: Heap of (ticket, number of arrival, future); a cancelled waiter stays until it is the first.
        is_shut: Whether `shut` was called.
    """

    def __init__(self, is_valid: Callable[[Permit], bool], give_back: Callable[[Permit], None]) -> None:
        """Make an empty queue.

        Args:
            is_valid: Returns whether a permit still holds at the moment when its waiter wakes up.
            give_back: Takes a permit that nobody uses.
        """
        self.waiters: list[tuple[int, int, asyncio.Future[Permit]]] = []
        self.is_shut = False
        self._is_valid = is_valid
        self._give_back = give_back
        self._arrivals = count()

    def __len__(self) -> int:
        return sum(not waiter.done() for _, _, waiter in self.waiters)

    def __bool__(self) -> bool:
        while self.waiters and self.waiters[0][2].done():
            heappop(self.waiters)
        return bool(self.waiters)

    async def wait(self, ticket: int, deadline: float, on_join: Callable[[], None]) -> Permit:
        """Wait for a permit.

        Args:
            ticket: Place in the queue: the lowest ticket is served first.
            deadline: When to give up, in seconds of the event loop's clock.
            on_join: Called when the waiter has joined the queue.

        Raises:
            TimeoutError: The deadline has passed.
            ClientClosedError: The queue is shut.
        """
        waiter = self._join(ticket)
        on_join()
        try:
            async with asyncio.timeout_at(deadline):
                while not self._is_valid(permit := await waiter):
                    # A 429 came after the grant: the waiter takes its old place.
                    waiter = self._join(ticket)
                    self._give_back(permit)
        except BaseException:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                # The permit was granted in the same turn of the event loop.
                self._give_back(waiter.result())
            waiter.cancel()
            raise
        return permit

    def serve(self, permit: Permit) -> None:
        """Give *permit* to the first waiter; the queue must not be empty."""
        while (waiter := heappop(self.waiters)[2]).done():
            pass
        waiter.set_result(permit)

    def shut(self) -> None:
        """Raise ClientClosedError in all waiters, and in all that come from now on."""
        self.is_shut = True
        for _, _, waiter in self.waiters:
            if not waiter.done():
                waiter.set_exception(_closed())
        self.waiters.clear()

    def _join(self, ticket: int) -> asyncio.Future[Permit]:
        if self.is_shut:
            raise _closed()
        waiter: asyncio.Future[Permit] = asyncio.get_running_loop().create_future()
        heappush(self.waiters, (ticket, next(self._arrivals), waiter))
        return waiter


def _closed() -> ClientClosedError:
    return ClientClosedError("the client is closed; make a new AgentPlatform")
