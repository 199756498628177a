"""Calls before a rate limiter, as tests make them."""

from __future__ import annotations

import asyncio
from typing import Any

from agent_session_platform import LocalRateLimiter, Operation, Place, RateLimiter, RetryPolicy

from tests.fixtures import make_operation

LIST = make_operation(id="list_things", path="/v3/things")
OTHER = make_operation(id="list_others", path="/v3/others")
PATIENCE = 60.0


def opened(max_connections: int, **settings: Any) -> LocalRateLimiter:
    limiter = LocalRateLimiter(**settings)
    limiter.open(max_connections, "identity")
    return limiter


def now() -> float:
    return asyncio.get_running_loop().time()


class Call:
    """One call before a rate limiter."""

    def __init__(self, limiter: RateLimiter, operation: Operation = LIST, patience: float = PATIENCE) -> None:
        self._context = limiter.enter(operation)
        self._patience = patience
        self.place: Place

    async def permitted(self, seconds: float = 10.0) -> Call:
        """Wait for a permit; a TimeoutError if it takes longer."""
        self.place = await self._context.__aenter__()
        try:
            await self.again(seconds)
        except BaseException:
            await self.end(accepted=False)
            raise
        return self

    async def again(self, seconds: float = 10.0) -> float | None:
        async with asyncio.timeout(seconds):
            return await self.place.permit(self._patience)

    def refused(self, retry_after: float | None = None) -> float:
        """Report a 429, and return for how long it closes the limit."""
        seconds = RetryPolicy().backoff_after_429(retry_after, self.place.closure_number)
        self.place.refused(seconds)
        return seconds

    async def end(self, *, accepted: bool = True) -> None:
        if accepted:
            self.place.accepted()
        await self._context.__aexit__(None, None, None)


async def permitted(limiter: RateLimiter, operation: Operation = LIST, seconds: float = 10.0) -> Call:
    """Let a call wait for its permit."""
    return await Call(limiter, operation).permitted(seconds)


async def refuse(limiter: RateLimiter, retry_after: float, operation: Operation = LIST) -> None:
    """Send a request that gets a 429, and end the call."""
    call = await permitted(limiter, operation)
    call.refused(retry_after)
    await call.end(accepted=False)


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)
