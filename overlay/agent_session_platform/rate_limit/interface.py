"""The interface of every rate limiter, which decides when a request may be sent, and the values that it uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

import attrs

from ..errors import ConfigurationError
from ..retry import MAX_TOKENS, RetryQuota
from ..text import type_name

Backoff: TypeAlias = Callable[[int], float]
"""A function that returns the seconds of a closure without Retry-After, from the number of such closures in a row."""


class Permit(NamedTuple):
    """Permission to send one request; a tuple, because it is made for every request.

    Attributes:
        round: Number of the round in which it was granted; a round ends with the first permit after a 429.
        at: When it was granted, in seconds of the rate limiter's clock.
        number: How many requests of the round were granted before this one.
    """

    round: int
    at: float
    number: int = 0


@attrs.frozen
class RateLimiterStats:
    """State of a rate limiter at one moment.

    Attributes:
        closed_for: Seconds until it opens again; 0 when it is open.
        closed_until: When it opens again, in UTC; None when it is open.
        reason: Why calls wait although connections are free, such as `429 with Retry-After`; None when it is open.
        in_flight: Requests whose response has not come yet.
        rate: Requests per second that it lets through; None while it does not limit the rate.
        waiting: Calls that wait for a permit.
        rate_limited: How many responses had status 429.
        retry_quota: Tokens left for retries; a retry takes 5, and without tokens there is no retry.
    """

    closed_for: float
    closed_until: datetime | None
    reason: str | None
    in_flight: int
    rate: float | None
    waiting: int
    rate_limited: int
    retry_quota: float = MAX_TOKENS


@runtime_checkable
class RateLimiter(Protocol):
    """Interface of `LocalRateLimiter`, and of `RedisRateLimiter` for several processes; every request needs a permit.

    A rate limiter belongs to one client, which opens and closes it.

    Attributes:
        retry_quota: The tokens of retries; at first a new `RetryQuota()`. They are kept here, because a
            `RedisRateLimiter` shares them between processes.
    """

    retry_quota: RetryQuota

    def open(self, max_connections: int, key: str) -> None:
        """Begin to work in the running event loop.

        Args:
            max_connections: How many requests may wait for their response at the same time.
            key: Identifies the base URL and the credential that share a limit, without revealing them. The key stays
                the same when a function or a file gives another credential.
        """
        ...

    def acquire_now(self) -> Permit | None:
        """Return a permit, as in most cases; None if the call must wait for it with `acquire`."""
        ...

    def acquire(self, ticket: int) -> Awaitable[Permit]:
        """Wait for permission to send a request. The client cancels the wait at the deadline, or when it is closed.

        Args:
            ticket: Place of the call in the queue: the call with the lowest ticket goes first. A call keeps its ticket
                for all its attempts, so that a refused call does not go to the end of the queue.

        Returns:
            The permit; `release` gives it back.
        """
        ...

    def refused(self, permit: Permit, retry_after: float | None, backoff: Backoff) -> float:
        """Close after a 429.

        Args:
            permit: The permit of the refused request.
            retry_after: For how many seconds to close; None without Retry-After, when *backoff* decides.
            backoff: Returns the seconds of a closure without Retry-After.

        Returns:
            Seconds until the rate limiter opens again.
        """
        ...

    def release(self, permit: Permit, *, accepted: bool = False) -> None:
        """Give a permit back when its response has come or will not come, or when nothing was sent with it.

        Args:
            permit: The permit.
            accepted: Whether a response other than 429 came; the body of a streamed response may be unread.
        """
        ...

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Release all resources; no call waits any more."""
        ...


def check_rate_limiter(value: object) -> None:
    """Refuse an object that lacks a member of the `RateLimiter` protocol, and a class instead of an object."""
    members = [name for name in (*RateLimiter.__annotations__, *vars(RateLimiter)) if not name.startswith("_")]
    if missing := [name for name in members if isinstance(value, type) or not hasattr(value, name)]:
        raise ConfigurationError(
            f"rate_limiter must be a LocalRateLimiter or a RedisRateLimiter, not {type_name(value)}, which lacks "
            f"{', '.join(missing)} of the RateLimiter protocol"
        )
