"""The calls that wait for a permit, in the order of their tickets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count

from ..errors import ClientClosedError
from .permit import Permit

# A waiter with this many refused probes lets the next one probe. A single refusal proves little: without a Retry-After
# the first closure may have been too short.
MAX_PROBES = 2


class WaitQueue:
    """A queue that gives each permit to the waiter with the lowest ticket, and each probe to a waiter in turn.

    A probe is the only request in flight after a 429. A waiter whose probe was refused twice lets the next one probe.
    If another waiter's probe is accepted, the refused waiter moves to the end of the queue: its 429s were caused by
    that call (a quota, for example).

    Attributes:
        waiters: Heap of (ticket, number of arrival, future, deadline); a cancelled waiter stays until it is the first.
        is_shut: Whether `shut` was called.
    """

    def __init__(self, is_valid: Callable[[Permit], bool], give_back: Callable[[Permit], None]) -> None:
        """Make an empty queue.

        Args:
            is_valid: Returns whether a permit is still valid when its waiter wakes up.
            give_back: Takes back an unused permit.
        """
        self.waiters: list[tuple[int, int, asyncio.Future[Permit], float]] = []
        self.is_shut = False
        self._is_valid = is_valid
        self._give_back = give_back
        self._arrivals = count()
        # How many probes each ticket was given since the last permit that was not a probe.
        self._probes: Counter[int] = Counter()
        # One for all deadlines: a timer for each takes longer than all else that a waiter does here.
        self._timer: asyncio.Handle | None = None
        # Not asked of the timer: that of uvloop does not know its time if it is due at once.
        self._timer_at = 0.0

    def __len__(self) -> int:
        return sum(not waiter.done() for _, _, waiter, _ in self.waiters)

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
        waiter = self._join(ticket, deadline)
        on_join()
        try:
            while not self._is_valid(permit := await waiter):
                # A 429 came after the grant: the waiter takes its old place.
                waiter = self._join(ticket, deadline)
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
        if all(self._probes[ticket] >= MAX_PROBES for ticket, *_ in waiting):
            self._probes.clear()
        ticket, _, waiter, _ = next(each for each in waiting if self._probes[each[0]] < MAX_PROBES)
        self._probes[ticket] += 1
        waiter.set_result(permit)

    def _defer_refused(self) -> None:
        """Move the waiters whose probes were refused to the end, if that of another was accepted."""
        if len(self._probes) > 1:
            last = max(ticket for ticket, *_ in self.waiters)
            self.waiters = [
                (last, next(self._arrivals), waiter, deadline)
                if self._probes[ticket] >= MAX_PROBES
                else (ticket, arrival, waiter, deadline)
                for ticket, arrival, waiter, deadline in self.waiters
            ]
            heapify(self.waiters)
        self._probes.clear()

    def shut(self) -> None:
        """Raise ClientClosedError in all waiters, and in all that come from now on."""
        self.is_shut = True
        for _, _, waiter, _ in self.waiters:
            if not waiter.done():
                waiter.set_exception(_closed())
        self.waiters.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _join(self, ticket: int, deadline: float) -> asyncio.Future[Permit]:
        if self.is_shut:
            raise _closed()
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Permit] = loop.create_future()
        heappush(self.waiters, (ticket, next(self._arrivals), waiter, deadline))
        if self._timer is None or self._timer_at > deadline:
            self._set_timer(loop, deadline)
        return waiter

    def _set_timer(self, loop: asyncio.AbstractEventLoop, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = loop.call_at(when, self._end_late, loop), when

    def _end_late(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        now = loop.time()
        for _, _, waiter, deadline in self.waiters:
            if deadline <= now and not waiter.done():
                waiter.set_exception(TimeoutError())
        later = [deadline for _, _, waiter, deadline in self.waiters if not waiter.done()]
        if later:
            self._set_timer(loop, min(later))


def _closed() -> ClientClosedError:
    return ClientClosedError("the client is closed; make a new AgentPlatform")
