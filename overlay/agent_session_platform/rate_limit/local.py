"""The rate limiter of one client, in its event loop: a limit for each key, with a queue of the calls that wait."""

from __future__ import annotations

import asyncio
import time
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from operator import attrgetter, methodcaller
from typing import Self, TypeAlias

from .._api import Operation
from ..errors import ConfigurationError
from ..retry import RetryQuota, is_too_long, jitter_of
from .adaptive_rate import AdaptiveRate, Permit
from .limiter import KeyFunction, LimitStats, Place, RateLimiterStats, check_key_function, key_of_operation

# How often idle limits are forgotten.
FORGET_SECONDS = 5.0

# After so many refused probes in a row the next waiting call sends the probe, so that no call uses up its attempts.
PROBES_OF_A_CALL = 2

RateEvent: TypeAlias = Callable[[AdaptiveRate], None]
"""An event of which an adaptive rate learns."""

PermitEvent: TypeAlias = Callable[[AdaptiveRate, Permit, float], None]
"""What becomes of a permit, and when: a method of `AdaptiveRate`."""


class Limit:
    """The limit of one key: its adaptive rate, and the calls that wait for it.

    Args:
        limits: The limits of the client.
        key: The key.

    Attributes:
        key: The key.
        rate: The adaptive rate.
        places: How many calls have a place.
        waiters: The places of the waiting calls, in their order.
    """

    def __init__(self, limits: Limits, key: str) -> None:
        self.key = key
        self.rate = AdaptiveRate(filled_at=limits.time())
        self.places = 0
        self.waiters: list[LimitPlace] = []
        self._limits = limits
        self._timer: asyncio.Handle | None = None

    def is_unused(self, now: float) -> bool:
        """Return whether the limit can be forgotten: it has no place, and nothing that it has learned is of use."""
        return not self.places and (self.rate.is_new or self.rate.is_idle(now))

    async def permit(self, place: LimitPlace) -> Permit | float:
        """Return a permit, as soon as there is one; or the seconds of a closure that the call does not wait for."""
        permit = None if self.waiters else self.grant()
        while permit is None:
            now = self._limits.time()
            closed_for = self.rate.closed_for(now)
            if is_too_long(closed_for, place.longest_closure):
                if not self.rate.opens_early(now, place.longest_closure):
                    return closed_for
                self.learn(methodcaller("open_early", now, place.longest_closure))
            outcome = await self._wait(place)
            if not isinstance(outcome, Permit):
                return outcome
            if self.rate.is_valid(outcome):
                return outcome
            # A 429 came after the grant: the call takes its old place in the queue.
            self.settle(AdaptiveRate.ended, outcome)
        return permit

    def grant(self) -> Permit | None:
        """Return a permit; None if no request may be sent now."""
        if self._limits.is_full:
            # Without a free connection the rate would count a request that is not sent yet.
            return None
        permit = self.rate.grant(self._limits.time())
        if permit is not None:
            self._limits.in_flight += 1
        return permit

    def serve(self) -> None:
        """Give permits to the waiters whose turn it is, and set a timer for the next one."""
        self.close()
        while self.waiters:
            permit = self.grant()
            if permit is None:
                self._set_timer()
                return
            self.hand_over(permit)

    def hand_over(self, permit: Permit) -> None:
        """Give a permit to the first waiter. The queue must not be empty.

        A probe goes to another waiter after each PROBES_OF_A_CALL refused probes.
        """
        index = 0
        if self.rate.probed_at is not None:
            refused_probes = max(0, self.rate.closures - 1)
            index = refused_probes // PROBES_OF_A_CALL % len(self.waiters)
        self.waiters.pop(index).outcome.set_result(permit)

    def settle(self, event: PermitEvent, permit: Permit) -> None:
        """Learn what has become of a permit, and give it back."""
        now = self._limits.time()
        self.learn(lambda rate: event(rate, permit, now))
        self._limits.give_back(self)

    def note_429(self) -> None:
        """Count a 429, and dismiss the waiters that do not wait for its closure."""
        self._limits.rate_limited += 1
        self.dismiss()

    def learn(self, event: RateEvent) -> None:
        """Let the adaptive rate learn of an event."""
        event(self.rate)

    def dismiss(self) -> None:
        """Tell the waiters that do not wait for the present closure how long it is."""
        closed_for = self.rate.closed_for(self._limits.time())
        staying: list[LimitPlace] = []
        for place in self.waiters:
            if is_too_long(closed_for, place.longest_closure):
                place.outcome.set_result(closed_for)
            else:
                staying.append(place)
        self.waiters = staying

    def stats(self) -> LimitStats:
        """Return the current state."""
        closed_for = self.rate.closed_for(self._limits.time())
        closed_until = None
        if closed_for:
            closed_until = datetime.now(UTC) + timedelta(seconds=closed_for)
        rate = None
        if self.rate.has_rate:
            rate = self.rate.rate_at(self.rate.used_at)
        return LimitStats(closed_for, closed_until, rate, len(self.waiters))

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _set_timer(self) -> None:
        """Serve the waiters when the rate lets the next one go. A free connection serves them as well."""
        if not self._limits.is_full:
            now = self._limits.time()
            seconds = self.rate.next_look(now) - now
            self._timer = asyncio.get_running_loop().call_later(seconds, self.serve)

    async def _wait(self, place: LimitPlace) -> Permit | float:
        """Wait in the queue."""
        place.outcome = asyncio.get_running_loop().create_future()
        insort(self.waiters, place, key=attrgetter("number"))
        self.serve()
        try:
            # The outcome of a call that is cancelled stays open, so that it can still be set.
            return await asyncio.shield(place.outcome)
        except BaseException:
            if place in self.waiters:
                self.waiters.remove(place)
            elif isinstance(permit := place.outcome.result(), Permit):
                # The permit was granted in the same step of the event loop in which the call was cancelled.
                self.settle(AdaptiveRate.ended, permit)
            raise


