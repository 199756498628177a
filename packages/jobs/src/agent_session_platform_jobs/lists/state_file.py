"""The items that earlier runs have seen of a list, in one SQLite file that one run at a time may use."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.files import NEW, open_regular, regular_mode
from agent_session_platform.text import truncate

from .pages import Item

# "ASPS", so that a file of another program, or the store of a batch, is not taken for a state.
APPLICATION: Final = 0x41535053
VERSION: Final = 1
NEW_ITEM: Final = "new"
CHANGED_ITEM: Final = "changed"
# The fact that has the list.
SOURCE: Final = "source"
# How many items are read at once.
CHUNK: Final = 500

TABLES: Final = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
    key BLOB PRIMARY KEY,
    content BLOB NOT NULL,
    id TEXT,
    text TEXT,
    times INTEGER NOT NULL,
    scan INTEGER NOT NULL,
    seen INTEGER NOT NULL
) WITHOUT ROWID;
"""


@attrs.frozen
class Difference:
    """The difference between an item and what is known of it.

    Attributes:
        kind: `new` or `changed`.
        before: The JSON text that was kept of it; None where it is new, or no texts are kept.
    """

    kind: str
    before: str | None = None


class StateFile:
    """The items that earlier runs have seen, and facts about the latest run; all methods are for one thread.

    Args:
        path: The SQLite file; empty for one that is deleted with its end.
        purpose: What the file is for; with another purpose it is refused.
        source: The list that it is of; with another one it is refused. None: that is not known, and is not compared.
        texts: Whether the JSON texts of items are kept.
    """

    def __init__(self, path: str, purpose: dict[str, Any], *, source: str | None = None, texts: bool) -> None:
        self._path = path
        self._purpose = purpose
        self._source = source
        self._texts = texts
        self._scan = 0
        self._opened: sqlite3.Connection | None = None

    def open(self) -> None:
        """Open the file, or make it, and keep others out of it.

        Raises:
            InvalidArgumentError: The file has another purpose or list, or is not a state file.
            BlockingIOError: Another task or process uses it.
            OSError: It cannot be read or written.
        """
        if self._path:
            # SQLite would make one that everybody may read.
            with suppress(FileExistsError):
                os.close(open_regular(self._path, os.O_RDWR | NEW))
            regular_mode(self._path, "state")
        with self._errors():
            # A path that is whole, because SQLite keeps what is called `:memory:` in memory.
            path = os.path.abspath(self._path) if self._path else ""
            self._opened = sqlite3.connect(path, timeout=0, isolation_level=None)
            # Until the end, and not only until the next commit: a run has the file for itself.
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("BEGIN EXCLUSIVE")
            [(application,)] = self._database.execute("PRAGMA application_id")
            [(tables,)] = self._database.execute("SELECT count(*) FROM sqlite_schema")
            if tables and application != APPLICATION:
                raise InvalidArgumentError(f"state: {truncate(self._path)!r} is not a state file; name another one")
            self._database.execute(f"PRAGMA application_id = {APPLICATION}")
            for statement in filter(str.strip, TABLES.split(";")):
                self._database.execute(statement)
            self._check({"version": VERSION, **self._purpose})
            self._bind()
            self.commit()

    @property
    def _database(self) -> sqlite3.Connection:
        assert self._opened is not None, "the state was not opened"
        return self._opened

    def _check(self, purpose: dict[str, Any]) -> None:
        found = {name: self.fact(name) for name in purpose}
        if not any(value is not None for value in found.values()):
            for name, value in purpose.items():
                self.keep(name, value)
            return
        for name, value in purpose.items():
            if found[name] != value:
                raise InvalidArgumentError(
                    f"state: {truncate(self._path)!r} was made with {name}={found[name]!r}, and not {value!r}; "
                    "use another state file, or the same arguments as before"
                )

    def _bind(self) -> None:
        """Bind the file to the list, unless it is of another one."""
        known = self.fact(SOURCE)
        if known is None and self._source is not None:
            self.keep(SOURCE, self._source)
        elif known is not None and self._source not in (None, known):
            raise InvalidArgumentError(
                f"state: {truncate(self._path)!r} is of the list {known}, and not of {self._source}; use another state "
                "file for another list"
            )

    def fact(self, name: str) -> Any:
        """Return a fact; None if it is not known."""
        with self._errors():
            row = self._database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def keep(self, name: str, value: Any) -> None:
        """Set a fact, which must be JSON."""
        with self._errors():
            self._begin()
            self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, json.dumps(value)))

    def begin_scan(self, scan: int) -> None:
        """Count the items of a scan: how often one without an id comes, and which do not come."""
        self._scan = scan

    def take(self, item: Item) -> Difference | None:
        """Note an item of the scan, and return how it differs from what is known; None if it does not.

        The nth item of the same content and without an id is new if no scan before had n of them.
        """
        with self._errors():
            self._begin()
            row = self._database.execute(
                "SELECT content, text, times, scan, seen FROM items WHERE key = ?", (item.key,)
            ).fetchone()
            if row is None:
                self._write(item, times=1, seen=1)
                return Difference(NEW_ITEM)
            content, before, times, scan, seen = row
            seen = seen + 1 if scan == self._scan else 1
            if item.id is not None:
                self._write(item, times=1, seen=1)
                return None if content == item.content else Difference(CHANGED_ITEM, before)
            self._write(item, times=max(times, seen), seen=seen)
            return Difference(NEW_ITEM) if seen > times else None

    def add(self, item: Item) -> None:
        """Note one more item of the same content and without an id."""
        with self._errors():
            self._begin()
            row = self._database.execute("SELECT times FROM items WHERE key = ?", (item.key,)).fetchone()
            self._write(item, times=1 + (row[0] if row else 0), seen=0)

    def missing(self) -> Iterator[tuple[bytes, str, str | None, int]]:
        """Iterate over the items that this scan did not have: key, text, id as JSON, and how many are missing.

        They may be forgotten in between.
        """
        key = b""
        while True:
            with self._errors():
                rows = self._database.execute(
                    "SELECT key, text, id, times - CASE WHEN scan = ?1 THEN seen ELSE 0 END AS gone FROM items "
                    "WHERE key > ?2 AND gone > 0 ORDER BY key LIMIT ?3",
                    (self._scan, key, CHUNK),
                ).fetchall()
            if not rows:
                return
            yield from rows
            key = rows[-1][0]

    def forget(self, key: bytes, times: int) -> None:
        """Forget an item so many times."""
        with self._errors():
            self._begin()
            self._database.execute("UPDATE items SET times = times - ? WHERE key = ?", (times, key))
            self._database.execute("DELETE FROM items WHERE key = ? AND times <= 0", (key,))

    def _write(self, item: Item, *, times: int, seen: int) -> None:
        text = item.text if self._texts else None
        item_id = None if item.id is None or not self._texts else json.dumps(item.id)
        self._database.execute(
            "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?)",
            (item.key, item.content, item_id, text, times, self._scan, seen),
        )

    def _begin(self) -> None:
        if not self._database.in_transaction:
            self._database.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Write to the disk what was noted since the last commit, all of it or nothing."""
        with self._errors():
            if self._database.in_transaction:
                self._database.execute("COMMIT")

    def rollback(self) -> None:
        """Drop what was noted since the last commit."""
        with self._errors():
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file, without what was not committed."""
        if self._opened is not None:
            with suppress(sqlite3.Error):
                self._opened.close()

    @contextmanager
    def _errors(self) -> Generator[None]:
        """Raise errors of SQLite as those of a file."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", None)
            name = truncate(self._path)
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BlockingIOError(errno.EAGAIN, "another run uses the same state", self._path) from None
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise InvalidArgumentError(
                    f"state: {name!r} is not a state file, or is damaged ({error}); name another file, or restore it"
                ) from None
            number = errno.ENOSPC if code == sqlite3.SQLITE_FULL else errno.EIO
            raise OSError(number, f"the state cannot be used: {error}", self._path) from error
