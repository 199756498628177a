"""Lists from a server with invalid paging, over real sockets: nothing lost or repeated, no endless loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, DecodeError, PagingError, ProblemError
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, Connection, Request, Script, fault_server
from tests.servers.scripts import gzip_response, response, silence, then_close, then_reset
from tests.strategies import stable, texts, values

NAME = "enterprise.sessions.list"


def page(ids: str, end_cursor: Any = None, has_next_page: Any = None, **more: Any) -> dict[str, Any]:
    following = end_cursor is not None if has_next_page is None else has_next_page
    items = [{"session_id": each} for each in ids]
    return {"items": items, "end_cursor": end_cursor, "has_next_page": following, **more}


def paged(pages: Mapping[str | None, Any]) -> Script:
    """Respond with the page of the requested cursor; bytes and scripts are used as they are."""

    async def script(request: Request, connection: Connection) -> None:
        found = pages[request.query.get("after")]
        if callable(found):
            await found(request, connection)
        else:
            await connection.send(found if isinstance(found, bytes) else response(found))

    return script


async def pour(pager: Any, into: list[str]) -> None:
    """Append the ids one by one, so that those before an error are kept."""
    async for item in pager:
        into.append(item.session_id)  # noqa: PERF401


async def walk(pages: Mapping[str | None, Any], transport: Any = None) -> tuple[str, AgentPlatformError | None, Any]:
    """Read a list; return the ids that were delivered, the error that ended it, and the pager."""
    delivered: list[str] = []
    async with fault_server(paged(pages)) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        pager = platform.enterprise.sessions.list()
        try:
            await asyncio.wait_for(pour(pager, delivered), 10)
        except AgentPlatformError as error:
            return "".join(delivered), error, pager
    return "".join(delivered), None, pager


@pytest.mark.parametrize(
    ("second", "error"),
    [
        ({"items": None, "end_cursor": "y", "has_next_page": True}, PagingError),
        ({"end_cursor": "y", "has_next_page": True}, PagingError),
        ({"items": {"0": {}}}, PagingError),
        ({"items": "abc"}, PagingError),
        ({"items": 7}, PagingError),
        ({}, PagingError),
        (response([]), DecodeError),
        (response(b"null"), DecodeError),
        (response(b""), DecodeError),
        (response(b"<html>", media_type="text/html"), DecodeError),
        (response(b'{"items": [{"session_id": "b"}'), DecodeError),
        (gzip_response(b'{"items": []}', keep=15), DecodeError),
        (response(b"", "302 X", "Location: /v3/other"), DecodeError),
        (response({"title": "Gone"}, "410 X"), ProblemError),
    ],
)
async def test_an_invalid_page_is_an_error_and_the_cursor_stays_before_it(
    transport: Any, second: Any, error: type[AgentPlatformError]
) -> None:
    came, raised, pager = await walk({None: page("a", "x"), "x": second}, transport)
    assert came == "a"
    assert type(raised) is error
    assert str(raised).startswith(f"{NAME}: ")
    assert (pager.cursor, pager.exhausted) == ("x", False)
    if isinstance(raised, PagingError):
        assert raised.cursor == "x"


@all_transports
@pytest.mark.parametrize(
    ("pages", "delivered"),
    [
        ({None: page("ab")}, "ab"),
        ({None: page("")}, ""),
        ({None: page("a", "x"), "x": page("", "y"), "y": page("", "z"), "z": page("b")}, "ab"),
        ({None: page("", "x"), "x": page("", "y"), "y": page("c")}, "c"),
        ({None: page("a", "x"), "x": page("")}, "a"),
        ({None: page("a", "x"), "x": page("b", "last", False)}, "ab"),
        ({None: page("a", "x"), "x": page("b", "x", False)}, "ab"),
        ({None: page("a", "x"), "x": {"items": [{"session_id": "b"}]}}, "ab"),
        ({None: page("a", "x"), "x": page("b", None, False)}, "ab"),
        ({None: page("a", "x"), "x": page("b", "y", None) | {"has_next_page": None}}, "ab"),
        ({None: page("a", 7), "7": page("b", 7.5), "7.5": page("c")}, "abc"),
        ({None: page("aa", "x"), "x": page("aa")}, "aaaa"),
    ],
)
async def test_a_list_ends_where_the_server_says(
    transport: Any, pages: Mapping[str | None, Any], delivered: str
) -> None:
    came, error, pager = await walk(pages, transport)
    assert error is None
    assert came == delivered
    assert pager.exhausted


CURSORS = ["a&b=c#d?e/f", "+", "%2F%20%", " ", "\t\r\n", "\x00", '"\\', "==", "ä☃\U0001d11e", "e\u0301", "\u202e", ";"]
CURSORS += ["null", "None", "&after=y", "../..", "%C3%A4", "\ufeff", "\uffff", "x" * 5000]


@all_transports
async def test_a_cursor_with_half_of_a_surrogate_pair_is_an_error(transport: Any) -> None:
    came, error, _ = await walk({None: page("a", "\ud800")}, transport)
    assert came == "a"
    assert isinstance(error, AgentPlatformError)


@pytest.mark.parametrize("cursor", ["x" * 5000, f"at-{TOKEN}"])
async def test_the_error_of_a_repeated_cursor_is_short_and_has_no_token(cursor: str) -> None:
    _, error, _ = await walk({None: page("a", cursor), cursor: page("b", cursor)})
    assert isinstance(error, PagingError)
    assert len(str(error)) < 500
    assert TOKEN not in str(error)


FAULTS = {
    "500": response({}, "500 X"),
    "reset": then_reset(),
    "cut": then_close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
    "html": response(b"<html>", media_type="text/html"),
    "no items": response({}),
    "silence": silence,
    "gzip": gzip_response(b"{}", keep=12),
}
THREE = {None: page("abc", "x"), "x": page("de", "y"), "y": page("", "z"), "z": page("f")}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("place", [None, "x", "y", "z"])
async def test_a_list_resumed_after_an_error_is_complete_without_repeats(
    transport: Any, fault: Any, place: str | None
) -> None:
    pages: dict[str | None, Any] = {**THREE, place: fault}
    came: list[str] = []
    async with (
        fault_server(paged(pages)) as server,
        server.client(transport, retry=ONE_ATTEMPT, timeout=0.1) as platform,
    ):
        pager = platform.enterprise.sessions.list()
        # A slow machine may time out once more; it is resumed all the same.
        for _ in range(20):
            try:
                await pour(pager, came)
                break
            except AgentPlatformError:
                pages[place] = THREE[place]
                pager = platform.enterprise.sessions.list(after=pager.cursor)
    assert "".join(came) == "abcdef"
    assert pager.exhausted


@all_transports
@given(cursors=st.lists(texts, min_size=1, max_size=5, unique=True))
@stable
def test_any_cursor_is_sent_back_unchanged(transport: Any, cursors: list[str]) -> None:
    requested: list[str | None] = []

    async def script(request: Request, connection: Connection) -> None:
        requested.append(request.query.get("after"))
        end_cursor = cursors[len(requested) - 1] if len(requested) <= len(cursors) else None
        await connection.send(
            response({"items": [], "end_cursor": end_cursor, "has_next_page": end_cursor is not None})
        )

    async def run() -> list[Any]:
        async with fault_server(script) as server, server.client(transport) as platform:
            return await platform.enterprise.sessions.list().collect()

    assert asyncio.run(run()) == []
    assert requested == [None, *cursors]


envelopes = values | st.fixed_dictionaries(
    {"items": values | st.lists(values)}, optional={"end_cursor": values, "has_next_page": values, "total": values}
)


@given(first=envelopes, second=envelopes)
@stable
def test_any_page_is_read_or_refused_with_an_error_of_the_sdk(first: Any, second: Any) -> None:
    delivered: list[Any] = []

    async def run() -> AgentPlatformError | None:
        scripts = [response(page) for page in (first, second, {"items": []})]
        async with fault_server(*scripts) as server, server.client() as platform:
            try:
                async for item in platform.enterprise.sessions.list():
                    delivered.append(item)  # noqa: PERF401
            except AgentPlatformError as error:
                return error
        return None

    error = asyncio.run(asyncio.wait_for(run(), 20))
    assert error is None or str(error).startswith("enterprise.sessions.list: ")
    items = first.get("items") if isinstance(first, dict) else None
    assert len(delivered) >= (len(items) if isinstance(items, list) else 0)
