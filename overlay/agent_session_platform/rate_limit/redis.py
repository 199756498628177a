"""The rate limiter of all processes that use one credential, and its state in Redis.

The state of a limit in Redis is its adaptive rate, which all processes share. Each process has a copy of it, in which
an event, such as a 429, counts at once. A report carries the events to Redis: it reads the state, changes it here and
writes it back if no other process was faster. Only a report grants permits. While Redis is unavailable,
the process limits itself with adaptive rates of its own.
"""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
import json
import logging
import math
import random
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from ..errors import ConfigurationError, InvalidArgumentError
from ..text import format_value, type_name
from ..validators import is_number
from .adaptive_rate import IDLE_SECONDS, AdaptiveRate, Permit
from .limiter import KeyFunction, key_of_operation
from .local import Limit, Limits, LocalRateLimiter, RateEvent

if TYPE_CHECKING:
    from redis.asyncio import Redis
else:
    # Frameworks that inject dependencies read the annotations, and the library may be missing.
    Redis = Any

# The version of the shared state. It is in the key, so that older versions of the SDK never read a newer state.
STATE_VERSION = "8:"

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
    "may run EVALSHA, SCRIPT LOAD, TIME, GET and SET on the keys below prefix=. The limits hold in this process only"
)

UNAVAILABLE = "Redis is unavailable (%s); limiting in this process only until it recovers"

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


def read_rate(text: str, now: float) -> AdaptiveRate | None:
    """Parse what `write_rate` has written; return None for anything else, and for the state of another clock."""
    try:
        rate = AdaptiveRate(**json.loads(text))
        if rate.used_at <= now + CLOCK_SECONDS:
            return rate
    except (TypeError, ValueError):
        pass
    return None


def new_rate(now: float, latest: AdaptiveRate) -> AdaptiveRate:
    """Return a new state in place of one that was lost; the closure that this process knows of stays.

    Args:
        now: The time of the limits.
        latest: The latest state. If it is ahead of the time, it is from another clock.
    """
    rate = AdaptiveRate(filled_at=now)
    if latest.used_at <= now + CLOCK_SECONDS:
        rate.keep_closure(latest)
    return rate


def take_permits(rate: AdaptiveRate, wanted: int, now: float) -> list[Permit]:
    """Return the permits that may be granted now, at most so many."""
    permits: list[Permit] = []
    while len(permits) < wanted:
        permit = rate.grant(now)
        if permit is None:
            break
        permits.append(permit)
    return permits


def write_rate(rate: AdaptiveRate) -> str:
    """Return the state as compact JSON that loses no digit of any number."""
    return json.dumps(attrs.asdict(rate), separators=(",", ":"))


class RedisLink:
    """The connection to Redis of one client, which its limits share.

    Args:
        redis: Client of redis-py.
        timeout: Timeout of each Redis command, in seconds.

    Attributes:
        prefix: Beginning of the keys in Redis of this base URL and credential.
        outage: The message that was logged for the current outage; None while permits come from Redis.
        ahead: How far the clock of Redis is ahead of the event loop's clock, in seconds.
    """

    def __init__(self, redis: Redis, timeout: float) -> None:
        self.prefix = ""
        self.outage: str | None = None
        self.ahead = 0.0
        self._timeout = timeout
        self._script = redis.register_script(SCRIPT)

    async def run_script(self, key: str, arguments: list[Any]) -> tuple[bool, str]:
        """Run the script for the state of a limit, and note how far the clock of Redis is ahead.

        Returns:
            Whether the state was set, and the state that is there now.

        Raises:
            TimeoutError: Redis did not respond in time.
            Exception: Any error of redis-py.
        """
        clock = asyncio.get_running_loop().time
        sent = clock()
        script: Any = self._script(keys=[key], args=arguments)
        reply = asyncio.ensure_future(script)
        try:
            await asyncio.wait((reply,), timeout=self._timeout)
            # If the loop was blocked, the timer has run before a reply that had come.
            await asyncio.sleep(0)
            if not reply.done():
                raise TimeoutError
            is_set, current, seconds, microseconds = reply.result()
        finally:
            reply.cancel()
        # Redis read its clock about halfway between request and response.
        self.ahead = int(seconds) + int(microseconds) / 1_000_000 - (sent + clock()) / 2
        return bool(is_set), as_text(current)

    def begin_outage(self, error: Exception) -> bool:
        """Log an error of Redis, and return whether an outage begins: then each limit decides by itself."""
        message = UNAVAILABLE
        level = logging.WARNING
        if any(cls.__name__ in PERMANENT for cls in type(error).__mro__):
            message = REFUSED
            level = logging.ERROR
        if message == self.outage:
            level = logging.DEBUG
        # Only the class of the error is logged: its message may contain a password.
        logger.log(level, message, type(error).__name__)
        began = self.outage is None
        self.outage = message
        return began

    def end_outage(self) -> None:
        """Let reports grant the permits again, after one of them has reached Redis."""
        if self.outage is not None:
            logger.info("Redis has recovered: the rate limits are shared again")
            self.outage = None


