"""The rate limiter of all processes that use one credential, and its state in Redis.

The state of a limit in Redis is its adaptive rate, which all processes share. Each process has a copy of it, in which
an event, such as a 429, counts at once. A report carries the events to Redis: it reads the state, changes it here and
writes it back if no other process was faster. Only a report grants permits. While Redis is unavailable,
the process goes on with its copies alone.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import math
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from ..errors import ConfigurationError, InvalidArgumentError
from ..text import format_value
from ..validators import is_number
from .adaptive_rate import IDLE_SECONDS, AdaptiveRate
from .limiter import KeyFunction
from .local import Event, Limit, Limits, LocalRateLimiter, key_of_operation

if TYPE_CHECKING:
    from redis.asyncio import Redis
else:
    # Frameworks that inject dependencies read the annotations, and the library may be missing.
    Redis = Any

# The version of the shared state. It is in the key, so that older versions of the SDK never read a newer state.
STATE_VERSION = "9:"

# A report is sent at most once in this time; it requests many permits if many calls wait.
BATCH_SECONDS = 0.005

# While calls wait, a report is sent this often: a response to another process may let them go.
LOOK_SECONDS = 0.1

# How often to check whether Redis has recovered.
RECOVERY_SECONDS = 2.0

# The script sets the state of a limit, unless another process has changed it. It returns [whether the state was set,
# the state that is there now, seconds, microseconds]. So a process that has lost a race needs no further read.
SCRIPT = """
local time = redis.call('TIME')
local current = redis.call('GET', KEYS[1]) or ''
if current ~= ARGV[1] then
  return {0, current, time[1], time[2]}
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return {1, ARGV[2], time[1], time[2]}
"""

# If the clock of Redis is behind the state by more than this, the clock was set back or belongs to another server. Then
# the state counts as lost.
CLOCK_SECONDS = 1.0

logger = logging.getLogger("agent_session_platform")


@attrs.define(eq=False, kw_only=True)
class SharedLimits(Limits):
    """What the limits of one client share, with the connection to Redis.

    Attributes:
        script: SCRIPT in Redis.
        timeout: Timeout of each Redis command, in seconds.
        prefix: Beginning of the keys in Redis of this base URL and credential.
        ahead: How far the clock of Redis is ahead of the event loop's clock, in seconds.
        is_down: Whether Redis is unavailable: then each limit decides by itself.
    """

    script: Callable[..., Awaitable[Any]]
    timeout: float
    prefix: str = ""
    ahead: float = 0.0
    is_down: bool = False

    async def run_script(self, key: str, *arguments: Any) -> tuple[bool, Any]:
        """Run the script for the state of a limit, and note how far the clock of Redis is ahead.

        Returns:
            Whether the state was set, and the state that is there now.

        Raises:
            TimeoutError: Redis did not respond in time.
            Exception: Any error of redis-py.
        """
        clock = asyncio.get_running_loop().time
        sent = clock()
        async with asyncio.timeout(self.timeout):
            is_set, current, seconds, microseconds = await self.script(keys=[key], args=arguments)
        # Redis read its clock about halfway between request and response.
        self.ahead = int(seconds) + int(microseconds) / 1_000_000 - (sent + clock()) / 2
        return bool(is_set), current


def read_rate(text: Any) -> AdaptiveRate | None:
    """Parse the state of a limit; return None for anything else."""
    try:
        return AdaptiveRate(**json.loads(text))
    except (TypeError, ValueError):
        return None


class SharedLimit(Limit):
    """A limit that processes share. While Redis is available, only reports grant permits.

    Args:
        limits: The limits of the client.
        key: The key of the limit.
    """

    limits: SharedLimits

    def __init__(self, limits: SharedLimits, key: str) -> None:
        super().__init__(limits)
        self._redis_key = f"{limits.prefix}:{key}"
        # The last known value in Redis. Redis never has this first value, so the first attempt only reads.
        self._known: Any = "?"
        # What has happened since the last report.
        self._events: list[tuple[Event, tuple[Any, ...]]] = []
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def is_unused(self, now: float) -> bool:
        """Return whether the limit can be forgotten, which it cannot while its task runs."""
        return super().is_unused(now) and (self._task is None or self._task.done())

    def grant(self) -> float | None:
        """Grant a permit while Redis is unavailable."""
        if self.limits.is_down:
            return super().grant()
        return None

    def learn(self, event: Event, *arguments: Any) -> None:
        """Let the copy of the rate learn of an event, and report it."""
        super().learn(event, *arguments)
        if not self.limits.is_down:
            self._events.append((event, arguments))
            self.serve()

    def serve(self) -> None:
        """Start the task of the reports, which get permits for the waiters; without Redis, serve them here."""
        if self.limits.is_down:
            super().serve()
            return
        self._changed.set()
        if self._task is None or self._task.done():
            # The task gets an empty context: otherwise the context of the first caller would live as long as the task.
            self._task = asyncio.get_running_loop().create_task(self._share(), context=contextvars.Context())

    async def aclose(self) -> None:
        """End the task, and report what is left, unless Redis is unavailable."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
        if self._events and not self.limits.is_down:
            with suppress(Exception):
                await self._report(0)

    async def _share(self) -> None:
        """Send reports to Redis until no call waits and there is nothing to report."""
        while self.waiters or self._events or self.limits.is_down:
            try:
                await self._get_permits()
            except Exception as error:
                self._decide_alone(error)
                await self._rest(RECOVERY_SECONDS)
                continue
            if self.limits.is_down:
                self.limits.is_down = False
                logger.info("Redis has recovered: the rate limits are shared again")
            await asyncio.sleep(BATCH_SECONDS)
            if self.waiters and not self._events:
                seconds = LOOK_SECONDS
                if self.limits.free:
                    now = self.limits.time()
                    seconds = min(seconds, self.rate.next_look(now) - now)
                await self._rest(seconds)

    async def _rest(self, seconds: float) -> None:
        """Wait until something happens, but no longer than *seconds*."""
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    def _decide_alone(self, error: Exception) -> None:
        """Serve the waiters of all limits without Redis."""
        if not self.limits.is_down:
            self.limits.is_down = True
            # Only the class of the error is logged: its message may contain a password.
            name = type(error).__name__
            logger.warning("Redis is unavailable (%s); limiting in this process only until it recovers", name)
        for limit in self.limits.by_key.values():
            limit.serve()

    async def _get_permits(self) -> None:
        """Send a report, and hand out the permits that it grants."""
        limits = self.limits
        wanted = 0
        if not limits.is_down:
            wanted = min(len(self.waiters), limits.free)
        # Another limit must not ask for permits for the same connections.
        limits.free -= wanted
        granted = 0
        try:
            granted, now = await self._report(wanted)
        finally:
            limits.free += wanted - granted
        for _ in range(granted):
            if self.waiters:
                self.hand_over(now)
            else:
                # The call that asked for this permit was cancelled meanwhile.
                self.end(AdaptiveRate.ended, now, False)
        self.dismiss()

    async def _report(self, wanted: int) -> tuple[int, float]:
        """Report what has happened, and take over the shared state.

        Returns:
            How many permits it has granted, at most *wanted*, and when.

        Raises:
            Exception: An error of `SharedLimits.run_script`.
        """
        while True:
            events = self._events.copy()
            now = self.limits.time()
            rate = read_rate(self._known)
            if rate is None:
                # Redis has lost the state. The copy has learned of the events already.
                rate = attrs.evolve(self.rate)
            else:
                for event, arguments in events:
                    event(rate, *arguments)
            if rate.used_at > now + CLOCK_SECONDS:
                rate = AdaptiveRate()
            granted = 0
            while granted < wanted and rate.grant(now):
                granted += 1
            value = json.dumps(attrs.asdict(rate))
            # A limit without requests is forgotten, but not during a closure.
            expires = math.ceil(rate.closed_for(now) + IDLE_SECONDS)
            is_set, self._known = await self.limits.run_script(self._redis_key, self._known, value, expires)
            if is_set:
                break
            # Another process was faster. Start again with the new state.
            await asyncio.sleep(random.uniform(0.0, BATCH_SECONDS))
        # What has happened since the report began counts in the copy, too, and is left for the next report.
        del self._events[: len(events)]
        for event, arguments in self._events:
            event(rate, *arguments)
        self.rate = rate
        return granted, now


