"""Lists: nothing skipped or repeated, and no page fetched without need."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any
from unittest.mock import ANY
from urllib.parse import parse_qs

import httpx
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, Pager
from agent_session_platform._api import Operation
from agent_session_platform.lists import CursorPager
from agent_session_platform.models import SessionPage
from agent_session_platform_sandbox import Sandbox

OPERATION = Operation(id="list", method="GET", path="/", scope="organization", resource="things", verb="list")


class PlainPage(SessionPage):
    """A page whose items are those of its JSON: easier to compare than models."""

    __slots__ = ()

    @property
    def items(self) -> Any:
        return self.to_dict().get("items")


class Pages:
    """Fetches pages from a script: cursor to page, or to the error to raise."""

    def __init__(self, pages: dict[str | None, dict[str, Any] | Exception]) -> None:
        self.pages = pages
        self.fetched: list[str | None] = []

    async def fetch(self, cursor: str | None) -> SessionPage:
        self.fetched.append(cursor)
        await asyncio.sleep(0)
        page = self.pages[cursor]
        if isinstance(page, Exception):
            raise page
        return PlainPage.from_dict(page)

    def pager(self, after: str | None = None) -> CursorPager[Any]:
        return CursorPager(OPERATION, self.fetch, after)


def page(items: Sequence[Any], end_cursor: object = None, has_next_page: object = None, **more: Any) -> dict[str, Any]:
    following = end_cursor is not None if has_next_page is None else has_next_page
    return {"items": list(items), "end_cursor": end_cursor, "has_next_page": following, **more}


async def pour(pager: Pager[Any], into: list[Any]) -> None:
    """Append the items one by one, so that those before an error are kept."""
    async for item in pager:
        into.append(item)  # noqa: PERF401


def three_pages() -> Pages:
    return Pages({None: page([1, 2], "a", total=5), "a": page([3, 4], "b", total=5), "b": page([5], total=5)})


async def test_items_of_all_pages_come_in_order() -> None:
    pager = three_pages().pager()
    assert [item async for item in pager] == [1, 2, 3, 4, 5]
    assert (pager.exhausted, pager.total, pager.cursor) == (True, 5, None)


async def test_pages_come_one_by_one() -> None:
    assert [list(each.items) async for each in three_pages().pager().pages()] == [[1, 2], [3, 4], [5]]


async def test_a_list_is_resumed_at_a_cursor() -> None:
    assert await three_pages().pager(after="a").collect() == [3, 4, 5]


async def test_a_pager_makes_another_one_that_begins_at_a_cursor() -> None:
    pager = three_pages().pager(after="b")
    assert await pager.resume("a").collect() == [3, 4, 5]
    assert await pager.resume(None).collect() == [1, 2, 3, 4, 5]
    assert await pager.collect() == [5]


async def test_a_resumed_list_is_asked_for_with_the_same_arguments(sandbox: Sandbox, platform: AgentPlatform) -> None:
    for number in range(5):
        sandbox.add_session(title=str(number), origin="api")
        sandbox.add_session(title="other", origin="webapp")
    pager = platform.organization("org-acme").sessions.list(first=2, origins=["api"])
    cursor = (await pager.first_page()).end_cursor
    assert [session.title for session in await pager.resume(cursor).collect()] == ["2", "3", "4"]
    queries = [parse_qs(entry.query) for entry in sandbox.journal.of("organization.sessions.list")]
    assert [query.pop("after", None) for query in queries] == [None, [cursor], [ANY]]
    assert queries == [{"first": ["2"], "origins": ["api"]}] * 3


@pytest.mark.parametrize("cursor", [7, True, b"cursor-1", ["cursor-1"]])
async def test_a_cursor_to_resume_from_is_checked_as_the_argument_is(platform: AgentPlatform, cursor: Any) -> None:
    sessions = platform.organization("org-acme").sessions
    with pytest.raises(InvalidArgumentError) as expected:
        sessions.list(after=cursor)
    with pytest.raises(InvalidArgumentError) as refused:
        sessions.list().resume(cursor)
    assert str(refused.value) == str(expected.value)


async def test_a_cursor_that_no_query_can_carry_is_refused_before_anything_is_sent(
    sandbox: Sandbox, platform: AgentPlatform
) -> None:
    with pytest.raises(InvalidArgumentError, match="surrogate"):
        await platform.organization("org-acme").sessions.list().resume("\ud800").collect()
    assert not sandbox.journal


async def test_every_iteration_starts_again() -> None:
    pager = three_pages().pager()
    assert await pager.collect() == await pager.collect()


async def test_after_an_error_the_cursor_is_where_to_resume() -> None:
    pages = three_pages()
    pages.pages["b"] = OSError("reset")
    pager = pages.pager()
    seen: list[int] = []
    with pytest.raises(OSError, match="reset"):
        await pour(pager, seen)
    pages.pages["b"] = page([5])
    assert seen + await pages.pager(after=pager.cursor).collect() == [1, 2, 3, 4, 5]


async def test_within_a_page_the_cursor_stays_before_it() -> None:
    pager = three_pages().pager()
    cursors = {item: pager.cursor async for item in pager}
    assert cursors == {1: None, 2: "a", 3: "a", 4: "b", 5: None}


async def test_the_next_page_is_fetched_while_one_is_consumed() -> None:
    pages = three_pages()
    async for _ in pages.pager().pages():
        await asyncio.sleep(0)
        break
    assert pages.fetched == [None, "a"]


@pytest.mark.parametrize(("limit", "fetched"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (99, 3), (None, 3)])
async def test_collect_fetches_no_page_that_it_does_not_need(limit: int | None, fetched: int) -> None:
    pages = three_pages()
    assert await pages.pager().collect(limit=limit) == [1, 2, 3, 4, 5][:limit]
    await asyncio.sleep(0)
    assert len(pages.fetched) == fetched


async def test_a_limit_that_cuts_a_page_leaves_the_cursor_before_it() -> None:
    pager = three_pages().pager()
    await pager.collect(limit=3)
    assert pager.cursor == "a"
    await pager.collect(limit=4)
    assert pager.cursor == "b"


@pytest.mark.parametrize("limit", [-1, True, 1.0])
async def test_a_limit_that_counts_nothing_is_refused(limit: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=f"limit must be a whole number that is not negative, not {limit}"):
        await three_pages().pager().collect(limit=limit)


async def test_the_first_page_alone_fetches_one() -> None:
    pages = three_pages()
    first = await pages.pager().first_page()
    assert list(first.items) == [1, 2]
    assert pages.fetched == [None]


async def test_stopping_early_cancels_the_fetch_under_way() -> None:
    never = asyncio.Event()
    cancelled = asyncio.Event()

    async def fetch(cursor: str | None) -> SessionPage:
        if cursor is None:
            return SessionPage.from_dict(page([1, 2], "a"))
        try:
            await never.wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        raise AssertionError

    async for _ in CursorPager(OPERATION, fetch, None):
        await asyncio.sleep(0)
        break
    await asyncio.wait_for(cancelled.wait(), 5)


@pytest.mark.parametrize("read", [aiter, lambda pager: pager.pages()], ids=["items", "pages"])
async def test_closing_an_iteration_waits_until_the_fetch_under_way_is_cancelled(read: Any) -> None:
    never, cancelled = asyncio.Event(), asyncio.Event()

    async def fetch(cursor: str | None) -> SessionPage:
        try:
            await (asyncio.sleep(0) if cursor is None else never.wait())
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return SessionPage.from_dict(page([{"session_id": "assistant-1"}] * 2, "a"))

    async with aclosing(read(CursorPager(OPERATION, fetch, None))) as iteration:
        await anext(iteration)
    assert cancelled.is_set()


async def test_the_error_of_an_unwanted_fetch_is_dropped() -> None:
    pages = three_pages()
    pages.pages["a"] = OSError("reset")
    async for _ in pages.pager():
        await asyncio.sleep(0)
        break


async def test_a_list_method_returns_a_pager(sandbox: Sandbox, platform: AgentPlatform) -> None:
    for number in range(7):
        sandbox.add_session(title=str(number))
    pager = platform.organization("org-acme").sessions.list(first=3)
    assert isinstance(pager, CursorPager)
    assert [session.title async for session in pager] == [str(number) for number in range(7)]
    assert pager.total == 7


def test_the_exported_pager_has_the_members_of_the_facade() -> None:
    members = {name for name in vars(Pager) if not name.startswith("_")}
    assert members <= set(dir(CursorPager))


async def test_a_wrong_iteration_names_the_right_one() -> None:
    pager = three_pages().pager()
    with pytest.raises(TypeError, match="a list is not awaited: use `async for item in pager`"):
        await pager
    with pytest.raises(TypeError, match="use `async for item in pager`, or await pager.collect()"):
        list(pager)


async def test_when_collect_fails_the_cursor_is_where_it_began() -> None:
    """Nothing was delivered, so nothing may be skipped."""
    pages = three_pages()
    pages.pages["b"] = OSError("reset")
    pager = pages.pager(after="a")
    with pytest.raises(OSError, match="reset"):
        await pager.collect()
    assert pager.cursor == "a"


async def test_a_numeric_cursor_can_be_passed_on() -> None:
    pager = Pages({None: page([1], 7), "7": page([2])}).pager()
    await pager.first_page()
    assert pager.cursor == "7"


async def test_an_iterator_dropped_in_a_reference_cycle_logs_nothing() -> None:
    class Reader:
        def __init__(self, pager: Any) -> None:
            self.iterator = aiter(pager)
            self.itself = self

    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
    pages = three_pages()
    pages.pages["a"] = OSError("reset")
    reader = Reader(pages.pager())
    await anext(reader.iterator)
    for _ in range(5):
        await asyncio.sleep(0)
    del reader
    gc.collect()
    for _ in range(5):
        await asyncio.sleep(0)
    assert reported == []


async def test_a_long_list_is_read_in_constant_memory() -> None:
    """Only the cursor of a page is kept, so that a repeated one is found."""
    pages, held = 200, []

    class Endless(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            number = int(request.url.params.get("after", 0))
            items = [{"session_id": f"assistant-{number}-{count}"} for count in range(200)]
            following = number + 1 < pages
            return httpx.Response(
                200, json={"items": items, "has_next_page": following, "end_cursor": str(number + 1), "total": 40_000}
            )

    async with AgentPlatform("https://example.com", "svc_x", transport=Endless()) as platform:
        seen = 0
        tracemalloc.start()
        try:
            async for _ in platform.organization("org-acme").sessions.list():
                seen += 1
                if seen in (8_000, 40_000):
                    gc.collect()
                    held.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
    assert seen == 40_000
    assert (held[1] - held[0]) / 160 < 400


async def test_the_next_page_is_requested_before_the_items_are_delivered() -> None:
    """The caller may process the items without yielding to the event loop."""
    requested: list[str | None] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requested.append(request.url.params.get("after"))
        last = "after" in request.url.params
        return httpx.Response(200, json=page([{"session_id": "assistant-1"}] * 3, None if last else "next"))

    async with AgentPlatform("https://x.example.com", "svc_x", transport=httpx.MockTransport(handle)) as platform:
        items = aiter(platform.organization("org-acme").sessions.list())
        await anext(items)
        assert requested == [None, "next"]
