"""The interface of every rate limiter, which decides when a request may be sent; most programs need not import it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import attrs

from ..errors import ConfigurationError
from ..text import type_name
from .retry_quota import MOST_TOKENS, RetryQuota

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from .permit import Backoff, Permit


@attrs.frozen
class RateLimiterStats:
    """State of a rate limiter at one moment.

    Attributes:
        closed_for: Seconds until it opens again; 0 when it is open.
        in_flight: Requests that are under way and whose callers still wait for them.
        window: How many requests may have been sent within the last moments (about 0.1 s) and have no response yet.
        rate: Requests per second that it lets through; None while it does not limit the rate.
        waiting: Calls that wait for a permit.
        rate_limited: How many responses had status 429.
        retry_quota: Tokens left for retries; a retry takes 5, or 10 after a timeout, and without tokens there is none.
    """

    closed_for: float
    in_flight: int
    window: int
    rate: float | None
    waiting: int
    rate_limited: int
    retry_quota: float = MOST_TOKENS


@runtime_checkable
class RateLimiter(Protocol):
    """Interface of `LocalRateLimiter`, and of `RedisRateLimiter` for several processes; every request needs its permit.

    A rate limiter belongs to one client, which opens and closes it.

    Attributes:
        retry_quota: The tokens of retries; a new `RetryQuota()` unless several processes share it.
    """

    retry_quota: RetryQuota

    def open(self, max_connections: int, key: str) -> None:
        """Begin to work in the running event loop.

        Args:
            max_connections: How many requests may be in flight at the same time.
            key: Name of the base URL and credential whose limit is shared; reveals neither, and stays the same when a
                function or a file gives another credential.
        """
        ...

    def acquire(self, ticket: int, deadline: float) -> Awaitable[Permit]:
        """Wait for permission to send a request.

        Args:
            ticket: Place of the call in the queue: the lower one goes first. A call keeps its ticket for all its
                attempts, so that a refused call does not go to the end of the queue.
            deadline: When to give up, in seconds of the event loop's clock.

        Returns:
            The permit; `release` gives it back.

        Raises:
            TimeoutError: The deadline has passed.
            ClientClosedError: The client was closed.
        """
        ...

    def refused(self, permit: Permit, retry_after: float | None, backoff: Backoff | None = None) -> float:
        """Close after a 429: for *retry_after* seconds, or without Retry-After for as long as *backoff* says.

        It may be the response to an abandoned request.

        Returns:
            Seconds until the rate limiter opens again.
        """
        ...

    def stream_accepted(self, permit: Permit) -> None:
        """Record a successful streamed response, whose request counts as accepted.

        The request keeps its connection but no longer counts towards the window.
        """
        ...

    def abandon(self, permit: Permit) -> None:
        """Give a permit back whose caller is gone while its request goes on; `release` follows when it is over."""
        ...

    def release(
        self, permit: Permit, *, accepted: bool = False, streamed: bool = False, abandoned: bool = False
    ) -> None:
        """Give a permit back when its request is over.

        Args:
            permit: The permit.
            accepted: Whether a response other than 429 came; ignored if *streamed*.
            streamed: Whether `stream_accepted` was called for it.
            abandoned: Whether `abandon` was called for it: then only *accepted* is recorded.
        """
        ...

    def stats(self) -> RateLimiterStats:
        """Return the current state of the rate limiter."""
        ...

    def shut(self) -> None:
        """Raise ClientClosedError in all calls that wait, and in all that come from now on."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Release all resources; `shut` was called before."""
        ...


def check_rate_limiter(value: object) -> None:
    """Refuse what lacks a member of a `RateLimiter`; a class has only those of its instances."""
    members = [name for name in (*RateLimiter.__annotations__, *vars(RateLimiter)) if not name.startswith("_")]
    if missing := [name for name in members if isinstance(value, type) or not hasattr(value, name)]:
        raise ConfigurationError(
            f"rate_limiter must be a LocalRateLimiter or a RedisRateLimiter, not {type_name(value)}, which lacks "
            f"{', '.join(missing)} of the RateLimiter protocol"
        )
