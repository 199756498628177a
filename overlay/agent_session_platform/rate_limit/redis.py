"""The rate limiter of all processes that use one credential, and its state in Redis.

A `SharedRate` reads the state, changes it here and writes it back if no other process was faster. The limiter works in
one of two modes. Usually it is shared: permits come from Redis, and the rate of the base class is only used for its
closure. During an outage it is local: the base class decides. Both modes have the same queue, clock and counts.
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
from ..retry import RetryQuota, within_quota
from ..text import format_value, type_name
from ..validators import is_number
from .adaptive_rate import AdaptiveRate, Rise, Round, Window
from .interface import DEFAULT_BACKOFF, Backoff, Permit, RateLimiterStats
from .local import LocalRateLimiter

if TYPE_CHECKING:
    from redis.asyncio import Redis

# The version of the shared state. It is in the key, so that older versions of the SDK never read a newer state.
STATE_VERSION = "5:"

# While no call waits, events are collected for this long and sent in one report.
REPORT_SECONDS = 0.05

# While calls wait, a report is sent at most once in this time; it requests many permits if many calls wait.
BATCH_SECONDS = 0.005

# Permits are requested again after this time while responses to other processes may allow more requests.
POLL_SECONDS = 0.05

# Permits are requested again after this time in any case: the state may have been lost.
MAX_WAIT_SECONDS = 5.0

# How often to check whether Redis has recovered.
RECOVERY_SECONDS = 2.0

# Rounds of an outage have negative numbers, far below the numbers of the shared rounds.
LOCAL_ROUND = -(2**40)

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

# Redis expires the state this long after the last change, but not before the limiter opens.
KEPT_SECONDS = 600

# The longest pause after a lost race is this value multiplied by the number of lost races.
LOST_RACE_SECONDS = 0.002

# If the clock of Redis is behind the state by more than this, it was set back or belongs to another server. Then the
# state counts as lost.
CLOCK_SECONDS = 1.0

# If the closure of this process exceeds the shared closure by more than this, the shared closure was lost.
CLOSURE_SECONDS = 0.1

# Rounds are numbered from the time in milliseconds, so that no number is used again when a state is lost.
ROUNDS_PER_SECOND = 1000

logger = logging.getLogger("agent_session_platform")

Event: TypeAlias = Callable[[AdaptiveRate], None]


def is_local(permit: Permit) -> bool:
    """Return whether a permit was granted by this process alone, during an outage of Redis."""
    return permit.round < 0


def read_state(text: str, now: float) -> tuple[AdaptiveRate, float]:
    """Parse what `write_state` has written; anything else, and the state of another clock, counts as lost.

    Returns:
        The adaptive rate, with times by the clock of Redis, and how many tokens of the retry quota are taken.
    """
    try:
        data = json.loads(text)
        rate = AdaptiveRate(
            round=Round(**data["rate"].pop("round")),
            window=Window(**data["rate"].pop("window")),
            rise=Rise(**data["rate"].pop("rise")),
            **data["rate"],
        )
        if rate.granted_at <= now + CLOCK_SECONDS:
            return rate, within_quota(data["quota_used"])
    except (KeyError, TypeError, ValueError):
        pass
    return AdaptiveRate.unlearned(now, int(now * ROUNDS_PER_SECOND)), 0.0


def write_state(rate: AdaptiveRate, quota_used: float) -> str:
    """Return the state as compact JSON that loses no digit of any number."""
    return json.dumps({"rate": attrs.asdict(rate), "quota_used": quota_used}, separators=(",", ":"))


class SharedRate:
    """The state under one key of Redis, and what this process has to report about it.

    Args:
        redis: Client of redis-py.
        key: Where the state is.
        timeout: Timeout of each Redis command, in seconds.
        quota: The retry quota of this process, which is kept equal to the shared quota.

    Attributes:
        events: Changes of the adaptive rate that were not reported yet.
        refusals: Changes that are 429s; kept until Redis knows of them.
    """

    def __init__(self, redis: Redis, key: str, timeout: float, quota: RetryQuota) -> None:
        self.events: list[Event] = []
        self.refusals: list[Event] = []
        self._script = redis.register_script(SCRIPT)
        self._key = key
        self._timeout = timeout
        self._quota = quota
        self._time = asyncio.get_running_loop().time
        # The last known value in Redis (None if there is no value), and how far the clock of Redis is ahead of the
        # event loop's clock.
        self._known: str | None = None
        self._ahead = 0.0

    def now(self) -> float:
        """Return the time of Redis."""
        return self._time() + self._ahead

    @property
    def has_news(self) -> bool:
        """True if there is anything to report."""
        return bool(self.events or self.refusals or self._quota.change)

    async def report(self, waiting: int, closed_for: float) -> tuple[list[Permit], AdaptiveRate]:
        """Report what has happened, and get up to *waiting* permits.

        Args:
            waiting: How many calls wait.
            closed_for: For how many seconds the limiter is closed, as far as this process knows.

        Returns:
            The permits, and the adaptive rate after the report, which the caller must not change.

        Raises:
            TimeoutError: Redis did not respond in time.
            Exception: Any error of redis-py.
        """
        refusals, self.refusals = self.refusals, []
        events, self.events = [*self.events, *refusals], []
        change, self._quota.change = self._quota.change, 0.0
        try:
            return await self._change(waiting, closed_for, events, change)
        except BaseException:
            # A 429 that is reported twice does no harm. If the report got lost, Redis would not learn that the round of
            # the 429 is over.
            self.refusals = [*refusals, *self.refusals]
            self._quota.change += change
            raise

    async def _change(
        self, waiting: int, closed_for: float, events: list[Event], change: float
    ) -> tuple[list[Permit], AdaptiveRate]:
        """Compute the next state and write it; start again whenever another process was faster."""
        if self._known is None:
            await self._compare_and_set("?", "?", 1)
        lost_races = 0
        while True:
            known, now = self._known or "", self.now()
            rate, quota_used = read_state(known, now)
            if closed_for and now + closed_for > rate.closed_until + CLOSURE_SECONDS:
                rate.closed_until = now + closed_for
            for event in events:
                event(rate)
            permits: list[Permit] = []
            while len(permits) < waiting and (permit := rate.grant(now)):
                permits.append(permit)
            quota_used = within_quota(quota_used + change)
            kept = KEPT_SECONDS + math.ceil(max(0.0, rate.closed_until - now))
            if await self._compare_and_set(known, write_state(rate, quota_used), kept):
                self._quota.used = within_quota(quota_used + self._quota.change)
                return permits, rate
            lost_races += 1
            if lost_races > 1:
                await asyncio.sleep(random.uniform(0.0, LOST_RACE_SECONDS * lost_races))

    async def _compare_and_set(self, known: str, value: str, seconds: int) -> bool:
        """Set *value* if Redis still has *known*, and remember what it has now."""
        sent = self._time()
        reply: Any = self._script(keys=[self._key], args=[known, value, seconds])
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
        # While Redis is unavailable, the base class's rate decides. Otherwise only its closure is kept up to date.
        self._in_outage = False
        # The messages that were logged in this outage.
        self._logged: set[str] = set()
        # Permits of this round and of earlier rounds are no longer valid.
        self._refused_round = LOCAL_ROUND
        self._last: AdaptiveRate | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def open(self, max_connections: int, key: str) -> None:
        """Begin to work in the running event loop; see `RateLimiter.open`.

        Raises:
            ConfigurationError: The limiter was opened before.
        """
        super().open(max_connections, key)
        self._shared = SharedRate(self._redis, self._prefix + STATE_VERSION + key, self._timeout, self.retry_quota)

    async def acquire(self, ticket: int, deadline: float) -> Permit:
        """Wait for permission to send a request; see `RateLimiter.acquire`."""
        return await self._queue.wait(ticket, deadline)

    def refused(self, permit: Permit, retry_after: float | None, backoff: Backoff = DEFAULT_BACKOFF) -> float:
        """Close after a 429; see `RateLimiter.refused`.

        Returns:
            Seconds until the limiter opens again; without Retry-After this is an estimate, because the shared state
            decides.
        """
        now = self._time()
        if self._in_outage:
            # A 429 for a permit from before the outage also closes the limiter.
            local = permit if is_local(permit) else Permit(self._rate.round.number, now)
            return super().refused(local, retry_after, backoff)
        self._rate_limited += 1
        if not is_local(permit):
            self._refused_round = max(self._refused_round, permit.round)
            at = self._shared.now()
            self._shared.refusals.append(lambda rate: rate.refused(permit, at, retry_after, backoff))
        self._close(retry_after or 0.0)
        self._wake()
        return max(self._closed_for(), backoff(1) if retry_after is None else 0.0)

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter; the closure and the rate apply to all processes."""
        if self._in_outage or self._last is None or self._closed_for():
            return super().stats()
        return self._stats(self._last, self._shared.now())

    def shut(self) -> None:
        """Raise ClientClosedError in all calls that wait, and in all later calls."""
        super().shut()
        if self._task is not None:
            self._task.cancel()

    async def aclose(self) -> None:
        """Report what is left, unless Redis is unavailable; close the connections that the limiter has opened."""
        if self._task is not None:
            await asyncio.wait((self._task,))
        if self._loop is None:
            return
        try:
            if not self._in_outage and self._last is not None:
                await self._shared.report(0, self._closed_for())
        except Exception as error:
            logger.debug("the last report to Redis was lost (%s)", type(error).__name__)
        finally:
            if self._is_own:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._redis.aclose(), self._timeout)

    def _record(self, permit: Permit, *, accepted: bool) -> None:
        if is_local(permit):
            super()._record(permit, accepted=accepted)
            return
        now = self._shared.now()

        def event(rate: AdaptiveRate) -> None:
            rate.finished(permit)
            if accepted:
                rate.accepted(permit, now)

        self._shared.events.append(event)

    def _is_valid(self, permit: Permit) -> bool:
        return super()._is_valid(permit) if is_local(permit) else permit.round > self._refused_round

    def _close(self, seconds: float) -> None:
        self._rate.closed_until = max(self._rate.closed_until, self._time() + seconds)

    def _closed_for(self) -> float:
        return max(0.0, self._rate.closed_until - self._time())

    def _grant_waiting(self) -> None:
        if self._in_outage:
            super()._grant_waiting()
        else:
            self._wake()

    def _wake(self) -> None:
        """Wake the task that reports to Redis and gets permits."""
        self._changed.set()
        if self._loop is not None and not self._queue.is_shut and (self._task is None or self._task.done()):
            # The task gets an empty context: otherwise the context of the first caller would live as long as the task.
            self._task = self._loop.create_task(self._share(), context=contextvars.Context())

    async def _share(self) -> None:
        """Report to Redis and serve the waiters until no call waits and there is nothing to report."""
        while self._in_outage or self._queue.has_waiters() or self._shared.has_news:
            if self._in_outage:
                await asyncio.sleep(RECOVERY_SECONDS)
            else:
                await self._rest(REPORT_SECONDS, lambda: self._queue.has_waiters() or bool(self._shared.refusals))
            wanted = 0 if self._in_outage else min(len(self._queue), self._max_connections - self._in_flight)
            try:
                permits, self._last = await self._shared.report(wanted, self._closed_for())
            except Exception as error:
                self._go_local(error)
            else:
                await self._apply(permits, self._last)

    async def _apply(self, permits: list[Permit], rate: AdaptiveRate) -> None:
        """Serve the waiters after a report, then wait until another report is useful."""
        if self._in_outage:
            logger.info("Redis has recovered: the rate limit is shared again")
            self._logged.clear()
            self._in_outage = False
        self._close(rate.closed_until - self._shared.now())
        self._rate.round.had_retry_after = rate.round.had_retry_after
        if rate.round.number <= self._refused_round and not self._shared.refusals:
            # Redis knows of all 429s, so its permits are valid, even if the state was lost and its rounds begin lower.
            self._refused_round = rate.round.number - 1
        for permit in permits:
            if self._queue.has_waiters():
                self._in_flight += 1
                self._queue.serve(permit, is_probe=rate.round.probing)
            else:
                # The call that asked for this permit was cancelled meanwhile.
                self._record(permit, accepted=False)
        if not self._queue.has_waiters():
            return
        await asyncio.sleep(BATCH_SECONDS)
        if self._in_flight >= self._max_connections:
            await self._rest(MAX_WAIT_SECONDS, lambda: self._in_flight < self._max_connections)
            return
        seconds = rate.opens_at() - self._shared.now()
        if rate.round.probing or rate.burst is None:
            # A response may allow more requests; a response to another process does not wake this process.
            seconds = min(seconds, POLL_SECONDS)
        await self._rest(seconds, lambda: self._shared.has_news)

    async def _rest(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Wait until *is_over* returns True, *seconds* at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(min(seconds, MAX_WAIT_SECONDS)):
                while not is_over():
                    self._changed.clear()
                    await self._changed.wait()

    def _go_local(self, error: Exception) -> None:
        """Serve the waiters as a LocalRateLimiter does; keep only the closure of the shared state."""
        self._log(error)
        if self._in_outage:
            return
        self._in_outage = True
        self._rate = AdaptiveRate.unlearned(self._time(), LOCAL_ROUND, self._rate.closed_until)
        self._grant_waiting()

    def _log(self, error: Exception) -> None:
        """Log an error once, with its class, but never its message, which may contain a password."""
        name = type(error).__name__
        is_permanent = any(cls.__name__ in PERMANENT for cls in type(error).__mro__)
        message, level = (REFUSED, logging.ERROR) if is_permanent else (UNAVAILABLE, logging.WARNING)
        logger.log(logging.DEBUG if message in self._logged else level, message, name)
        self._logged.add(message)


def connect(source: str | Redis) -> Redis:
    """Return a client of redis-py for a URL, or the client itself.

    Raises:
        ConfigurationError: redis-py is not installed, the URL is invalid, or *source* is neither a URL nor a client.
    """
    try:
        import redis
        from redis.asyncio import Redis
    except ImportError:
        raise ConfigurationError("a RedisRateLimiter needs redis: pip install 'redis>=5.0.1,<9'") from None
    if isinstance(source, redis.Redis):
        raise ConfigurationError("redis must be a URL or a redis.asyncio.Redis, not a redis.Redis, which would block")
    if not isinstance(source, str) and not hasattr(source, "register_script"):
        raise ConfigurationError(f"redis must be a URL or a redis.asyncio.Redis, not {type_name(source)}")
    try:
        # A type checker would complain: the last parameters of from_url have no types.
        from_url: Callable[[str], Redis] = getattr(Redis, "from_url")  # noqa: B009
        return from_url(source) if isinstance(source, str) else source
    except ValueError:
        # `from None`: the message of redis-py may contain a part of the password.
        raise ConfigurationError("redis must be a URL such as redis://localhost:6379/0") from None
