"""When to try again, and after how long: a pure decision; waiting is the sender's job."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Self

from .errors import (
    AgentPlatformError,
    ConnectionFailedError,
    InvalidArgumentError,
    ProblemError,
    RateLimitedError,
    ServerError,
)
from .jitter import lengthen

if TYPE_CHECKING:
    from ._api import Operation

# RFC 9110, section 9.2.2; the API shows no idempotency key for the others.
IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"})

# Beyond that a float overflows; no backoff is capped later.
DOUBLINGS = 60


@dataclass(frozen=True, slots=True)
class RetryEvent:
    """What `RetryPolicy.on_retry` is told: try number *attempt* failed with *error*, the next is in *delay* seconds."""

    operation: Operation
    attempt: int
    error: AgentPlatformError
    delay: float


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long a call is tried; all times are in seconds.

    `attempts` counts the first try. `deadline` spans all tries and sleeps of a call. Without a Retry-After the wait is
    random up to `backoff_base` doubled with each try, at most `backoff_cap`. A Retry-After beyond `max_retry_after` is
    not slept through. `on_retry` is called before each wait. Raises InvalidArgumentError for a value that cannot be
    meant.
    """

    attempts: int = 5
    deadline: float = 300.0
    backoff_base: float = 0.5
    backoff_cap: float = 8.0
    max_retry_after: float = 60.0
    on_retry: Callable[[RetryEvent], None] | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.attempts, int) and self.attempts >= 1):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"attempts must be at least 1 (it counts the first try), not {self.attempts!r}")
        if not (is_number(self.deadline) and self.deadline > 0):
            raise InvalidArgumentError(f"deadline must be a positive number of seconds, not {self.deadline!r}")
        for name in ("backoff_base", "backoff_cap", "max_retry_after"):
            value = getattr(self, name)
            if not (is_number(value) and value >= 0):
                raise InvalidArgumentError(f"{name} must be a number of seconds, not {value!r}")
        if iscoroutinefunction(self.on_retry):
            raise InvalidArgumentError("on_retry must be a plain function: it is called, and not awaited")

    @classmethod
    def none(cls) -> Self:
        """A policy that never tries again."""
        return cls(attempts=1)

    def with_attempts(self, attempts: int) -> Self:
        """The same policy with another number of tries."""
        return replace(self, attempts=attempts)

    def delay(
        self,
        method: str,
        error: AgentPlatformError,
        attempt: int,
        remaining: float,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> float | None:
        """Decide whether to try again after try number *attempt* failed with *error*: the seconds to wait, or None.

        *remaining* is what is left of the deadline: a wait that does not fit into it is not begun.
        """
        if attempt >= self.attempts or not is_retryable(method, error):
            return None
        hint = error.retry_after if isinstance(error, ProblemError) else None
        if hint is None:
            seconds = uniform(0.0, min(self.backoff_cap, self.backoff_base * 2.0 ** min(attempt - 1, DOUBLINGS)))
        elif hint > self.max_retry_after:
            # A longer wait belongs to the caller's scheduler, not to a hidden sleep.
            return None
        else:
            seconds = lengthen(hint, uniform)
        return seconds if seconds < remaining else None


def is_number(value: object) -> bool:
    """Whether *value* is a number of seconds at all."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def gave_up_because(policy: RetryPolicy, method: str, error: AgentPlatformError, attempt: int) -> str | None:
    """Say why an error that is worth another try gets none; None for an error that is not worth one."""
    if not is_retryable(method, error):
        return None
    hint = error.retry_after if isinstance(error, ProblemError) else None
    if attempt >= policy.attempts:
        return f"given up after {attempt} {'try' if attempt == 1 else 'tries'}"
    if hint is not None and hint > policy.max_retry_after:
        return f"not waited for: Retry-After is {hint:g} s, more than max_retry_after={policy.max_retry_after:g}"
    return f"given up after {attempt} {'try' if attempt == 1 else 'tries'}: the next would be behind the deadline"


def is_retryable(method: str, error: AgentPlatformError) -> bool:
    """Whether trying again may help and cannot carry out a write twice.

    After a 429, or without a connection, nothing was carried out. After a 5xx or a broken exchange only a method that
    may be repeated is tried again.
    """
    if isinstance(error, RateLimitedError):
        return True
    if isinstance(error, ConnectionFailedError):
        return method in IDEMPOTENT or not error.received
    return isinstance(error, ServerError) and method in IDEMPOTENT
