"""Slots for requests, of which there are as many as connections: no request waits in a pool of httpx.

httpcore may open a connection for a request that waits in its pool and was cancelled a moment before, and then counts
that connection for ever.
"""

from __future__ import annotations

import asyncio
from typing import Any


class Slots:
    """The slots of a transport.

    Args:
        library: The module `httpx` or `httpx2`.
        number: How many there are.
    """

    def __init__(self, library: Any, number: int) -> None:
        self._library = library
        self._free = asyncio.Semaphore(number)

    async def take(self, seconds: float) -> None:
        """Take a slot; raise the library's PoolTimeout if none becomes free in time."""
        if not self._free.locked():
            await self._free.acquire()
            return
        try:
            async with asyncio.timeout(seconds):
                await self._free.acquire()
        except TimeoutError:
            raise self._library.PoolTimeout("") from None

    def give_back(self) -> None:
        """Give a slot back."""
        self._free.release()
