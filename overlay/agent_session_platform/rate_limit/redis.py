"""The rate limiter of all processes that use one credential; its state is in Redis."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from .adaptive_rate import FIRST_CLOSURE_SECONDS
from .compare_and_set import ReportResult
from .interface import RateLimiterStats
from .local import LocalRateLimiter
from .permit import Backoff, Permit
from .redis_connection import RedisConnection
from .redis_errors import OutageLog

if TYPE_CHECKING:
    from redis.asyncio import Redis

# While no call waits, what happens is reported after this time: several events in one report.
REPORT_SECONDS = 0.05

# While calls wait, permits are requested no more often than this: many at a time where many wait.
BATCH_SECONDS = 0.005

# Permits are requested again after this time while other processes fill the window.
POLL_SECONDS = 0.05

# Permits are requested again after this time in any case: the state may have been lost.
LONGEST_WAIT_SECONDS = 5.0

# How often to check whether Redis has recovered.
RECOVERY_SECONDS = 2.0

# Rounds of an outage are negative, far below the numbers of the shared rounds.
LOCAL_ROUND = -(2**40)

logger = logging.getLogger("agent_session_platform")


class RedisRateLimiter(LocalRateLimiter):
    """A rate limiter for all processes that share a Redis (or Valkey), a base URL and a credential.

    Tickets order the calls of one process only. While Redis is unavailable, the limiter limits this process only, as a
    `LocalRateLimiter` does, and logs that once; an error that does not pass by itself is logged with what to do about
    it. Needs the extra `redis`.

    Example:
        async with AgentPlatform(rate_limiter=RedisRateLimiter("redis://localhost:6379/0")) as platform:
            ...
    """

    def __init__(
        self, redis: str | Redis, *, prefix: str = "agent-session-platform:rate-limiter:", timeout: float = 1.0
    ) -> None:
        """Make a rate limiter, which connects when it is first used.

        Args:
            redis: A URL, or a client of redis-py's asyncio that you close yourself.
            prefix: Beginning of the key below which the state is.
            timeout: Timeout of each Redis command, in seconds; more than 0.

        Raises:
            ConfigurationError: The extra is not installed, the URL is invalid, or *redis* is neither.
            InvalidArgumentError: *prefix* or *timeout* is of the wrong type or out of range.
        """
        super().__init__()
        self._connection = RedisConnection(redis, prefix, timeout)
        # The base class's rate decides while Redis is unavailable. Otherwise only its closed_until is kept up to date.
        self._rate.reset(LOCAL_ROUND, 0.0, 0.0)
        self._is_local = False
        self._outage_log = OutageLog()
        # Permits of this round and of earlier ones are no longer valid.
        self._refused_round = LOCAL_ROUND
        self._last: ReportResult | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def open(self, max_connections: int, key: str) -> None:
        """Begin to work in the running event loop; see `RateLimiter.open`.

        Raises:
            ConfigurationError: The limiter was opened before.
        """
        super().open(max_connections, key)
        self._shared = self._connection.share(key, self.retry_quota)

    async def acquire(self, ticket: int, deadline: float) -> Permit:
        """Wait for permission to send a request; see `RateLimiter.acquire`."""
        return await self._queue.wait(ticket, deadline, self._grant_waiting)

    def refused(self, permit: Permit, retry_after: float | None, backoff: Backoff | None = None) -> float:
        """Close after a 429; see `RateLimiter.refused`.

        Returns:
            Seconds until the limiter opens again; an estimate without a hint, because the shared state decides then.
        """
        now = self._time()
        if self._is_local:
            # A 429 to a permit from before the outage closes, too.
            return super().refused(permit if permit.round < 0 else Permit(self._rate.round, now), retry_after, backoff)
        self._rate_limited += 1
        if permit.round > 0:
            self._refused_round = max(self._refused_round, permit.round)
            self._shared.refused(permit, retry_after)
        self._close(retry_after or 0.0)
        self._wake()
        return max(self._rate.closed_until - now, FIRST_CLOSURE_SECONDS if retry_after is None else 0.0)

    def stream_accepted(self, permit: Permit) -> None:
        """Record a successful streamed response; see `RateLimiter.stream_accepted`."""
        self._record(permit, is_over=True, accepted=True)
        self._grant_waiting()

    def abandon(self, permit: Permit) -> None:
        """Give a permit back whose caller is gone; see `RateLimiter.abandon`."""
        if permit.round < 0:
            super().abandon(permit)
        else:
            self._in_flight -= 1
            self._shared.abandoned(permit)
            self._grant_waiting()

    def release(
        self, permit: Permit, *, accepted: bool = False, streamed: bool = False, abandoned: bool = False
    ) -> None:
        """Give a permit back; see `RateLimiter.release`."""
        if not abandoned:
            self._in_flight -= 1
        if not streamed:
            self._record(permit, is_over=not abandoned, accepted=accepted)
        self._grant_waiting()

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter; closure, window and rate are those of all processes."""
        stats = super().stats()
        if self._is_local or self._last is None:
            return stats
        return attrs.evolve(stats, window=int(self._last.state.rate.window), rate=self._last.state.rate.rate)

    def shut(self) -> None:
        """Raise ClientClosedError in all calls that wait, and in all that come from now on."""
        super().shut()
        if self._task is not None:
            self._task.cancel()

    async def aclose(self) -> None:
        """Report the rest, unless Redis is unavailable, and close the connections that the limiter has opened."""
        if self._task is not None:
            await asyncio.wait((self._task,))
        if self._loop is None:
            return
        try:
            if not self._is_local and self._last is not None:
                await self._shared.report(0, self._closed_for())
        except Exception as error:
            logger.debug("the last report to Redis was lost (%s)", type(error).__name__)
        finally:
            await self._connection.aclose()

    def _record(self, permit: Permit, *, is_over: bool, accepted: bool) -> None:
        """Tell the rate that has granted a permit what became of it."""
        if permit.round < 0:
            if is_over:
                self._rate.stop_counting(permit.at)
            if accepted:
                self._rate.accepted(permit)
        else:
            if is_over:
                self._shared.over(permit)
            if accepted:
                self._shared.accepted(permit)

    def _is_valid(self, permit: Permit) -> bool:
        return permit.round > self._refused_round if permit.round > 0 else super()._is_valid(permit)

    def _close(self, seconds: float) -> None:
        self._rate.closed_until = max(self._rate.closed_until, self._time() + seconds)

    def _closed_for(self) -> float:
        return max(0.0, self._rate.closed_until - self._time())

    def _grant_waiting(self) -> None:
        if self._is_local:
            super()._grant_waiting()
        else:
            self._wake()

    def _wake(self) -> None:
        """Wake the task that reports to Redis and gets permits."""
        self._changed.set()
        if self._loop is not None and not self._queue.is_shut and (self._task is None or self._task.done()):
            # An empty context: that of the first caller would live as long as the task.
            self._task = self._loop.create_task(self._share(), context=contextvars.Context())

    async def _share(self) -> None:
        """Report to Redis and serve the waiters until nothing waits and nothing is new."""
        while self._is_local or self._queue or self._shared.has_news:
            if self._is_local:
                await asyncio.sleep(RECOVERY_SECONDS)
            else:
                await self._rest(REPORT_SECONDS, lambda: bool(self._queue or self._shared.refusals))
            wanted = 0 if self._is_local else min(len(self._queue), self._max_connections - self._in_flight)
            try:
                self._last = await self._shared.report(wanted, self._closed_for())
            except Exception as error:
                self._go_local(error)
            else:
                await self._apply(self._last)

    async def _apply(self, last: ReportResult) -> None:
        """Apply a Redis reply: serve waiters, then wait until another request is useful."""
        if self._is_local:
            self._outage_log.end()
            self._is_local = False
        self._close(last.closed_for)
        if last.state.rate.round <= self._refused_round and not self._shared.refusals:
            # Redis knows of all 429s, so its permits are valid, even if the state was lost and round numbers restarted
            # lower.
            self._refused_round = last.state.rate.round - 1
        for permit in last.permits:
            if self._queue:
                self._in_flight += 1
                self._queue.serve(permit, is_probe=last.state.rate.window <= 1)
            else:
                # Its waiter was cancelled meanwhile.
                self._shared.over(permit)
        if not self._queue:
            return
        await asyncio.sleep(BATCH_SECONDS)
        if self._in_flight >= self._max_connections:
            await self._rest(LONGEST_WAIT_SECONDS, lambda: self._in_flight < self._max_connections)
        elif last.state.is_full:
            # A response of this process makes room, and so does time; one of another process does not wake this one.
            await self._rest(max(POLL_SECONDS, last.opens_in), lambda: self._shared.has_news)
        else:
            # What was accepted is reported at once: it counts only while its round lasts.
            await self._rest(last.opens_in - BATCH_SECONDS, lambda: self._shared.has_news)

    async def _rest(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Wait until *is_over* returns True, *seconds* at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(min(seconds, LONGEST_WAIT_SECONDS)):
                while not is_over():
                    self._changed.clear()
                    await self._changed.wait()

    def _go_local(self, error: Exception) -> None:
        """Serve the waiters as a LocalRateLimiter does; of the state, keep only the closure."""
        self._outage_log.add(error)
        if self._is_local:
            return
        self._is_local = True
        now = self._time()
        self._rate.reset(LOCAL_ROUND, self._rate.closed_until, now)
        if any(until is None for _, until in self._shared.refusals):
            self._rate.refused(Permit(LOCAL_ROUND, now), now, None)
        self._grant_waiting()
