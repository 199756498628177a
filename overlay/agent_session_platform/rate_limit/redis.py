"""One gate for all processes that use one credential: its state is in Redis, changed by a script there."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..errors import ConfigurationError
from .adaptive_rate import FIRST_WINDOW, Pace
from .interface import Permit, RateLimiterStats
from .redis_state import Reply, SharedPace
from .wait_queue import Line

if TYPE_CHECKING:
    from redis.asyncio import Redis

# Without a waiting call what happens is reported so much later, several things at a time.
REPORT_SECONDS = 0.05

# Requests that are under way are told of so often, or they would be taken for those of a process that is gone.
RENEW_SECONDS = 3.0

# While the gate is closed for long it is asked again all the same: the state may have been lost.
LONGEST_WAIT = 5.0

# How often it is tried whether Redis is back.
RETRY_SECONDS = 2.0

# So far below the numbers of Redis' rounds that none is taken for one of those.
OWN_ROUNDS = -(2**40)

logger = logging.getLogger("agent_session_platform")


class RedisRateLimiter:
    """Lets the requests of all processes through that share a Redis (or Valkey), a base URL and a credential.

    *redis* is a URL, or a client of redis-py's asyncio that you close yourself. *prefix* is what the key begins with. A
    Redis that has not answered within *timeout* seconds is away: then the gate goes on as a LocalRateLimiter would, says so
    once in the log, and comes back by itself. Needs the extra `redis`.
    """

    def __init__(self, redis: str | Redis, *, prefix: str = "agent-platform:gate:", timeout: float = 1.0) -> None:
        if not isinstance(redis, str) and not hasattr(redis, "register_script"):
            raise ConfigurationError(f"redis must be a URL or a redis.asyncio.Redis, not {type(redis).__name__}")
        self._source = redis
        self._prefix = prefix
        self._timeout = timeout
        self._limit = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._in_flight = 0
        self._streams = 0
        self._rate_limited = 0
        self._line = Line(self._is_good, self.leave)
        # Passages of this round and earlier ones no longer hold.
        self._refused_round = OWN_ROUNDS
        self._reply: Reply | None = None
        # As far as it is known here, in loop time.
        self._closed_until = 0.0
        # The pace while Redis is away.
        self._own: Pace | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._dismissed = False

    def open(self, limit: int, scope: str) -> None:
        """Begin in the running event loop; raises ConfigurationError without the extra, or when it has begun before."""
        if self._loop is not None:
            raise ConfigurationError("a gate belongs to one client: make one RedisRateLimiter for each")
        try:
            from redis.asyncio import Redis
        except ImportError:
            raise ConfigurationError(
                "a RedisRateLimiter needs the extra of that name: pip install 'agent-session-platform[redis]'"
            ) from None
        try:
            # Its last parameters have no types.
            from_url: Callable[[str], Redis] = getattr(Redis, "from_url")  # noqa: B009
            redis = from_url(self._source) if isinstance(self._source, str) else self._source
        except ValueError:
            # Its message may show a part of the password.
            raise ConfigurationError("redis must be a URL such as redis://localhost:6379/0") from None
        self._loop = asyncio.get_running_loop()
        self._limit = limit
        self._redis = redis
        self._shared = SharedPace(redis, self._prefix + scope, self._timeout)
        # Somebody waits, or the gate must be closed; anything that will have to be told.
        self._woken, self._stirred = asyncio.Event(), asyncio.Event()

    async def enter(self, deadline: float) -> Permit:
        """Wait for a permit; raises TimeoutError at *deadline* (loop time), ClientClosedError."""
        return await self._line.wait(deadline, self._wake)

    def stream(self) -> None:
        """Count a request no longer among those that are under way, only among the connections."""
        self._streams += 1
        self._stir()

    def leave(self, *, streamed: bool = False) -> None:
        """Give a permit back."""
        self._in_flight -= 1
        self._streams -= streamed
        self._stir()

    def accepted(self, permit: Permit) -> None:
        """Learn from an answer that was no 429."""
        if self._own is not None:
            self._own.accepted(permit)
        elif permit.round > 0:
            self._shared.accepted(permit)
        self._stir()

    def limited(self, permit: Permit, seconds: float | None) -> None:
        """Learn from a 429."""
        self._rate_limited += 1
        now = self._now()
        if self._own is not None:
            # One to a permit of before the outage closes, too.
            here = permit if permit.round < 0 else Permit(self._own.round, now)
            self._own.limited(now, seconds, here)
            seconds = self._own.closed_until - now
        elif permit.round > 0:
            self._refused_round = max(self._refused_round, permit.round)
            self._shared.limited(permit, seconds)
        self._closed_until = max(self._closed_until, now + (seconds or 0.0))
        self._wake()

    def stats(self) -> RateLimiterStats:
        """What the gate is doing now; the closure, the window and the pace are those of all processes."""
        window, rate = float(FIRST_WINDOW), None
        if self._own is not None:
            window, rate = self._own.window, self._own.rate
        elif self._reply is not None:
            window, rate = self._reply.window, self._reply.rate
        return RateLimiterStats(
            self._closed_for(), self._in_flight, int(window), rate, len(self._line), self._rate_limited
        )

    def dismiss(self) -> None:
        """Send everybody away."""
        self._dismissed = True
        self._line.dismiss()
        for task in self._tasks.values():
            task.cancel()

    async def aclose(self) -> None:
        """Tell Redis what it has not been told yet, as far as it is there, and close connections of its own."""
        if self._tasks:
            await asyncio.wait(self._tasks.values())
        if self._loop is None:
            return
        try:
            if self._own is None and self._reply is not None:
                await self._shared.ask(0, 0, self._closed_for())
        except Exception as error:
            logger.debug("the last report to Redis was lost (%s)", type(error).__name__)
        finally:
            if isinstance(self._source, str):
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._timeout):
                        await self._redis.aclose()

    def _is_good(self, permit: Permit) -> bool:
        if permit.round > 0:
            return permit.round > self._refused_round
        return self._own is not None and self._own.is_good(permit)

    def _under_way(self) -> int:
        return self._in_flight - self._streams

    def _closed_for(self) -> float:
        return max(0.0, self._closed_until - self._now())

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _stir(self) -> None:
        if self._line:
            self._wake()
        else:
            self._stirred.set()
            self._run("serving", self._serve)

    def _wake(self) -> None:
        self._woken.set()
        self._stirred.set()
        self._run("serving", self._serve)

    def _run(self, name: str, function: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = self._tasks.get(name)
        if self._loop is not None and not self._dismissed and (task is None or task.done()):
            # Not in the context of whoever happens to come first: it would live as long as the task.
            self._tasks[name] = self._loop.create_task(function(), context=contextvars.Context())

    async def _serve(self) -> None:
        """Let waiters through until none is left, and keep Redis informed."""
        while self._line or (self._own is None and (self._in_flight or self._has_news())):
            self._woken.clear()
            self._stirred.clear()
            if not self._line and not self._has_news():
                await self._rest(RENEW_SECONDS, self._stirred)
            if not self._line and self._own is None and not self._shared.refusals:
                await self._rest(REPORT_SECONDS, self._woken)
            wanted = min(len(self._line), self._limit - self._in_flight)
            wait = self._serve_alone(wanted) if self._own is not None else await self._serve_by_redis(wanted)
            if self._line and wait is not None:
                await self._rest(LONGEST_WAIT if self._in_flight >= self._limit else wait, self._woken)

    def _has_news(self) -> bool:
        return self._own is None and self._shared.has_news(self._under_way())

    async def _serve_by_redis(self, wanted: int) -> float | None:
        """The seconds after which to ask again; None: at once."""
        try:
            reply = self._reply = await self._shared.ask(wanted, self._under_way(), self._closed_for())
        except Exception as error:
            self._lose(error)
            return None
        self._closed_until = max(self._closed_until, self._now() + reply.closed_for)
        if reply.round <= self._refused_round and not self._shared.refusals:
            # It knows of all 429s, so what it grants holds, whatever became of the numbers meanwhile.
            self._refused_round = reply.round - 1
        for _ in range(reply.granted):
            self._pass(Permit(reply.round, reply.now))
        return reply.opens_in

    def _serve_alone(self, wanted: int) -> float | None:
        own = self._own
        if own is None:
            return None
        now = self._now()
        for _ in range(wanted):
            permit = own.grant(now, self._under_way())
            if permit is None:
                break
            self._pass(permit)
        # Where the window is full, the next answer wakes.
        return own.opens_at - now if own.opens_at > now else LONGEST_WAIT

    def _pass(self, permit: Permit) -> None:
        if self._line:
            self._in_flight += 1
            self._line.serve(permit)

    async def _rest(self, seconds: float, event: asyncio.Event) -> None:
        """Wait until something happens that may matter, *seconds* at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(min(seconds, LONGEST_WAIT)):
                await event.wait()

    def _lose(self, error: Exception) -> None:
        logger.warning("Redis is away (%s): the gate goes on by itself until it is back", type(error).__name__)
        self._own = Pace()
        self._own.round = OWN_ROUNDS
        self._own.closed_until = self._closed_until
        for refusal in self._shared.refusals:
            if refusal.until is None:
                self._own.limited(self._now(), None, Permit(OWN_ROUNDS, self._now()))
        self._run("recovering", self._recover)

    async def _recover(self) -> None:
        while self._own is not None:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                self._reply = await self._shared.ask(0, self._under_way(), self._closed_for())
            except Exception as error:
                logger.debug("Redis is still away (%s)", type(error).__name__)
            else:
                logger.info("Redis is back: the gate is shared again")
                self._own = None
                self._wake()
