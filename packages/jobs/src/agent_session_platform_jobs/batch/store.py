"""The store of a batch: a SQLite file, used from one worker thread."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from agent_session_platform import InvalidArgumentError
from agent_session_platform.files import NEW, irregular_kind, open_regular
from agent_session_platform.text import format_value, truncate, type_name

from ..worker_thread import WorkerThread
from .item import BatchItem, BatchStore, BatchStoreError, IdTakenError, State

if TYPE_CHECKING:
    from .item import BatchItem, State

T = TypeVar("T")

# "ASPB", so that the file of another program is not taken for a store.
APPLICATION: Final = 0x41535042
VERSION: Final = 2

# Rows that are read at once, so that a store of millions needs no memory for them.
CHUNK: Final = 500

COLUMNS: Final = ("key", "state", "id", "result", "reason", "error", "attempts", "digest", "delivered")
SELECT: Final = f"SELECT {', '.join(COLUMNS)} FROM rows"
# Not INSERT OR REPLACE: it would remove another row that has the same id.
WRITE: Final = f"""
INSERT INTO rows ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
ON CONFLICT (key) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS[1:])}
"""
SCHEMA: Final = f"""
BEGIN;
CREATE TABLE rows (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, id TEXT, result TEXT, reason TEXT, error TEXT,
    attempts INTEGER NOT NULL, digest TEXT NOT NULL, delivered INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX rows_by_state ON rows (state, key);
CREATE UNIQUE INDEX rows_by_id ON rows (id) WHERE id IS NOT NULL;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""

REASONS: Final = {
    sqlite3.SQLITE_BUSY: "another batch uses it; wait until that one has ended, or name another file",
    sqlite3.SQLITE_FULL: "the disk is full; make room and run again",
    sqlite3.SQLITE_READONLY: "it is read-only; allow writing, or name another file",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that its folder exists and may be written to",
    sqlite3.SQLITE_NOTADB: "it is not a store of a batch; name another file",
}


class SQLiteStore:
    """A store in a SQLite file that only its owner may read.

    SQLite works in a thread of its own, so that the event loop goes on while the disk is written to. The file is locked
    while it is open; the lock of a process that is killed ends with it.

    Args:
        path: The file; it is made where there is none.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # Absolute: ":memory:" is a file too, and another directory later on is not that of the file.
        self.path: Final = os.path.abspath(path)
        self._thread: WorkerThread | None = None
        self._connection: sqlite3.Connection | None = None
        # Device and inode of the open file.
        self._identity = (0, 0)

    async def open(self) -> None:
        """Open and lock the file, and forget which rows were taken.

        Raises:
            BatchStoreError: It is in use, of another version or no store, or cannot be written to.
        """
        self._thread = WorkerThread(self._close)
        try:
            await self._call(self._open)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the file, which unlocks it."""
        thread, self._thread = self._thread, None
        if thread is not None:
            await thread.close()

    async def bind(self, target: str) -> str:
        """Keep what the store belongs to, if nothing is kept yet.

        Args:
            target: What it is to belong to.

        Returns:
            What it belongs to.
        """
        return await self._call(lambda: self._bind(target))

    async def take(self, key: str) -> bool:
        """Note that a run has come to a row; False if it did so before."""
        return await self._run("INSERT OR IGNORE INTO taken VALUES (?)", key) == 1

    async def read(self, key: str) -> BatchItem | None:
        """Return a row; None if there is none."""
        found = await self._select(f"{SELECT} WHERE key = ?", key)
        return found[0] if found else None

    async def write(self, item: BatchItem) -> None:
        """Keep a row, on the disk.

        Raises:
            IdTakenError: Another row has its id.
        """
        fields = {name: getattr(item, name) for name in COLUMNS}
        fields["result"] = None if item.result is None else json.dumps(item.result)
        try:
            await self._run(WRITE, *fields.values())
        except BatchStoreError as error:
            owner = await self._select(f"{SELECT} WHERE id = ? AND key <> ?", item.id, item.key)
            if not owner:
                raise
            raise IdTakenError(str(item.id), owner[0].key) from error

    async def deliver(self, key: str) -> None:
        """Note that a row was delivered."""
        await self._run("UPDATE rows SET delivered = 1 WHERE key = ?", key)

    async def remove(self, key: str) -> None:
        """Forget a row."""
        await self._run("DELETE FROM rows WHERE key = ?", key)

    async def items(self, *states: State) -> AsyncIterator[BatchItem]:
        """Iterate over the rows in any of these states, in the order of their keys; without states over all."""
        last = ""
        among = f"AND state IN ({', '.join('?' * len(states))})" if states else ""
        query = f"{SELECT} WHERE key > ? {among} ORDER BY key LIMIT {CHUNK}"
        while found := await self._select(query, last, *states):
            for item in found:
                yield item
            last = found[-1].key

    async def _run(self, statement: str, *values: Any) -> int:
        return await self._call(lambda: self._change(statement, values))

    async def _select(self, query: str, *values: Any) -> list[BatchItem]:
        return await self._call(lambda: [_item(row) for row in self._opened.execute(query, values)])

    async def _call(self, function: Callable[[], T]) -> T:
        if self._thread is None:
            raise BatchStoreError(f"store {self.path!r} is not open; call its open() first")
        try:
            return await self._thread.run(function)
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            raise BatchStoreError(f"store {self.path!r}: {REASONS.get(code) or truncate(str(error))}") from error
        except OSError as error:
            raise BatchStoreError(f"store {self.path!r}: {error.strerror or error}") from error

    def _change(self, statement: str, values: tuple[Any, ...]) -> int:
        """Run a statement on the file that is at the path; on another one, what it writes would be lost."""
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != self._identity:
            raise BatchStoreError(
                f"store {self.path!r}: the file was moved, deleted or replaced during the run; put it back, because "
                "without it the next run creates its rows again"
            )
        return self._opened.execute(statement, values).rowcount

    def _bind(self, target: str) -> str:
        self._opened.execute("INSERT INTO target SELECT ? WHERE NOT EXISTS (SELECT * FROM target)", (target,))
        [(bound,)] = self._opened.execute("SELECT name FROM target")
        return str(bound)

    @property
    def _opened(self) -> sqlite3.Connection:
        assert self._connection is not None
        return self._connection

    def _open(self) -> None:
        self._make_private()
        found = os.stat(self.path)
        self._identity = (found.st_dev, found.st_ino)
        self._connection = connection = sqlite3.connect(
            self.path, timeout=0.0, isolation_level=None, check_same_thread=False
        )
        # Before anything is read: SQLite then holds the lock until the file is closed, and needs no shared memory.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        [(application,)], [(version,)], [(tables,)] = (
            list(connection.execute(query))
            for query in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_schema")
        )
        if tables and application != APPLICATION:
            raise BatchStoreError(f"store {self.path!r}: {REASONS[sqlite3.SQLITE_NOTADB]}")
        if tables and version != VERSION:
            raise BatchStoreError(
                f"store {self.path!r} is of version {version}, and this release of the SDK reads version {VERSION}: "
                "use the release that wrote it, or name another file"
            )
        # Each commit is one write of the log, and on the disk before it returns.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not tables:
            connection.executescript(SCHEMA)
        # Not in the schema: a file of an earlier release has none, and is bound by its next run.
        connection.execute("CREATE TABLE IF NOT EXISTS target (name TEXT NOT NULL)")
        # In a temporary file of SQLite's: the keys of a run of millions need neither memory nor the disk's patience.
        connection.execute("CREATE TEMP TABLE taken (key TEXT PRIMARY KEY) WITHOUT ROWID")

    def _make_private(self) -> None:
        """Make the file, which only its owner may read; refuse a link, a directory and a device."""
        try:
            os.close(open_regular(self.path, os.O_RDWR | NEW))
        except FileExistsError:
            # Not opened to look at it: closing it again would give up a lock of this process.
            kind = irregular_kind(os.lstat(self.path).st_mode)
            if kind is not None:
                raise BatchStoreError(f"store {self.path!r}: it is {kind}, and not a regular file") from None

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


def _item(row: tuple[Any, ...]) -> BatchItem:
    fields = dict(zip(COLUMNS, row, strict=True))
    fields["result"] = None if fields["result"] is None else json.loads(fields["result"])
    fields["delivered"] = bool(fields["delivered"])
    return BatchItem(**fields)


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
