"""Find out what is new, changed or gone in a list since the last time."""

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
                    # On the disk with the next commit, which the next items or the end bring.
                    await database.run(partial(known.forget, last), durable=False)


def _change(item: Item, text: str | None) -> Change:
    if text is None:
        return Change("new", item.id, None, item.value)
    before = json.loads(text)
    return Change("changed", item.id, before, item.value, changed_fields(before, item.value))


def changed_fields(before: Any, after: Any) -> tuple[str, ...]:
    """Return the names of the members that differ, those of *before* first; none unless both are objects."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return ()
    old, new = cast("dict[str, Any]", before), cast("dict[str, Any]", after)
    return tuple(name for name in {**old, **new} if name not in old or name not in new or old[name] != new[name])
