"""Lists: nothing skipped or repeated, no page fetched without need, and no endless loop."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import pickle
import tracemalloc
import weakref
from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import Any
from unittest.mock import ANY
from urllib.parse import parse_qs

import httpx
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, Pager, errors
from agent_session_platform.models import Session
from agent_session_platform_sandbox import Sandbox
from hypothesis import given, strategies as st

from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import TOKEN, client
from tests.servers.scripts import page, pour
from tests.strategies import stable, values

FAILED = httpx.Response(500)


class Listing:
    """A list from a script, which has a page for each cursor, or an exception to raise, or a response to send.

    Attributes:
        fetched: The cursors that were requested, in order.
    """

    def __init__(self, pages: Mapping[str | None, dict[str, Any] | Exception | httpx.Response]) -> None:
        self.pages = dict(pages)
        self.fetched: list[str | None] = []

    def respond(self, request: httpx.Request) -> httpx.Response:
        """Respond to a request for a page."""
        cursor = request.url.params.get("after")
        self.fetched.append(cursor)
        page = self.pages[cursor]
        if isinstance(page, Exception):
            raise page
        return page if isinstance(page, httpx.Response) else httpx.Response(200, content=json.dumps(page))

    def pager(self, after: str | None = None) -> Pager[Session]:
        """Return the pager of the list."""
        platform = client("https://platform.example.com", httpx.MockTransport(self.respond), retry=ONE_ATTEMPT)
        return platform.organization().sessions.list(after=after)


def three_pages(**changed: Any) -> Listing:
    pages = {None: page("ab", "x", total=5), "x": page("cd", "y", total=5), "y": page("e", total=5)}
    return Listing({**pages, **changed})


async def ids(pager: Any) -> str:
    found: list[str] = []
    await pour(pager, found)
    return "".join(found)


async def collected(pager: Any, limit: int | None = None) -> str:
    return "".join([session.session_id for session in await pager.collect(limit=limit)])


async def test_items_of_all_pages_come_in_order() -> None:
    """Gap list-order: the items have the order of the server."""
    pager = three_pages().pager()
    assert await ids(pager) == "abcde"
    assert (pager.exhausted, pager.total, pager.cursor) == (True, 5, None)


async def test_pages_come_one_by_one() -> None:
    sizes = [len(each.items) async for each in three_pages().pager().pages()]
    assert sizes == [2, 2, 1]


async def test_every_iteration_begins_at_its_cursor() -> None:
    pager = three_pages().pager(after="y")
    assert await collected(pager) == await ids(pager) == "e"
    assert await collected(pager.resume("x")) == "cde"
    assert await collected(pager.resume(None)) == "abcde"


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


@pytest.mark.parametrize("cursor", [7, True, b"cursor-1", ["cursor-1"], "\ud800"])
async def test_a_cursor_that_cannot_be_sent_is_refused(sandbox: Sandbox, platform: AgentPlatform, cursor: Any) -> None:
    sessions = platform.organization("org-acme").sessions
    for make in (lambda: sessions.list(after=cursor), lambda: sessions.list().resume(cursor)):
        with pytest.raises(errors.InvalidArgumentError, match="after"):
            await make().collect()
    assert not sandbox.journal


async def test_an_empty_cursor_of_a_caller_is_sent() -> None:
    """Only None is the beginning: an empty cursor is an error of the caller, which the server knows."""
    listing = three_pages(**{"": httpx.Response(400)})
    for pager in (listing.pager(after=""), listing.pager().resume("")):
        with pytest.raises(errors.BadRequestError):
            await pager.collect()
    assert listing.fetched == ["", ""]


async def test_within_a_page_the_cursor_stays_before_it() -> None:
    pager = three_pages().pager()
    cursors = {session.session_id: pager.cursor async for session in pager}
    assert cursors == {"a": None, "b": "x", "c": "x", "d": "y", "e": None}


async def test_an_iteration_requests_the_next_page_before_it_delivers_the_items() -> None:
    """The caller may process the items without yielding to the event loop."""
    for read in (aiter, lambda pager: pager.pages()):
        listing = three_pages()
        assert (await listing.pager().first_page()).end_cursor == "x"
        assert listing.fetched == [None]
        await anext(read(listing.pager()))
        assert listing.fetched == [None, None, "x"]


@pytest.mark.parametrize(
    ("limit", "fetched", "cursor"),
    [(0, 0, None), (1, 1, None), (2, 1, "x"), (3, 2, "x"), (4, 2, "y"), (5, 3, None), (99, 3, None), (None, 3, None)],
)
async def test_collect_reads_no_further_than_its_limit(limit: int | None, fetched: int, cursor: str | None) -> None:
    listing = three_pages()
    pager = listing.pager()
    assert await collected(pager, limit) == "abcde"[:limit]
    await asyncio.sleep(0)
    assert (len(listing.fetched), pager.cursor) == (fetched, cursor)


@pytest.mark.parametrize("limit", [-1, -100, "5", 2.5])
async def test_a_limit_that_is_negative_or_no_integer_is_refused(limit: Any) -> None:
    wanted = f"limit must be an integer of at least 0, or None, not {limit!r}"
    with pytest.raises(errors.InvalidArgumentError, match=wanted):
        await three_pages().pager().collect(limit=limit)


@pytest.mark.parametrize("read", [aiter, lambda pager: pager.pages()], ids=["items", "pages"])
async def test_closing_an_iteration_waits_until_the_fetch_under_way_is_cancelled(read: Any) -> None:
    never, cancelled = asyncio.Event(), asyncio.Event()

    async def respond(request: httpx.Request) -> httpx.Response:
        if "after" in request.url.params:
            try:
                await never.wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise
        return httpx.Response(200, json=page("ab", "x"))

    platform = client("https://platform.example.com", httpx.MockTransport(respond))
    async with aclosing(read(platform.organization().sessions.list())) as iteration:
        await anext(iteration)
    assert cancelled.is_set()


async def test_an_iterator_dropped_in_a_reference_cycle_logs_nothing() -> None:
    """The pager drops the fetch in progress and its error together with the iterator."""
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
    cycle: list[Any] = [aiter(three_pages(x=FAILED).pager())]
    cycle.append(cycle)
    await anext(cycle[0])
    await asyncio.sleep(0.01)
    del cycle
    gc.collect()
    await asyncio.sleep(0.01)
    assert reported == []


async def test_awaiting_a_pager_gives_the_first_page() -> None:
    listing = Listing({None: page("ab")})
    assert list(await listing.pager()) == list(await listing.pager().first_page())


async def test_a_long_list_is_read_in_constant_memory() -> None:
    """The pager keeps only the cursor of each page, to find a repeated cursor."""
    pages, held, seen = 200, [], 0

    def respond(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get("after", 0))
        items = [f"assistant-{number}-{count}" for count in range(40)]
        return httpx.Response(200, json=page(items, str(number + 1), number + 1 < pages))

    async with AgentPlatform("https://example.com", "svc_x", transport=httpx.MockTransport(respond)) as platform:
        tracemalloc.start()
        try:
            async for _ in platform.organization("org-acme").sessions.list():
                seen += 1
                if seen in (40 * 40, 200 * 40):
                    gc.collect()
                    held.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
    assert (held[1] - held[0]) / 160 < 400


# Where a list ends.


@pytest.mark.parametrize(
    ("pages", "delivered"),
    [
        ({None: page("")}, ""),
        ({None: page("a", "x"), "x": page("", "y"), "y": page("", "z"), "z": page("b")}, "ab"),
        ({None: page("a", "x"), "x": page("b", "last", False)}, "ab"),
        ({None: page("a", "x"), "x": {"items": [{"session_id": "b"}]}}, "ab"),
        *(({None: page("a", "x"), "x": page("b", "y", empty)}, "ab") for empty in (0, "", [], {})),
        ({None: page("a", "x") | {"has_next_page": None}, "x": page("b", None)}, "ab"),
        ({None: page("a", "x", 1), "x": page("b")}, "ab"),
        # A page that leaves `has_next_page` out goes on while it has a cursor: so nothing is lost.
        ({None: {"items": [{"session_id": "a"}], "end_cursor": "x"}, "x": {"items": [{"session_id": "b"}]}}, "ab"),
        ({None: {"items": [{"session_id": "a"}], "end_cursor": "x"}, "x": {"items": [], "end_cursor": None}}, "a"),
        ({None: page("aa", "x"), "x": page("aa")}, "aaaa"),
        ({None: page("a", 7), "7": page("b", 7.5), "7.5": page("c", 10**30), f"1{'0' * 30}": page("d")}, "abcd"),
        ({None: page("b", "\x00"), "\x00": page("c", "1" * 5000), "1" * 5000: page("d")}, "bcd"),
    ],
)
async def test_a_list_ends_where_the_server_says(pages: Mapping[str | None, Any], delivered: str) -> None:
    listing = Listing(pages)
    pager = listing.pager()
    assert await ids(pager) == delivered
    assert listing.fetched == list(pages)
    assert pager.exhausted


@pytest.mark.parametrize("end_cursor", [None, {"a": 1}, True, "\ud800"])
async def test_a_cursor_that_leads_nowhere_is_an_error_after_the_items(end_cursor: Any) -> None:
    found: list[str] = []
    with pytest.raises(AgentPlatformError, match="has_next_page is true, but there is no end_cursor: |surrogate"):
        await pour(Listing({None: page("a", end_cursor, True)}).pager(), found)
    assert found == ["a"]


@pytest.mark.parametrize("length", [1, 2, 50])
async def test_a_circle_is_found_when_its_first_cursor_comes_again(length: int) -> None:
    circle = {str(number): page("s", str((number + 1) % length)) for number in range(length)}
    found: list[str] = []
    with pytest.raises(errors.PagingError, match="end_cursor did not advance from '0'"):
        await pour(Listing({None: page("s", "0"), **circle}).pager(), found)
    assert len(found) == length + 1


async def read_pages(pager: Any) -> None:
    async for _ in pager.pages():
        pass


READS: dict[str, Callable[[Any], Any]] = {
    "items": ids,
    "pages": read_pages,
    "collect": collected,
    "collect one": lambda pager: pager.collect(limit=1),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
async def test_100_empty_pages_in_a_row_are_an_error_that_can_be_resumed(read: Any) -> None:
    listing = Listing({str(number or ""): page("", str(number + 1)) for number in range(200)})
    listing.pages[None] = page("", "1")
    pager = listing.pager()
    with pytest.raises(errors.PagingError, match="100 pages in a row have no items") as caught:
        await read(pager)
    assert len(listing.fetched) == 100
    assert caught.value.cursor == pager.cursor == "100"
    with pytest.raises(errors.PagingError):
        await read(listing.pager(after="100"))
    assert listing.fetched[-1] == "199"


async def test_99_empty_pages_in_a_row_do_not_end_a_list() -> None:
    pages = {str(number): page("" if number % 100 else "a", str(number + 1)) for number in range(300)}
    assert await ids(Listing({None: page("a", "1"), **pages, "300": page("a")}).pager()) == "aaaa"


# Where the cursor is after an error.


@pytest.mark.parametrize(
    ("read", "after"),
    [
        (lambda pager: pager.collect(), None),
        (lambda pager: pager.collect(), "x"),
        (lambda pager: pager.first_page(), "y"),
    ],
)
async def test_an_error_before_any_item_has_the_cursor_of_the_beginning(read: Any, after: str | None) -> None:
    pager = three_pages(y=FAILED).pager(after)
    with pytest.raises(errors.ServerError) as caught:
        await read(pager)
    assert caught.value.cursor == pager.cursor == after


async def test_two_iterations_of_a_pager_have_a_cursor_each() -> None:
    pager = Listing({None: page("a", "x"), "x": page("b", "y"), "y": FAILED}).pager()
    first = aiter(pager)
    await anext(first)
    await anext(first)
    await anext(aiter(pager))
    with pytest.raises(errors.ServerError) as caught:
        await anext(first)
    assert caught.value.cursor == "y"


@pytest.mark.parametrize("read", [ids, read_pages, collected])
async def test_an_error_is_freed_when_it_was_handled(read: Any) -> None:
    gc.disable()
    try:
        with pytest.raises(errors.ServerError) as caught:
            await read(three_pages(x=FAILED).pager())
        kept = weakref.ref(caught.value)
        del caught
        await asyncio.sleep(0)
        assert kept() is None
    finally:
        gc.enable()


GZIP = {"content-type": "application/json", "content-encoding": "gzip"}
HTML = httpx.Response(200, html="<html>")


@pytest.mark.parametrize(
    ("second", "cls"),
    [
        ({"items": None, "end_cursor": "y", "has_next_page": True}, errors.PagingError),
        ({"items": {"0": {}}}, errors.PagingError),
        ({"items": 7}, errors.PagingError),
        ({}, errors.PagingError),
        (httpx.Response(200, json=None, content=b"null"), errors.DecodeError),
        (HTML, errors.DecodeError),
        (httpx.Response(302, headers={"location": "/v3/other"}), errors.DecodeError),
        (httpx.Response(410, json={"title": "Gone"}), errors.ProblemError),
    ],
)
async def test_an_invalid_page_is_an_error_that_has_the_cursor_to_resume_from(second: Any, cls: type[Any]) -> None:
    pager, found = Listing({None: page("a", "x"), "x": second}).pager(), list[str]()
    with pytest.raises(AgentPlatformError) as caught:
        await pour(pager, found)
    assert (type(caught.value), found) == (cls, ["a"])
    assert str(caught.value).startswith("organization.sessions.list: ")
    assert str(caught.value).endswith("(resume with after='x')")
    assert (pager.cursor, pager.exhausted) == ("x", False)
    assert pickle.loads(pickle.dumps(caught.value)).cursor == caught.value.cursor == "x"


@pytest.mark.parametrize("cursor", [f"at-{TOKEN}", "x" * 5_000])
@pytest.mark.parametrize("is_repeated", [True, False])
async def test_a_cursor_that_is_long_or_has_the_token_is_not_in_a_message(cursor: str, is_repeated: bool) -> None:
    second = page("b", cursor) if is_repeated else FAILED
    with pytest.raises(AgentPlatformError) as caught:
        await ids(Listing({None: page("a", cursor), cursor: second}).pager())
    assert len(str(caught.value)) < 500
    assert TOKEN not in str(caught.value)
    assert caught.value.cursor == cursor


FAULTS = {
    "500": FAILED,
    "reset": httpx.ReadError("reset"),
    "html": HTML,
    "no items": httpx.Response(200, json={}),
    "gzip": httpx.Response(200, headers=GZIP, stream=httpx.ByteStream(gzip.compress(b"{}")[:12])),
}
THREE = {None: page("abc", "x"), "x": page("de", "y"), "y": page("", "z"), "z": page("f")}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("place", [None, "x", "y", "z"])
async def test_a_list_resumed_after_an_error_is_complete_without_repeats(fault: Any, place: str | None) -> None:
    listing, found = Listing({**THREE, place: fault}), list[str]()
    pager = listing.pager()
    with pytest.raises(AgentPlatformError):
        await pour(pager, found)
    listing.pages[place] = THREE[place]
    pager = listing.pager(after=pager.cursor)
    await pour(pager, found)
    assert "".join(found) == "abcdef"
    assert pager.exhausted


envelopes = values | st.fixed_dictionaries(
    {"items": values | st.lists(values)}, optional={"end_cursor": values, "has_next_page": values, "total": values}
)


@given(first=envelopes, second=envelopes)
@stable
def test_any_page_is_read_or_refused_with_an_error_of_the_sdk(first: Any, second: Any) -> None:
    bodies = [json.dumps(each) for each in (first, second, {"items": []})]
    delivered: list[Any] = []

    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=bodies.pop(0), headers={"content-type": "application/json"})

    async def read() -> str:
        async with client("https://example.com", httpx.MockTransport(respond)) as platform:
            try:
                async for item in platform.organization().sessions.list():
                    delivered.append(item)
            except AgentPlatformError as error:
                return str(error)
        return "organization.sessions.list: no error"

    assert asyncio.run(read()).startswith("organization.sessions.list: ")
    items = first.get("items") if isinstance(first, dict) else None
    assert len(delivered) >= (len(items) if isinstance(items, list) else 0)
