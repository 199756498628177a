"""The rate limiter of one client, in its event loop, and the queue of the calls that wait for a permit."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import count
from typing import NamedTuple

from ..errors import ConfigurationError
from ..retry import RetryQuota
from .adaptive_rate import AdaptiveRate
from .interface import Backoff, Permit, RateLimiterStats

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
        # The clock of the rate; `open` replaces it with the clock of the event loop.
        self._time: Callable[[], float] = time.monotonic
        self._max_connections = 0
        self._rate = AdaptiveRate()
        self._in_flight: int = 0
        self._rate_limited = 0
        self._queue = WaitQueue()
        self._timer: asyncio.Handle | None = None

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
        self._max_connections = max_connections

    def acquire_now(self) -> Permit | None:
        """Return a permit if no call waits, and the limiter is open; see `RateLimiter.acquire_now`."""
        return None if self._queue.has_waiters() else self._grant()

    async def acquire(self, ticket: int) -> Permit:
        """Wait for permission to send a request; see `RateLimiter.acquire`."""
        granted = self._queue.join(ticket)
        self._serve_waiters()
        try:
            permit = await granted
            while not self._rate.is_valid(permit):
                # A 429 came after the grant: the call takes its old place in the queue.
                granted = self._queue.join(ticket)
                self.release(permit)
                permit = await granted
        except BaseException:
            if granted.done() and not granted.cancelled():
                # The call was cancelled in the same turn of the event loop in which its permit was granted.
                self.release(granted.result())
            granted.cancel()
            raise
        return permit

    def refused(self, permit: Permit, retry_after: float | None, backoff: Backoff) -> float:
        """Close after a 429, and return the seconds until the limiter opens again; see `RateLimiter.refused`."""
        now = self._time()
        self._rate_limited += 1
        self._change(lambda rate: rate.refused(permit, now, retry_after, backoff))
        return self._rate.closed_for(now)

    def release(self, permit: Permit, *, accepted: bool = False) -> None:
        """Give a permit back; see `RateLimiter.release`."""
        now = self._time()
        self._in_flight -= 1
        self._change(lambda rate: rate.finished(permit, now, accepted=accepted))
        self._serve_waiters()

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        now = self._time()
        closed_for = self._rate.closed_for(now)
        return RateLimiterStats(
            closed_for=closed_for,
            closed_until=datetime.now(UTC) + timedelta(seconds=closed_for) if closed_for else None,
            reason=self._rate.reason(now),
            in_flight=self._in_flight,
            rate=self._rate.sending_rate(),
            waiting=len(self._queue),
            rate_limited=self._rate_limited,
            retry_quota=self.retry_quota.left,
        )

    async def aclose(self) -> None:
        """Stop the timer; no call waits any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _change(self, event: Callable[[AdaptiveRate], None]) -> None:
        """Let the adaptive rate learn from an event."""
        event(self._rate)

    def _grant(self) -> Permit | None:
        """Return a permit, or None if no request may be sent now."""
        if self._in_flight >= self._max_connections:
            # The rate would count the permit as a sent request, although there is no free connection.
            return None
        permit = self._rate.grant(self._time())
        if permit is not None:
            self._in_flight += 1
        return permit

    def _serve_waiters(self) -> None:
        """Serve all waiters whose turn it is, and set a timer for the next waiter."""
        if self._timer is not None:
            self._timer.cancel()
        while self._queue.has_waiters() and (permit := self._grant()) is not None:
            self._queue.serve(permit, is_probe=self._rate.round.probing)
        if self._queue.has_waiters() and self._in_flight < self._max_connections:
            delay = self._rate.opens_at() - self._time()
            self._timer = asyncio.get_running_loop().call_later(delay, self._serve_waiters)


class Waiter(NamedTuple):
    """A call that waits for a permit. Waiters are in the order of their tickets, and then of their arrival."""

    ticket: int
    arrival: int
    permit: asyncio.Future[Permit]


class WaitQueue:
    """A queue that gives each permit to the waiter with the lowest ticket, and each probe to a waiter in turn.

    A probe is the request that goes first after a 429. A waiter whose probe was refused twice lets the next waiter
    probe. If another waiter's probe is accepted, the refused waiter moves to the end of the queue: the server refuses
    its call for another reason than the rate (a quota, for example).
    """

    def __init__(self) -> None:
        # A heap; a cancelled waiter stays in it until it is the first.
        self._waiters: list[Waiter] = []
        self._arrivals = count()
        # How many probes each ticket was given since the last permit that was not a probe.
        self._probes: Counter[int] = Counter()

    def __len__(self) -> int:
        return sum(not waiter.permit.done() for waiter in self._waiters)

    def has_waiters(self) -> bool:
        """Drop cancelled waiters from the front, and return whether any waiter is left."""
        while self._waiters and self._waiters[0].permit.done():
            heappop(self._waiters)
        return bool(self._waiters)

    def join(self, ticket: int) -> asyncio.Future[Permit]:
        """Add a waiter, and return the future of its permit."""
        permit: asyncio.Future[Permit] = asyncio.get_running_loop().create_future()
        heappush(self._waiters, Waiter(ticket, next(self._arrivals), permit))
        return permit

    def serve(self, permit: Permit, *, is_probe: bool = False) -> None:
        """Give *permit* to the first waiter, but a probe to the first that may probe. The queue must not be empty."""
        if is_probe:
            waiting = sorted(waiter for waiter in self._waiters if not waiter.permit.done())
            # Nobody gets a third probe before all have had two.
            waiter = min(waiting, key=lambda waiter: self._probes[waiter.ticket] // MAX_PROBES)
            self._probes[waiter.ticket] += 1
        else:
            self._defer_refused()
            waiter = heappop(self._waiters)
            while waiter.permit.done():
                waiter = heappop(self._waiters)
        waiter.permit.set_result(permit)

    def _defer_refused(self) -> None:
        """Move the waiters whose probes were refused to the end, if the probe of another waiter was accepted."""
        if len(self._probes) > 1:
            last = max(waiter.ticket for waiter in self._waiters)
            for index, waiter in enumerate(self._waiters):
                if self._probes[waiter.ticket] >= MAX_PROBES:
                    self._waiters[index] = Waiter(last, next(self._arrivals), waiter.permit)
            heapify(self._waiters)
        self._probes.clear()
