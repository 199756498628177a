"""The rate limiter of one client, in its event loop, and the queue of the calls that wait for a permit."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import count

from ..errors import CLIENT_CLOSED, ClientClosedError, ConfigurationError
from ..retry import RetryQuota
from .adaptive_rate import AdaptiveRate
from .interface import DEFAULT_BACKOFF, Backoff, Permit, RateLimiterStats

# After a 429 one waiting call goes first, as a probe. After this many refusals the next waiter probes instead. A single
# refusal proves little: without a Retry-After the first closure may have been too short.
MAX_PROBES = 2


class LocalRateLimiter:
    """A rate limiter for one client: it grants permits in the order of the tickets, at the adaptive rate.

    Attributes:
        retry_quota: The tokens of retries.
    """

    def __init__(self) -> None:
        self.retry_quota = RetryQuota()
        self._loop: asyncio.AbstractEventLoop | None = None
        # The clock; `open` replaces it with the clock of the event loop.
        self._time: Callable[[], float] = time.monotonic
        self._max_connections = 0
        self._rate = AdaptiveRate()
        self._in_flight: int = 0
        self._rate_limited = 0
        self._queue = WaitQueue(self._is_valid, self.release, self._grant_waiting)
        self._timer: asyncio.Handle | None = None
        # The due time of the timer is kept here, because a timer of uvloop that is due at once does not return it.
        self._timer_at = 0.0

    def open(self, max_connections: int, key: str) -> None:
        """Begin to work in the running event loop.

        Args:
            max_connections: How many requests may wait for their response at the same time.
            key: Not needed here.

        Raises:
            ConfigurationError: The rate limiter was opened before.
        """
        if self._loop is not None:
            name = type(self).__name__
            raise ConfigurationError(f"a {name} belongs to one client, and this one is in use: make another one")
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        self._rate = AdaptiveRate.unlearned(self._time())
        self._max_connections = max_connections

    async def acquire(self, ticket: int, deadline: float) -> Permit:
        """Wait for permission to send a request; see `RateLimiter.acquire`."""
        # The common case must be fast: no call waits, and the limiter is open.
        if not self._queue.has_waiters() and not self._queue.is_shut:
            permit = self._grant(self._time())
            if permit is not None:
                return permit
        return await self._queue.wait(ticket, deadline)

    def refused(self, permit: Permit, retry_after: float | None, backoff: Backoff = DEFAULT_BACKOFF) -> float:
        """Close after a 429, and return the seconds until the limiter opens again; see `RateLimiter.refused`."""
        now = self._time()
        self._rate_limited += 1
        self._rate.refused(permit, now, retry_after, backoff)
        return self._rate.closed_until - now

    def release(self, permit: Permit, *, accepted: bool = False) -> None:
        """Give a permit back; see `RateLimiter.release`."""
        self._in_flight -= 1
        self._record(permit, accepted=accepted)
        self._grant_waiting()

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        return self._stats(self._rate, self._time())

    def shut(self) -> None:
        """Raise ClientClosedError in all calls that wait, and in all later calls."""
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
            rate=rate.rate_at(now),
            waiting=len(self._queue),
            rate_limited=self._rate_limited,
            retry_quota=self.retry_quota.tokens,
        )

    def _record(self, permit: Permit, *, accepted: bool) -> None:
        """Record in the adaptive rate that a response has come, or will not come."""
        self._rate.finished(permit)
        if accepted:
            self._rate.accepted(permit, self._time())

    def _is_valid(self, permit: Permit) -> bool:
        return self._rate.is_valid(permit)

    def _grant(self, now: float) -> Permit | None:
        # Without a free connection no permit is granted, because the rate would count the permit as a sent request.
        if self._in_flight >= self._max_connections:
            return None
        permit = self._rate.grant(now)
        if permit is not None:
            self._in_flight += 1
        return permit

    def _grant_waiting(self) -> None:
        """Serve all waiters whose turn it is, and set a timer for the next waiter."""
        while self._queue.has_waiters():
            # Read the clock once: if the limiter opened between two readings, no timer would be set and no waiter
            # served.
            now = self._time()
            permit = self._grant(now)
            if permit is None:
                if self._in_flight < self._max_connections:
                    self._come_back(self._rate.opens_at())
                return
            self._queue.serve(permit, is_probe=self._rate.round.probing)

    def _come_back(self, when: float) -> None:
        if self._loop is None or (self._timer is not None and self._timer_at <= when):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = self._loop.call_at(when, self._reopen), when

    def _reopen(self) -> None:
        self._timer = None
        self._grant_waiting()


class WaitQueue:
    """A queue that gives each permit to the waiter with the lowest ticket, and each probe to a waiter in turn.

    A probe is the request that goes first after a 429. A waiter whose probe was refused twice lets the next waiter
    probe. If another waiter's probe is accepted, the refused waiter moves to the end of the queue: the server refuses
    its call for another reason than the rate (a quota, for example).

    Args:
        is_valid: Returns whether a permit is still valid when its waiter wakes up.
        give_back: Takes back an unused permit.
        serve_all: Called when a waiter has joined; it calls `serve` for each permit that may be granted.

    Attributes:
        is_shut: Whether `shut` was called.
    """

    def __init__(
        self, is_valid: Callable[[Permit], bool], give_back: Callable[[Permit], None], serve_all: Callable[[], None]
    ) -> None:
        self.is_shut = False
        # A heap of (ticket, number of arrival, future); a cancelled waiter stays until it is the first.
        self._waiters: list[tuple[int, int, asyncio.Future[Permit]]] = []
        self._is_valid = is_valid
        self._give_back = give_back
        self._serve_all = serve_all
        self._arrivals = count()
        # How many probes each ticket was given since the last permit that was not a probe.
        self._probes: Counter[int] = Counter()

    def __len__(self) -> int:
        return sum(not waiter.done() for _, _, waiter in self._waiters)

    def has_waiters(self) -> bool:
        """Drop cancelled waiters from the front, and return whether any waiter is left."""
        while self._waiters and self._waiters[0][2].done():
            heappop(self._waiters)
        return bool(self._waiters)

    async def wait(self, ticket: int, deadline: float) -> Permit:
        """Wait for a permit.

        Args:
            ticket: Place in the queue: the lowest ticket is served first.
            deadline: When to give up, in seconds of the event loop's clock.

        Returns:
            The permit.

        Raises:
            TimeoutError: The deadline has passed.
            ClientClosedError: The queue is shut.
        """
        waiter = self._join(ticket)
        self._serve_all()
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
        """Give *permit* to the first waiter, but a probe to the first that may probe. The queue must not be empty."""
        if not is_probe:
            self._defer_refused()
            while (waiter := heappop(self._waiters)[2]).done():
                pass
            waiter.set_result(permit)
            return
        waiting = [(ticket, waiter) for ticket, _, waiter in sorted(self._waiters) if not waiter.done()]
        if all(self._probes[ticket] >= MAX_PROBES for ticket, _ in waiting):
            self._probes.clear()
        ticket, waiter = next((ticket, waiter) for ticket, waiter in waiting if self._probes[ticket] < MAX_PROBES)
        self._probes[ticket] += 1
        waiter.set_result(permit)

    def _defer_refused(self) -> None:
        """Move the waiters whose probes were refused to the end, if the probe of another waiter was accepted."""
        if len(self._probes) > 1:
            last = max(ticket for ticket, _, _ in self._waiters)
            for index, (ticket, _, waiter) in enumerate(self._waiters):
                if self._probes[ticket] >= MAX_PROBES:
                    self._waiters[index] = (last, next(self._arrivals), waiter)
            heapify(self._waiters)
        self._probes.clear()

    def shut(self) -> None:
        """Raise ClientClosedError in all waiters, and in all later waiters."""
        self.is_shut = True
        for _, _, waiter in self._waiters:
            if not waiter.done():
                waiter.set_exception(ClientClosedError(CLIENT_CLOSED))
        self._waiters.clear()

    def _join(self, ticket: int) -> asyncio.Future[Permit]:
        if self.is_shut:
            raise ClientClosedError(CLIENT_CLOSED)
        waiter: asyncio.Future[Permit] = asyncio.get_running_loop().create_future()
        heappush(self._waiters, (ticket, next(self._arrivals), waiter))
        return waiter
