"""The calls that wait for a permit, in the order of their tickets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count

from ..errors import CLIENT_CLOSED, ClientClosedError
from .interface import Permit

# A waiter with this many refused probes lets the next one probe. A single refusal proves little: without a Retry-After
# the first closure may have been too short.
MAX_PROBES = 2


class WaitQueue:
    """A queue that gives each permit to the waiter with the lowest ticket, and each probe to a waiter in turn.

    A probe is the request that goes first after a 429. A waiter whose probe was refused twice lets the next one probe.
    If another waiter's probe is accepted, the refused waiter moves to the end of the queue: its 429s were caused by
    that call (a quota, for example).

    Attributes:
        waiters: Heap of (ticket, number of arrival, future); a cancelled waiter stays until it is the first.
        is_shut: Whether `shut` was called.
    """

    def __init__(self, is_valid: Callable[[Permit], bool], give_back: Callable[[Permit], None]) -> None:
        """Make an empty queue.

        Args:
            is_valid: Returns whether a permit is still valid when its waiter wakes up.
            give_back: Takes back an unused permit.
        """
        self.waiters: list[tuple[int, int, asyncio.Future[Permit]]] = []
        self.is_shut = False
        self._is_valid = is_valid
        self._give_back = give_back
        self._arrivals = count()
        # How many probes each ticket was given since the last permit that was not a probe.
        self._probes: Counter[int] = Counter()

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

        Returns:
            The permit.

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

    def serve(self, permit: Permit, *, is_probe: bool = False) -> None:
        """Give *permit* to the first waiter, a probe to the first that may probe; the queue must not be empty."""
        if not is_probe:
            self._defer_refused()
            while (waiter := heappop(self.waiters)[2]).done():
                pass
            waiter.set_result(permit)
            return
        waiting = sorted(each for each in self.waiters if not each[2].done())
        if all(self._probes[ticket] >= MAX_PROBES for ticket, _, _ in waiting):
            self._probes.clear()
        ticket, _, waiter = next(each for each in waiting if self._probes[each[0]] < MAX_PROBES)
        self._probes[ticket] += 1
        waiter.set_result(permit)

    def _defer_refused(self) -> None:
        """Move the waiters whose probes were refused to the end, if that of another was accepted."""
        if len(self._probes) > 1:
            last = max(ticket for ticket, _, _ in self.waiters)
            for index, (ticket, _, waiter) in enumerate(self.waiters):
                if self._probes[ticket] >= MAX_PROBES:
                    self.waiters[index] = (last, next(self._arrivals), waiter)
            heapify(self.waiters)
        self._probes.clear()

    def shut(self) -> None:
        """Raise ClientClosedError in all waiters, and in all that come from now on."""
        self.is_shut = True
        for _, _, waiter in self.waiters:
            if not waiter.done():
                waiter.set_exception(ClientClosedError(CLIENT_CLOSED))
        self.waiters.clear()

    def _join(self, ticket: int) -> asyncio.Future[Permit]:
        if self.is_shut:
            raise ClientClosedError(CLIENT_CLOSED)
        waiter: asyncio.Future[Permit] = asyncio.get_running_loop().create_future()
        heappush(self.waiters, (ticket, next(self._arrivals), waiter))
        return waiter
