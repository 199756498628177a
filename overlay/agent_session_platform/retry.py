"""Retries: the policy that decides, the quota that limits them, and the retries of one call. Nothing waits here."""

from __future__ import annotations

import logging
import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import attrs

from ._api import Operation
from .errors import (
    AgentPlatformError,
    ConnectionFailedError,
    InvalidArgumentError,
    ProblemError,
    RateLimitedError,
    ServerError,
)
from .text import format_value
from .validators import valid_callback, valid_instance, valid_seconds, valid_whole_number

# How many tokens the retry quota has: enough for 100 retries while nothing succeeds.
MAX_TOKENS = 500.0

# How many tokens a success without a retry gives back.
TOKENS_PER_SUCCESS = 1.0

# How many tokens a retry takes, the same as in botocore.
RETRY_TOKENS = 5.0

# The idempotent methods (RFC 9110, section 9.2.2). The API shows no idempotency key for the other methods.
IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"})

# Random time on top of a Retry-After: up to 5 % of the wait, or up to 0.05 s if this is more. Calls that were refused
# at the same time must not come back at the same time.
JITTER_SHARE = 0.05
MIN_JITTER_SECONDS = 0.05

# The greatest number of doublings: more of them would overflow a float. Every `backoff_cap` is reached earlier.
MAX_DOUBLINGS = 60

logger = logging.getLogger("agent_session_platform")


@attrs.frozen
class RetryEvent:
    """One retry, as `RetryPolicy.on_retry` gets it.

    Attributes:
        operation: The operation of the call.
        attempt: Number of the attempt that failed, from 1.
        error: The error of that attempt.
        delay: Seconds until the next attempt.
    """

    operation: Operation
    attempt: int
    error: AgentPlatformError
    delay: float


class Decision(NamedTuple):
    """Retry decision after a failed attempt.

    Attributes:
        delay: Seconds until the next attempt; None when the failure is final.
        reason: Why a retryable failure is not retried; None for any other failure.
        cost: How much of the retry quota the next attempt takes.
    """

    delay: float | None = None
    reason: str | None = None
    cost: float = 0.0


def parse_statuses(value: Any) -> frozenset[int]:
    """Return HTTP statuses of errors as a set; refuse anything else."""
    statuses: tuple[Any, ...] | None = tuple(value) if hasattr(value, "__iter__") else None
    if statuses is None or not all(isinstance(status, int) and 400 <= status <= 599 for status in statuses):
        wanted = "statuses must be a set of HTTP statuses from 400 to 599, such as {425}"
        raise InvalidArgumentError(f"{wanted}, not {format_value(value)}")
    return frozenset(statuses)


@attrs.frozen
class RetryPolicy:
    """Policy for retrying a call: how often, and for how long.

    Attributes:
        attempts: How many attempts a call has, the first one included; at least 1.
        deadline: Seconds that all attempts and waits of a call may take; more than 0.
        backoff_base: Upper bound in seconds of the first wait without Retry-After; at least 0. The wait is random, and
            its bound doubles with each attempt.
        backoff_cap: Largest value of that bound in seconds; at least 0.
        max_retry_after: Longest Retry-After in seconds that a call waits for; at least 0. A longer Retry-After raises
            the error at once.
        on_retry: Called with a RetryEvent before each wait; a plain function.
        statuses: Further statuses, from 400 to 599, after which a call of an idempotent method is sent again, such as
            {425}.

    Raises:
        InvalidArgumentError: A value is out of range or of the wrong type.

    Example:
        AgentPlatform(retry=RetryPolicy(attempts=3, deadline=60))
    """

    attempts: int = attrs.field(default=5, validator=valid_whole_number(1))
    deadline: float = attrs.field(default=300.0, validator=valid_seconds(positive=True))
    backoff_base: float = attrs.field(default=0.5, validator=valid_seconds(positive=False, finite=True))
    backoff_cap: float = attrs.field(default=8.0, validator=valid_seconds(positive=False, finite=True))
    max_retry_after: float = attrs.field(default=60.0, validator=valid_seconds(positive=False))
    on_retry: Callable[[RetryEvent], None] | None = attrs.field(default=None, validator=valid_callback)
    statuses: frozenset[int] = attrs.field(default=frozenset[int](), converter=parse_statuses)

    @classmethod
    def none(cls) -> Self:
        """Return a policy with a single attempt."""
        return cls(attempts=1)

    def with_attempts(self, attempts: int) -> Self:
        """Return the same policy with another number of attempts."""
        return attrs.evolve(self, attempts=attempts)

    def waits_for(self, retry_after: float | None) -> bool:
        """Return whether a call waits for a Retry-After in seconds; True for None (no Retry-After)."""
        return retry_after is None or retry_after <= self.max_retry_after

    def backoff(self, attempt: int) -> float:
        """Return the seconds to wait without Retry-After: exponential backoff with full jitter.

        Args:
            attempt: Number of the failed attempt, from 1.
        """
        return random.uniform(0.0, self._bound(attempt))

    def backoff_after_429(self, attempt: int) -> float:
        """Return the seconds to wait after a 429 without Retry-After: at least half of the bound of `backoff`.

        Args:
            attempt: How many such waits there were in a row, this wait included.
        """
        return random.uniform(self._bound(attempt) / 2, self._bound(attempt))

    def decide(
        self,
        method: str,
        error: Exception,
        attempt: int,
        time_left: float,
        closed_for: float | None = None,
        *,
        quota_left: float = math.inf,
    ) -> Decision:
        """Decide whether a call is attempted again.

        Args:
            method: HTTP method of the call.
            error: The error of the attempt.
            attempt: Number of that attempt, from 1.
            time_left: Seconds until the deadline of the call; a wait that does not fit is not begun.
            closed_for: For how many seconds the failure has closed the rate limiter; None if it has not.
            quota_left: How much of the retry quota of the client is left.

        Returns:
            The decision; its `delay` is None when the failure is final.
        """
        if not self.is_retryable(method, error):
            return Decision()
        retry_after = error.retry_after if isinstance(error, ProblemError) else None
        given_up = f"given up after {attempt} attempt{'' if attempt == 1 else 's'}"
        if attempt >= self.attempts:
            return Decision(reason=given_up)
        if not self.waits_for(retry_after):
            # A longer wait belongs to the caller's scheduler, not to a hidden sleep.
            limit = f"more than max_retry_after={self.max_retry_after:g}"
            return Decision(reason=f"not waited for: Retry-After is {retry_after:g} s, {limit}")
        if closed_for is not None:
            delay = closed_for
        elif retry_after:
            delay = add_jitter(retry_after)
        else:
            delay = self.backoff(attempt)
        if delay >= time_left:
            return Decision(reason=f"{given_up}: the deadline comes before the next one")
        # After a 429 the server is alive, and the rate limiter decides when the call goes.
        needed = 0.0 if isinstance(error, RateLimitedError) else RETRY_TOKENS
        if needed > quota_left:
            return Decision(reason=f"{given_up}: too many calls of this client fail, so its retry quota is used up")
        return Decision(delay, cost=needed)

    def _bound(self, attempt: int) -> float:
        return min(self.backoff_cap, self.backoff_base * 2.0 ** min(attempt - 1, MAX_DOUBLINGS))

    def is_retryable(self, method: str, error: Exception) -> bool:
        """Return whether another attempt may help and cannot carry out a write twice.

        After a 429, or if there was no connection, nothing was carried out. But a retry does not help if a certificate
        was refused, or if a proxy asks for a password. After any other failure only an idempotent method is sent again.
        """
        if isinstance(error, RateLimitedError):
            return True
        if isinstance(error, ConnectionFailedError):
            return not error.final and (method in IDEMPOTENT or not error.may_have_arrived)
        is_of_status = isinstance(error, ServerError) or (
            isinstance(error, ProblemError) and error.status in self.statuses
        )
        return is_of_status and method in IDEMPOTENT


