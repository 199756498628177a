"""The state that several processes share in Redis: read, changed here, and written if no other process was faster."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from .adaptive_rate import AdaptiveRate
from .interface import Permit, RetryQuota, within_quota

if TYPE_CHECKING:
    from redis.asyncio import Redis

# Returns [was set, current value if not, seconds, microseconds]: a lost race costs no further read.
SCRIPT = """
local time = redis.call('TIME')
local current = redis.call('GET', KEYS[1]) or ''
if current ~= ARGV[1] then
  return {0, current, time[1], time[2]}
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return {1, '', time[1], time[2]}
"""

# Redis expires the state this long after the last change, and not before the limiter opens.
KEPT_SECONDS = 600

# The longest pause after a lost race with a state that had just been read, times the number of races.
LOST_RACE_SECONDS = 0.002

# A clock that is behind the state by more than this was set back, or belongs to another server: the state is lost.
CLOCK_SECONDS = 1.0

# If the closure of this process exceeds the shared one by more than this, the shared one was lost.
CLOSURE_SECONDS = 0.1

# Rounds are numbered from the time in milliseconds, so that no number is used again when a state is lost.
ROUNDS_PER_SECOND = 1000

Event: TypeAlias = Callable[[AdaptiveRate], None]


def read_state(text: str, now: float) -> tuple[AdaptiveRate, float]:
    """Parse what `write_state` has written; anything else, and the state of another clock, counts as lost.

    Returns:
        The adaptive rate, whose times are those of Redis, and how many tokens of the retry quota are taken.
    """
    try:
        data = json.loads(text)
        rate = AdaptiveRate(**data["rate"])
        if rate.granted_at <= now + CLOCK_SECONDS:
            return rate, within_quota(data["quota_used"])
    except (KeyError, TypeError, ValueError):
        pass
    return AdaptiveRate(int(now * ROUNDS_PER_SECOND), granted_at=now, fresh_since=now), 0.0


def write_state(rate: AdaptiveRate, quota_used: float) -> str:
    """Return the state as compact JSON that loses no digit of any number."""
    return json.dumps({"rate": attrs.asdict(rate), "quota_used": quota_used}, separators=(",", ":"))


class SharedRate:
    """The state below one key of Redis, and what this process has to report about it.

    Attributes:
        events: Changes of the adaptive rate that were not reported yet.
        refusals: Those of them that are 429s; kept until Redis knows of them.
    """

    def __init__(self, redis: Redis, key: str, timeout: float, quota: RetryQuota) -> None:
        """Make a shared rate with nothing to report.

        Args:
            redis: Client of redis-py.
            key: Where the state is.
            timeout: Timeout of each Redis command, in seconds.
            quota: The retry quota of this process, which is kept up to date with that of all.
        """
        self.events: list[Event] = []
        self.refusals: list[Event] = []
        self._script = redis.register_script(SCRIPT)
        self._key = key
        self._timeout = timeout
        self._quota = quota
        self._time = asyncio.get_running_loop().time
        # The last value that Redis is known to have had, None for none, and how far its clock is ahead of the loop's.
        self._known: str | None = None
        self._ahead = 0.0

    def now(self) -> float:
        """Return the time of Redis."""
        return self._time() + self._ahead

    @property
    def has_news(self) -> bool:
        """True if there is anything to report."""
        return bool(self.events or self.refusals or self._quota.change)

    async def report(self, wanted: int, closed_for: float) -> tuple[list[Permit], AdaptiveRate]:
        """Report what has happened, and get up to *wanted* permits.

        Args:
            wanted: How many calls wait.
            closed_for: For how many seconds the limiter is closed, as far as it is known here.

        Returns:
            The permits, and the adaptive rate after the report, which is not to be changed.

        Raises:
            TimeoutError: Redis did not respond in time.
            Exception: Any error of redis-py.
        """
        refusals, self.refusals = self.refusals, []
        events, self.events = [*self.events, *refusals], []
        change, self._quota.change = self._quota.change, 0.0
        try:
            return await self._change(wanted, closed_for, events, change)
        except BaseException:
            # A 429 that is reported twice does no harm. If it got lost, Redis would not learn that its round is over.
            self.refusals = [*refusals, *self.refusals]
            self._quota.change += change
            raise

    async def _change(
        self, wanted: int, closed_for: float, events: list[Event], change: float
    ) -> tuple[list[Permit], AdaptiveRate]:
        """Compute the next state, and do so again until no other process was faster."""
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
            while len(permits) < wanted and (permit := rate.grant(now)):
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
        """Set *value* if Redis still has the known one, and remember what it has now."""
        sent = self._time()
        reply: Any = self._script(keys=[self._key], args=[known, value, seconds])
        async with asyncio.timeout(self._timeout):
            is_set, current, *clock = await reply
        # Redis read its clock about halfway between request and response.
        self._ahead = int(clock[0]) + int(clock[1]) / 1_000_000 - (sent + self._time()) / 2
        self._known = value if is_set else current.decode() if isinstance(current, bytes) else current
        return bool(is_set)
