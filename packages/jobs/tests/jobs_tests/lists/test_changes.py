"""Changes of a list: new, changed and missing items."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import ServerError
from agent_session_platform.models import Session
from agent_session_platform_jobs import Change, changes

from jobs_tests.lists.listing import messages, sessions
from tests.servers.growing_list import GrowingList


async def run(listing: GrowingList, state: Path, count: int | None = None, **arguments: Any) -> list[Change]:
    """Take a number of changes, and leave the iteration; with None, take all changes."""
    async with listing.client() as platform:
        found = changes(platform.organization().sessions.list, state=state, **arguments)
        async with aclosing(found):
            if count is not None:
                return [await anext(found) for _ in range(count)]
            return [change async for change in found]


async def test_in_the_first_run_all_items_are_new(state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3))
    found = await run(listing, state)
    assert [(change.kind, change.before, change.after) for change in found] == [
        ("new", None, item) for item in listing.items
    ]


async def test_a_changed_item_has_before_and_after(state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3))
    await run(listing, state)
    listing.items[1] = {"session_id": "assistant-2", "status": "running", "title": None}
    [change] = await run(listing, state)
    assert (change.kind, change.key, change.fields) == ("changed", "assistant-2", ("status", "title"))
    assert (change.before, change.after) == (sessions(2)[0], listing.items[1])
    assert Session.from_dict(change.before).status == "new"


async def test_a_change_comes_once_in_a_run(state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3, 4, 5))
    listing.shifted = 1
    assert len(await run(listing, state)) == 5


async def test_items_without_an_id_are_compared_by_content(state: Path) -> None:
    listing = GrowingList(messages("a", "b"))
    await run(listing, state)
    listing.items = messages("a", "c", "a")
    found = await run(listing, state, gone=True)
    assert [(change.kind, change.key, (change.after or change.before)["message"]) for change in found] == [
        ("new", None, "c"),
        ("new", None, "a"),
        ("gone", None, "b"),
    ]


async def test_an_item_that_is_gone_is_reported_once(state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3))
    await run(listing, state)
    del listing.items[1]
    assert await run(listing, state) == []
    [change] = await run(listing, state, gone=True)
    assert (change.kind, change.key, change.before, change.after) == ("gone", "assistant-2", sessions(2)[0], None)
    assert await run(listing, state, gone=True) == []
    listing.items += sessions(2)
    [change] = await run(listing, state, gone=True)
    assert (change.kind, change.key) == ("new", "assistant-2")


async def test_nothing_is_gone_before_the_scan_is_complete(state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3, 4))
    await run(listing, state)
    del listing.items[0]
    listing.failing["2"] = 500
    with pytest.raises(ServerError):
        await run(listing, state, 1, gone=True)


@pytest.mark.parametrize("stop", range(6))
async def test_what_was_not_delivered_comes_again(stop: int, state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3, 4, 5, 6, 7), size=3)
    first = await run(listing, state, stop + 1)
    # The last change comes again, because the caller may not have processed it.
    assert [change.after for change in first[:-1]] + [change.after for change in await run(listing, state)] == (
        listing.items
    )


async def test_gone_items_that_were_not_delivered_come_again(state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3))
    await run(listing, state)
    listing.items.clear()
    first = [change.key for change in await run(listing, state, 2, gone=True)]
    again = {change.key for change in await run(listing, state, gone=True)}
    assert {first[0], *again} == {"assistant-1", "assistant-2", "assistant-3"}
    assert first[1] in again
    assert first[0] not in again


async def test_more_items_than_are_read_at_once_are_gone(state: Path) -> None:
    listing = GrowingList(sessions(*range(1200)), size=200)
    await run(listing, state)
    listing.items.clear()
    assert len(await run(listing, state, gone=True)) == 1200
