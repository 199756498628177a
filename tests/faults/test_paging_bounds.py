"""Lists that lead nowhere: bounded, and every error in the middle has the cursor to resume from."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatformError,
    DecodeError,
    NotFoundError,
    Pager,
    PagingError,
)
from agent_session_platform.lists import MAX_EMPTY_PAGES

from tests.faults.exposure import exposed
from tests.faults.test_paging import page, paged, walk
from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, Connection, Request, fault_server
from tests.servers.scripts import response


async def count_up(request: Request, connection: Connection) -> None:
    """Respond with an empty page and a new cursor, for ever."""
    number = int(request.query.get("after", "0"))
    await connection.send(response(page("", str(number + 1))))


async def read_items(pager: Pager[Any]) -> None:
    """Iterate over the items."""
    async for _ in pager:
        pass


async def read_pages(pager: Pager[Any]) -> None:
    """Iterate over the pages."""
    async for _ in pager.pages():
        pass


async def collect_one(pager: Pager[Any]) -> None:
    """Collect a single item."""
    await pager.collect(limit=1)


async def collect_all(pager: Pager[Any]) -> None:
    """Collect all items."""
    await pager.collect()


ways = pytest.mark.parametrize("read", [read_items, read_pages, collect_one, collect_all])


@all_transports
@ways
async def test_100_empty_pages_in_a_row_are_an_error_that_can_be_resumed(transport: Any, read: Any) -> None:
    async with fault_server(count_up) as server, server.client(transport) as platform:
        pager = platform.enterprise.sessions.list()
        with pytest.raises(PagingError, match="100 pages in a row have no items") as caught:
            await read(pager)
        assert len(server.requests) == MAX_EMPTY_PAGES
        assert caught.value.cursor == pager.cursor == "100"
        with pytest.raises(PagingError):
            await read(platform.enterprise.sessions.list(after=caught.value.cursor))
        assert server.requests[-1].query["after"] == "199"


async def test_99_empty_pages_in_a_row_do_not_end_a_list() -> None:
    async def script(request: Request, connection: Connection) -> None:
        number = int(request.query.get("after", "0"))
        await connection.send(response(page("" if number % 100 else "a", str(number + 1) if number < 300 else None)))

    async with fault_server(script) as server, server.client() as platform:
        assert len(await platform.enterprise.sessions.list().collect()) == 4


@pytest.mark.parametrize("second", [response({}, "404 X"), response(b"[]"), response({"items": 7})])
async def test_an_error_in_the_middle_has_the_cursor_to_resume_from(second: bytes) -> None:
    _, error, pager = await walk({None: page("a", "x"), "x": second})
    assert isinstance(error, NotFoundError | DecodeError | PagingError)
    assert error.cursor == pager.cursor == "x"
    assert str(error).endswith("(resume with after='x')")
    assert pickle.loads(pickle.dumps(error)).cursor == "x"


async def test_an_error_of_collect_has_the_cursor_where_it_began() -> None:
    pages = {"w": page("a", "x"), "x": page("b", "y"), "y": response({}, "404 X")}
    async with fault_server(paged(pages)) as server, server.client() as platform:
        pager = platform.enterprise.sessions.list(after="w")
        with pytest.raises(NotFoundError, match=r"\(resume with after='w'\)") as caught:
            await pager.collect()
    assert caught.value.cursor == pager.cursor == "w"


async def test_an_error_of_the_first_page_has_the_cursor_that_was_asked_for() -> None:
    async with fault_server(response({}, "404 X")) as server, server.client(retry=ONE_ATTEMPT) as platform:
        with pytest.raises(NotFoundError) as caught:
            await platform.enterprise.sessions.list(after="w").first_page()
        assert caught.value.cursor == "w"
        with pytest.raises(NotFoundError) as caught:
            await platform.enterprise.sessions.list().first_page()
        assert caught.value.cursor is None


async def test_two_iterations_of_a_pager_have_a_cursor_each() -> None:
    pages: dict[str | None, Any] = {None: page("a", "x"), "x": page("b", "y"), "y": response({}, "404 X")}
    async with fault_server(paged(pages)) as server, server.client() as platform:
        pager = platform.enterprise.sessions.list()
        first = aiter(pager)
        await anext(first)
        await anext(first)
        second = aiter(pager)
        await anext(second)
        with pytest.raises(NotFoundError) as caught:
            await anext(first)
    assert caught.value.cursor == "y"


@pytest.mark.parametrize("cursor", [f"at-{TOKEN}", "x" * 5_000])
async def test_a_cursor_that_is_long_or_has_the_token_is_not_in_a_message(cursor: str) -> None:
    _, error, _ = await walk({None: page("a", cursor), cursor: response({}, "404 X")})
    assert isinstance(error, AgentPlatformError)
    assert len(str(error)) < 200
    assert TOKEN not in str(error)
    if TOKEN not in cursor:
        assert error.cursor == cursor
        assert TOKEN not in exposed(error)
