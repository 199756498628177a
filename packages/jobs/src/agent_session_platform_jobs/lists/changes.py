"""Find out what is new, changed or gone in a list since the last run."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Any, Literal, cast

import attrs

from ..database import Database, check_file
from .known import CHANGES, KnownItems
from .pages import Item, ListSource, item_of, list_pages, source_name


@attrs.frozen
class Change:
    """A difference between an item of a list and the last run.

    Attributes:
        kind: `new`, `changed` or `gone`.
        key: The id of the item; None if the item has no id, and is compared by its content.
        before: The item as the server sent it in the last run, ready for `Session.from_dict`; None if it is new.
        after: The item as the server sent it now; None if it is gone.
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
    """Iterate over what is new or changed in a list since the last run. In the first run, all items are new.

    Every run reads the whole list and compares each item with its last content in the state. The API's description
    shows no filter or order with which only the changes could be requested.

    A change is delivered when your loop requests the next one; only then is it written to the state. Within a run each
    change comes once. After a crash, changes of the last page may come again, but none is lost. If you leave the loop
    early, use `contextlib.aclosing`, which closes the state at once.

    The id of an item is the field that the contract declares for sessions, blueprints and users of the enterprise. An
    item without an id is compared by its content alone: if it changes, the old item is gone and a new one has come.

    Args:
        source: As for `export`: a pager, a method such as `platform.enterprise.sessions.list`, or the awaitable that a
            method returned. Pass a method that takes arguments with `functools.partial`.
        state: The file with the state, an SQLite database that the first run creates. It contains the items as the
            server sent them, and only its owner may read it. A symbolic link is refused. The file belongs to one list,
            as with `export`.
        key: The field with the id of an item. None: the field that the contract declares.
        gone: Whether to deliver items that are not in the list any more. They come last, after a complete scan. If the
            list is filtered, or its pages shift during the scan, an item that still exists may seem gone.

    Yields:
        The changes, in the order of the list; those that are `gone` come last.

    Raises:
        InvalidArgumentError: An argument is wrong, or the state belongs to something else, such as another list.
        BlockingIOError: Another task or process uses the same state.
        OSError: The state cannot be read or written, or was moved during the run.
        PagingError: The list cannot be followed any further.
        AgentPlatformError: A page could not be fetched.

    Example:
        async for change in changes(platform.enterprise.sessions.list, state="sessions.state"):
            if "status" in change.fields:
                print(change.key, change.before["status"], "->", change.after["status"])
    """
    return _changes(source, Database(check_file(state, "state")[0], CHANGES), key, gone=gone)


async def _changes(
    source: ListSource, database: Database, key: str | None, *, gone: bool
) -> AsyncGenerator[Change, None]:
    known = KnownItems(database, texts=True)

    def begin() -> None:
        known.bind(source_name(source), key)
        known.scan = (database.fact("scan") or 0) + 1
        database.keep("scan", known.scan)

    def keep(items: list[Item]) -> None:
        for item in items:
            known.take(item)

    async with database:
        await database.run(begin)
        async with aclosing(list_pages(source, None)) as pages:
            async for page in pages:
                items = [item_of(value, key or page.key) for value in page.items]
                differences = await database.run(partial(known.peek, items), durable=False)
                delivered = 0
                try:
                    for item, (differs, before) in zip(items, differences, strict=True):
                        if differs:
                            yield _change(item, before)
                        delivered += 1
                finally:
                    await database.run(partial(keep, items[:delivered]))
        last = b""
        while gone and (missing := await database.run(partial(known.missing, last))):
            for last, text, item_id, times in missing:
                for _ in range(times):
                    yield Change("gone", None if item_id is None else json.loads(item_id), json.loads(text), None)
                    # This change need not be on the disk at once, so the next commit includes it.
                    await database.run(partial(known.forget, last), durable=False)


def _change(item: Item, text: str | None) -> Change:
    if text is None:
        return Change("new", item.id, None, item.value)
    before = json.loads(text)
    return Change("changed", item.id, before, item.value, changed_fields(before, item.value))


def changed_fields(before: Any, after: Any) -> tuple[str, ...]:
    """Return the names of the members that differ, those of *before* first. Return none if a value is not an object."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return ()
    old, new = cast("dict[str, Any]", before), cast("dict[str, Any]", after)
    return tuple(name for name in {**old, **new} if name not in old or name not in new or old[name] != new[name])