class Limits:
    """The limits of one client by key, and the connections that they share.

    Args:
        make_limit: Makes the limit of a key.

    Attributes:
        time: The clock of the limits, in seconds.
        max_connections: How many requests may be in flight.
        in_flight: How many requests have a permit.
        rate_limited: How many responses had status 429.
    """

    def __init__(self, make_limit: Callable[[Limits, str], Limit]) -> None:
        self.time: Callable[[], float] = time.monotonic
        self.max_connections = 0
        self.in_flight = 0
        self.rate_limited = 0
        self._make_limit = make_limit
        self._limits: dict[str, Limit] = {}
        self._forget_at = 0.0

    def __iter__(self) -> Iterator[Limit]:
        return iter(self._limits.values())

    @property
    def is_full(self) -> bool:
        """Whether there is no free connection."""
        return self.in_flight >= self.max_connections

    def enter(self, key: str) -> Limit:
        """Return the limit of a key, for one more place."""
        now = self.time()
        if now >= self._forget_at:
            self._forget_idle(now)
        limit = self._limits.get(key)
        if limit is None:
            limit = self._limits[key] = self._make_limit(self, key)
        limit.places += 1
        return limit

    def give_back(self, limit: Limit) -> None:
        """Count a request that is no longer in flight, and serve the waiting calls that it held back."""
        was_full = self.is_full
        self.in_flight -= 1
        if not was_full:
            limit.serve()
            return
        waiting = [other for other in self if other.waiters]
        for other in sorted(waiting, key=lambda other: other.waiters[0].number):
            other.serve()

    def _forget_idle(self, now: float) -> None:
        """Forget the limits that are not used any more."""
        self._forget_at = now + FORGET_SECONDS
        for limit in list(self):
            if limit.is_unused(now):
                del self._limits[limit.key]


class LimitPlace:
    """The place of one call before a limit; see `Place`.

    Args:
        limit: The limit.
        number: The number of the place; the lowest number goes first.

    Attributes:
        number: The number of the place.
        longest_closure: How many seconds of a closure the call waits for.
        outcome: What the call waits for: the permit, or the seconds of a closure that is longer than that.
    """

    __slots__ = ("_limit", "_permit", "longest_closure", "number", "outcome")

    outcome: asyncio.Future[Permit | float]

    def __init__(self, limit: Limit, number: int) -> None:
        self.number = number
        self.longest_closure = 0.0
        self._limit = limit
        # The permit of the present attempt, until its end is reported.
        self._permit: Permit | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.failed()
        self._limit.places -= 1

    @property
    def closure_number(self) -> int:
        """Which closure in a row a 429 for the present attempt begins; see `Place.closure_number`."""
        if self._permit is None:
            return 1
        return self._limit.rate.closure_number(self._permit)

    async def permit(self, longest_closure: float) -> float | None:
        """Wait until the next attempt may be sent; see `Place.permit`."""
        self.failed()
        self.longest_closure = longest_closure
        outcome = await self._limit.permit(self)
        if not isinstance(outcome, Permit):
            return outcome
        self._permit = outcome
        return None

    def accepted(self) -> None:
        """Report that a response other than 429 came; see `Place.accepted`."""
        self._end(AdaptiveRate.accepted)

    def refused(self, seconds: float) -> None:
        """Report a 429; see `Place.refused`."""
        if self._permit is None:
            return
        jitter = 0.0
        # Calls that do not wait for the closure come back when they like, and need no jitter.
        if not is_too_long(seconds, self.longest_closure):
            jitter = jitter_of(seconds)
        self._end(partial(AdaptiveRate.refused, seconds=seconds, jitter=jitter))
        self._limit.note_429()

    def failed(self) -> None:
        """Report that no response will come; see `Place.failed`."""
        self._end(AdaptiveRate.ended)

    def _end(self, event: PermitEvent) -> None:
        """Report the end of the present attempt, unless it was reported."""
        permit = self._permit
        self._permit = None
        if permit is not None:
            self._limit.settle(event, permit)


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
        check_key_function(key)
        self.retry_quota = RetryQuota()
        self._key = key
        self._numbers = count()
        self._is_open = False
        self._limits = Limits(Limit)

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

    def enter(self, operation: Operation) -> AbstractAsyncContextManager[Place]:
        """Take a place for one call; see `RateLimiter.enter`."""
        return LimitPlace(self._limits.enter(self._key(operation)), next(self._numbers))

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        by_key = {limit.key: limit.stats() for limit in self._limits}
        limits = {key: stats for key, stats in by_key.items() if stats != LimitStats()}
        last = max(limits.values(), key=lambda stats: stats.closed_for, default=LimitStats())
        return RateLimiterStats(
            closed_for=last.closed_for,
            closed_until=last.closed_until,
            in_flight=self._limits.in_flight,
            rate=min((stats.rate for stats in limits.values() if stats.rate is not None), default=None),
            waiting=sum(stats.waiting for stats in limits.values()),
            rate_limited=self._limits.rate_limited,
            retry_quota=self.retry_quota.left,
            limits=limits,
        )

    async def aclose(self) -> None:
        """Stop the timers; no call waits any more."""
        for limit in self._limits:
            limit.close()
