"""The interface of every rate limiter, which decides when a request may be sent, and its statistics.

A call enters the rate limiter once, and its place is kept for all its attempts:

    async with rate_limiter.enter(operation) as place:
        closed_for = await place.permit(60.0)   # before each attempt
        ...                                     # the attempt
        place.accepted()                        # or place.refused(seconds), or place.failed()

The backoff after a 429: `RetryPolicy` says for how long the limit is closed, `pause_after_429` in `local.py` adds
jitter and a minimum, and `adaptive_rate.py` decides how fast the calls go after it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol, TypeAlias, runtime_checkable

import attrs

from .._api import Operation
from ..errors import ConfigurationError
from ..retry import RETRY_QUOTA, RetryQuota
from ..text import type_name

KeyFunction: TypeAlias = Callable[[Operation], str]
"""A function that names the limit of an operation: operations with the same key share a limit."""


@runtime_checkable
class Place(Protocol):
    """The place of one call before the rate limiter. It keeps its place for all its attempts."""

    @property
    def closure_number(self) -> int:
        """The number of the closure in a row, from 1, if this attempt gets a 429. The backoff doubles with each."""
        ...

    def permit(self, longest_closure: float) -> Awaitable[float | None]:
        """Wait until the next attempt may be sent. The client cancels the wait at the deadline, or when it is closed.

        Args:
            longest_closure: How many seconds of a closure the call waits for.

        Returns:
            None if the attempt may be sent; otherwise the seconds of a closure that is longer than the call waits for.
        """
        ...

    def accepted(self) -> None:
        """Report that a response other than 429 came, such as a 200, 401 or 500; a streamed body may be unread."""
        ...

    def refused(self, seconds: float) -> None:
        """Report a 429, which closes the limit of the operation. After the closure comes a random time (jitter).

        Args:
            seconds: For how long to close: Retry-After, or else the backoff of `RetryPolicy` after a 429.
        """
        ...

    def failed(self) -> None:
        """Report that no response will come; leaving the place does the same."""
        ...


@attrs.frozen
class LimitStats:
    """State of the limit of one operation at one moment.

    Attributes:
        closed_for: Seconds until it opens again; 0 when it is open.
        closed_until: When it opens again, in UTC; None when it is open.
        rate: Requests per second that it lets through; None while it does not limit the rate.
        waiting: Calls that wait for a permit.
    """

    closed_for: float = 0.0
    closed_until: datetime | None = None
    rate: float | None = None
    waiting: int = 0


@attrs.frozen
class RateLimiterStats:
    """State of a rate limiter at one moment.

    Attributes:
        closed_for: Seconds until the last closed limit opens again; 0 when all are open.
        closed_until: When that is, in UTC; None when all are open.
        in_flight: Requests whose response has not come yet.
        rate: Requests per second of the slowest limit; None while no limit limits the rate.
        waiting: Calls that wait for a permit.
        rate_limited: How many responses had status 429.
        retry_quota: Tokens left for retries; a retry takes 5, and without tokens there is no retry.
        limits: The limits that are closed, limit the rate or have waiting calls, by their key: the name of an
            operation, such as `organization.sessions.create`.
    """

    closed_for: float = 0.0
    closed_until: datetime | None = None
    in_flight: int = 0
    rate: float | None = None
    waiting: int = 0
    rate_limited: int = 0
    retry_quota: float = RETRY_QUOTA
    limits: Mapping[str, LimitStats] = attrs.field(factory=dict[str, LimitStats])


@runtime_checkable
class RateLimiter(Protocol):
    """Interface of `LocalRateLimiter`, and of `RedisRateLimiter` for several processes; every attempt needs a permit.

    A rate limiter belongs to one client, which opens and closes it.

    Attributes:
        retry_quota: The tokens of retries, one for the client; at first a new `RetryQuota()`.
    """

    retry_quota: RetryQuota

    def open(self, max_connections: int, identity: str) -> None:
        """Begin to work in the running event loop.

        Args:
            max_connections: How many requests may wait for their response at the same time.
            identity: Identifies the base URL and the credential that share limits, without revealing them. It stays
                the same when a function or a file gives another credential.
        """
        ...

    def enter(self, operation: Operation) -> AbstractAsyncContextManager[Place]:
        """Take a place for one call; leaving the context gives the permit of its last attempt back."""
        ...

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Release all resources; no call waits any more."""
        ...


def check_rate_limiter(value: object) -> None:
    """Refuse an object that lacks a member of the `RateLimiter` protocol, and a class instead of an object."""
    if not isinstance(value, RateLimiter):
        wanted = "a LocalRateLimiter, a RedisRateLimiter or an object with all members of RateLimiter"
        raise ConfigurationError(f"rate_limiter must be {wanted}, not {type_name(value)}")
