"""When something is polled again: one decision for waits and followers, made without a clock and without I/O."""

from __future__ import annotations

import math
from typing import Any, Final

import attrs
from attrs.validators import optional

from .._api import Follow, Wait
from ..errors import (
    AgentPlatformError,
    DeadlineExceededError,
    DecodeError,
    PagingError,
    PoolTimeoutError,
    ProblemError,
)
from ..retry import RetryPolicy
from ..runtime import Runtime
from ..validators import valid_seconds

# Each poll without a change makes the interval longer, up to this multiple of `every` unless `max_every` is given.
GROWTH: Final = 1.5
SLOWEST: Final = 6.0

# Polls are aligned to a grid, so that waits with equal intervals share them. A point of the grid is a round, and this
# share of the interval is the time between two rounds.
ROUND_SHARE: Final = 0.2

# Bounds of an interval, in seconds: a caller may pass any number of seconds, and divisions by it must not fail.
SHORTEST_INTERVAL: Final = 0.001
LONGEST_INTERVAL: Final = 1e9

# The last poll of a wait begins one second before its deadline, or 5 % of its timeout if that is less.
LAST_POLL_SECONDS: Final = 1.0
LAST_POLL_SHARE: Final = 0.05

# Until any call has succeeded, a wait or a follower tolerates responses that are not from the API for this time.
FOREIGN_SECONDS: Final = 120.0

POSITIVE: Final = valid_seconds(positive=True, finite=True)
# The settings of waits and followers that are a number of seconds.
SETTINGS: Final = {
    "every": POSITIVE,
    "max_every": optional(POSITIVE),
    "timeout": POSITIVE,
    "stalled_after": optional(POSITIVE),
    "give_up_after": valid_seconds(positive=False),
}


def check_seconds(job: Wait[Any, Any] | Follow[Any]) -> None:
    """Check the numbers of seconds that a caller has passed to a wait or a follower.

    Raises:
        InvalidArgumentError: A value is out of range or of the wrong type; the message names it.
    """
    for field in attrs.fields(type(job)):
        if field.name in SETTINGS:
            SETTINGS[field.name](job, field, getattr(job, field.name))


@attrs.define(eq=False)
class PollSchedule:
    """The times at which one wait or one follower polls; all times are of the same clock.

    Attributes:
        every: Seconds between two polls in the beginning, and after a change.
        max_every: Seconds between two polls at most; None means six times `every`.
        phase: Where the rounds lie, from 0 to 1. Schedules with the same phase share rounds; programs that began
            together must not poll together, so each has a phase of its own.
        last_poll_at: When the last poll is due at the latest.
        give_up_after: For how many seconds polls may fail until there is no other poll.
        failing_since: When the first of the polls failed that have failed in a row; infinity if the latest did not.
    """

    every: float
    max_every: float | None
    phase: float
    last_poll_at: float = math.inf
    give_up_after: float = math.inf
    failing_since: float = attrs.field(default=math.inf, init=False)
    _interval: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._interval = self.every

    def after_success(self, now: float, *, changed: bool) -> float | None:
        """Return when the next poll is due after a poll that has succeeded; None if there is no other poll.

        Args:
            now: The time at which the poll has ended.
            changed: Whether it has found anything new.

        Example:
            After a poll at 100.0 s without a change an interval of 10 s becomes 15 s, and so there is a round every
            3 s. With a phase of 0 they are at 99, 102, and so on. The closest round to 115.0 is at 114.0.
        """
        self.failing_since = math.inf
        return self._next_round(now, now, changed)

    def after_failure(self, now: float, error: AgentPlatformError, *, changed: bool = False) -> float | None:
        """Return when the next poll is due after a poll that has failed; None if there is no other poll.

        Args:
            now: The time at which the poll has failed.
            error: Why. If the server asks to wait (Retry-After), the next poll is never sooner.
            changed: Whether it has found anything new before it failed; then it is the first that fails.
        """
        if changed or self.failing_since == math.inf:
            self.failing_since = now
        earliest = now
        if isinstance(error, ProblemError):
            earliest += error.retry_after or 0.0
        return self._next_round(now, earliest, changed)

    def _next_round(self, now: float, earliest: float, changed: bool) -> float | None:
        """Return the round after the interval, which this poll makes longer or short again."""
        last = min(self.last_poll_at, self.failing_since + self.give_up_after)
        if now >= last or earliest > last:
            return None
        interval = GROWTH * self._interval
        if changed:
            interval = self.every
        interval = min(interval, self.max_every or SLOWEST * self.every, LONGEST_INTERVAL)
        self._interval = max(interval, SHORTEST_INTERVAL)
        step = ROUND_SHARE * self._interval
        # The closest round may be early by half a step.
        wanted = max(earliest, now + self._interval - step / 2)
        # The first round from then on.
        round_at = step * (math.ceil(wanted / step - self.phase) + self.phase)
        return max(earliest, min(round_at, last))


def last_round(deadline: float, timeout: float) -> float:
    """Return when the last poll of a wait is due.

    The deadline is rounded down to a multiple of the margin, minus one, so that waits with nearby deadlines share their
    last poll. The margin is 1 s, and less in a wait of less than 20 s.

    Args:
        deadline: When the wait ends.
        timeout: Seconds for the whole wait.

    Example:
        Waits that end at 160.2 s and at 160.7 s have their last poll at 159.0 s.
    """
    margin = max(min(LAST_POLL_SECONDS, LAST_POLL_SHARE * timeout), SHORTEST_INTERVAL)
    return margin * (deadline // margin - 1.0)


def may_recover(error: AgentPlatformError, runtime: Runtime, began: float) -> bool:
    """Return whether another poll may succeed after an error.

    A response that is not from the API, such as a page of HTML, means an outage, or a wrong base URL.

    Args:
        error: Why a poll has failed. Its call was retried before, as the policy says.
        runtime: The parts that the calls of the client share.
        began: When the job began to poll.
    """
    if isinstance(error, DecodeError | PagingError):
        return runtime.has_succeeded or runtime.loop.time() < began + FOREIGN_SECONDS
    return will_pass(error, runtime.configuration.retry)


def will_pass(error: AgentPlatformError, policy: RetryPolicy) -> bool:
    """Return whether an error is about the moment: the API is there, and it can be called again later."""
    return isinstance(error, DeadlineExceededError | PoolTimeoutError) or policy.is_retryable("GET", error)
