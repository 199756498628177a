"""The rate limiter of one client, in its event loop: a limit for each key, with a queue of the calls that wait.

A call that waits is in the queue of its limit, and has no permit. A call with a permit is in no queue, and takes one of
the free connections. If a call waits, one of these will wake it: the end of a request while no connection is free, or
else the timer of its limit.
"""

from __future__ import annotations

import asyncio
import time
from bisect import insort
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from itertools import count
from operator import attrgetter
from typing import Self

import attrs

from .._api import Operation
from ..errors import ConfigurationError, InvalidArgumentError
from ..retry import RetryQuota, is_too_long, jitter_of
from ..text import type_name
from ..validators import is_async_function
from .adaptive_rate import AdaptiveRate, ClosureTest, Event, Refusal, RequestEnd
from .limiter import KeyFunction, LimitStats, Place, RateLimiterStats

# How often idle limits are forgotten.
FORGET_SECONDS = 5.0

# After so many refused probes in a row the next waiting call sends the probe, so that no call uses up its attempts.
PROBES_OF_A_CALL = 2

# A 429 closes the limit for at least this time: a refused call needs it to return to its place before later calls go.
MIN_PAUSE_SECONDS = 0.005

# How many segments of a path outside the contract are in the key: /v3/organizations/org-a/knowledge/notes.
SEGMENTS_OF_A_KEY = 5


@attrs.define(eq=False)
class Limits:
    """What the limits of one client share.

    Attributes:
        time: Their clock, in seconds.
        max_connections: How many requests may be in flight.
        free_connections: How many more requests may be in flight now.
        rate_limited: How many responses had status 429.
        by_key: The limits.
    """

    time: Callable[[], float] = time.monotonic
    max_connections: int = 0
    free_connections: int = 0
    rate_limited: int = 0
    by_key: dict[str, Limit] = attrs.field(factory=dict[str, "Limit"])


