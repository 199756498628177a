"""Retries: the one decision after an attempt, and the quota that limits retries.

`RetryPolicy.decide` is the table of what follows an attempt: after a 401, a 429, a 5xx, a Retry-After or a broken
connection. `doubt_after` decides whether it is in doubt that a write was carried out. Nothing waits here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import datetime
from typing import Self, TypeAlias

import attrs

from ._api import Operation
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    ConfigurationError,
    ConnectionFailedError,
    CredentialMismatchError,
    InvalidArgumentError,
    PoolTimeoutError,
    ProblemError,
    RateLimitedError,
)
from .validators import valid_callback, valid_instance, valid_seconds, valid_whole_number

# How many tokens a client has for retries: enough for 100 retries while nothing succeeds.
RETRY_QUOTA = 500.0

# A success gives back at least this many tokens.
TOKENS_PER_SUCCESS = 1.0

# How many tokens a retry takes, the same as in botocore.
RETRY_TOKENS = 5.0

# The methods that change nothing (RFC 9110, section 9.2.1), and the idempotent methods (section 9.2.2), which may be
# sent again. The API shows no idempotency key for the other methods.
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
IDEMPOTENT_METHODS = SAFE_METHODS | {"PUT", "DELETE"}

# Random time on top of a Retry-After: up to 5 % of the wait, or up to 0.05 s if this is more. Calls that were refused
# at the same time must not come back at the same time.
JITTER_SHARE = 0.05
MIN_JITTER_SECONDS = 0.05

# Tolerance when a wait is compared with a limit.
ROUNDING_SECONDS = 0.001

# The greatest number of doublings: more of them would overflow a float. Every `backoff_cap` is reached earlier.
MAX_DOUBLINGS = 60


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


@attrs.frozen
class FailedAttempt:
    """An attempt of a call that failed.

    Attributes:
        error: Why it failed. One that is not of the SDK comes from a function or a file of the caller, or from an
            application behind the transport.
        sent_at: When the server may have received the first byte of the request; None if nothing was sent.
        closed_for: For how many seconds a 429 has closed the limit of the operation; None without a 429.
    """

    error: Exception
    sent_at: datetime | None = None
    closed_for: float | None = None

    @property
    def may_have_been_carried_out(self) -> bool:
        """Whether the server may have carried out what was sent."""
        return self.sent_at is not None and not is_refusal(self.error)


@attrs.frozen
class History:
    """The state of a call when an attempt failed.

    Attributes:
        attempts: How many attempts there were, the one that failed included.
        time_left: Seconds until the deadline; a wait that does not fit is not begun.
        quota_left: How many tokens of the client's retry quota are left.
        may_renew: Whether another credential may help after a 401: there may be one, and none was tried yet.
        repeatable: Whether the body can be sent again.
    """

    attempts: int = 1
    time_left: float = math.inf
    quota_left: float = math.inf
    may_renew: bool = False
    repeatable: bool = True


@attrs.frozen
class Again:
    """The call is attempted again.

    Attributes:
        delay: Seconds until the next attempt.
        cost: How many tokens of the retry quota it takes.
    """

    delay: float = 0.0
    cost: float = 0.0


@attrs.frozen
class Renew:
    """The call is attempted again at once with another credential; if there is none, the failure is final."""


@attrs.frozen
class Fail:
    """The failure is final.

    Attributes:
        reason: Why a failure that may pass is not retried; None for any other failure.
    """

    reason: str | None = None


# What follows an attempt that failed.
Decision: TypeAlias = Again | Renew | Fail


def is_refusal(error: Exception) -> bool:
    """Return whether an error proves that nothing was carried out.

    A status from 400 to 499 says that the server refused the request. A ConnectionFailedError knows whether the server
    may have received it.
    """
    if isinstance(error, ProblemError):
        return error.status < 500
    if isinstance(error, ConnectionFailedError):
        return not error.may_have_arrived
    if isinstance(error, ConfigurationError):
        # The client that was passed is closed, for example. An SDK client may be closed during the attempt.
        return not isinstance(error, ClientClosedError)
    return isinstance(error, PoolTimeoutError | InvalidArgumentError | CredentialMismatchError)


def doubt_after(method: str, failed: FailedAttempt, before: datetime | None) -> datetime | None:
    """Return when the write was sent that may have been carried out; None if there is no such write.

    A later attempt that was refused says nothing about an earlier one, whose response was lost.

    Args:
        method: HTTP method of the call.
        failed: The attempt that failed.
        before: The doubt before this attempt.
    """
    if method in SAFE_METHODS:
        return None
    if failed.may_have_been_carried_out:
        return failed.sent_at
    return before


@attrs.frozen
class RetryPolicy:
    """Policy for retrying a call: how often, and for how long.

    Attributes:
        attempts: How many attempts a call has, the first one included; at least 1. After a 401 a call is sent once more
            with another credential, if there is one, whatever this number says; the refused attempt counts.
        deadline: Seconds that all attempts and waits of a call may take; more than 0.
        backoff_base: Upper bound in seconds of the first wait without Retry-After; at least 0. The wait is random, and
            its bound doubles with each attempt.
        backoff_cap: Largest value of that bound in seconds; at least 0.
        max_retry_after: Longest Retry-After in seconds that a call waits for; at least 0. A longer Retry-After raises
            the error at once.
        on_retry: Called with a RetryEvent before each wait; a plain function. What it raises is logged once.

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

    @classmethod
    def none(cls) -> Self:
        """Return a policy with a single attempt."""
        return cls(attempts=1)

    def with_attempts(self, attempts: int) -> Self:
        """Return the same policy with another number of attempts."""
        return attrs.evolve(self, attempts=attempts)

    def backoff(self, attempt: int) -> float:
        """Return the seconds to wait after any failure but a 429: exponential backoff with full jitter.

        A positive Retry-After is used instead. For the backoff after a 429, see `backoff_after_429`.

        Args:
            attempt: Number of the failed attempt, from 1.
        """
        return random.uniform(0.0, self._bound(attempt))

    def backoff_after_429(self, retry_after: float | None, closure_number: int) -> float:
        """Return for how many seconds a 429 closes the limit of its operation; the rate limiter adds jitter.

        A Retry-After of 0 names no wait, so it counts as none: otherwise all attempts would be over in a moment.

        Args:
            retry_after: What the server asks for; None if it asks for nothing.
            closure_number: How many closures there were in a row, this one included.
        """
        if retry_after:
            return retry_after
        bound = self._bound(closure_number)
        return random.uniform(bound / 2, bound)

    def decide(self, method: str, failed: FailedAttempt, history: History) -> Decision:
        """Decide what follows an attempt that failed.

        Args:
            method: HTTP method of the call.
            failed: The attempt.
            history: The state of the call.
        """
        error = failed.error
        if isinstance(error, AuthenticationError) and history.may_renew and history.repeatable:
            # Whatever the method is: a 401 means that nothing was carried out.
            return Renew()
        if not self.is_retryable(method, error):
            return Fail()
        retry_after = 0.0
        if isinstance(error, ProblemError) and error.retry_after is not None:
            retry_after = error.retry_after
        if is_too_long(retry_after, self.max_retry_after):
            limit = f"more than max_retry_after={self.max_retry_after:g}"
            return Fail(f"not waited for: Retry-After is {retry_after:g} s, {limit}")
        match history.attempts:
            case 0:
                given_up = "given up before the first attempt"
            case 1:
                given_up = "given up after 1 attempt"
            case number:
                given_up = f"given up after {number} attempts"
        if history.attempts >= self.attempts or not history.repeatable:
            return Fail(given_up)
        cost = RETRY_TOKENS
        if isinstance(error, RateLimitedError):
            # The server is alive, and the rate limiter decides when the call goes.
            cost = 0.0
        if failed.closed_for is not None:
            delay = failed.closed_for
        elif retry_after:
            delay = retry_after + jitter_of(retry_after)
        else:
            delay = self.backoff(history.attempts)
        if delay >= history.time_left:
            return Fail(f"{given_up}: the deadline comes before the next one")
        if cost > history.quota_left:
            return Fail(f"{given_up}: too many calls of this client fail, so its retry quota is used up")
        return Again(delay, cost)

    def is_retryable(self, method: str, error: Exception) -> bool:
        """Return whether another attempt may help and cannot carry out a write twice.

        After a 429, or if there was no connection, nothing was carried out. But a retry does not help if a certificate
        was refused, or if a proxy asks for a password. After any other failure only an idempotent method is sent again.
        """
        if isinstance(error, RateLimitedError):
            return True
        if isinstance(error, ConnectionFailedError):
            return not error.final and (method in IDEMPOTENT_METHODS or not error.may_have_arrived)
        return isinstance(error, ProblemError) and error.status >= 500 and method in IDEMPOTENT_METHODS

    def _bound(self, attempt: int) -> float:
        return min(self.backoff_cap, self.backoff_base * 2.0 ** min(attempt - 1, MAX_DOUBLINGS))


# The validator of a setting that is a policy.
valid_retry_policy = valid_instance(RetryPolicy, "a RetryPolicy such as RetryPolicy(attempts=3)")


def is_too_long(seconds: float, longest: float) -> bool:
    """Return whether a server asks for more than a call waits for; a rounding error does not count."""
    return seconds > longest + ROUNDING_SECONDS


def jitter_of(seconds: float) -> float:
    """Return the random seconds that are waited after a wait that a server has asked for."""
    return random.uniform(0.0, max(MIN_JITTER_SECONDS, JITTER_SHARE * seconds))


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
        return RETRY_QUOTA - self.used

    def take(self, tokens: float) -> None:
        """Take the tokens of a retry."""
        self.used = min(self.used + tokens, RETRY_QUOTA)

    def give_back(self, tokens: float) -> None:
        """Give back the tokens that the retries of a call took, at least TOKENS_PER_SUCCESS, after a success."""
        self.used = max(0.0, self.used - max(tokens, TOKENS_PER_SUCCESS))
