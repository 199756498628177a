"""The rate limiter of all processes that use one credential, and its state in Redis.

The state in Redis is the adaptive rate that all processes share. Each process has a copy of it, in which an event, such
as a 429, counts at once. A report carries the events to Redis: a `SharedState` reads the state, changes it here and
writes it back if no other process was faster. Only a report grants permits. While Redis is unavailable, the process
limits itself with an adaptive rate of its own.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import math
import random
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from ..errors import ConfigurationError, InvalidArgumentError
from ..retry import RetryQuota
from ..text import format_value, type_name
from ..validators import is_number
from .adaptive_rate import AdaptiveRate, Rise, Round, Window
from .interface import Permit
from .local import LocalRateLimiter

if TYPE_CHECKING:
    from redis.asyncio import Redis

# The version of the shared state. It is in the key, so that older versions of the SDK never read a newer state.
STATE_VERSION = "6:"

# While no call waits, events are collected for this long and sent in one report. While calls wait and a response to
# another process may let them go, a report is sent this often.
REPORT_SECONDS = 0.05

# While calls wait, a report is sent at most once in this time; it requests many permits if many calls wait.
BATCH_SECONDS = 0.005

# While calls wait, a report is sent after this time in any case: the state may have been lost.
MAX_WAIT_SECONDS = 5.0

# How often to check whether Redis has recovered.
RECOVERY_SECONDS = 2.0

# Errors of redis-py for which waiting does not help. They are class names, because older versions lack some classes.
PERMANENT = frozenset({"ResponseError", "AuthenticationError", "AuthorizationError", "InvalidResponse"})
REFUSED = (
    "Redis refuses the rate limiter's commands (%s): redis= must name a primary without cluster mode, and a user that "
    "may run EVALSHA, SCRIPT LOAD, TIME, GET and SET on the keys below prefix=. The limit holds in this process only"
)

UNAVAILABLE = "Redis is unavailable (%s); limiting in this process only until it recovers"

# The script returns [whether the value was set, the current value if not, seconds, microseconds]. So a process that has
# lost a race needs no further read.
SCRIPT = """
local time = redis.call('TIME')
local current = redis.call('GET', KEYS[1]) or ''
if current ~= ARGV[1] then
  return {0, current, time[1], time[2]}
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return {1, '', time[1], time[2]}
"""

# Redis expires the state this long after the last report.
KEPT_SECONDS = 600

# If the clock of Redis is behind the state by more than this, the clock was set back or belongs to another server. Then
# the state counts as lost. If the closure of this process exceeds the shared closure by more than this, the shared
# closure was lost.
CLOCK_SECONDS = 1.0

# Rounds are numbered from the time in milliseconds, so that no number is used again when a state is lost.
ROUNDS_PER_SECOND = 1000

logger = logging.getLogger("agent_session_platform")

Event: TypeAlias = Callable[[AdaptiveRate], None]


@attrs.define
class State:
    """The state that the processes share: the adaptive rate, with times by the clock of Redis, and the retry quota.

    Attributes:
        rate: The adaptive rate.
        quota: The retry quota.
    """

    rate: AdaptiveRate
    quota: RetryQuota

    @classmethod
    def read(cls, text: str, now: float) -> State:
        """Parse what `write` has written; anything else, and the state of another clock, counts as lost."""
        try:
            data = json.loads(text)
            rate = data["rate"]
            rate |= {"round": Round(**rate["round"]), "window": Window(**rate["window"]), "rise": Rise(**rate["rise"])}
            state = cls(AdaptiveRate(**rate), RetryQuota(**data["quota"]))
            if state.rate.granted_at <= now + CLOCK_SECONDS:
                return state
        except (KeyError, TypeError, ValueError):
            pass
        return cls(AdaptiveRate(Round(int(now * ROUNDS_PER_SECOND))), RetryQuota())

    def write(self) -> str:
        """Return the state as compact JSON that loses no digit of any number."""
        return json.dumps(attrs.asdict(self), separators=(",", ":"))


class SharedState:
    """The state under one key of Redis.

    Args:
        redis: Client of redis-py.
        key: Where the state is.
        timeout: Timeout of each Redis command, in seconds.
    """

    def __init__(self, redis: Redis, key: str, timeout: float) -> None:
        self._script = redis.register_script(SCRIPT)
        self._key = key
        self._timeout = timeout
        self._time = asyncio.get_running_loop().time
        # The last known value in Redis. Redis never has this first value, so the first attempt only reads.
        self._known = "?"
        # How far the clock of Redis is ahead of the event loop's clock.
        self._ahead = 0.0

    def now(self) -> float:
        """Return the time of Redis."""
        return self._time() + self._ahead

    async def change(self, change: Callable[[State, float], None]) -> State:
        """Change the state; start again with the new state whenever another process was faster.

        Args:
            change: Changes a state in place at the given time.

        Returns:
            The state after the change.

        Raises:
            TimeoutError: Redis did not respond in time.
            Exception: Any error of redis-py.
        """
        lost_races = 0
        while True:
            now = self.now()
            state = State.read(self._known, now)
            change(state, now)
            if await self._compare_and_set(self._known, state.write()):
                return state
            await asyncio.sleep(random.uniform(0.0, BATCH_SECONDS * lost_races))
            lost_races += 1

    async def _compare_and_set(self, known: str, value: str) -> bool:
        """Set *value* if Redis still has *known*, and remember what it has now."""
        sent = self._time()
        reply: Any = self._script(keys=[self._key], args=[known, value, KEPT_SECONDS])
        async with asyncio.timeout(self._timeout):
            is_set, current, *clock = await reply
        # Redis read its clock about halfway between request and response.
        self._ahead = int(clock[0]) + int(clock[1]) / 1_000_000 - (sent + self._time()) / 2
        self._known = value if is_set else current.decode() if isinstance(current, bytes) else current
        return bool(is_set)


class RedisRateLimiter(LocalRateLimiter):
    """A rate limiter for all processes that share a Redis (or Valkey), a base URL and a credential.

    Tickets order the calls of one process only. While Redis is unavailable, the limiter limits this process only, as a
    `LocalRateLimiter` does. It logs this once: as a warning, or as an error if waiting does not help. The limiter needs
    the extra `redis`, and connects when it is first used.

    Args:
        redis: A URL, or a client of redis-py's asyncio that you close yourself.
        prefix: Beginning of the key of the state.
        timeout: Timeout of each Redis command, in seconds; more than 0.

    Raises:
        ConfigurationError: The extra is not installed, the URL is invalid, or *redis* is neither a URL nor a client.
        InvalidArgumentError: *prefix* or *timeout* is of the wrong type or out of range.

    Example:
        async with AgentPlatform(rate_limiter=RedisRateLimiter("redis://localhost:6379/0")) as platform:
            ...
    """

    def __init__(
        self, redis: str | Redis, *, prefix: str = "agent-session-platform:rate-limiter:", timeout: float = 1.0
    ) -> None:
        if not isinstance(prefix, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"prefix must be a string, not {format_value(prefix)}")
        if not is_number(timeout) or not 0 < timeout < math.inf:
            raise InvalidArgumentError(f"timeout must be a positive number of seconds, not {format_value(timeout)}")
        super().__init__()
        self._redis = connect(redis)
        self._is_own = isinstance(redis, str)
        self._prefix, self._timeout = prefix, timeout
        # The message that was logged for the current outage; None while permits come from Redis.
        self._outage: str | None = None
        # What this process has to report: events, and by how much the retry quota differs from its last shared value.
        self._events: list[Event] = []
        self._quota_shared = 0.0
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def open(self, max_connections: int, key: str) -> None:
        """Begin to work in the running event loop; see `RateLimiter.open`.

        Raises:
            ConfigurationError: The limiter was opened before.
        """
        super().open(max_connections, key)
        self._shared = SharedState(self._redis, self._prefix + STATE_VERSION + key, self._timeout)
        self._time = self._shared.now

    async def aclose(self) -> None:
        """Report what is left, unless Redis is unavailable; close the connections that the limiter has opened."""
        await super().aclose()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
        try:
            if self._outage is None and self._has_news():
                await self._report(0)
        except Exception as error:
            logger.debug("the last report to Redis was lost (%s)", type(error).__name__)
        finally:
            if self._is_own:
                await self._redis.aclose()

    def _change(self, event: Event) -> None:
        super()._change(event)
        if self._outage is None:
            self._events.append(event)

    def _grant(self) -> Permit | None:
        # Except during an outage, only reports grant permits.
        return None if self._outage is None else super()._grant()

    def _serve_waiters(self) -> None:
        """Start the task of the reports, which get permits for the waiters; during an outage, serve them here."""
        if self._outage is not None:
            super()._serve_waiters()
            return
        self._changed.set()
        if self._task is None or self._task.done():
            # The task gets an empty context: otherwise the context of the first caller would live as long as the task.
            self._task = asyncio.get_running_loop().create_task(self._share(), context=contextvars.Context())

    def _has_news(self) -> bool:
        return bool(self._events) or self.retry_quota.used != self._quota_shared

    async def _share(self) -> None:
        """Send reports to Redis until no call waits and there is nothing to report."""
        while self._outage is not None or self._queue.has_waiters() or self._has_news():
            await self._rest()
            wanted = min(len(self._queue), self._max_connections - self._in_flight)
            try:
                permits = await self._report(0 if self._outage else wanted)
            except Exception as error:
                self._limit_alone(error)
            else:
                self._serve(permits)
                if self._queue.has_waiters():
                    await asyncio.sleep(BATCH_SECONDS)

    async def _rest(self) -> None:
        """Wait until the next report is useful."""
        since = self._time()
        while (seconds := self._report_at(since) - self._time()) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)

    def _report_at(self, since: float) -> float:
        """Return when the next report is useful, if the time since the last report began at *since*."""
        if self._outage is not None:
            return since + RECOVERY_SECONDS
        if not self._queue.has_waiters():
            # The other processes must learn of a 429 at once.
            return since if self._rate.closed_for(self._time()) else since + REPORT_SECONDS
        if self._in_flight >= self._max_connections:
            return since + MAX_WAIT_SECONDS
        if self._has_news():
            return since
        # A response to another process may let calls go, but does not wake this process.
        is_waiting = self._rate.round.probing or self._rate.burst is None
        return min(self._rate.opens_at(), since + (REPORT_SECONDS if is_waiting else MAX_WAIT_SECONDS))

    async def _report(self, wanted: int) -> list[Permit]:
        """Report what has happened, take over the shared state, and return up to *wanted* permits."""
        events = self._events.copy()
        closed_for, used = self._rate.closed_for(self._time()), self.retry_quota.used
        permits: list[Permit] = []

        def change(state: State, now: float) -> None:
            if closed_for > state.rate.closed_for(now) + CLOCK_SECONDS:
                state.rate.closed_until = now + closed_for
            for event in events:
                event(state.rate)
            permits.clear()
            while len(permits) < wanted and (permit := state.rate.grant(now)):
                permits.append(permit)
            state.quota.take(used - self._quota_shared)

        state = await self._shared.change(change)
        # What has happened since the report began counts in the copy, too, and is left for the next report.
        del self._events[: len(events)]
        self._rate = state.rate
        for event in self._events:
            event(self._rate)
        taken = self.retry_quota.used - used
        self.retry_quota.used = self._quota_shared = state.quota.used
        self.retry_quota.take(taken)
        return permits

    def _serve(self, permits: list[Permit]) -> None:
        """Serve the waiters after a report."""
        if self._outage is not None:
            logger.info("Redis has recovered: the rate limit is shared again")
            self._outage = None
        for permit in permits:
            self._in_flight += 1
            if self._queue.has_waiters():
                self._queue.serve(permit, is_probe=self._rate.round.probing)
            else:
                # The call that asked for this permit was cancelled meanwhile.
                self.release(permit)

    def _limit_alone(self, error: Exception) -> None:
        """Log an error, and serve the waiters without Redis. Of the shared state only the closure stays."""
        is_permanent = any(cls.__name__ in PERMANENT for cls in type(error).__mro__)
        message, level = (REFUSED, logging.ERROR) if is_permanent else (UNAVAILABLE, logging.WARNING)
        # Only the class of the error is logged: its message may contain a password.
        logger.log(logging.DEBUG if message == self._outage else level, message, type(error).__name__)
        if self._outage is None:
            closed_until, backoffs = self._rate.closed_until, self._rate.backoffs
            self._rate = AdaptiveRate(Round(self._rate.round.number + 1), closed_until=closed_until, backoffs=backoffs)
        self._outage = message
        self._serve_waiters()


def connect(source: object) -> Redis:
    """Return a client of redis-py for a URL, or the client itself.

    Raises:
        ConfigurationError: redis-py is not installed, the URL is invalid, or *source* is neither a URL nor a client.
    """
    try:
        from redis.asyncio import Redis
    except ImportError:
        raise ConfigurationError("a RedisRateLimiter needs redis: pip install 'redis>=5.0.1,<9'") from None
    if not isinstance(source, str | Redis):
        wanted = "a URL or a redis.asyncio.Redis (a redis.Redis would block)"
        raise ConfigurationError(f"redis must be {wanted}, not {type_name(source)}")
    try:
        # A type checker would complain: the last parameters of from_url have no types.
        from_url: Callable[[str], Redis] = getattr(Redis, "from_url")  # noqa: B009
        return from_url(source) if isinstance(source, str) else source
    except ValueError:
        # `from None`: the message of redis-py may contain a part of the password.
        raise ConfigurationError("redis must be a URL such as redis://localhost:6379/0") from None
