"""A store that is open for as long as anyone uses it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ...errors import InvalidArgumentError
from ...text import format_value

if TYPE_CHECKING:
    from .item import BatchItem, BatchStore


class SharedStore:
    """An async context manager around a store: the first user opens it, and the last one closes it.

    Args:
        store: The store.
    """

    def __init__(self, store: BatchStore) -> None:
        self._store = store
        self._users = 0
        self._is_open = False
        self._lock = asyncio.Lock()
        # The event loop alone would not keep them alive.
        self._leaving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> BatchStore:
        async with self._lock:
            if not self._is_open:
                await self._store.open()
                self._is_open = True
            self._users += 1
        return self._store

    async def __aexit__(self, *_: object) -> None:
        # Counted before anything is awaited: whoever is cancelled here has left all the same.
        self._users -= 1
        leaving = asyncio.get_running_loop().create_task(self._leave())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)
        await asyncio.shield(leaving)

    async def _leave(self) -> None:
        async with self._lock:
            if self._users == 0 and self._is_open:
                self._is_open = False
                await self._store.close()


async def row_of(store: BatchStore, key: str | int) -> BatchItem:
    """Return a row.

    Raises:
        InvalidArgumentError: There is none with this key.
    """
    found = await store.read(str(key))
    if found is None:
        raise InvalidArgumentError(f"the store has no row {format_value(key)}")
    return found
