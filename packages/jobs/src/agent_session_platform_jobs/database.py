"""The SQLite file of a job: one job at a time uses it, from one worker thread."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import sqlite3
import stat
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import attrs
from agent_session_platform import InvalidArgumentError

T = TypeVar("T")

VERSION: Final = 3
FACTS: Final = "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"

# The mode of a file that only its owner may read.
PRIVATE: Final = 0o600

# How many rows a job reads at once, so that millions of rows in a file need little memory.
CHUNK: Final = 500

READ_ONLY: Final = "it is read-only; allow writing, or name another file"
READ_ONLY_FOLDER: Final = "its folder is read-only, so no file can be created; allow writing, or name another folder"

# For each error code of SQLite: the errno, and what to do.
REASONS: Final = {
    sqlite3.SQLITE_READONLY_DIRECTORY: (errno.EROFS, READ_ONLY_FOLDER),
    sqlite3.SQLITE_BUSY: (errno.EAGAIN, "another run uses it; wait until that one has ended, or name another file"),
    sqlite3.SQLITE_FULL: (errno.ENOSPC, "the disk is full; make room and run again"),
    sqlite3.SQLITE_READONLY: (errno.EROFS, READ_ONLY),
}


def check_path(path: str | os.PathLike[str], name: str) -> str:
    """Return a path as absolute text, because the current directory may change before it is used.

    Args:
        path: The file.
        name: The name of the argument, for messages.

    Raises:
        InvalidArgumentError: The path is empty, or names no file.
    """
    text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
    if not os.path.basename(text) or "\0" in text:
        raise InvalidArgumentError(f"{name} must be the path of a file, not {path!r}")
    return str(Path(text).absolute())


def check_file(path: str | os.PathLike[str], name: str) -> tuple[str, int | None]:
    """Return a path as absolute text, and the permissions of the file at the path; None if there is no file.

    Args:
        path: The file.
        name: The name of the argument, for messages.

    Raises:
        InvalidArgumentError: The path is empty, or is not a regular file. A symbolic link is refused as well: whoever
            made it would choose the file that is written.
        OSError: The path cannot be looked up.
    """
    text = check_path(path, name)
    try:
        mode = os.lstat(text).st_mode
    except FileNotFoundError:
        return text, None
    if not stat.S_ISREG(mode):
        kind = "a symbolic link" if stat.S_ISLNK(mode) else "a directory, a FIFO, a device or a socket"
        raise InvalidArgumentError(f"{name} must be a regular file or a new one, but {text!r} is {kind}")
    return text, stat.S_IMODE(mode)


@attrs.frozen
class Kind:
    """A kind of files.

    Attributes:
        name: What the file is, for messages.
        application: The `application_id` of SQLite; a file with another one is refused.
        schema: The statements that create the tables.
    """

    name: str
    application: int
    schema: str


class Database:
    """A SQLite file that only its owner may read, locked while it is open; a killed process leaves no lock.

    Each piece of work is carried out as a whole or not at all. Pieces that were requested while the disk was busy are
    committed together, because a commit takes much longer than a statement. If one piece fails, all of them fail.

    Args:
        path: The file as an absolute path; it is created if it is missing. An empty path stands for a temporary file,
            which is deleted at the end.
        kind: What the file is.
    """

    def __init__(self, path: str, kind: Kind) -> None:
        self.path: Final = path
        self._kind = kind
        self._executor: ThreadPoolExecutor | None = None
        self._connection: sqlite3.Connection | None = None
        # For each piece of work: the function, whether its changes must be on the disk, and the future of its result.
        self._jobs: deque[tuple[Callable[[], Any], bool, Future[Any]]] = deque()
        self._opened: os.stat_result | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Open and lock the file.

        Raises:
            InvalidArgumentError: The file is of another kind or version.
            BlockingIOError: Another task or process uses the file.
            OSError: The file cannot be read or written.
        """
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="agent-session-platform")
        try:
            await self._end_of(self._executor.submit(self._open))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish the work that was requested, then close and unlock the file."""
        executor, self._executor = self._executor, None
        if executor is not None:
            # Submitted before the first await, so the file is closed even if this task is cancelled.
            last = executor.submit(self._close)
            executor.shutdown(wait=False)
            await self._end_of(last)

    async def run(self, work: Callable[[], T], *, durable: bool = True) -> T:
        """Carry out a piece of work in the thread. A cancellation takes effect only when the work has ended.

        Args:
            work: A function that may use `execute`, `fact` and `keep`.
            durable: Whether the changes are on the disk at the return; otherwise the next commit includes them.

        Returns:
            What the function returns.

        Raises:
            Exception: The error of the function, or an error that `open` may raise. The work has changed nothing.
        """
        return await self._end_of(self.submit(work, durable=durable))

    def submit(self, work: Callable[[], T], *, durable: bool = False) -> Future[T]:
        """Request a piece of work without waiting for it; the arguments are those of `run`."""
        if self._executor is None:
            raise OSError(errno.EBADF, "it is not open; call its open() first", self.path)
        end: Future[T] = Future()
        self._jobs.append((work, durable, end))
        self._executor.submit(self._work_off)
        return end

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Run a statement. Only work in the thread may call this."""
        assert self._connection is not None
        return self._connection.execute(statement, values)

    def fact(self, name: str) -> Any:
        """Return a fact; None if it is not known. Only work in the thread may call this."""
        row = self.execute("SELECT value FROM facts WHERE name = ?", name).fetchone()
        return None if row is None else json.loads(row[0])

    def keep(self, name: str, value: Any) -> None:
        """Set a fact, which must be JSON. Only work in the thread may call this."""
        self.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, json.dumps(value))

    async def _end_of(self, end: Future[T]) -> T:
        done = asyncio.wrap_future(end)
        cancelled: asyncio.CancelledError | None = None
        while not done.done():
            try:
                # With `await done`, a cancellation would cancel work that the thread has not begun.
                await asyncio.wait((done,))
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            # Retrieve the error here, because asyncio logs an error that nobody retrieves.
            done.exception()
            raise cancelled
        try:
            return done.result()
        except sqlite3.Error as error:
            raise self._translate(error) from error

    def _translate(self, error: sqlite3.Error) -> Exception:
        """Return an error of SQLite as an OSError or InvalidArgumentError that names the file."""
        extended_code = getattr(error, "sqlite_errorcode", 0)
        code = extended_code & 0xFF
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return self._refusal(f"is damaged or is not {self._kind.name} ({error}); name another file, or restore it")
        unknown = (errno.EIO, f"it cannot be used: {error}")
        number, text = REASONS.get(extended_code) or REASONS.get(code, unknown)
        return OSError(number, text, self.path)

    def _refusal(self, text: str) -> InvalidArgumentError:
        return InvalidArgumentError(f"{self.path!r} {text}")

    def _work_off(self) -> None:
        """Carry out the requested work and commit it together: all of it, or nothing if one piece fails."""
        jobs = [self._jobs.popleft() for _ in range(len(self._jobs))]
        assert self._connection is not None
        try:
            if not self._connection.in_transaction:
                self.execute("BEGIN IMMEDIATE")
            results = [work() for work, _, _ in jobs]
            if any(durable for _, durable, _ in jobs):
                self._check_identity()
                self.execute("COMMIT")
        except Exception as error:
            if self._connection.in_transaction:
                self.execute("ROLLBACK")
            for _, _, end in jobs:
                end.set_exception(error)
        else:
            for (_, _, end), result in zip(jobs, results, strict=True):
                end.set_result(result)

    def _check_identity(self) -> None:
        """Raise OSError if the file is not at its path any more, because the next run would not find it."""
        with suppress(FileNotFoundError):
            if self._opened is None or os.path.samestat(os.stat(self.path), self._opened):
                return
        text = "the file was moved, deleted or replaced during the run; put it back, or the next run begins again"
        raise FileNotFoundError(errno.ENOENT, text, self.path)

    def _open(self) -> None:
        if self.path:
            self._create()
            self._opened = os.stat(self.path)
        self._connection = sqlite3.connect(self.path, timeout=0, isolation_level=None)
        # Set this before the first read. SQLite then holds the lock until the file is closed, without shared memory.
        self.execute("PRAGMA locking_mode = EXCLUSIVE")
        self.execute("BEGIN EXCLUSIVE")
        self.execute("COMMIT")
        queries = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_schema")
        application, version, tables = (self.execute(query).fetchone()[0] for query in queries)
        if tables and application != self._kind.application:
            raise self._refusal(f"is not {self._kind.name}; name another file")
        if tables and version != VERSION:
            raise self._refusal(f"is of version {version}, and this release reads version {VERSION}; name another file")
        # With these two settings, each commit is one write of the log, and is on the disk when it returns.
        self.execute("PRAGMA journal_mode = WAL")
        self.execute("PRAGMA synchronous = FULL")
        if not tables:
            pragmas = f"PRAGMA application_id = {self._kind.application}; PRAGMA user_version = {VERSION}"
            self._connection.executescript(f"BEGIN; {FACTS} {self._kind.schema} {pragmas}; COMMIT")

    def _create(self) -> None:
        """Create the file if it is missing. Refuse a file that SQLite would call a disk error."""
        with suppress(FileNotFoundError):
            # SQLite creates files whose names are longer. This raises OSError if such a name is too long.
            os.stat(f"{self.path}-journal")
        try:
            # SQLite would create a file that everybody may read.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
        except FileExistsError:
            check_file(self.path, "file")
            # Do not open the file to find out: closing it would release the lock of another task of this process.
            if not os.access(self.path, os.W_OK):
                raise OSError(errno.EROFS, READ_ONLY, self.path) from None
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            raise OSError(errno.EROFS, READ_ONLY_FOLDER, self.path) from error

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("COMMIT")
            with suppress(sqlite3.Error):
                connection.close()