class Limit:
    """The limit of one key: its adaptive rate, and the calls that wait for it.

    Args:
        limits: The limits of the client.

    Attributes:
        rate: The adaptive rate.
        places: How many calls have a place.
        waiters: The places of the waiting calls, in their order.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.rate = AdaptiveRate()
        self.places = 0
        self.waiters: list[LimitPlace] = []
        self._timer: asyncio.Handle | None = None

    def is_unused(self, now: float) -> bool:
        """Return whether the limit can be forgotten."""
        return not self.places and self.rate.is_idle(now)

    def learn_from(self, event: Event) -> None:
        """Let the adaptive rate learn of an event."""
        self.rate.learn_from(event)

    def end_request(self, event: RequestEnd | Refusal) -> None:
        """Learn how a request has ended, free its connection, and serve the calls that waited for either."""
        limits = self.limits
        self.learn_from(event)
        limits.free_connections += 1
        if limits.free_connections > 1:
            if self.waiters:
                self.serve_waiters()
            return
        # There was no free connection, and calls of any limit may wait for one.
        waiting = [limit for limit in limits.by_key.values() if limit.waiters]
        for limit in sorted(waiting, key=lambda limit: limit.waiters[0].number):
            limit.serve_waiters()

    def enqueue(self, place: LimitPlace) -> None:
        """Let a call wait in the order of the places."""
        insort(self.waiters, place, key=attrgetter("number"))

    def serve_waiters(self) -> None:
        """Give permits to the waiters whose turn it is, and set a timer for the next one.

        Without a free connection there is no timer, because the end of a request serves them: the rate must not count a
        request that cannot be sent yet.
        """
        if self._timer is not None:
            self._timer.cancel()
        now = self.limits.time()
        while self.waiters and self.limits.free_connections:
            if not self.rate.take_permit(now):
                seconds = self.rate.next_look(now) - now
                self._timer = asyncio.get_running_loop().call_later(seconds, self.serve_waiters)
                return
            self.limits.free_connections -= 1
            self.give_permit(now)

    def give_permit(self, now: float) -> None:
        """Give a permit to the first waiter. The queue must not be empty.

        A probe goes to another waiter after each PROBES_OF_A_CALL refused probes.
        """
        index = 0
        if self.rate.probed_at == now:
            refused_probes = max(0, self.rate.closures - 1)
            index = refused_probes // PROBES_OF_A_CALL % len(self.waiters)
        place = self.waiters.pop(index)
        place.sent_at = now
        place.wake.set()

    def dismiss(self) -> None:
        """Wake the waiters that do not wait for the present closure."""
        closed_for = self.rate.closed_for(self.limits.time())
        for place in self.waiters:
            if is_too_long(closed_for, place.longest_closure):
                place.wake.set()

    def stats(self) -> LimitStats:
        """Return the current state."""
        closed_for = self.rate.closed_for(self.limits.time())
        closed_until = None
        if closed_for:
            closed_until = datetime.now(UTC) + timedelta(seconds=closed_for)
        rate = None
        if self.rate.rate_at_429:
            rate = self.rate.rate_at(self.rate.last_request_at)
        return LimitStats(closed_for, closed_until, rate, len(self.waiters))

    async def aclose(self) -> None:
        """Do nothing: no call waits any more."""


@attrs.define(eq=False)
class LimitPlace:
    """The place of one call before a limit; see `Place`.

    Attributes:
        limit: The limit.
        number: The number of the place; the lowest number goes first.
        longest_closure: How many seconds of a closure the call waits for.
        sent_at: When the permit of the present attempt was given; None without a permit.
        wake: Set when the waiting call has a permit, or does not wait for a closure that began.
    """

    limit: Limit
    number: int
    longest_closure: float = 0.0
    sent_at: float | None = None
    wake: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def __aenter__(self) -> Self:
        self.limit.places += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self.failed()
        self.limit.places -= 1

    @property
    def closure_number(self) -> int:
        """How many closures in a row there are if the present attempt gets a 429; see `Place.closure_number`."""
        if self.sent_at is None:
            return 1
        return self.limit.rate.closure_number(self.sent_at)

    async def permit(self, longest_closure: float) -> float | None:
        """Wait until the next attempt may be sent; see `Place.permit`."""
        limit = self.limit
        self.failed()
        self.longest_closure = longest_closure
        limit.enqueue(self)
        try:
            while self.sent_at is None:
                now = limit.limits.time()
                closed_for = limit.rate.closed_for(now)
                if is_too_long(closed_for, longest_closure):
                    if not limit.rate.is_test_due(now, longest_closure):
                        return closed_for
                    limit.learn_from(ClosureTest(now, longest_closure))
                self.wake.clear()
                limit.serve_waiters()
                await self.wake.wait()
                if self.sent_at is not None and self.sent_at < limit.rate.opens_at:
                    # A 429 came after the permit was given: the call takes its old place in the queue.
                    self.failed()
                    limit.enqueue(self)
        finally:
            if self.sent_at is None:
                limit.waiters.remove(self)
        return None

    def accepted(self) -> None:
        """Report that a response other than 429 came; see `Place.accepted`."""
        self._end(accepted=True)

    def failed(self) -> None:
        """Report that no response will come; see `Place.failed`."""
        self._end(accepted=False)

    def refused(self, seconds: float) -> None:
        """Report a 429; see `Place.refused`."""
        if self.sent_at is None:
            return
        pause = pause_after_429(seconds, self.longest_closure)
        refusal = Refusal(self.sent_at, self.limit.limits.time(), seconds, pause)
        self.sent_at = None
        self.limit.limits.rate_limited += 1
        self.limit.end_request(refusal)
        self.limit.dismiss()

    def _end(self, *, accepted: bool) -> None:
        """Report the end of the present attempt, unless it was reported."""
        if self.sent_at is not None:
            end = RequestEnd(self.sent_at, self.limit.limits.time(), accepted)
            self.sent_at = None
            self.limit.end_request(end)


def pause_after_429(seconds: float, longest_closure: float) -> float:
    """Return for how many seconds nothing is sent after a 429: the closure, with jitter on top.

    Jitter keeps processes from coming back at the same time. A closure that the call does not wait for needs none: its
    calls fail at once, and come back when their callers like.

    Args:
        seconds: The closure, as the retry policy has decided it.
        longest_closure: How many seconds of a closure the refused call waits for.
    """
    if not is_too_long(seconds, longest_closure):
        seconds += jitter_of(seconds)
    return max(seconds, MIN_PAUSE_SECONDS)


def key_of_operation(operation: Operation) -> str:
    """Return the key of an operation: its name, so that each operation has a limit of its own.

    A path outside the contract has the key of its method and its first segments.
    """
    if operation.id != f"{operation.method} {operation.path}":
        return operation.name
    segments = operation.path.split("/")
    return f"{operation.method} {'/'.join(segments[: SEGMENTS_OF_A_KEY + 1])}"


class LocalRateLimiter:
    """A rate limiter for one client. Each operation has a limit of its own, whose rate is learned from 429s.

    Args:
        key: A function that names the limit of an operation; operations with the same key share a limit. By default
            each operation has a limit of its own; `key=lambda operation: "all"` makes one limit for all.

    Attributes:
        retry_quota: The tokens of retries.

    Raises:
        InvalidArgumentError: *key* is not a plain function.

    Example:
        AgentPlatform(rate_limiter=LocalRateLimiter(key=lambda operation: "all"))
    """

    def __init__(self, *, key: KeyFunction = key_of_operation) -> None:
        if not callable(key) or is_async_function(key):
            raise InvalidArgumentError(f"key must be a plain function from an Operation to text, not {type_name(key)}")
        self.retry_quota = RetryQuota()
        self._key = key
        self._numbers = count()
        self._is_open = False
        self._forget_at = 0.0
        self._limits = Limits()

    def open(self, max_connections: int, identity: str) -> None:
        """Begin to work in the running event loop.

        Args:
            max_connections: How many requests may wait for their response at the same time.
            identity: Not needed here.

        Raises:
            ConfigurationError: The rate limiter was opened before.
        """
        if self._is_open:
            name = type(self).__name__
            raise ConfigurationError(f"a {name} belongs to one client, and this one is in use: make another one")
        self._is_open = True
        self._limits.time = asyncio.get_running_loop().time
        self._limits.max_connections = max_connections
        self._limits.free_connections = max_connections

    def enter(self, operation: Operation) -> AbstractAsyncContextManager[Place]:
        """Take a place for one call; see `RateLimiter.enter`."""
        now = self._limits.time()
        if now >= self._forget_at:
            self._forget_unused(now)
        key = self._key(operation)
        limit = self._limits.by_key.get(key)
        if limit is None:
            limit = self._make_limit(key)
            self._limits.by_key[key] = limit
        return LimitPlace(limit, next(self._numbers))

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        limits: dict[str, LimitStats] = {}
        for key, limit in self._limits.by_key.items():
            stats = limit.stats()
            if stats != LimitStats():
                limits[key] = stats
        last = max(limits.values(), key=attrgetter("closed_for"), default=LimitStats())
        rates = [stats.rate for stats in limits.values() if stats.rate is not None]
        return RateLimiterStats(
            closed_for=last.closed_for,
            closed_until=last.closed_until,
            in_flight=self._limits.max_connections - self._limits.free_connections,
            rate=min(rates, default=None),
            waiting=sum(stats.waiting for stats in limits.values()),
            rate_limited=self._limits.rate_limited,
            retry_quota=self.retry_quota.left,
            limits=limits,
        )

    async def aclose(self) -> None:
        """Close the limits; no call waits any more."""
        for limit in self._limits.by_key.values():
            await limit.aclose()

    def _make_limit(self, key: str) -> Limit:
        return Limit(self._limits)

    def _forget_unused(self, now: float) -> None:
        """Forget the limits that are not used any more."""
        self._forget_at = now + FORGET_SECONDS
        for key, limit in list(self._limits.by_key.items()):
            if limit.is_unused(now):
                del self._limits.by_key[key]
