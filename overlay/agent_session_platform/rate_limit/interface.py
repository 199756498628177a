"""The gate before every send: closed for all tasks by one 429, and bounding how many requests are under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Awaitable


class Permit(NamedTuple):
    """Leave for one request: in which round of the gate it was given, and when (seconds of the gate's clock)."""

    round: int
    at: float


@dataclass(frozen=True, slots=True)
class RateLimiterStats:
    """What a gate is doing now.

    It is closed for `closed_for` more seconds. `in_flight` requests are under way and may be up to `window`; `waiting`
    calls stand before it. `pace` is in requests a second, None while there is none; `rate_limited` counts the 429s.
    """

    closed_for: float
    in_flight: int
    window: int
    pace: float | None
    waiting: int
    rate_limited: int


@runtime_checkable
class RateLimiter(Protocol):
    """What every request passes: `LocalRateLimiter` for one client, `RedisRateLimiter` for all that use one credential.

    A gate belongs to one client, which opens and closes it.
    """

    def open(self, limit: int, scope: str) -> None:
        """Begin in the running event loop: *limit* requests at a time, *scope* names the base URL and credential."""
        ...

    def enter(self, deadline: float) -> Awaitable[Permit]:
        """Wait for a permit, in order of arrival; raises TimeoutError at *deadline* (loop time), ClientClosedError."""
        ...

    def stream(self) -> None:
        """Tell that the head of an answer is in, whose body is read as long as its reader likes.

        From now on its request counts among the connections, and no longer among those that the server works on.
        """
        ...

    def leave(self, *, streamed: bool = False) -> None:
        """Give a permit back: its request has ended, or (*streamed*) the body of its answer has been read."""
        ...

    def accepted(self, permit: Permit) -> None:
        """Learn from an answer that was no 429."""
        ...

    def limited(self, permit: Permit, seconds: float | None) -> None:
        """Learn from a 429: let nobody through for *seconds*, or, without a hint, for as long as seems right."""
        ...

    def stats(self) -> RateLimiterStats:
        """What the gate is doing now."""
        ...

    def dismiss(self) -> None:
        """Send everybody away with a ClientClosedError, now and from now on."""
        ...

    def aclose(self) -> Awaitable[None]:
        """Let go of what the gate holds; it has been dismissed before."""
        ...
