"""Lists of every form, as an export reads them: a payload that is not shown, and plain arrays."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, PagingError, RequestOptions
from agent_session_platform_jobs import export

from jobs_tests.lists.listing import read
from tests.servers.growing_list import GrowingList


async def test_a_payload_that_has_a_next_page_is_followed(path: Path) -> None:
    listing = GrowingList([{"n": number} for number in range(5)])
    async with listing.client() as platform:
        logs = platform.organization().audit_logs
        source = partial(logs.list, order="asc", options=RequestOptions(extra_query={"x": "y"}))
        await export(source, path)
        assert read(path) == listing.items
        assert listing.requested == [None, "2", "4"]


async def test_a_payload_whose_next_page_cannot_be_requested_is_refused(path: Path) -> None:
    async def source() -> Any:
        return {"items": [1], "has_next_page": True, "end_cursor": "x"}

    for awaitable in (source(), source):
        with pytest.raises(InvalidArgumentError, match="pass the method of the SDK"):
            await export(awaitable, path)


async def test_a_payload_that_has_a_next_page_is_continued(path: Path, state: Path) -> None:
    listing = GrowingList([{"n": number} for number in range(5)])
    async with listing.client() as platform:
        source = platform.organization().audit_logs.list
        await export(source, path, state=state, max_pages=1)
        await export(source, path, state=state)
    assert read(path) == listing.items


@pytest.mark.parametrize(
    ("payload", "items"),
    [
        ({"items": [1], "others": [2]}, [1]),
        ({"entries": [1, 2], "count": 2}, [1, 2]),
        ({"a": [1], "b": [2]}, [{"a": [1], "b": [2]}]),
        ({"items": None}, [{"items": None}]),
        ([3, 4], [3, 4]),
    ],
)
async def test_the_items_of_a_payload_are_its_only_array(payload: Any, items: list[Any], path: Path) -> None:
    async def source() -> Any:
        return payload

    await export(source, path)
    assert read(path) == items


@pytest.mark.parametrize("source", [5, [1, 2], "organization.sessions.list", lambda: [1, 2]])
async def test_what_is_no_list_is_refused(source: Any, path: Path) -> None:
    path.write_text("older\n")
    with pytest.raises(InvalidArgumentError, match="source must be a pager, an awaitable of a list, or a method"):
        await export(source, path)
    assert path.read_text() == "older\n"


@pytest.mark.parametrize("cursor", [None, "", 7, "a"])
async def test_a_next_page_without_a_new_cursor_is_an_error(cursor: Any, path: Path) -> None:
    async def source(options: RequestOptions | None = None) -> Any:
        at = (options.extra_query or {}).get("after") if options else None
        return {"items": [1], "has_next_page": True, "end_cursor": "b" if at == "a" else cursor}

    with pytest.raises(PagingError, match=f"end_cursor is no new cursor: {cursor!r}"):
        await export(source, path)
    assert not path.exists()


@pytest.mark.parametrize("flag", [{}, {"has_next_page": None}])
async def test_a_payload_without_a_flag_goes_on_while_it_has_a_cursor(flag: Any, path: Path) -> None:
    async def source(options: RequestOptions | None = None) -> Any:
        at = (options.extra_query or {}).get("after") if options else None
        return {"items": [at], "end_cursor": {None: "a", "a": "b", "b": None}[at], **flag}

    await export(source, path)
    assert read(path) == [None, "a", "b"]


async def test_a_cursor_of_the_server_that_cannot_be_sent_is_not_blamed_on_the_caller(path: Path) -> None:
    listing = GrowingList([{"n": 1}])
    async with listing.client() as platform:
        list_logs = platform.organization().audit_logs.list

        async def source(options: RequestOptions | None = None) -> Any:
            await list_logs(options=options)
            return {"items": [1], "has_next_page": True, "end_cursor": "\ud800"}

        with pytest.raises(PagingError, match="the server's cursor cannot be sent: .*surrogates not allowed"):
            await export(source, path)
