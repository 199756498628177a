"""Those who wait before a gate, in order of arrival."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import deque
from collections.abc import Callable

from ..errors import ClientClosedError
from .interface import Permit


class Waiter(asyncio.Future[Permit]):
    """One who waits, and the place in the line."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place


class Line:
    """Serves its waiters in order; one that is cancelled loses nobody's place.

    *is_good* tells whether a permit still holds when its waiter wakes; *give_back* takes one that nobody uses.
    """

    def __init__(self, is_good: Callable[[Permit], bool], give_back: Callable[[], None]) -> None:
        self._is_good = is_good
        self._give_back = give_back
        self._waiters: deque[Waiter] = deque()
        self._arrivals = 0
        self._dismissed = False

    def __len__(self) -> int:
        return sum(not waiter.done() for waiter in self._waiters)

    def __bool__(self) -> bool:
        while self._waiters and self._waiters[0].done():
            self._waiters.popleft()
        return bool(self._waiters)

    async def wait(self, deadline: float, served: Callable[[], None]) -> Permit:
        """Wait to be served, and call *served* when there is somebody new to serve.

        Raises TimeoutError at *deadline* (loop time), ClientClosedError.
        """
        self.check()
        self._arrivals += 1
        place = self._arrivals
        waiter = Waiter(place)
        self._waiters.append(waiter)
        served()
        try:
            async with asyncio.timeout_at(deadline):
                while not self._is_good(permit := await waiter):
                    # A 429 came between the grant and this moment: back to the place in the line.
                    self.check()
                    waiter = Waiter(place)
                    self._waiters.insert(bisect_left(self._waiters, place, key=lambda each: each.place), waiter)
                    self._give_back()
        except BaseException:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                # The permit was granted in the same instant.
                self._give_back()
            # Else its place is passed over when its turn comes.
            waiter.cancel()
            raise
        return permit

    def serve(self, permit: Permit) -> None:
        """Give *permit* to the first who still waits: there must be one."""
        while (waiter := self._waiters.popleft()).done():
            pass
        waiter.set_result(permit)

    def check(self) -> None:
        """Raise ClientClosedError when all have been sent away."""
        if self._dismissed:
            raise dismissal()

    def dismiss(self) -> None:
        """Send all away, now and from now on."""
        self._dismissed = True
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_exception(dismissal())


def dismissal() -> ClientClosedError:
    """The error of one who is sent away."""
    return ClientClosedError("the client is closed; make a new AgentPlatform")
