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
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from ..errors import ConfigurationError, InvalidArgumentError
from ..text import format_value
from ..validators import is_number
from .adaptive_rate import IDLE_SECONDS, AdaptiveRate, Event, RequestEnd
from .limiter import KeyFunction
from .local import Limit, Limits, LocalRateLimiter, key_of_operation

if TYPE_CHECKING:
    from redis.asyncio import Redis
else:
    # Frameworks that inject dependencies read the annotations, and the library may be missing.
    Redis = Any

# The version of the shared state. It is in the key, so that older versions of the SDK never read a newer state.
STATE_VERSION = "10:"

# If another process was faster, a report is sent again after a random part of this time.
COLLISION_SECONDS = 0.005

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
        outages: The errors by which redis-py tells that Redis is unavailable.
        prefix: Beginning of the keys in Redis of this base URL and credential.
        clock_offset: What to add to the event loop's time to get the time of Redis, in seconds.
        is_alone: Whether each limit decides by itself, without Redis.
        is_reporting: Whether reports are sent. False once the limiter is closed, and after a defect of the limiter,
            which would come again.
    """

    script: Callable[..., Awaitable[Any]]
    timeout: float
    outages: tuple[type[Exception], ...]
    prefix: str = ""
    clock_offset: float = 0.0
    is_alone: bool = False
    is_reporting: bool = True

    async def run_script(self, key: str, *arguments: Any) -> tuple[bool, Any]:
        """Run the script for the state of a limit, and note the offset of the clock.

        Returns:
            Whether the state was set, and the state that is there now.

        Raises:
            TimeoutError: Redis did not respond in time.
            OSError: The connection failed.
            RedisError: Any error of redis-py.
        """
        clock = asyncio.get_running_loop().time
        sent = clock()
        async with asyncio.timeout(self.timeout):
            is_set, current, seconds, microseconds = await self.script(keys=[key], args=arguments)
        # Redis read its clock about halfway between request and response.
        self.clock_offset = int(seconds) + int(microseconds) / 1_000_000 - (sent + clock()) / 2
        return bool(is_set), current


def next_state(text: Any, copy: AdaptiveRate, events: Iterable[Event], now: float) -> AdaptiveRate:
    """Return the state of a limit after some events.

    Args:
        text: The state in Redis, in JSON; anything else counts as lost.
        copy: The state in this process, which has learned of the events already. It replaces a lost one.
        events: What has happened.
        now: The current time.
    """
    try:
        rate = AdaptiveRate(**json.loads(text))
    except (TypeError, ValueError):
        return attrs.evolve(copy)
    if rate.last_request_at > now + CLOCK_SECONDS:
        return AdaptiveRate()
    for event in events:
        rate.learn_from(event)
    return rate


class SharedLimit(Limit):
    """A limit that processes share. While Redis is available, only reports give permits.

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
        self._events: list[Event] = []
        self._task: asyncio.Task[None] | None = None
        # Set when there is something to report, or a call to be served.
        self._changed = asyncio.Event()

    def is_unused(self, now: float) -> bool:
        """Return whether the limit can be forgotten, which it cannot while its task runs."""
        return super().is_unused(now) and (self._task is None or self._task.done())

    def learn_from(self, event: Event) -> None:
        """Let the copy of the rate learn of an event, and report it."""
        super().learn_from(event)
        if not self.limits.is_alone:
            self._events.append(event)
            self.serve_waiters()

    def serve_waiters(self) -> None:
        """Start the task of the reports, which get permits for the waiters; without Redis, serve them here."""
        if self.limits.is_alone:
            super().serve_waiters()
            return
        self._changed.set()
        if self._task is None or self._task.done():
            # The task gets an empty context: otherwise the context of the first caller would live as long as the task.
            self._task = asyncio.get_running_loop().create_task(self._share(), context=contextvars.Context())

    async def aclose(self) -> None:
        """End the task, and report what is left, unless Redis is unavailable."""
        # A library may swallow the cancellation. Then the loop of the task ends.
        self.limits.is_reporting = False
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
        if self._events and not self.limits.is_alone:
            with suppress(*self.limits.outages):
                await self._report(0)

    async def _share(self) -> None:
        """Send reports to Redis until no call waits and there is nothing to report.

        A report has all that has happened since the one before was sent.
        """
        limits = self.limits
        while limits.is_reporting and (self.waiters or self._events or limits.is_alone):
            self._changed.clear()
            try:
                await self._get_permits()
            except limits.outages as error:
                if not limits.is_alone:
                    # Only the class of the error is logged: its message may contain a password.
                    name = type(error).__name__
                    logger.warning("Redis is unavailable (%s); limiting in this process only until it recovers", name)
                self._go_alone()
                await asyncio.sleep(RECOVERY_SECONDS)
                continue
            except Exception:
                if limits.is_reporting:
                    limits.is_reporting = False
                    logger.exception("a defect of the rate limiter; limiting in this process only, without Redis")
                self._go_alone()
                return
            if limits.is_alone and limits.is_reporting:
                limits.is_alone = False
                logger.info("Redis has recovered: the rate limits are shared again")
            seconds = LOOK_SECONDS
            if limits.free_connections:
                now = limits.time()
                seconds = min(seconds, self.rate.next_look(now) - now)
            if self.waiters:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), seconds)

    def _go_alone(self) -> None:
        """Serve the waiters of all limits without Redis."""
        self.limits.is_alone = True
        for limit in self.limits.by_key.values():
            limit.serve_waiters()

    async def _get_permits(self) -> None:
        """Send a report, and give the permits that it brings to the waiters."""
        limits = self.limits
        wanted = 0
        if not limits.is_alone:
            wanted = min(len(self.waiters), limits.free_connections)
        # Another limit must not ask for permits for the same connections.
        limits.free_connections -= wanted
        permits = 0
        try:
            permits, now = await self._report(wanted)
        finally:
            limits.free_connections += wanted - permits
        for _ in range(permits):
            if self.waiters:
                self.give_permit(now)
            else:
                # The call that asked for this permit was cancelled meanwhile.
                self.end_request(RequestEnd(now, now, accepted=False))
        self.dismiss()

    async def _report(self, wanted: int) -> tuple[int, float]:
        """Report what has happened, and take over the shared state: compare and set, until no other process is faster.

        Returns:
            How many permits it has brought, at most *wanted*, and when.

        Raises:
            Exception: An error of `SharedLimits.run_script`.
        """
        while True:
            events = self._events.copy()
            now = self.limits.time()
            rate = next_state(self._known, self.rate, events, now)
            permits = 0
            while permits < wanted and rate.take_permit(now):
                permits += 1
            value = json.dumps(attrs.asdict(rate))
            # A limit without requests is forgotten, but not during a closure.
            expires = math.ceil(rate.closed_for(now) + IDLE_SECONDS)
            is_set, self._known = await self.limits.run_script(self._redis_key, self._known, value, expires)
            if is_set:
                break
            # The next attempt starts from the state of the process that was faster.
            await asyncio.sleep(random.uniform(0.0, COLLISION_SECONDS))
        # What has happened since the report began counts in the copy, too, and is left for the next report.
        del self._events[: len(events)]
        for event in self._events:
            rate.learn_from(event)
        self.rate = rate
        return permits, now


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
        # Here redis-py is installed.
        from redis.exceptions import RedisError

        self._limits: SharedLimits = SharedLimits(
            script=self._redis.register_script(SCRIPT),
            timeout=timeout,
            outages=(RedisError, OSError, TimeoutError),
        )

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
        limits.clock_offset = time.time() - loop_time()
        limits.time = lambda: loop_time() + limits.clock_offset

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
