"""Export a list to a file; after a crash, the next run continues."""

from __future__ import annotations

import logging
import os
import sys
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from io import FileIO
from pathlib import Path

import attrs
from agent_session_platform import InvalidArgumentError, ProblemError

from ..database import PRIVATE, Database, check_file
from .known import EXPORT, KnownItems
from .pages import CURSOR_REFUSALS, Item, ListPage, ListSource, item_of, list_pages, source_name
from .temporary import FLAGS, create_temporary

logger = logging.getLogger("agent_session_platform")


@attrs.frozen
class Exported:
    """The outcome of an export.

    Attributes:
        path: The file, as an absolute path.
        written: How many items this run wrote: new items, and with `state` also changed ones.
        lines: How many lines the file has in all.
        cursor: The cursor of the page that the next run begins with; None is the beginning of the list.
        complete: False if `max_pages` ended the run before the list had ended.
        resumed: If this run continued the scan of an earlier run and did not read its pages again (see `max_pages` and
            `chronological`), the time (UTC) at which that scan began. Items before the first page of this run may have
            changed since then. None if this run has read the whole list.
    """

    path: Path
    written: int
    lines: int
    cursor: str | None
    complete: bool
    resumed: datetime | None


@attrs.frozen
class Position:
    """The progress of an export.

    Attributes:
        size: The size of the file in bytes.
        tail: The number of bytes that the last page added to the file.
        digest: The digest of these bytes.
        lines: How many lines the file has.
        scan: The number of the current scan.
        comparing: True if items without an id are compared with all known items; False if only with the last page.
        cursor: The cursor of the last page that was written.
        following: The cursor of the next page; None if there was no next page.
        complete: Whether the list had ended.
        last_page: The digests of the items without an id that the next page may repeat.
        began: When the scan began, as ISO 8601 text in UTC.
    """

    size: int = 0
    tail: int = 0
    digest: str = ""
    lines: int = 0
    scan: int = 1
    comparing: bool = True
    cursor: str | None = None
    following: str | None = None
    complete: bool = False
    last_page: list[str] = attrs.field(factory=list[str])
    began: str = attrs.field(factory=lambda: datetime.now(UTC).isoformat())


