"""The items of a list that earlier runs have seen, in the database of an export or of changes."""

from __future__ import annotations

import json
from typing import Any, Final

from agent_session_platform import InvalidArgumentError

from ..database import CHUNK, Database, Kind
from .pages import Item

SCHEMA: Final = """
CREATE TABLE items (
    key BLOB PRIMARY KEY, content BLOB NOT NULL, id TEXT, text TEXT,
    times INTEGER NOT NULL, scan INTEGER NOT NULL, seen INTEGER NOT NULL
) WITHOUT ROWID;
"""
# The characters "ASPE" and "ASPC" as numbers.
EXPORT: Final = Kind("the state of an export", 0x41535045, SCHEMA)
CHANGES: Final = Kind("the state of changes", 0x41535043, SCHEMA)

WRITE: Final = "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?)"
MISSING: Final = f"""
SELECT key, text, id, times - CASE WHEN scan = ?1 THEN seen ELSE 0 END AS gone FROM items
WHERE key > ?2 AND gone > 0 ORDER BY key LIMIT {CHUNK}
"""


class KnownItems:
    """The items that earlier runs have seen. Call the methods in the thread of the database only.

    Args:
        database: The file.
        texts: Whether the JSON texts of items are kept.

    Attributes:
        scan: The number of the current scan. It is kept with each item of the scan.
    """

    def __init__(self, database: Database, *, texts: bool) -> None:
        self._database = database
        self._texts = texts
        self.scan = 1

    def bind(self, source: str | None, key: str | None) -> None:
        """Bind the file to a list of a server, and to the field with the id.

        Args:
            source: The list and its server. If it is None, they are not known, and are not compared.
            key: The field with the id.

        Raises:
            InvalidArgumentError: The file belongs to another list or another field.
        """
        name = self._database.path
        bound: dict[str, Any] = self._database.fact("list") or {"source": None, "key": key}
        if bound["key"] != key or (source is not None and bound["source"] not in (None, source)):
            text = f"is of the list {bound['source']} with key={bound['key']!r}, and not of {source} with key={key!r}"
            raise InvalidArgumentError(f"state: {name!r} {text}; use another state file")
        self._database.keep("list", {"source": bound["source"] or source, "key": key})

    def take(self, item: Item) -> tuple[bool, str | None]:
        """Record an item of the current scan.

        Items without an id may have the same content. Such an item is new if no earlier scan had as many of them.

        Returns:
            Whether the item is new or changed, and the earlier JSON text of a changed item, if texts are kept.
        """
        query = "SELECT content, text, times, scan, seen FROM items WHERE key = ?"
        row = self._database.execute(query, item.key).fetchone()
        if row is None:
            self._write(item, times=1, seen=1)
            return True, None
        content, before, times, scan, seen = row
        if item.id is not None:
            self._write(item, times=1, seen=1)
            return content != item.content, before
        seen = seen + 1 if scan == self.scan else 1
        self._write(item, times=max(times, seen), seen=seen)
        return seen > times, None

    def peek(self, items: list[Item]) -> list[tuple[bool, str | None]]:
        """Return what `take` would return for each of these items, but record nothing."""
        self._database.execute("SAVEPOINT peek")
        try:
            return [self.take(item) for item in items]
        finally:
            self._database.execute("ROLLBACK TO peek")
            self._database.execute("RELEASE peek")

    def add(self, item: Item) -> None:
        """Count one more item without an id that has this key."""
        row = self._database.execute("SELECT times FROM items WHERE key = ?", item.key).fetchone()
        self._write(item, times=1 + (row[0] if row else 0), seen=0)

    def missing(self, after: bytes) -> list[tuple[bytes, str, str | None, int]]:
        """Return the next items that were missing in this scan, in the order of their keys.

        Args:
            after: The key of the item before them; empty for the first items.

        Returns:
            For each item: the key, the text, the id as JSON, and how many are missing.
        """
        found: list[tuple[bytes, str, str | None, int]] = self._database.execute(MISSING, self.scan, after).fetchall()
        return found

    def forget(self, key: bytes) -> None:
        """Forget one item with this key."""
        self._database.execute("UPDATE items SET times = times - 1 WHERE key = ?", key)
        self._database.execute("DELETE FROM items WHERE key = ? AND times <= 0", key)

    def _write(self, item: Item, *, times: int, seen: int) -> None:
        text = item.text if self._texts else None
        item_id = None if item.id is None or not self._texts else json.dumps(item.id)
        self._database.execute(WRITE, item.key, item.content, item_id, text, times, self.scan, seen)
