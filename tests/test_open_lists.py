"""Lists whose form the description does not show: nothing of them is lost in silence."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, IncompleteListWarning, OpenModel, Pager, RequestOptions, errors

from tests.servers.fault_server import client

FIRST = {"items": [{"title": "a"}, {"title": "b"}], "has_next_page": True, "end_cursor": "x", "total": 3}
LAST = {"items": [{"title": "c"}], "has_next_page": False, "end_cursor": None, "total": 3}
# A page that the caller asks for by its cursor.
AT_X = RequestOptions(extra_query={"after": "x"})


class Server:
    """A server that responds with the page at each cursor.

    Attributes:
        requested: The query of each request.
    """

    def __init__(self, pages: Mapping[str | None, Any]) -> None:
        self.pages = pages
        self.requested: list[dict[str, str]] = []

    def respond(self, request: httpx.Request) -> httpx.Response:
        """Respond to a request for a page."""
        self.requested.append(dict(request.url.params))
        return httpx.Response(200, content=json.dumps(self.pages[request.url.params.get("after")]))

    def platform(self) -> AgentPlatform:
        """Return a client of the server."""
        return client("https://platform.example.com", httpx.MockTransport(self.respond))


def two_pages() -> Server:
    return Server({None: FIRST, "x": LAST})


async def test_an_open_list_is_read_whole_in_one_line() -> None:
    playbooks = two_pages().platform().organization().playbooks
    assert [playbook.title async for playbook in playbooks.list()] == ["a", "b", "c"]


async def test_awaiting_an_open_list_gives_the_first_response() -> None:
    response = await Server({None: LAST}).platform().organization().playbooks.list()
    assert isinstance(response, OpenModel)
    assert response.to_dict() == LAST


async def test_a_first_page_that_is_not_the_whole_list_is_a_warning_that_names_the_way_on() -> None:
    playbooks = two_pages().platform().organization().playbooks
    with pytest.warns(IncompleteListWarning) as caught:
        response = await playbooks.list()
    assert response.to_dict() == FIRST
    assert str(caught[0].message) == (
        "organization.playbooks.list: the server has more pages than this one; `async for` reads all, "
        "`.first_page()` only this one"
    )
    assert caught[0].filename == __file__


async def test_a_pager_warns_in_the_same_way() -> None:
    sessions = two_pages().platform().organization().sessions
    with pytest.warns(IncompleteListWarning, match=r"organization\.sessions\.list: the server has more pages"):
        page = await sessions.list()
    assert page["total"] == 3
    assert len(page.items) == 2


async def test_each_line_warns_once() -> None:
    playbooks = two_pages().platform().organization().playbooks
    with warnings.catch_warnings(record=True, action="default", category=IncompleteListWarning) as caught:
        for _ in range(2):
            await playbooks.list()
        await playbooks.list()
    assert len(caught) == 2


@pytest.mark.parametrize("page", [{"items": [1], "end_cursor": "x"}, {"rows": [1], "has_next_page": True}])
async def test_a_cursor_or_the_flag_alone_is_enough_for_the_warning(page: Any) -> None:
    with pytest.warns(IncompleteListWarning):
        await Server({None: page}).platform().organization().playbooks.list()


@pytest.mark.parametrize("cursor", ["x", None])
async def test_who_passes_a_cursor_is_not_warned(cursor: str | None) -> None:
    server = Server({None: FIRST, "x": FIRST})
    await server.platform().organization().playbooks.list(options=RequestOptions(extra_query={"after": cursor}))
    await server.platform().organization().sessions.list(after="x")
    await server.platform().organization().playbooks.list().resume("x")


async def test_who_reads_pages_is_not_warned() -> None:
    playbooks = two_pages().platform().organization().playbooks
    page = await playbooks.list().first_page()
    assert (page.to_dict(), page["total"], "rows" in page, page.total) == (FIRST, 3, False, 3)
    assert [page.has_next_page async for page in playbooks.list().pages()] == [True, False]


async def test_a_response_that_is_no_list_warns_of_its_next_page() -> None:
    enterprise = Server({None: FIRST, "x": FIRST}).platform().enterprise
    with pytest.warns(IncompleteListWarning, match=r"extra_query=\{'after': response.end_cursor\}") as caught:
        await enterprise.ip_access_list.get()
    assert caught[0].filename == __file__
    await enterprise.ip_access_list.get(options=AT_X)


async def test_a_cursor_in_extra_query_is_where_the_list_begins() -> None:
    server = two_pages()
    playbooks = server.platform().organization().playbooks
    options = RequestOptions(extra_query={"after": "x", "first": 2})
    assert [playbook.title async for playbook in playbooks.list(options=options)] == ["c"]
    assert server.requested == [{"after": "x", "first": "2"}]


@pytest.mark.parametrize(
    ("response", "items"),
    [
        ([{"title": "a"}, 7], [{"title": "a"}, 7]),
        ([], []),
        ({"tags": ["a", "b"]}, ["a", "b"]),
        ({"items": [1], "others": [2]}, [1]),
        ({"items": [], "others": [2]}, []),
        ({"users": [1], "groups": [2]}, [{"users": [1], "groups": [2]}]),
        ({"kind": "serviceUser"}, [{"kind": "serviceUser"}]),
        ({"items": {"a": 1}}, [{"items": {"a": 1}}]),
        ({"playbooks": None, "total": 0}, []),
        ({}, []),
        (None, []),
    ],
    ids=json.dumps,
)
async def test_the_items_of_a_response_without_the_envelope(response: Any, items: list[Any]) -> None:
    playbooks = Server({None: response}).platform().organization().playbooks
    assert await playbooks.list().collect() == items


async def test_an_open_list_has_the_methods_of_a_pager() -> None:
    listed = two_pages().platform().organization().playbooks.list()
    assert isinstance(listed, Pager)
    assert await listed.collect(limit=1) == [{"title": "a"}]
    assert [playbook.title async for playbook in listed.resume("x")] == ["c"]
    assert listed.source == "organization.playbooks.list(org_id='org-acme')"


async def test_an_open_list_that_cannot_be_followed_says_so() -> None:
    playbooks = Server({None: FIRST, "x": FIRST}).platform().organization().playbooks
    with pytest.raises(errors.PagingError, match=r"did not advance from 'x'"):
        await playbooks.list().collect()


async def test_the_response_of_an_open_list_can_be_had() -> None:
    platform = Server({None: LAST}).platform()
    value, response = await platform.with_response(platform.organization().playbooks.list())
    assert (value.to_dict(), response.status) == (LAST, 200)


async def test_a_wrong_argument_of_an_open_list_is_refused_at_the_call() -> None:
    call = partial(two_pages().platform().organization().audit_logs.list, options=7)  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidArgumentError, match="options must be"):
        call()
