"""Find out what is new, changed or gone in a list since the last time."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import islice
from typing import Any, Literal

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.files import check_target
from agent_session_platform.text import format_value

from ..worker_thread import WorkerThread
from .pages import Item, ListSource, changed_fields, check_source, item_of, list_pages, source_name
from .state_file import CHUNK, NEW_ITEM, Difference, StateFile

PURPOSE = "changes"


@attrs.frozen
class Change:
    """A difference between an item of a list and the last run.

    Attributes:
        kind: `new`, `changed` or `gone`.
        key: The id of the item; None where it has none, and is compared by its content.
        before: The item as the server sent it before, such as `Session.from_dict` takes; None where it is new.
        after: The item as the server sent it now; None where it is gone.
        fields: The names of the members that differ; empty unless `changed`.
    """

    kind: Literal["new", "changed", "gone"]
    key: str | int | None
    before: Any = attrs.field(repr=False)
    after: Any = attrs.field(repr=False)
    fields: tuple[str, ...] = ()


def changes(
    source: ListSource, *, state: str | os.PathLike[str], key: str | None = None, gone: bool = False
) -> AsyncGenerator[Change, None]:
    """Iterate over what is new or changed in a list since the last run; the first run finds all items new.

    Every run reads the whole list and compares each item with the state, which has its last content: the API's
    description shows no filter and no order with which only the changes could be requested.

    A change is delivered when your loop requests the next one, and only then does the state contain it. Within a run
    each change comes once; after a crash those of the last page may come again, but none is lost. If you leave the loop
    early, use `contextlib.aclosing`, which closes the state at once.

    The id of an item is the field that the contract declares for sessions, blueprints and users of the enterprise.
    Items without an id are compared by their content alone: a changed one is a new one, and the old one is gone.

    Args:
        source: A pager; a method such as `platform.enterprise.sessions.list`, with `functools.partial` if it takes
            arguments; or the awaitable that it returned. As for `export`.
        state: The file with the state, an SQLite database that is made by the first run. It has the items as they came,
            and only its owner may read it. A symbolic link is refused. It is bound to its list, as that of `export`.
        key: The field with the id of an item, where the contract declares none, or another one.
        gone: Whether items that the list does not have any more are delivered, after a complete scan and never before.
            A list that is filtered, or whose pages shift while it is read, may miss items that are still there.

    Yields:
        The changes, in the order of the list; those that are `gone` come last.

    Raises:
        InvalidArgumentError: An argument is wrong, or the state belongs to something else, such as another list.
        BlockingIOError: Another task or process uses the same state.
        OSError: The state cannot be read or written.
        PagingError: The list cannot be followed any further.
        AgentPlatformError: A page could not be fetched.

    Example:
        async for change in changes(platform.enterprise.sessions.list, state="sessions.state"):
            if "status" in change.fields:
                print(change.key, change.before["status"], "->", change.after["status"])
    """
    check_source(source)
    path = check_target(state)[0]
    if key is not None and (not isinstance(key, str) or not key):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise InvalidArgumentError(f"key must be the name of a field, not {format_value(key)}")
    return _changes(source, path, key, gone=gone)


async def _changes(source: ListSource, path: str, key: str | None, *, gone: bool) -> AsyncGenerator[Change, None]:
    known = StateFile(path, {"purpose": PURPOSE, "key": key}, source=source_name(source), texts=True)
    async with WorkerThread(known.close) as thread:
        await thread.run(_begin, known)
        async with aclosing(list_pages(source, None)) as found:
            async for page in found:
                items = [item_of(value, key or page.key) for value in page.items]
                async with aclosing(_of_page(items, known, thread)) as changed:
                    async for change in changed:
                        yield change
        if gone:
            async with aclosing(_gone(known, thread)) as missing:
                async for change in missing:
                    yield change


def _begin(known: StateFile) -> None:
    known.open()
    scan = (known.fact("scan") or 0) + 1
    known.keep("scan", scan)
    known.commit()
    known.begin_scan(scan)


async def _of_page(items: list[Item], known: StateFile, thread: WorkerThread) -> AsyncGenerator[Change, None]:
    """Iterate over the changes of one page, and commit what was delivered of it."""
    differences = await thread.run(_take, known, items)
    delivered = 0
    try:
        for item, difference in zip(items, differences, strict=True):
            if difference is not None:
                yield _change(item, difference)
            delivered += 1
    finally:
        await thread.run(_commit, known, items, delivered)


def _take(known: StateFile, items: list[Item]) -> list[Difference | None]:
    return [known.take(item) for item in items]


def _commit(known: StateFile, items: list[Item], delivered: int) -> None:
    if delivered < len(items):
        known.rollback()
        _take(known, items[:delivered])
    known.commit()


def _change(item: Item, difference: Difference) -> Change:
    if difference.kind == NEW_ITEM:
        return Change("new", item.id, None, item.value)
    before = json.loads(difference.before or "null")
    return Change("changed", item.id, before, item.value, changed_fields(before, item.value))


async def _gone(known: StateFile, thread: WorkerThread) -> AsyncGenerator[Change, None]:
    """Iterate over the items that a complete scan did not have, and forget those that were delivered."""
    missing = known.missing()

    def some() -> list[tuple[bytes, str, str | None, int]]:
        return list(islice(missing, CHUNK))

    while rows := await thread.run(some):
        for key, text, item_id, times in rows:
            for _ in range(times):
                yield Change("gone", None if item_id is None else json.loads(item_id), json.loads(text), None)
                await thread.run(_forget, known, key)


def _forget(known: StateFile, key: bytes) -> None:
    known.forget(key, 1)
    known.commit()
