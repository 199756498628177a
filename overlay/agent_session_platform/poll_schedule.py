"""When something is polled again: one decision for waits and followers, made without a clock and without I/O."""

from __future__ import annotations

import math
from typing import Any, Final

import attrs
from attrs.validators import optional

from ._api import Follow, Wait
from .errors import (
    AgentPlatformError,
    DeadlineExceededError,
    DecodeError,
    InvalidArgumentError,
    PagingError,
    PoolTimeoutError,
    ProblemError,
)
from .retry import RetryPolicy
from .runtime import Runtime
from .validators import valid_seconds

# Each poll without a change makes the interval longer, up to this multiple of `every` unless `max_every` is given.
GROWTH: Final = 1.5
SLOWEST: Final = 6.0

# Polls are aligned to a grid, so that waits with equal intervals share them. This share of the interval is the time
# between two of its rounds.
ROUND_SHARE: Final = 0.2
# The same after a wait that the server has asked for, so that not all programs come back at the same moment.
REQUESTED_ROUND_SHARE: Final = 0.05

# Until any call has succeeded, a wait or a follower bears responses that are not from the API for so many seconds.
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
        max_every: Seconds between two polls at most, at least `every`; None means six times `every`.
        phase: Where the rounds lie, from 0 to 1. Schedules with the same phase share rounds; programs that began
            together must not poll together, so each has a phase of its own.
        last: When the last poll is due at the latest, unless the server asks for a later poll.
        deadline: No poll begins after this time.

    Raises:
        InvalidArgumentError: `max_every` is less than `every`.
    """

    every: float
    max_every: float | None
    phase: float
    last: float = math.inf
    deadline: float = math.inf
    _interval: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._interval = self.every
        if self.max_every is not None and self.max_every < self.every:
            raise InvalidArgumentError(f"max_every must be at least every={self.every:g}, not {self.max_every:g}")

    def end_at(self, time: float) -> None:
        """Let no poll begin after a time."""
        self.last = time
        self.deadline = time

    def next(self, now: float, *, changed: bool, requested_wait: float = 0.0) -> float | None:
        """Return when the next poll is due; None if there is no other poll.

        Args:
            now: The time at which a poll has ended.
            changed: Whether this poll has found anything new.
            requested_wait: For how many seconds the server asks to wait. The next poll is never sooner.
        """
        if now >= self.last:
            return None
        if changed:
            self._interval = self.every
        else:
            self._interval = min(GROWTH * self._interval, self.max_every or SLOWEST * self.every)
        step = ROUND_SHARE * self._interval
        # The closest round may be early by half a step.
        due = self._round_from(now + self._interval - step / 2, step)
        earliest = now + requested_wait
        if requested_wait and due < earliest:
            due = self._round_from(earliest, REQUESTED_ROUND_SHARE * requested_wait)
        due = max(earliest, min(due, self.last))
        if due > self.deadline:
            return None
        return due

    def _round_from(self, time: float, step: float) -> float:
        """Return the first round at or after a time."""
        return step * (math.ceil(time / step - self.phase) + self.phase)


def requested_wait(error: AgentPlatformError | None) -> float:
    """Return for how many seconds a failed poll asks to wait; 0 if it asks for no wait."""
    if isinstance(error, ProblemError):
        return error.retry_after or 0.0
    return 0.0


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