class ExportFile:
    """The file of one run and its state. Call the methods in the thread of the database only.

    A page is appended to the file, and then the state is committed. If a crash comes between the two, the file is
    longer than the state says; the next run cuts off the rest.

    Args:
        target: The file.
        mode: The permissions of the existing file; None if there is no file yet.
        database: The state.
        chronological: Whether new items are at the end of the list.

    Attributes:
        position: The progress of the export.
        written: How many items this run wrote.
        resumed: The start of the earlier scan that this run continues; None if this run began a new scan.
    """

    def __init__(self, target: str, mode: int | None, database: Database, *, chronological: bool) -> None:
        self.position = Position()
        self.written = 0
        self.resumed: datetime | None = None
        self.target = target
        self._mode = mode
        # Without a state, the file gets its final name when it is complete.
        self._is_temporary = not database.path
        self._path = "" if self._is_temporary else target
        self._database = database
        self._known = KnownItems(database, texts=False)
        self._chronological = chronological
        self._expected: Counter[str] = Counter()
        self._opened: FileIO | None = None

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the next page, in this run or the next one; None is the beginning of the list."""
        if not self.position.complete:
            return self.position.following
        return self.position.cursor if self._chronological else None

    def open(self, source: str | None, key: str | None) -> None:
        """Open the file, and cut off the part that a crash left beyond the kept position.

        Raises:
            InvalidArgumentError: The file or the state belongs to another export.
            OSError: The file cannot be opened or cut.
        """
        self._known.bind(source, key)
        kept = self._database.fact("position")
        if kept is not None:
            self.position = Position(**kept)
        self._open_file(is_new=kept is None)
        if kept is None:
            # Keep the position before the first page. After a crash, the next run then knows that the file is its own.
            self._database.keep("position", attrs.asdict(self.position))
        elif self.position.complete:
            self._begin_scan(self.next_cursor, comparing=not self._chronological)
        else:
            self.resumed = datetime.fromisoformat(self.position.began)
            self._expected = Counter([] if self.position.comparing else self.position.last_page)
        self._known.scan = self.position.scan

    def _open_file(self, *, is_new: bool) -> None:
        if self._is_temporary:
            self._path, descriptor = create_temporary(self.target)
        else:
            descriptor = self._open_grown()
        self._opened = file = FileIO(descriptor, "r+")
        if self._mode is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), self._mode)
        self._cut_off(file, is_new=is_new)

    def _open_grown(self) -> int:
        """Open the file that each run lengthens, and return its descriptor; the first run creates the file."""
        path, end = self._path, self.position.size
        exists = check_file(path, "path")[1] is not None
        if not exists and end:
            text = f"is missing, but the state says that {end} bytes of it are written"
            raise InvalidArgumentError(f"path: {path!r} {text}; put it back, or remove the state to begin again")
        creation = 0 if exists else os.O_CREAT | os.O_EXCL
        return os.open(path, os.O_RDWR | creation | FLAGS, PRIVATE)

    def _cut_off(self, file: FileIO, *, is_new: bool) -> None:
        """Cut off what the file has beyond the state. Refuse a file that is not as the last run left it."""
        path, end = self._path, self.position.size
        size = os.fstat(file.fileno()).st_size
        if is_new and size:
            text = "exists, and the state does not know its lines; name another file, or remove this one"
            raise InvalidArgumentError(f"path: {path!r} {text}")
        file.seek(end - self.position.tail)
        if size < end or (end and _digest(file.read(self.position.tail)) != self.position.digest):
            text = "was changed by something else; restore it, or remove it and the state to begin again"
            raise InvalidArgumentError(f"path: {path!r} {text}")
        file.truncate(end)

    def begin_anew(self) -> None:
        """Begin a scan that compares the whole list."""
        self.resumed = None
        self._begin_scan(None, comparing=True)

    def _begin_scan(self, cursor: str | None, *, comparing: bool) -> None:
        self._expected = Counter([] if comparing else self.position.last_page)
        self._known.scan = self.position.scan + 1
        self.position = attrs.evolve(self.position, comparing=comparing, following=cursor, complete=False)
        self.position = attrs.evolve(self.position, scan=self._known.scan, began=Position().began)

    def take(self, page: ListPage, key: str | None) -> None:
        """Write the new and changed items of a page, and keep the progress of the export.

        Raises:
            OSError: The items cannot be written.
        """
        items = [item_of(value, key) for value in page.items]
        lines = [f"{item.text}\n".encode() for item in items if self._is_wanted(item)]
        content, position = b"".join(lines), self.position
        if content:
            self._append(content)
            size, digest = position.size + len(content), _digest(content)
            position = attrs.evolve(position, size=size, tail=len(content), digest=digest)
        ended, total = page.following is None, position.lines + len(lines)
        last_page = [item.key.hex() for item in items if item.id is None] if ended else [*self._expected.elements()]
        position = attrs.evolve(position, lines=total, complete=ended, last_page=last_page)
        self.position = attrs.evolve(position, cursor=page.cursor, following=page.following)
        self._database.keep("position", attrs.asdict(self.position))
        self.written += len(lines)

    def _is_wanted(self, item: Item) -> bool:
        if item.id is not None or self.position.comparing:
            return self._known.take(item)[0]
        digest = item.key.hex()
        if self._expected[digest] > 0:
            self._expected[digest] -= 1
            return False
        self._known.add(item)
        return True

    def _append(self, content: bytes) -> None:
        assert self._opened is not None
        self._opened.seek(self.position.size)
        left = memoryview(content)
        while left:
            left = left[self._opened.write(left) :]
        os.fsync(self._opened.fileno())

    def cut(self, position: Position) -> None:
        """Cut the file to an earlier position. If this fails, the next run cuts the file."""
        assert self._opened is not None
        with suppress(OSError):
            self._opened.truncate(position.size)

    def finish(self) -> None:
        """Give a temporary file its final name; a file with a state has it already.

        Raises:
            InvalidArgumentError: The path is now something other than a regular file.
            OSError: The file cannot be renamed.
        """
        if self._is_temporary and self._opened is not None:
            check_file(self.target, "path")
            if sys.platform == "win32":
                # Windows renames no open file. Elsewhere the lock must last until the file has its name.
                self._opened.close()
            os.replace(self._path, self.target)

    def close(self) -> None:
        """Close the file. If it is a temporary file and not complete, remove it."""
        if self._opened is not None:
            self._opened.close()
        if self._is_temporary:
            with suppress(OSError):
                os.unlink(self._path)


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


async def export(
    source: ListSource,
    path: str | os.PathLike[str],
    *,
    state: str | os.PathLike[str] | None = None,
    key: str | None = None,
    chronological: bool = False,
    max_pages: int | None = None,
) -> Exported:
    """Write the items of a list to a JSON Lines file: each item on one line, exactly as the server sent it.

    Without `state` the whole list is read, and the file appears when it is complete; an older file stays until then.
    If the process is killed, its temporary file (`sessions.jsonl.<16 digits>.part`) stays, and the next export of the
    same file removes it.

    With `state` the file grows, and each run adds what the file does not have yet:

    - By default every run reads the whole list, because for most lists the API's description shows no order. Items are
      compared by id and content. New items are added; changed items are added again, with the same id. Nothing is
      removed.
    - With `chronological=True` a run begins at the last page of the run before, so that it reads only what is new. Use
      it only for a list that grows at its end: the messages of a session are in chronological order, and audit logs
      with `order="asc"` (their default is `desc`). Changes of items before the last page are not seen. If the server
      refuses the cursor, the whole list is read and compared.

    A run that breaks off, even by a crash, loses nothing: the next one continues after the last page that was written,
    and cuts off what the file has beyond it. At the end it reads the pages before that one again, because their items
    may have changed since; with `max_pages` or `chronological` it does not, and `resumed` says since when. The state is
    on the disk, with the cursor and a digest of every item, so a list may be larger than the memory.

    A state belongs to one file and one list: an operation with its path arguments, and its server. Filters are not
    compared, because they may be a moving window of time. An awaitable or a function of your own does not show its
    list, so it is not compared: pass the same list each time.

    The id of an item is the field that the contract declares for sessions, blueprints and users of the enterprise.
    Items without an id are compared by their content alone: a changed item counts as new, and two equal items are both
    written.

    Args:
        source: A pager; a method such as `org.audit_logs.list`, with `functools.partial` if it takes arguments; or the
            awaitable that the method returned. If the contract does not show the payload, its items are the member
            `items`, or the only member that is an array; any other payload is one line. If such a payload has
            `has_next_page` and `end_cursor`, the next page is requested with `after`; for that, pass the method.
        path: The file. A symbolic link, a directory, a FIFO or a device is refused. Only the owner may read a new file,
            whatever the umask is, because lists may contain prompts, messages and names. An existing file keeps its
            mode.
        state: The file with the state, an SQLite database that the first run creates.
        key: The field with the id of an item. None: the field that the contract declares.
        chronological: Whether the list is in chronological order, with new items at its end.
        max_pages: The greatest number of pages of this run, at least 1; the next run continues. Needs `state`.

    Returns:
        What was written, and where the next run begins.

    Raises:
        InvalidArgumentError: An argument is refused; the file or the state was changed by something else, or belongs to
            another export.
        BlockingIOError: Another task or process exports with the same state.
        OSError: The file or the state cannot be written.
        PagingError: The list cannot be followed any further.
        AgentPlatformError: A page could not be fetched. With `state`, the pages before it are written.

    Example:
        await export(org.sessions.list(), "sessions.jsonl")
        await export(partial(org.audit_logs.list, order="asc"), "audit.jsonl", state="audit.state", chronological=True)
    """
    target, mode = check_file(path, "path")
    state_path = "" if state is None else check_file(state, "state")[0]
    if state_path == target:
        raise InvalidArgumentError(f"path and state must be two files, and both are {target!r}")
    if max_pages is not None and max_pages < 1:
        raise InvalidArgumentError(f"max_pages must be a whole number of at least 1, not {max_pages}")
    if state is None and (max_pages is not None or chronological):
        raise InvalidArgumentError("chronological needs state, and so does max_pages: the state says where to continue")
    async with Database(state_path, EXPORT) as database:
        file = ExportFile(target, mode, database, chronological=chronological)
        try:
            await database.run(partial(file.open, source_name(source), key))
            pages, complete = 0, True
            reads_again = max_pages is None and not chronological
            async with aclosing(_from(source, file, database, reads_again=reads_again)) as found:
                async for page in found:
                    before = file.position
                    try:
                        await database.run(partial(file.take, page, key or page.key))
                    except Exception:
                        await database.run(partial(file.cut, before), durable=False)
                        raise
                    pages += 1
                    complete = page.following is None
                    if pages == max_pages:
                        break
            await database.run(file.finish)
            return Exported(Path(target), file.written, file.position.lines, file.next_cursor, complete, file.resumed)
        finally:
            await database.run(file.close, durable=False)


async def _from(
    source: ListSource, file: ExportFile, database: Database, *, reads_again: bool
) -> AsyncGenerator[ListPage, None]:
    """Iterate over the pages from the cursor in the state. If the server refuses the cursor, iterate over all pages.

    Args:
        source: The list.
        file: The file of the run.
        database: Its state.
        reads_again: Whether a run that continues an earlier one also reads the pages of that one, at the end. Their
            items may have changed since.
    """
    begun, start = False, file.next_cursor
    try:
        async with aclosing(list_pages(source, start)) as found:
            async for page in found:
                begun = True
                yield page
    except ProblemError as error:
        if begun or start is None or error.status not in CURSOR_REFUSALS:
            raise
        text = "%s: the server refuses the cursor, so the whole list is read and compared: %s"
        logger.warning(text, os.path.basename(file.target), error)
        start = None
    else:
        if start is None or not reads_again:
            return
    await database.run(file.begin_anew)
    async with aclosing(list_pages(source, None)) as found:
        async for page in found:
            if start is not None and page.following == start:
                # The rest was read in this run.
                yield attrs.evolve(page, following=None)
                return
            yield page
