"""A write whose outcome is unknown says when it was sent and what to read."""

from __future__ import annotations

import asyncio
import copy
import logging
import pickle
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    OpenModel,
    RetryEvent,
    RetryPolicy,
    errors,
    to_json,
)
from agent_session_platform.models import Session, SessionPage

from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import Script, fault_server
from tests.servers.scripts import response, silence, then_reset

Write = Callable[[AgentPlatform], Awaitable[Any]]


def reset(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("reset", request=request)


async def outcome(write: Write) -> errors.OutcomeUnknownError:
    """The error of a write whose connection is reset after it was sent."""
    transport = httpx.MockTransport(reset)
    async with AgentPlatform("https://x.example.com", "svc_x", organization="org-a", transport=transport) as platform:
        with pytest.raises(errors.OutcomeUnknownError) as caught:
            await write(platform)
    return caught.value


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_what_on_retry_raises_is_only_logged_and_the_doubt_stays(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(event: RetryEvent) -> None:
        raise KeyError(event.attempt)

    settings: Any = {"transport": httpx.MockTransport(reset), "retry": RetryPolicy(backoff_base=0.0, on_retry=fail)}
    caplog.set_level(logging.WARNING, "agent_session_platform")
    async with AgentPlatform("https://x.example.com", "svc_x", **settings) as platform:
        with pytest.raises(errors.OutcomeUnknownError, match="given up after 5 attempts"):
            await platform.request(method, "/v3/x")
    assert [record.getMessage() for record in caplog.records] == ["on_retry has failed; calls are not affected"]


async def test_the_message_says_when_it_was_sent_and_what_to_read() -> None:
    error = await outcome(lambda platform: platform.organization().sessions.create(assistant_mode="fast"))
    assert re.fullmatch(
        r"organization\.sessions\.create: the exchange broke off \(ReadError: reset\); the write, sent at "
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, may have been carried out and was not sent again: "
        r"read the state with organization\.sessions\.list \(`await error\.read\(\)`\) before you repeat it",
        str(error),
    )
    assert timedelta() <= datetime.now(UTC) - error.sent_at < timedelta(minutes=1)


@pytest.mark.parametrize(
    "write",
    [
        lambda platform: platform.enterprise.reviews.create(pr_url="https://g.example/a/b/pull/1"),
        lambda platform: platform.request("POST", "/v3/enterprise/unknown"),
    ],
)
async def test_without_a_reader_the_error_says_what_to_look_for(write: Write) -> None:
    error = await outcome(write)
    assert "read the state of what it would have changed before you repeat it" in str(error)
    assert error.reader is None
    with pytest.raises(errors.ConfigurationError, match="no operation that reads what this write would have changed"):
        await error.read()


SESSIONS = "organizations/org-acme/sessions"
ITEM = f"{SESSIONS}/assistant-a%20b"
SESSION = {"session_id": "assistant-1", "title": "Fix"}
PAGE = {"items": [{"session_id": "assistant-1"}], "end_cursor": None, "has_next_page": False, "total": 1}
# A write, the type and the content of the object that it changes, and the path to read that object.
READS: dict[str, tuple[Write, type[Any], Any, str]] = {
    "a list": (lambda p: p.organization().sessions.create(assistant_mode="fast"), SessionPage, PAGE, SESSIONS),
    "an id": (lambda p: p.enterprise.sessions.archive("a?b"), Session, SESSION, "enterprise/sessions/assistant-a%3Fb"),
    "open": (lambda p: p.organization("org-b").secrets.create(body={}), OpenModel, PAGE, "organizations/org-b/secrets"),
    # It is read without a warning of the pages that are not read.
    "open, with more": (
        lambda p: p.organization("org-b").secrets.create(body={}),
        OpenModel,
        {**PAGE, "end_cursor": "next", "has_next_page": True},
        "organizations/org-b/secrets",
    ),
    "a path": (lambda p: p.request("POST", f"/v3/{ITEM}/archive", body={"x": 1}), Session, SESSION, ITEM),
}


@all_transports
@pytest.mark.parametrize(("write", "model", "sent", "path"), READS.values(), ids=READS)
async def test_the_error_reads_what_was_changed(transport: Any, write: Write, model: Any, sent: Any, path: str) -> None:
    async with fault_server(then_reset(), response(sent)) as server, server.client(transport) as platform:
        with pytest.raises(errors.OutcomeUnknownError) as caught:
            await write(platform)
        found = await caught.value.read()
    assert (type(found), to_json(found), server.requests[-1].target) == (model, sent, f"/v3/{path}")


BUSY = response(b"", "503 Service Unavailable")
DOUBTFUL: dict[str, tuple[Script, type[AgentPlatformError]]] = {
    "503": (BUSY, errors.ServerError),
    "HTML": (response(b"<html>", media_type="text/html"), errors.DecodeError),
    "reset": (then_reset(), errors.OutcomeUnknownError),
    "deadline": (silence, errors.OutcomeUnknownError),
}


@all_transports
@pytest.mark.parametrize(("script", "error"), DOUBTFUL.values(), ids=DOUBTFUL)
async def test_every_doubtful_error_of_a_write_reads_the_state(transport: Any, script: Script, error: Any) -> None:
    retry = RetryPolicy(deadline=0.2) if script is silence else RetryPolicy()
    async with fault_server(script, response(PAGE)) as server, server.client(transport, retry=retry) as platform:
        with pytest.raises(error, match=r"may have been carried out .* before you repeat it$") as caught:
            await platform.organization().sessions.create(assistant_mode="fast")
        failed: Any = caught.value
        assert failed.outcome_unknown
        assert len((await failed.read()).items) == 1
    assert [request.method for request in server.requests] == ["POST", "GET"]


async def test_an_error_of_a_read_leaves_no_outcome_unknown() -> None:
    async with fault_server(BUSY) as server, server.client(retry=ONE_ATTEMPT) as platform:
        with pytest.raises(errors.ServerError) as caught:
            await platform.organization().sessions.list().first_page()
    assert not caught.value.outcome_unknown


@pytest.mark.parametrize("copied", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
async def test_a_copy_names_its_reader_and_has_no_client_to_read_with(copied: Any) -> None:
    error = await outcome(lambda platform: platform.organization().secrets.create(value="pzq-1"))
    again = copied(error)
    assert (again.reader, again.sent_at, str(again)) == (error.reader, error.sent_at, str(error))
    with pytest.raises(errors.ConfigurationError, match="no client to read with; call organization.secrets.list"):
        await again.read()


async def test_a_client_does_not_read_in_another_event_loop_or_when_it_is_closed() -> None:
    async with fault_server(then_reset()) as server, server.client() as platform:
        with pytest.raises(errors.OutcomeUnknownError) as caught:
            await platform.organization().secrets.create(value="pzq-1")

        def read() -> None:
            with pytest.raises(errors.EventLoopError):
                asyncio.run(caught.value.read())

        await asyncio.to_thread(read)
    with pytest.raises(errors.ClientClosedError):
        await caught.value.read()
