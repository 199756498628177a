"""A store that is open for as long as anyone uses it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from agent_session_platform import InvalidArgumentError
from agent_session_platform.text import format_value, type_name

from .item import BatchStore
from .sqlite_store import SQLiteStore

if TYPE_CHECKING:
    from .item import BatchItem, State


class SharedStore:
    """An async context manager around a store: the first user opens it, and the last one closes it.

    Args:
        store: The store.
        target: Where the objects of its rows are created; None if that is not known, and not compared.
    """

    def __init__(self, store: BatchStore, target: str | None = None) -> None:
        self._store = store
        self._target = target
        self._users = 0
        self._is_open = False
        self._lock = asyncio.Lock()
        # The event loop alone would not keep them alive.
        self._leaving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> BatchStore:
        async with self._lock:
            if not self._is_open:
                await self._open()
                self._is_open = True
            self._users += 1
        return self._store

    async def _open(self) -> None:
        await self._store.open()
        if self._target is None:
            return
        try:
            bound = await self._store.bind(self._target)
            if bound != self._target:
                raise InvalidArgumentError(
                    f"the store belongs to {bound}, and this batch creates with {self._target}: use another store, or "
                    "the server, the organization and the method of the earlier runs"
                )
        except BaseException:
            await self._store.close()
            raise

    async def __aexit__(self, *_: object) -> None:
        # Counted before anything is awaited: a user that is cancelled here has left, too.
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


def shared_store(store: str | os.PathLike[str] | BatchStore, target: str | None) -> SharedStore:
    """Return the store of a batch.

    Args:
        store: A store, or the path of one in a file.
        target: Where the objects of its rows are created; None if that is not known.

    Raises:
        InvalidArgumentError: It is neither.
    """
    if isinstance(store, BatchStore):
        return SharedStore(store, target)
    if not isinstance(store, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise InvalidArgumentError(f"store must be the path of a file or a BatchStore, not {type_name(store)}")
    return SharedStore(SQLiteStore(store), target)


def check_state(item: BatchItem, states: tuple[State, ...], what: str, *, is_running: bool) -> None:
    """Refuse a row in another state, and one that a run may be sending.

    Raises:
        InvalidArgumentError: It is such a row.
    """
    if item.state not in states or (is_running and item.state in ("planned", "sending")):
        wanted = " or ".join(states)
        raise InvalidArgumentError(f"row {item.key!r} is {item.state}; only one that is {wanted} can be {what}")


async def row_of(store: BatchStore, key: str | int) -> BatchItem:
    """Return a row.

    Raises:
        InvalidArgumentError: No row has this key.
    """
    found = await store.read(str(key))
    if found is None:
        raise InvalidArgumentError(
            f"the store has no row with the key {format_value(key)}; batch.items() iterates over all that it has"
        )
    return found