class SharedLimit(Limit):
    """A limit that processes share. Except during an outage, only reports grant permits.

    Args:
        link: The connection to Redis.
        limits: The limits of the client.
        key: The key of the limit.
    """

    def __init__(self, link: RedisLink, limits: Limits, key: str) -> None:
        super().__init__(limits, key)
        self._link = link
        # A key may be anything: a digest cannot reveal it.
        digest = hashlib.blake2s(key.encode(), digest_size=12).hexdigest()
        self._redis_key = f"{link.prefix}:{digest}"
        # The last known value in Redis. Redis never has this first value, so the first attempt only reads.
        self._known = "?"
        self._events: list[RateEvent] = []
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def grant(self) -> Permit | None:
        """Return a permit during an outage; otherwise None."""
        if self._link.outage is None:
            return None
        return super().grant()

    def learn(self, event: RateEvent) -> None:
        """Let the copy of the rate learn of an event, and report it."""
        super().learn(event)
        if self._link.outage is None:
            self._events.append(event)

    def is_unused(self, now: float) -> bool:
        """Return whether the limit can be forgotten, which it cannot while its task runs."""
        return super().is_unused(now) and (self._task is None or self._task.done())

    def serve(self) -> None:
        """Start the task of the reports, which get permits for the waiters; during an outage, serve them here."""
        if self._link.outage is not None:
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
        if self._link.outage is None and self._events:
            try:
                await self._report(0)
            except Exception as error:
                logger.debug("the last report to Redis was lost (%s)", type(error).__name__)

    async def _share(self) -> None:
        """Send reports to Redis until no call waits and there is nothing to report."""
        while self._link.outage is not None or self.waiters or self._events:
            await self._rest()
            limits = self._limits
            wanted = 0
            if self._link.outage is None:
                wanted = max(0, min(len(self.waiters), limits.max_connections - limits.in_flight))
            # Another limit must not ask for permits for the same connections.
            limits.in_flight += wanted
            try:
                permits = await self._report(wanted)
            except Exception as error:
                self._decide_alone(error)
                continue
            finally:
                limits.in_flight -= wanted
            self._link.end_outage()
            self._hand_out(permits)
            if self.waiters:
                await asyncio.sleep(BATCH_SECONDS)

    async def _rest(self) -> None:
        """Wait until the next report is useful."""
        clock = asyncio.get_running_loop().time
        since = clock()
        while (seconds := self._seconds_to_report() - (clock() - since)) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)

    def _seconds_to_report(self) -> float:
        """Return how many seconds after the last report the next one is useful."""
        now = self._limits.time()
        if self._link.outage is not None:
            return RECOVERY_SECONDS
        if not self.waiters:
            # The other processes must learn of a 429 at once.
            if self.rate.closed_for(now):
                return 0.0
            return REPORT_SECONDS
        if self._limits.is_full:
            return MAX_WAIT_SECONDS
        if self._events:
            return 0.0
        seconds = self.rate.next_look(now) - now
        if self.rate.probed_at is not None or not self.rate.has_rate:
            # A response to another process may let calls go, but does not wake this process.
            return min(seconds, REPORT_SECONDS)
        return min(seconds, MAX_WAIT_SECONDS)

    async def _report(self, wanted: int) -> list[Permit]:
        """Report what has happened, take over the shared state, and return up to *wanted* permits.

        Raises:
            Exception: An error of `RedisLink.run_script`.
        """
        events = self._events.copy()
        while True:
            now = self._limits.time()
            rate = read_rate(self._known, now) or new_rate(now, self.rate)
            for event in events:
                event(rate)
            permits = take_permits(rate, wanted, now)
            if await self._write(rate, now):
                break
            # Another process was faster. Start again with the new state.
            await asyncio.sleep(random.uniform(0.0, BATCH_SECONDS))
        # What has happened since the report began counts in the copy, too, and is left for the next report.
        del self._events[: len(events)]
        self.rate = rate
        for event in self._events:
            event(self.rate)
        return permits

    async def _write(self, rate: AdaptiveRate, now: float) -> bool:
        """Write the state of a time, and return whether it was written: another process may have changed it."""
        value = write_rate(rate)
        # A limit without requests is forgotten, but not during a closure.
        expires = math.ceil(rate.closed_for(now) + IDLE_SECONDS)
        is_set, current = await self._link.run_script(self._redis_key, [self._known, value, expires])
        self._known = current
        return is_set

    def _hand_out(self, permits: list[Permit]) -> None:
        """Give permits to the waiters, and dismiss the waiters that do not wait for a long closure."""
        self.dismiss()
        for permit in permits:
            self._limits.in_flight += 1
            if self.waiters:
                self.hand_over(permit)
            else:
                # The call that asked for this permit was cancelled meanwhile.
                self.settle(AdaptiveRate.ended, permit)

    def _decide_alone(self, error: Exception) -> None:
        """Serve the waiters of all limits without Redis. Of the shared state only the closures stay."""
        if self._link.begin_outage(error):
            for limit in self._limits:
                limit.rate = new_rate(self._limits.time(), limit.rate)
        for limit in self._limits:
            limit.serve()


