"""The store of a batch in a SQLite file."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, TypeVar

from agent_session_platform import InvalidArgumentError

from ..database import CHUNK, Database, Kind, check_path
from .item import BatchItem, BatchStoreError, IdTakenError, State

T = TypeVar("T")

COLUMNS: Final = ("key", "state", "id", "result", "reason", "error", "attempts", "digest", "delivered", "assigned")
SELECT: Final = f"SELECT {', '.join(COLUMNS)} FROM rows"
# This is not INSERT OR REPLACE, which would remove another row that has the same id.
WRITE: Final = f"""
INSERT INTO rows ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
ON CONFLICT (key) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS[1:])}
"""
SCHEMA: Final = """
CREATE TABLE rows (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, id TEXT, result TEXT, reason TEXT, error TEXT,
    attempts INTEGER NOT NULL, digest TEXT NOT NULL, delivered INTEGER NOT NULL, assigned INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX rows_by_state ON rows (state, key);
CREATE UNIQUE INDEX rows_by_id ON rows (id) WHERE id IS NOT NULL;
"""
# The characters "ASPB" as a number.
KIND: Final = Kind("the store of a batch", 0x41535042, SCHEMA)


class SQLiteStore:
    """A `BatchStore` in a SQLite file.

    Args:
        path: The file, which is created if it is missing.

    Raises:
        InvalidArgumentError: The path is empty, or names no file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.database: Final = Database(check_path(path, "store"), KIND)

    async def open(self) -> None:
        """Open and lock the file, and forget which rows were taken."""
        await self._translated(self.database.open())
        await self._run(self._add_assigned)
        # SQLite keeps this table in a temporary file, so that millions of keys need no memory.
        await self._run(lambda: self.database.execute("CREATE TEMP TABLE taken (key TEXT PRIMARY KEY) WITHOUT ROWID"))

    async def close(self) -> None:
        """Close the file, which unlocks it."""
        await self.database.close()

    def _add_assigned(self) -> None:
        """Add the column `assigned` to a store that was made before there was one."""
        columns = self.database.execute("SELECT name FROM pragma_table_info('rows')").fetchall()
        if ("assigned",) not in columns:
            self.database.execute("ALTER TABLE rows ADD COLUMN assigned INTEGER NOT NULL DEFAULT 0")

    async def bind(self, target: str | None) -> str | None:
        """Keep the target, unless it is None or the store has a target already. Return the target of the store."""

        def bind() -> str | None:
            bound: str | None = self.database.fact("target")
            if bound is None and target is not None:
                self.database.keep("target", target)
            return bound or target

        return await self._run(bind)

    async def take(self, key: str) -> bool:
        """Record that a run has come to a row; return False if the run came to the row before."""
        statement = "INSERT OR IGNORE INTO taken VALUES (?)"
        return await self._run(lambda: self.database.execute(statement, key).rowcount == 1, durable=False)

    async def read(self, key: str) -> BatchItem | None:
        """Return the row with a key; None if there is no such row."""
        found = await self._select(f"{SELECT} WHERE key = ?", key)
        return found[0] if found else None

    async def write(self, item: BatchItem) -> None:
        """Keep a row, on the disk.

        Raises:
            IdTakenError: Another row has its id.
        """
        fields = {name: getattr(item, name) for name in COLUMNS}
        fields["result"] = None if item.result is None else json.dumps(item.result)
        # UTF-8 cannot encode half of a surrogate pair. The error must come here, because inside `write` it would undo
        # the writes of other rows.
        (item.id or "").encode()

        def write() -> str | None:
            query = "SELECT key FROM rows WHERE id = ? AND key <> ?"
            owner = self.database.execute(query, item.id, item.key).fetchone()
            if owner is None:
                self.database.execute(WRITE, *fields.values())
            return None if owner is None else str(owner[0])

        owner = await self._run(write)
        if owner is not None:
            raise IdTakenError(str(item.id), owner)

    async def deliver(self, key: str) -> None:
        """Record that a row was delivered; the next commit includes it."""
        self.database.submit(lambda: self.database.execute("UPDATE rows SET delivered = 1 WHERE key = ?", key))

    async def remove(self, key: str) -> None:
        """Remove a row."""
        await self._run(lambda: self.database.execute("DELETE FROM rows WHERE key = ?", key))

    async def items(self, *states: State) -> AsyncIterator[BatchItem]:
        """Iterate over the rows in these states, or over all rows without a state, in the order of their keys."""
        last = ""
        among = f"AND state IN ({', '.join('?' * len(states))})" if states else ""
        query = f"{SELECT} WHERE key > ? {among} ORDER BY key LIMIT {CHUNK}"
        while found := await self._select(query, last, *states):
            for item in found:
                yield item
            last = found[-1].key

    async def _select(self, query: str, *values: Any) -> list[BatchItem]:
        rows = await self._run(lambda: self.database.execute(query, *values).fetchall(), durable=False)
        return [_item(row) for row in rows]

    async def _run(self, work: Callable[[], T], *, durable: bool = True) -> T:
        return await self._translated(self.database.run(work, durable=durable))

    async def _translated(self, work: Awaitable[T]) -> T:
        try:
            return await work
        except (OSError, InvalidArgumentError) as error:
            text = getattr(error, "strerror", None) or error
            raise BatchStoreError(f"store {self.database.path!r}: {text}") from error


def _item(row: tuple[Any, ...]) -> BatchItem:
    fields = dict(zip(COLUMNS, row, strict=True))
    fields["result"] = None if fields["result"] is None else json.loads(fields["result"])
    return BatchItem(**fields)
