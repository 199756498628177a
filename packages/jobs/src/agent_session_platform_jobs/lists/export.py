"""Exports: a list in a file, item by item, which continues after a crash."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError, ProblemError
from agent_session_platform.files import NEW, check_target, lock, open_regular, random_beside, regular_mode, replace
from agent_session_platform.text import format_value, truncate
from agent_session_platform.validators import at_least

from ..worker_thread import WorkerThread
from .pages import CURSOR_REFUSALS, Item, ListPage, ListSource, check_source, item_of, list_pages, source_name
from .state_file import StateFile


@attrs.frozen
class End:
    """Where the file ends, as the state knows it.

    Attributes:
        size: The size of the file in bytes.
        tail: How many bytes the last page that added any has added.
        digest: The digest of those bytes.
    """

    size: int = 0
    tail: int = 0
    digest: str = ""


class LineFile:
    """A file to which lines are appended.

    Args:
        path: A regular file, or a new one.
        mode: The permissions of the file; None: only the owner may read a new one.

    Attributes:
        end: Where it ends.
    """

    def __init__(self, path: str, mode: int | None = None) -> None:
        self._path = path
        self._mode = mode
        self._opened: FileIO | None = None
        self.end = End()

    def open(self, end: End | None) -> None:
        """Open the file, and cut off what it has beyond its end.

        Args:
            end: Where it ends; None if it must be new or empty.

        Raises:
            InvalidArgumentError: It is no regular file, was changed, or has lines that no state knows.
            BlockingIOError: Another export writes it.
            OSError: It cannot be opened or cut.
        """
        path, self.end = self._path, end or End()
        exists = regular_mode(path, "path") is not None
        if not exists and end is not None and end.size:
            raise InvalidArgumentError(
                f"path: {truncate(path)!r} is missing, but the state says that {end.size} bytes of it are written; "
                "put it back, or remove the state to export everything again"
            )
        self._opened = FileIO(open_regular(path, os.O_RDWR | (0 if exists else NEW)), "r+")
        lock(self._file.fileno(), "another export writes the same file; wait until it has ended, or name another file")
        if self._mode is not None and hasattr(os, "fchmod"):
            os.fchmod(self._file.fileno(), self._mode)
        self._check(is_new=end is None)

    @property
    def _file(self) -> FileIO:
        assert self._opened is not None, "the file was not opened"
        return self._opened

    def _check(self, *, is_new: bool) -> None:
        size = os.fstat(self._file.fileno()).st_size
        name = truncate(self._path)
        if is_new and size:
            raise InvalidArgumentError(
                f"path: {name!r} exists, and the state does not know its lines; name another file, or remove this one"
            )
        self._file.seek(max(self.end.size - self.end.tail, 0))
        tail = self._file.read(self.end.tail) if self.end.tail else b""
        if size < self.end.size or (self.end.tail and _digest(tail) != self.end.digest):
            raise InvalidArgumentError(
                f"path: {name!r} was changed by something else: its first {self.end.size} bytes are not those that the "
                "state knows; put the file back as it was, or remove it and the state to export everything again"
            )
        self._file.truncate(self.end.size)
        self._file.seek(self.end.size)

    def append(self, lines: Sequence[bytes]) -> None:
        """Append lines and write them to the disk.

        Raises:
            OSError: They cannot be written; `cut` removes what was.
        """
        content = b"".join(lines)
        if not content:
            return
        left = memoryview(content)
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())
        self.end = End(self.end.size + len(content), len(content), _digest(content))

    def cut(self, end: End) -> None:
        """Cut the file to an end that it had before, if the system allows it now; else the next run does it."""
        self.end = end
        with suppress(OSError):
            self._file.truncate(end.size)
            self._file.seek(end.size)

    def close(self) -> None:
        """Close the file."""
        if self._opened is not None:
            self._opened.close()


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


PURPOSE: Final = "export"


@attrs.frozen
class Position:
    """The progress of an export.

    Attributes:
        end: Where the file ends.
        lines: How many lines it has.
        scan: The number of the scan.
        comparing: Whether items without an id are compared with all that are known, and not only with the last page.
        cursor: The cursor of the last page that was written.
        following: The cursor of the page after it; None if there was none.
        complete: Whether the list had ended.
        last_page: The digests of the items without an id that the next page may repeat.
        began: When the scan began, as the text of a time in UTC.
    """

    end: End = attrs.field(factory=End)
    lines: int = 0
    scan: int = 1
    comparing: bool = True
    cursor: str | None = None
    following: str | None = None
    complete: bool = False
    last_page: tuple[str, ...] = ()
    began: str = attrs.field(factory=lambda: datetime.now(UTC).isoformat())

    @classmethod
    def read(cls, kept: dict[str, Any]) -> Position:
        """Make a position of what `attrs.asdict` made of one."""
        converted: dict[str, Any] = {"end": End(**kept["end"]), "last_page": tuple(kept["last_page"])}
        return cls(**{**kept, **converted})


class ExportFile:
    """The file and the state of one run; all methods are for one thread.

    A page is appended to the file, and then the state is committed. What the file has beyond the state is from a page
    of which the state knows nothing, and is cut off.

    Args:
        target: The file.
        mode: The permissions of the file that is there; None if there is none.
        state: The file with the state; None to write a new file, which becomes the target with `finish`.
        source: The list; None where that is not known.
        key: The field with the id that the caller named.
        chronological: Whether new items are at the end of the list.

    Attributes:
        written: How many items this run wrote.
        position: How far the export is.
        resumed: When the scan began that this run continues; None if this run began it.
    """

    def __init__(
        self,
        target: str,
        mode: int | None,
        state: str | None,
        *,
        source: str | None,
        key: str | None,
        chronological: bool,
    ) -> None:
        self.written = 0
        self.position = Position()
        self.resumed: datetime | None = None
        self._target = target
        self._path = target if state is not None else random_beside(target, ".part")
        self._is_temporary = state is None
        self._chronological = chronological
        self._expected: Counter[str] = Counter()
        self._state = StateFile(state or "", {"purpose": PURPOSE, "key": key}, source=source, texts=False)
        self._file = LineFile(self._path, mode)

    @property
    def name(self) -> str:
        """The name of the file, for messages."""
        return os.path.basename(self._target)

    def open(self) -> None:
        """Open both files, cut off what a crash left, and keep others out.

        Raises:
            InvalidArgumentError: The file or the state is not that of this export.
            BlockingIOError: Another run uses one of them.
            OSError: One of them cannot be opened.
        """
        self._state.open()
        kept = self._state.fact("position")
        if kept is None:
            self._file.open(None)
            # From now on, what is in the file is known to be ours, also after a crash in the first page.
            self._save()
        else:
            self.position = Position.read(kept)
            self._file.open(self.position.end)
        if kept is not None and not self.position.complete:
            self.resumed = datetime.fromisoformat(self.position.began)
        if self.position.complete:
            self._begin_scan(self.next_cursor, comparing=not self._chronological)
        elif not self.position.comparing:
            self._expected = Counter(self.position.last_page)
        self._state.begin_scan(self.position.scan)

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the page that comes next, in this run or the next one; None is the beginning of the list."""
        if not self.position.complete:
            return self.position.following
        return self.position.cursor if self._chronological else None

    def begin_anew(self) -> None:
        """Compare the whole list from its beginning on."""
        self.resumed = None
        self._begin_scan(None, comparing=True)

    def _begin_scan(self, cursor: str | None, *, comparing: bool) -> None:
        self._expected = Counter(() if comparing else self.position.last_page)
        self.position = attrs.evolve(
            self.position,
            scan=self.position.scan + 1,
            comparing=comparing,
            following=cursor,
            complete=False,
            began=Position().began,
        )
        self._state.begin_scan(self.position.scan)

    def take(self, page: ListPage, key: str | None) -> None:
        """Write those items of a page that are new or changed, and keep how far the export is.

        Raises:
            OSError: They cannot be written; the file is as it was before.
        """
        before = self._file.end
        try:
            items = [item_of(value, key) for value in page.items]
            lines = [item.line for item in items if self._is_wanted(item)]
            self._file.append(lines)
            ended = page.following is None
            without_id = [item.key.hex() for item in items if item.id is None] if ended else self._expected.elements()
            self.position = attrs.evolve(
                self.position,
                end=self._file.end,
                lines=self.position.lines + len(lines),
                cursor=page.cursor,
                following=page.following,
                complete=ended,
                last_page=tuple(without_id),
            )
            self._save()
        except BaseException:
            # The state is closed without a commit.
            self._file.cut(before)
            raise
        self.written += len(lines)

    def _is_wanted(self, item: Item) -> bool:
        if item.id is not None or self.position.comparing:
            return self._state.take(item) is not None
        digest = item.key.hex()
        if self._expected[digest] > 0:
            self._expected[digest] -= 1
            return False
        self._state.add(item)
        return True

    def _save(self) -> None:
        self._state.keep("position", attrs.asdict(self.position))
        self._state.commit()

    def finish(self) -> None:
        """Give a new file its name; one with a state has it already.

        Raises:
            InvalidArgumentError: Meanwhile something else than a regular file is there.
            OSError: It cannot be renamed.
        """
        if not self._is_temporary:
            return
        regular_mode(self._target, "path")
        self._file.close()
        replace(self._path, self._target)
        self._is_temporary = False

    def close(self) -> None:
        """Close the file and the state, and remove a new file that did not become complete."""
        self._file.close()
        self._state.close()
        if self._is_temporary:
            with suppress(OSError):
                os.unlink(self._path)