# The validator of a setting that is a policy.
valid_retry_policy = valid_instance(RetryPolicy, "a RetryPolicy such as RetryPolicy(attempts=3)")


def add_jitter(retry_after: float) -> float:
    """Return the seconds to wait for a Retry-After: what it asks for, and a little more at random."""
    return retry_after + random.uniform(0.0, max(MIN_JITTER_SECONDS, JITTER_SHARE * retry_after))


@attrs.define(eq=False)
class RetryQuota:
    """A bucket of tokens for retries, as in botocore's standard mode: a server that is down gets few retries.

    Attributes:
        used: How many tokens are taken; most of the time 0.
    """

    used: float = 0.0

    @property
    def left(self) -> float:
        """Number of tokens that are left."""
        return MAX_TOKENS - self.used

    def take(self, tokens: float) -> None:
        """Take the tokens of a retry; give tokens back if the number is negative."""
        self.used = min(max(0.0, self.used + tokens), MAX_TOKENS)

    def give_back(self, tokens: float) -> None:
        """Give tokens back after a success: those that the retries took, or TOKENS_PER_SUCCESS without a retry."""
        self.take(-(tokens or TOKENS_PER_SUCCESS))


class Retries:
    """The retries of one call or download, and the tokens of the retry quota that they have taken.

    Args:
        policy: How many attempts there may be, and for how long.
        operation: The operation that is called.
        quota: The retry quota of the client.

    Attributes:
        policy: The policy.
        taken: How many tokens of the quota these retries have taken.
    """

    def __init__(self, policy: RetryPolicy, operation: Operation, quota: RetryQuota) -> None:
        self.policy = policy
        self.taken = 0.0
        self._operation = operation
        self._quota = quota

    def next_delay(
        self, error: Exception, attempt: int, time_left: float, closed_for: float | None = None
    ) -> float | None:
        """Decide by the policy whether there is another attempt, and report it to the log and to `on_retry`.

        Args:
            error: The error of the attempt.
            attempt: Number of that attempt, from 1.
            time_left: Seconds until the deadline.
            closed_for: See `RetryPolicy.decide`.

        Returns:
            Seconds until the next attempt; None if the failure is final. Then the message of its error says why.
        """
        if not isinstance(error, AgentPlatformError):
            # It comes from an application behind the transport.
            return None
        method, left = self._operation.method, self._quota.left
        decision = self.policy.decide(method, error, attempt, time_left, closed_for, quota_left=left)
        if decision.delay is None:
            if decision.reason is not None:
                error.remark(decision.reason)
            return None
        self._quota.take(decision.cost)
        self.taken += decision.cost
        logger.info("%s; waiting %.2f s before attempt %d", error, decision.delay, attempt + 1)
        if self.policy.on_retry is not None:
            self.policy.on_retry(RetryEvent(self._operation, attempt, error, decision.delay))
        return decision.delay

    def give_back(self) -> None:
        """Give tokens back after a success."""
        self._quota.give_back(self.taken)
