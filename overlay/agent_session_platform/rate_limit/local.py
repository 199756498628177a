"""The gate of one client, in its event loop."""

from __future__ import annotations

import asyncio

from ..errors import ConfigurationError
from .adaptive_rate import Pace
from .interface import Permit, RateLimiterStats
from .wait_queue import Line


class LocalRateLimiter:
    """Lets the requests of one client through, in order of arrival and at the pace that is learned."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._limit = 0
        self._pace = Pace()
        self._in_flight = 0
        self._streams = 0
        self._rate_limited = 0
        self._line = Line(self._pace.is_good, self.leave)
        self._timer: asyncio.TimerHandle | None = None

    def open(self, limit: int, scope: str) -> None:
        """Begin in the running event loop; raises ConfigurationError when it has begun already."""
        if self._loop is not None:
            raise ConfigurationError("a gate belongs to one client: make one LocalRateLimiter for each")
        self._loop = asyncio.get_running_loop()
        self._limit = limit

    async def enter(self, deadline: float) -> Permit:
        """Wait for a permit; raises TimeoutError at *deadline* (loop time), ClientClosedError."""
        if not self._line:
            self._line.check()
            if permit := self._granted(self._now()):
                return permit
        return await self._line.wait(deadline, self._admit)

    def stream(self) -> None:
        """Count a request no longer among those that are under way, only among the connections."""
        self._streams += 1
        self._admit()

    def leave(self, *, streamed: bool = False) -> None:
        """Give a permit back."""
        self._in_flight -= 1
        self._streams -= streamed
        self._admit()

    def accepted(self, permit: Permit) -> None:
        """Learn from an answer that was no 429."""
        self._pace.accepted(permit)
        self._admit()

    def limited(self, permit: Permit, seconds: float | None) -> None:
        """Learn from a 429."""
        self._rate_limited += 1
        self._pace.limited(self._now(), seconds, permit)

    def stats(self) -> RateLimiterStats:
        """What the gate is doing now."""
        pace = self._pace
        closed_for = max(0.0, pace.closed_until - self._now())
        window = min(self._limit, int(pace.window)) if self._loop else int(pace.window)
        return RateLimiterStats(closed_for, self._in_flight, window, pace.rate, len(self._line), self._rate_limited)

    def dismiss(self) -> None:
        """Send everybody away."""
        self._line.dismiss()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def aclose(self) -> None:
        """Nothing is held."""

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _granted(self, now: float) -> Permit | None:
        if self._in_flight >= self._limit:
            return None
        permit = self._pace.grant(now, self._in_flight - self._streams)
        if permit is not None:
            self._in_flight += 1
        return permit

    def _admit(self) -> None:
        """Let those through whose turn it is, and come back when the gate opens."""
        while self._line:
            # Read once: between two readings the gate may open, and then nobody would come back.
            now = self._now()
            permit = self._granted(now)
            if permit is None:
                opens_at = self._pace.opens_at
                if self._loop is not None and self._timer is None and opens_at > now:
                    self._timer = self._loop.call_at(opens_at, self._reopen)
                return
            self._line.serve(permit)

    def _reopen(self) -> None:
        self._timer = None
        self._admit()
