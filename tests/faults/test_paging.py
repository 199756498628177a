"""Lists from a server with invalid paging, over real sockets: nothing lost or repeated, no endless loop."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, DecodeError, PagingError, ProblemError
from hypothesis import given
from hypothesis import strategies as st

from tests.faults.exposure import exposed
from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import TOKEN, Connection, Request, Script, fault_server
from tests.servers.listing import page, pour
from tests.servers.scripts import gzip_response, response, silence, then_close, then_reset
from tests.strategies import stable, values

NAME = "enterprise.sessions.list"


def paged(pages: Mapping[str | None, Any]) -> Script:
    """Respond with the page of the requested cursor; bytes and scripts are used as they are."""

    async def script(request: Request, connection: Connection) -> None:
        found = pages[request.query.get("after")]
        if callable(found):
            await found(request, connection)
        else:
            await connection.send(found if isinstance(found, bytes) else response(found))

    return script


async def broken_list(pages: Mapping[str | None, Any], transport: Any = None) -> tuple[Any, AgentPlatformError]:
    """Read a list whose second page has an error; return its pager and the error."""
    delivered: list[str] = []
    async with fault_server(paged(pages)) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        pager = platform.enterprise.sessions.list()
        with pytest.raises(AgentPlatformError) as caught:
            await asyncio.wait_for(pour(pager, delivered), 10)
    assert delivered[0] == "a"
    return pager, caught.value


@pytest.mark.parametrize(
    ("second", "cls"),
    [
        ({"items": None, "end_cursor": "y", "has_next_page": True}, PagingError),
        ({"items": {"0": {}}}, PagingError),
        ({"items": 7}, PagingError),
        ({}, PagingError),
        (response(b"null"), DecodeError),
        (response(b"<html>", media_type="text/html"), DecodeError),
        (gzip_response(b'{"items": []}', keep=15), DecodeError),
        (response(b"", "302 X", "Location: /v3/other"), DecodeError),
        (response({"title": "Gone"}, "410 X"), ProblemError),
    ],
)
async def test_an_invalid_page_is_an_error_that_has_the_cursor_to_resume_from(
    transport: Any, second: Any, cls: type[AgentPlatformError]
) -> None:
    pager, error = await broken_list({None: page("a", "x"), "x": second}, transport)
    assert type(error) is cls
    assert str(error).startswith(f"{NAME}: ")
    assert str(error).endswith("(resume with after='x')")
    assert (pager.cursor, pager.exhausted) == ("x", False)
    assert pickle.loads(pickle.dumps(error)).cursor == error.cursor == "x"


@pytest.mark.parametrize("cursor", [f"at-{TOKEN}", "x" * 5_000])
@pytest.mark.parametrize("repeated", [True, False])
async def test_a_cursor_that_is_long_or_has_the_token_is_not_in_a_message(cursor: str, repeated: bool) -> None:
    second = page("b", cursor) if repeated else response({}, "404 X")
    _, error = await broken_list({None: page("a", cursor), cursor: second})
    assert len(str(error)) < 500
    assert TOKEN not in str(error)
    assert error.cursor == cursor
    if TOKEN not in cursor:
        assert TOKEN not in exposed(error)


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
    settings: Any = {"retry": ONE_ATTEMPT, "timeout": 0.1}
    async with fault_server(paged(pages)) as server, server.client(transport, **settings) as platform:
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
    assert error is None or str(error).startswith(f"{NAME}: ")
    items = first.get("items") if isinstance(first, dict) else None
    assert len(delivered) >= (len(items) if isinstance(items, list) else 0)
