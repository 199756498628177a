"""The gate before every send: closed for all tasks by one 429, and bounding how many requests are under way."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from .errors import ClientClosedError

# How many requests go out before the first answers are in.
FIRST_WINDOW = 10


@dataclass(frozen=True, slots=True)
class GateStats:
    """What a gate is doing: closed for seconds from now, requests in flight, how many may be, waiting tasks, 429s."""

    closed_for: float
    in_flight: int
    window: int
    waiting: int
    rate_limited: int


class Gate:
    """Lets requests through in order of arrival: none while it is closed, and only so many at a time.

    How many is learned, as TCP learns it: a 429 closes the gate and leaves room for one, the probe. Each answer makes
    room for one more up to half of what was too much, and from there on a full round of answers does, up to *limit*.
    Belongs to the running event loop, whose time it keeps. A passage that was granted must be given back with `leave`.
    """

    def __init__(self, limit: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._limit = limit
        self._window = float(min(limit, FIRST_WINDOW))
        self._threshold = float(limit)
        self._in_flight = 0
        self._closed_until = 0.0
        self._rate_limited = 0
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._dismissed = False

    @property
    def epoch(self) -> int:
        """Changes with each 429: the answer to a request of an earlier one says nothing about the window of now."""
        return self._rate_limited

    async def enter(self, deadline: float) -> None:
        """Wait for a passage; raises TimeoutError at *deadline* (time of the event loop), or ClientClosedError."""
        if self._dismissed:
            raise self._dismissal()
        if not self._waiters and self._may_pass():
            self._in_flight += 1
            return
        waiter = self._loop.create_future()
        self._waiters.append(waiter)
        self._admit()
        try:
            async with asyncio.timeout_at(deadline):
                await waiter
        except BaseException:
            if not waiter.cancelled() and waiter.exception() is None:
                # The passage was granted in the same instant.
                self.leave()
            # Else its place is passed over when its turn comes.
            raise

    def leave(self) -> None:
        """Give a passage back."""
        self._in_flight -= 1
        self._admit()

    def accepted(self, epoch: int) -> None:
        """Learn from an answer that was no 429, to a request that was sent in *epoch*."""
        if epoch == self.epoch and self._window < self._limit:
            step = 1.0 if self._window < self._threshold else 1.0 / self._window
            self._window = min(float(self._limit), self._window + step)
            self._admit()

    def close(self, seconds: float) -> None:
        """Learn from a 429: let nobody through for *seconds*, or for longer if it is closed for longer already."""
        self._rate_limited += 1
        if self._window > 1.0:
            # Of several 429s to one round only the first tells what was too much.
            self._threshold = max(1.0, self._window / 2)
        self._window = 1.0
        self.extend(seconds)

    def extend(self, seconds: float) -> None:
        """Stay closed for *seconds* from now at least."""
        self._closed_until = max(self._closed_until, self._loop.time() + seconds)

    def stats(self) -> GateStats:
        """What the gate is doing now."""
        closed_for = max(0.0, self._closed_until - self._loop.time())
        waiting = sum(not waiter.done() for waiter in self._waiters)
        return GateStats(closed_for, self._in_flight, int(self._window), waiting, self._rate_limited)

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
        return self._in_flight + 1 <= self._window and self._loop.time() >= self._closed_until

    def _admit(self) -> None:
        """Let those through whose turn it is, and come back when the gate opens."""
        while self._waiters and self._may_pass():
            waiter = self._waiters.popleft()
            if not waiter.done():
                self._in_flight += 1
                waiter.set_result(None)
        if self._waiters and self._timer is None and self._closed_until > self._loop.time():
            self._timer = self._loop.call_at(self._closed_until, self._reopen)

    def _reopen(self) -> None:
        self._timer = None
        self._admit()
