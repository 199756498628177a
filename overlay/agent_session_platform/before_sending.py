"""The last step before an attempt is sent: the caller's function, such as one that keeps a journal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rate_limit.interface import RateLimiter
    from .rate_limit.permit import Permit


async def before_sending(on_send: Callable[[], Awaitable[None]], rate_limiter: RateLimiter, permit: Permit) -> None:
    """Call the function; if it fails, the permit is given back as if it had not been asked for."""
    try:
        await on_send()
    except BaseException:
        rate_limiter.abandon(permit)
        rate_limiter.release(permit, abandoned=True)
        raise
