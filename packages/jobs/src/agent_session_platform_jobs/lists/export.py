"""Export a list to a file of JSON Lines: whole, or with a state what is new since the last run."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from pathlib import Path

import attrs
from agent_session_platform import InvalidArgumentError, ProblemError
from agent_session_platform.files import check_target
from agent_session_platform.text import format_value
from agent_session_platform.validators import at_least

from ..worker_thread import WorkerThread
from .export_file import ExportFile
from .pages import CURSOR_REFUSALS, ListPage, ListSource, check_source, list_pages, source_name

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
