"""The gate before every send: closed for all tasks by one 429, and bounding how many requests are under way."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from .errors import ClientClosedError
from .pace import Pace

# How many requests go out before the first answers are in.
FIRST_WINDOW = 10


@dataclass(frozen=True, slots=True)
class GateStats:
    """What a gate is doing: closed for seconds from now, requests in flight and how many may be, the pace, and so on.

    `pace` is in requests a second, None while there is none; `rate_limited` counts the 429s.
    """

    closed_for: float
    in_flight: int
    window: int
    pace: float | None
    waiting: int
    rate_limited: int


class Gate:
    """Lets requests through in order of arrival: none while it is closed, and only so many at a time.

    Slow at first: each answer makes room for one more, up to *limit*. A 429 closes the gate; then one goes first, the
    probe, and when it is accepted the others follow at a pace that is learned. Belongs to the running event loop, whose
    time it keeps. A passage that was granted must be given back with `leave`.
    """

    def __init__(self, limit: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._limit = limit
        self._window = min(limit, FIRST_WINDOW)
        self._pace = Pace()
        # Changes with each 429: the answer to a request of an earlier one says nothing about now.
        self._epoch = 0
        self._in_flight = 0
        self._closed_until = 0.0
        self._rate_limited = 0
        self._waiters: deque[asyncio.Future[int]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._dismissed = False

    async def enter(self, deadline: float) -> int:
        """Wait for a passage and give its epoch; raises TimeoutError at *deadline* (loop time) or ClientClosedError."""
        if self._dismissed:
            raise self._dismissal()
        if not self._waiters and self._may_pass():
            self._pass()
            return self._epoch
        waiter: asyncio.Future[int] = self._loop.create_future()
        self._waiters.append(waiter)
        self._admit()
        try:
            async with asyncio.timeout_at(deadline):
                while (granted := await waiter) != self._epoch:
                    # A 429 came between the grant and this moment: back to the head of the queue.
                    self._in_flight -= 1
                    waiter = self._loop.create_future()
                    self._waiters.appendleft(waiter)
                    self._admit()
        except BaseException:
            if not waiter.cancelled() and waiter.exception() is None:
                # The passage was granted in the same instant.
                self.leave()
            # Else its place is passed over when its turn comes.
            raise
        return granted

    def leave(self) -> None:
        """Give a passage back."""
        self._in_flight -= 1
        self._admit()

    def accepted(self, epoch: int) -> None:
        """Learn from an answer that was no 429, to a request that was sent in *epoch*."""
        if epoch != self._epoch:
            return
        self._pace.accepted(self._loop.time())
        if self._window < self._limit:
            # Once there is a pace, it alone holds back.
            self._window = self._window + 1 if self._pace.rate is None else self._limit
            self._admit()

    def close(self, seconds: float, epoch: int) -> None:
        """Learn from a 429 to a request that was sent in *epoch*: let nobody through for *seconds* at least."""
        self._rate_limited += 1
        self.extend(seconds)
        if epoch == self._epoch:
            # Of several 429s to one round only the first tells anything.
            self._epoch += 1
            self._window = 1
            self._pace.limited(self._loop.time(), self._closed_until)

    def extend(self, seconds: float) -> None:
        """Stay closed for *seconds* from now at least."""
        self._closed_until = max(self._closed_until, self._loop.time() + seconds)

    def stats(self) -> GateStats:
        """What the gate is doing now."""
        closed_for = max(0.0, self._closed_until - self._loop.time())
        waiting = sum(not waiter.done() for waiter in self._waiters)
        return GateStats(closed_for, self._in_flight, self._window, self._pace.rate, waiting, self._rate_limited)

    def dismiss(self) -> None:
        """Send everybody away with a ClientClosedError, now and from now on."""
        self._dismissed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_exception(self._dismissal())

    @staticmethod
    def _dismissal() -> ClientClosedError:
        return ClientClosedError("the client is closed; make a new AgentPlatform")

    def _may_pass(self) -> bool:
        return self._in_flight < self._window and self._loop.time() >= self._opens_at()

    def _opens_at(self) -> float:
        return max(self._closed_until, self._pace.next_at)

    def _pass(self) -> None:
        self._in_flight += 1
        self._pace.sent(self._loop.time())

    def _admit(self) -> None:
        """Let those through whose turn it is, and come back when the gate opens."""
        while self._waiters and self._may_pass():
            waiter = self._waiters.popleft()
            if not waiter.done():
                self._pass()
                waiter.set_result(self._epoch)
        if self._waiters and self._timer is None and self._opens_at() > self._loop.time():
            self._timer = self._loop.call_at(self._opens_at(), self._reopen)

    def _reopen(self) -> None:
        self._timer = None
        self._admit()