class RedisRateLimiter(LocalRateLimiter):
    """A rate limiter for all processes that share a Redis (or Valkey), a base URL and a credential.

    Places order the calls of one process only. While Redis is unavailable, the limiter limits this process only, as a
    `LocalRateLimiter` does. It logs this once: as a warning, or as an error if waiting does not help. The limiter needs
    the extra `redis`, and connects when it is first used.

    Args:
        redis: A URL, or a client of redis-py's asyncio that you close yourself.
        prefix: Beginning of the keys of the state.
        timeout: Timeout of each Redis command, in seconds; more than 0.
        key: A function that names the limit of an operation; see `LocalRateLimiter`.

    Raises:
        ConfigurationError: The extra is not installed, the URL is invalid, or *redis* is neither a URL nor a client.
        InvalidArgumentError: *prefix*, *timeout* or *key* is of the wrong type or out of range.

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
        if not isinstance(prefix, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"prefix must be a string, not {format_value(prefix)}")
        if not is_number(timeout) or not 0 < timeout < math.inf:
            raise InvalidArgumentError(f"timeout must be a positive number of seconds, not {format_value(timeout)}")
        super().__init__(key=key)
        self._redis = connect(redis)
        self._is_own = isinstance(redis, str)
        self._prefix = prefix
        self._link = RedisLink(self._redis, timeout)
        self._limits = Limits(partial(SharedLimit, self._link))

    def open(self, max_connections: int, identity: str) -> None:
        """Begin to work in the running event loop; see `RateLimiter.open`.

        Raises:
            ConfigurationError: The limiter was opened before.
        """
        super().open(max_connections, identity)
        link = self._link
        link.prefix = self._prefix + STATE_VERSION + identity
        loop_time = self._limits.time
        # Until Redis has told its time, that of this machine is the best guess.
        link.ahead = time.time() - loop_time()
        self._limits.time = lambda: loop_time() + link.ahead

    async def aclose(self) -> None:
        """Report what is left, unless Redis is unavailable; close the connections that the limiter has opened."""
        await super().aclose()
        try:
            shared = [limit for limit in self._limits if isinstance(limit, SharedLimit)]
            await asyncio.gather(*(limit.aclose() for limit in shared))
        finally:
            if self._is_own:
                await self._redis.aclose()


def as_text(value: str | bytes) -> str:
    """Return a reply of Redis as text; a client decodes replies or not, as its owner has set it."""
    return value.decode() if isinstance(value, bytes) else value


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
    if not isinstance(source, str):
        return source
    try:
        # A type checker would complain: the last parameters of from_url have no types.
        from_url: Any = getattr(Redis, "from_url")  # noqa: B009
        client: Redis = from_url(source)
        return client
    except ValueError:
        # `from None`: the message of redis-py may contain a part of the password.
        raise ConfigurationError("redis must be a URL such as redis://localhost:6379/0") from None