class RedisRateLimiter(LocalRateLimiter):
    """A rate limiter for all processes that share a Redis (or Valkey), a base URL and a credential.

    Places order the calls of one process only. While Redis is unavailable, the limiter limits this process only, as a
    `LocalRateLimiter` does, and logs this once. It needs the extra `redis`, and connects when it is first used.

    Args:
        redis: A URL, or a client of redis-py's asyncio that you close yourself.
        prefix: Beginning of the keys of the state.
        timeout: Timeout of each Redis command, in seconds; more than 0.
        key: A function that names the limit of an operation; see `LocalRateLimiter`.

    Raises:
        ConfigurationError: The extra is not installed, the URL is invalid, or *redis* is neither a URL nor a client.
        InvalidArgumentError: *timeout* or *key* is of the wrong type or out of range.

    Example:
        async with AgentPlatform(rate_limiter=RedisRateLimiter("redis://localhost:6379/0")) as platform:
            ...
    """

    def __init__(
        self,
        redis: str | Redis,
        *,
        prefix: str = "agent-session-platform:rate-limiter:",
        timeout: float = 1.0,
        key: KeyFunction = key_of_operation,
    ) -> None:
        if not is_number(timeout) or not 0 < timeout < math.inf:
            raise InvalidArgumentError(f"timeout must be a positive number of seconds, not {format_value(timeout)}")
        super().__init__(key=key)
        self._redis = connect(redis)
        self._is_own = isinstance(redis, str)
        self._prefix = prefix
        self._limits: SharedLimits = SharedLimits(script=self._redis.register_script(SCRIPT), timeout=timeout)

    def open(self, max_connections: int, identity: str) -> None:
        """Begin to work in the running event loop; see `RateLimiter.open`.

        Raises:
            ConfigurationError: The limiter was opened before.
        """
        super().open(max_connections, identity)
        limits = self._limits
        limits.prefix = self._prefix + STATE_VERSION + identity
        loop_time = limits.time
        # Until Redis has told its time, that of this machine is the best guess.
        limits.ahead = time.time() - loop_time()
        limits.time = lambda: loop_time() + limits.ahead

    async def aclose(self) -> None:
        """Report what is left, unless Redis is unavailable; close the connections that the limiter has opened."""
        try:
            await super().aclose()
        finally:
            if self._is_own:
                await self._redis.aclose()

    def _make_limit(self, key: str) -> Limit:
        return SharedLimit(self._limits, key)


def connect(source: object) -> Redis:
    """Return a client of redis-py for a URL, or the client itself.

    Raises:
        ConfigurationError: redis-py is not installed, the URL is invalid, or *source* is neither a URL nor a client.
    """
    try:
        from redis.asyncio import Redis
    except ImportError:
        raise ConfigurationError("a RedisRateLimiter needs redis: pip install 'redis>=5.0.1,<9'") from None
    if isinstance(source, Redis):
        return source
    # A type checker would complain: the last parameters of from_url have no types.
    from_url: Any = getattr(Redis, "from_url")  # noqa: B009
    try:
        client: Redis = from_url(source)
        return client
    except (AttributeError, ValueError):
        wanted = "a URL such as redis://localhost:6379/0, or a redis.asyncio.Redis (a redis.Redis would block)"
        # `from None`: the message of redis-py may contain a part of the password.
        raise ConfigurationError(f"redis must be {wanted}") from None
