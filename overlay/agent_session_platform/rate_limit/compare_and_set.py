"""The shared state in Redis: read, computed here, and written if no other process was faster."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import attrs

from .retry_quota import RetryQuota, within_quota
from .shared_state import Report, SharedState

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from .permit import Permit

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

# A value that never matches: forces a read.
NO_STATE = "?"


@attrs.frozen
class ReportResult:
    """Outcome of a report: the permits that were granted, and the state and the time of Redis."""

    permits: list[Permit]
    state: SharedState
    now: float

    @property
    def closed_for(self) -> float:
        """Seconds for which the limiter is closed."""
        return max(0.0, self.state.rate.closed_until - self.now)

    @property
    def opens_in(self) -> float:
        """Seconds until the next request may go, if the window has room for it."""
        return max(self.closed_for, self.state.rate.next_at - self.now)


class SharedRate:
    """The state below one key of Redis, and what this process has to report about it.

    Attributes:
        refusals: The 429s that were not reported yet, with the time at which each lets the limiter open.
    """

    def __init__(self, redis: Redis, key: str, timeout: float, quota: RetryQuota | None = None) -> None:
        """Make a shared rate with nothing to report.

        Args:
            redis: Client of redis-py.
            key: Where the state is.
            timeout: Timeout of each Redis command, in seconds.
            quota: The retry quota of this process, which is kept up to date with that of all.
        """
        self.refusals: list[tuple[Permit, float | None]] = []
        self._script = redis.register_script(SCRIPT)
        self._key = key
        self._timeout = timeout
        self._quota = quota or RetryQuota()
        self._time = asyncio.get_running_loop().time
        self._accepted: Counter[int] = Counter()
        self._over: Counter[float] = Counter()
        self._abandoned: Counter[float] = Counter()
        self._latency = math.inf
        # The last value that Redis is known to have had, and how far its clock is ahead of the loop's.
        self._known = NO_STATE
        self._ahead = 0.0

    def accepted(self, permit: Permit) -> None:
        """Add a response other than 429 to the next report."""
        self._accepted[permit.round] += 1
        self._measure(permit)

    def refused(self, permit: Permit, retry_after: float | None) -> None:
        """Add a 429 to the next report, and to the one after it if that fails."""
        self.refusals.append((permit, None if retry_after is None else self._time() + retry_after))
        self._measure(permit)

    def _measure(self, permit: Permit) -> None:
        self._latency = min(self._latency, self._time() + self._ahead - permit.at)

    def over(self, permit: Permit) -> None:
        """Add a request that is over to the next report."""
        self._over[permit.at] += 1

    def abandoned(self, permit: Permit) -> None:
        """Add a request whose caller is gone to the next report."""
        self._abandoned[permit.at] += 1

    @property
    def has_news(self) -> bool:
        """True if there is anything to report."""
        return bool(self._over or self._abandoned or self._accepted or self.refusals or self._quota.change)

    async def report(self, wanted: int, closed_for: float) -> ReportResult:
        """Report what has happened, and get up to *wanted* permits.

        Args:
            wanted: How many calls wait.
            closed_for: For how many seconds the limiter is closed, as far as it is known here.

        Returns:
            The permits, and the state after the report.

        Raises:
            TimeoutError: Redis did not respond in time.
            Exception: Any error of redis-py.
        """
        refusals, self.refusals = self.refusals, []
        accepted, self._accepted = self._accepted, Counter()
        over, self._over = self._over, Counter()
        abandoned, self._abandoned = self._abandoned, Counter()
        change, self._quota.change = self._quota.change, 0.0
        begun = self._time()
        hints = [(permit, None if until is None else max(0.0, until - begun)) for permit, until in refusals]
        report = Report(wanted, over, abandoned, accepted, hints, closed_for, self._latency, change)
        try:
            result = await self._change(report)
        except BaseException:
            # A 429 that is reported twice does no harm. If it got lost, Redis would not learn that its round is over.
            self.refusals = refusals + self.refusals
            self._quota.change += change
            raise
        self._quota.used = within_quota(result.state.quota_used + self._quota.change)
        return result

    async def _change(self, report: Report) -> ReportResult:
        """Compute the next state, and do so again until no other process was faster."""
        lost_races = 0
        if self._known == NO_STATE:
            await self._compare_and_set(NO_STATE, NO_STATE, 1)
        while True:
            known, now = self._known, self._time() + self._ahead
            state, permits = read_state(known, now).after(report, now)
            result = ReportResult(permits, state, now)
            value = state.to_json()
            if lost_races and value == known:
                # The known state has just been read, and there is nothing to change.
                return result
            if await self._compare_and_set(known, value, KEPT_SECONDS + math.ceil(result.closed_for)):
                return result
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


def read_state(text: str, now: float) -> SharedState:
    """Parse a value of Redis; one that is no state counts as lost."""
    try:
        return SharedState.from_json(text)
    except (KeyError, TypeError, ValueError):
        return SharedState.start(now)
