"""A write whose outcome is unknown says when it was sent and what to read."""

from __future__ import annotations

import asyncio
import copy
import pickle
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ClientClosedError,
    ConfigurationError,
    EventLoopError,
    OutcomeUnknownError,
    RequestOptions,
)
from agent_session_platform.models import Session, SessionPage

from tests.fixtures import all_transports
from tests.servers.fault_server import FaultServer, fault_server
from tests.servers.scripts import response, then_reset


def reset(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("reset", request=request)


async def outcome(write: Callable[[AgentPlatform], Awaitable[Any]]) -> OutcomeUnknownError:
    """The error of a write whose connection is reset after it was sent."""
    transport = httpx.MockTransport(reset)
    async with AgentPlatform("https://x.example.com", "svc_x", organization="org-a", transport=transport) as platform:
        with pytest.raises(OutcomeUnknownError) as caught:
            await write(platform)
    return caught.value


async def test_the_message_says_when_it_was_sent_and_what_to_read() -> None:
    error = await outcome(lambda platform: platform.organization().sessions.create(assistant_mode="fast"))
    assert re.fullmatch(
        r"organization\.sessions\.create: the exchange broke off \(ReadError: reset\); the write, sent at "
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, may have been carried out and was not sent again: "
        r"read the state with organization\.sessions\.list \(`await error\.read\(\)`\) before you repeat it",
        str(error),
    )
    assert timedelta() <= datetime.now(UTC) - error.sent_at < timedelta(minutes=1)


async def test_without_a_reader_the_message_says_what_to_look_for() -> None:
    error = await outcome(lambda platform: platform.enterprise.reviews.create(pr_url="https://g.example/a/b/pull/1"))
    assert "read the state of what it would have changed before you repeat it" in str(error)
    assert error.reader is None


async def test_the_error_pickles_with_its_reader() -> None:
    error = await outcome(lambda platform: platform.organization().sessions.create(assistant_mode="fast"))
    again = pickle.loads(pickle.dumps(error))
    assert again.reader == error.reader is not None
    assert (again.sent_at, str(again)) == (error.sent_at, str(error))


SESSION = response({"session_id": "assistant-1", "title": "Fix"})
PAGE = response({"items": [{"session_id": "assistant-1"}], "end_cursor": None, "has_next_page": False, "total": 1})
SECRETS = response({"secrets": []})

SESSIONS = "/v3/organizations/org-acme/sessions"


async def read_after(write: Callable[[AgentPlatform], Awaitable[Any]], read: bytes, transport: Any = None) -> Any:
    """What `read` returns after a write whose connection is reset, and the path that it read."""
    async with fault_server(then_reset(), read) as server, server.client(transport) as platform:
        with pytest.raises(OutcomeUnknownError) as caught:
            await write(platform)
        return await caught.value.read(), server.requests[-1].target


@all_transports
async def test_of_a_single_resource_its_model_is_read(transport: Any) -> None:
    found, path = await read_after(lambda p: p.organization().sessions.archive("assistant-1"), SESSION, transport)
    assert (type(found), found.title, path) == (Session, "Fix", f"{SESSIONS}/assistant-1")


@all_transports
async def test_of_a_list_its_first_page_is_read(transport: Any) -> None:
    found, path = await read_after(
        lambda platform: platform.organization().sessions.create(assistant_mode="fast"), PAGE, transport
    )
    assert (type(found), [each.session_id for each in found.items], path) == (SessionPage, ["assistant-1"], SESSIONS)


async def test_the_path_is_that_of_the_failed_call() -> None:
    found, path = await read_after(lambda platform: platform.enterprise.sessions.archive("a b/c"), SESSION)
    assert (type(found), path) == (Session, "/v3/enterprise/sessions/assistant-a%20b%2Fc")


async def test_what_is_not_shown_is_read_as_an_open_model() -> None:
    found, path = await read_after(lambda platform: platform.organization("org-b").secrets.create(body={}), SECRETS)
    assert (found, path) == ({"secrets": []}, "/v3/organizations/org-b/secrets")


async def test_a_call_by_path_is_read_with_the_ids_of_its_path() -> None:
    path = f"{SESSIONS}/assistant-a%20b/archive"
    found, read = await read_after(lambda platform: platform.request("POST", path, body={"x": 1}), SESSION)
    assert (type(found), read) == (Session, f"{SESSIONS}/assistant-a%20b")


async def test_a_call_by_a_path_that_the_contract_does_not_know_has_no_reader() -> None:
    error = await outcome(lambda platform: platform.request("POST", "/v3/enterprise/unknown"))
    assert error.reader is None
    with pytest.raises(ConfigurationError, match="no operation that reads what this write would have changed"):
        await error.read()


async def written(server: FaultServer) -> tuple[AgentPlatform, OutcomeUnknownError]:
    platform = server.client()
    with pytest.raises(OutcomeUnknownError) as caught:
        await platform.organization().secrets.create(
            value="pzq-1", options=RequestOptions(extra_headers={"X-Key": "pzq-2"})
        )
    return platform, caught.value


@pytest.mark.parametrize("copied", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
async def test_a_copy_has_no_client_to_read_with(copied: Callable[[OutcomeUnknownError], OutcomeUnknownError]) -> None:
    async with fault_server(then_reset()) as server:
        platform, error = await written(server)
        again = copied(error)
        with pytest.raises(ConfigurationError, match="no client to read with; call organization.secrets.list"):
            await again.read()
        await platform.aclose()


async def test_a_closed_client_does_not_read() -> None:
    async with fault_server(then_reset()) as server:
        platform, error = await written(server)
        await platform.aclose()
        with pytest.raises(ClientClosedError):
            await error.read()


async def test_a_client_does_not_read_in_another_event_loop() -> None:
    async with fault_server(then_reset()) as server:
        platform, error = await written(server)

        def read() -> None:
            with pytest.raises(EventLoopError):
                asyncio.run(error.read())

        await asyncio.to_thread(read)
        await platform.aclose()


class Body(dict[str, Any]):
    """A body that can be referred to weakly."""