logger = logging.getLogger("agent_session_platform")


@attrs.frozen
class Exported:
    """The outcome of an export.

    Attributes:
        path: The file.
        written: How many items this run wrote: new ones, and with a state those that have changed.
        lines: How many lines the file has in all.
        cursor: The cursor of the page that the next run begins with; None is the beginning of the list.
        complete: False if `max_pages` ended the run before the list had ended.
        resumed: When the reading of the list that this run has continued began (UTC): what is before its first page may
            have changed since. None if this run began it.
    """

    path: Path
    written: int
    lines: int
    cursor: str | None
    complete: bool
    resumed: datetime | None


@attrs.frozen
class Settings:
    """The arguments of an export, checked."""

    key: str | None
    chronological: bool
    max_pages: int | None = attrs.field(validator=attrs.validators.optional(at_least(1)))


async def export(
    source: ListSource,
    path: str | os.PathLike[str],
    *,
    state: str | os.PathLike[str] | None = None,
    key: str | None = None,
    chronological: bool = False,
    max_pages: int | None = None,
) -> Exported:
    """Write the items of a list to a file of JSON Lines: each on one line, exactly as the server sent it.

    Without `state` the list is read as a whole, and the file is there when it is complete: until then an older one
    stays. With `state` the file grows, and each run adds what the file does not have yet:

    - By default every run reads the whole list, because for most lists the API's description shows no order. Items are
      compared by id and content: new ones are added, and changed ones once more, with the same id. Nothing is removed.
    - With `chronological=True` a run begins at the last page of the run before, so that it reads only what is new. Use
      it only for a list that grows at its end: the messages of a session are in chronological order, and audit logs
      with `order="asc"` (their default is `desc`). Later changes of items before the last page are not seen. If the
      server refuses the cursor, the whole list is read and compared.

    A run that breaks off, even by a crash, loses nothing: the next one continues behind the last page that was written,
    and cuts off what the file has beyond it. Beside the cursor the state has a digest of every item, so that a list may
    be larger than the memory.

    A state belongs to one file and one list, which is the operation with its path arguments; filters, which may be a
    moving window of time, are not compared. An awaitable and a function of your own do not show their list: then
    nothing is compared, and it is for you to pass the same one.

    The id of an item is the field that the contract declares for sessions, blueprints and users of the enterprise.
    Items without an id are compared by their content alone: a changed one counts as new, and of two that are equal
    both are written.

    Args:
        source: A pager; a method such as `org.audit_logs.list`, with `functools.partial` if it takes arguments; or the
            awaitable that it returned. Of a payload that is not shown, the items are its member `items`, or its only
            member that is an array; anything else is one line. If it says `has_next_page` and has an `end_cursor`, the
            next page is requested with `after`, which needs the method.
        path: The file. A symbolic link, a directory, a FIFO or a device is refused. Only the owner may read a new one,
            whatever the umask is, because lists may have prompts, messages and names; an older file keeps its mode.
        state: The file with the state, an SQLite database that is made by the first run.
        key: The field with the id of an item, where the contract declares none, or another one.
        chronological: Whether the list is in chronological order, with new items at its end.
        max_pages: The greatest number of pages of this run, at least 1; the next run continues. Needs `state`.

    Returns:
        What was written, and where the next run begins.

    Raises:
        InvalidArgumentError: An argument is refused; the file or the state was changed by something else, or belongs to
            another export.
        BlockingIOError: Another task or process exports with the same state or to the same file.
        OSError: The file or the state cannot be written.
        PagingError: The list cannot be followed any further.
        AgentPlatformError: A page could not be fetched. With `state`, the pages before it are written.

    Example:
        await export(org.sessions.list(), "sessions.jsonl")
        await export(partial(org.audit_logs.list, order="asc"), "audit.jsonl", state="audit.state", chronological=True)
    """
    check_source(source)
    target, mode = check_target(path)
    state_path = None if state is None else check_target(state)[0]
    if key is not None and (not isinstance(key, str) or not key):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise InvalidArgumentError(f"key must be the name of a field, not {format_value(key)}")
    settings = Settings(key, chronological, max_pages)
    if state_path is None and (max_pages is not None or chronological):
        name = "chronological" if chronological else "max_pages"
        raise InvalidArgumentError(f"{name} needs state, which says where the next run begins")
    file = ExportFile(target, mode, state_path, source=source_name(source), key=key, chronological=chronological)
    async with WorkerThread(file.close) as thread:
        await thread.run(file.open)
        complete = await _copy(source, settings, file, thread)
        await thread.run(file.finish)
        return Exported(Path(target), file.written, file.position.lines, file.next_cursor, complete, file.resumed)


async def _copy(source: ListSource, settings: Settings, file: ExportFile, thread: WorkerThread) -> bool:
    """Write the pages; return whether the list has ended."""
    pages = 0
    async with aclosing(_from(source, file, thread)) as found:
        async for page in found:
            await thread.run(file.take, page, settings.key or page.key)
            pages += 1
            if page.following is not None and pages == settings.max_pages:
                return False
    return True


async def _from(source: ListSource, file: ExportFile, thread: WorkerThread) -> AsyncGenerator[ListPage, None]:
    """Iterate over the pages from where the state says, or all of them if the server refuses its cursor."""
    begun = False
    try:
        async with aclosing(list_pages(source, file.next_cursor)) as found:
            async for page in found:
                begun = True
                yield page
            return
    except ProblemError as error:
        if begun or file.next_cursor is None or error.status not in CURSOR_REFUSALS:
            raise
        logger.warning(
            "%s: the server refuses the cursor, so the whole list is read and compared: %s", file.name, error
        )
    await thread.run(file.begin_anew)
    async with aclosing(list_pages(source, None)) as found:
        async for page in found:
            yield page
