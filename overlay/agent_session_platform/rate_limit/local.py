"""The rate limiter of one client, in its event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from ..errors import ConfigurationError
from .adaptive_rate import AdaptiveRate
from .interface import DEFAULT_BACKOFF, Backoff, Permit, RateLimiterStats, RetryQuota
from .wait_queue import WaitQueue


class LocalRateLimiter:
    """A rate limiter for one client: it grants permits in the order of the tickets, at the adaptive rate.

    Attributes:
        retry_quota: The tokens of retries.
    """

    def __init__(self) -> None:
        self.retry_quota = RetryQuota()
        self._loop: asyncio.AbstractEventLoop | None = None
        # The clock of the event loop, as soon as there is one.
        self._time: Callable[[], float] = time.monotonic
        self._max_connections = 0
        self._rate = AdaptiveRate()
        self._in_flight: int = 0
        self._rate_limited = 0
        self._queue = WaitQueue(self._is_valid, self.release)
        self._timer: asyncio.Handle | None = None
        # Not asked of the timer: that of uvloop does not know its time if it is due at once.
        self._timer_at = 0.0

    def open(self, max_connections: int, key: str) -> None:
        """Begin to work in the running event loop.

        Args:
            max_connections: How many requests may be in flight at the same time.
            key: Not needed here.

        Raises:
            ConfigurationError: The rate limiter was opened before.
        """
        if self._loop is not None:
            name = type(self).__name__
            raise ConfigurationError(f"a {name} belongs to one client, and this one has a client: make another one")
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        self._rate.granted_at = self._rate.fresh_since = self._time()
        self._max_connections = max_connections

    async def acquire(self, ticket: int, deadline: float) -> Permit:
        """Wait for permission to send a request; see `RateLimiter.acquire`."""
        # The common case calls as little as possible: no call waits, and the limiter is open.
        if not self._queue.waiters and not self._queue.is_shut:
            permit = self._grant(self._time())
            if permit is not None:
                return permit
        return await self._queue.wait(ticket, deadline, self._grant_waiting)

    def refused(self, permit: Permit, retry_after: float | None, backoff: Backoff = DEFAULT_BACKOFF) -> float:
        """Close after a 429, and return the seconds until the limiter opens again; see `RateLimiter.refused`."""
        now = self._time()
        self._rate_limited += 1
        self._rate.refused(permit, now, retry_after, backoff)
        return self._rate.closed_until - now

    def stream_accepted(self, permit: Permit) -> None:
        """Record a successful streamed response; see `RateLimiter.stream_accepted`."""
        self._record(permit, accepted=True)
        self._grant_waiting()

    def release(self, permit: Permit, *, accepted: bool = False, streamed: bool = False) -> None:
        """Give a permit back; see `RateLimiter.release`."""
        self._in_flight -= 1
        if not streamed:
            self._record(permit, accepted=accepted)
        self._grant_waiting()

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        return self._stats(self._rate, self._time())

    def shut(self) -> None:
        """Raise ClientClosedError in all calls that wait, and in all that come from now on."""
        self._queue.shut()
        if self._timer is not None:
            self._timer.cancel()

    async def aclose(self) -> None:
        """Do nothing: there is no resource to release."""

    def _stats(self, rate: AdaptiveRate, now: float) -> RateLimiterStats:
        closed_for = max(0.0, rate.closed_until - now)
        return RateLimiterStats(
            closed_for=closed_for,
            closed_until=datetime.now(UTC) + timedelta(seconds=closed_for) if closed_for else None,
            reason=rate.reason(now),
            in_flight=self._in_flight,
            rate=None if rate.burst is None else rate.pace(now),
            waiting=len(self._queue),
            rate_limited=self._rate_limited,
            retry_quota=self.retry_quota.tokens,
        )

    def _record(self, permit: Permit, *, accepted: bool) -> None:
        """Tell the rate that a request is over, or has begun to stream."""
        self._rate.over(permit)
        if accepted:
            self._rate.accepted(permit, self._time())

    def _is_valid(self, permit: Permit) -> bool:
        return self._rate.is_valid(permit)

    def _grant(self, now: float) -> Permit | None:
        if self._in_flight >= self._max_connections:
            return None
        permit = self._rate.grant(now)
        if permit is not None:
            self._in_flight += 1
        return permit

    def _grant_waiting(self) -> None:
        """Serve all waiters whose turn it is, and come back when the limiter opens or has room."""
        while self._queue:
            # Read once: if the limiter opened between two readings, no timer would be set and no waiter served.
            now = self._time()
            permit = self._grant(now)
            if permit is None:
                if self._in_flight < self._max_connections:
                    self._come_back(self._rate.opens_at())
                return
            self._queue.serve(permit, is_probe=self._rate.probing)

    def _come_back(self, when: float) -> None:
        if self._loop is None or (self._timer is not None and self._timer_at <= when):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = self._loop.call_at(when, self._reopen), when

    def _reopen(self) -> None:
        self._timer = None
        self._grant_waiting()
