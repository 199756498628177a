"""`on_exchange` is told of every attempt: what was sent, what came back, and never the credential."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    ClientClosedError,
    ConnectionFailedError,
    DeadlineExceededError,
    DecodeError,
    ExchangeRecord,
    NotFoundError,
    RetryPolicy,
)
from agent_session_platform_sandbox import Sandbox

from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import client, fault_server
from tests.servers.scripts import EMPTY_LIST, after, response


async def test_it_is_told_of_every_attempt(sandbox: Sandbox) -> None:
    records: list[ExchangeRecord] = []
    sandbox.faults.add("enterprise.roles.list", status=503, times=1)
    async with sandbox.client(on_exchange=records.append, retry=RetryPolicy(backoff_base=0)) as platform:
        await platform.enterprise.roles.list()
        with pytest.raises(NotFoundError):
            await platform.organization("org-acme").sessions.get("assistant-missing")
    assert [(str(each.operation), each.attempt, each.status) for each in records] == [
        ("enterprise.roles.list", 1, 503),
        ("enterprise.roles.list", 2, 200),
        ("organization.sessions.get", 1, 404),
    ]


async def test_it_gets_what_was_sent_and_what_came_back(sandbox: Sandbox) -> None:
    records: list[ExchangeRecord] = []
    async with sandbox.client(on_exchange=records.append) as platform:
        await platform.organization("org-acme").sessions.list(first=7, origins=["api"]).first_page()
        await platform.enterprise.reviews.create(pr_url="https://git.example.com/a/b/pull/7")
    listed, created = records
    assert (listed.path, listed.query) == ("/v3/organizations/org-acme/sessions", {"first": 7, "origins": ["api"]})
    assert (listed.credential, listed.request_body, listed.error) == ("serviceUser", None, None)
    assert listed.content is not None
    assert listed.content.startswith(b'{"items"')
    assert "content-type" in {name.lower() for name, _ in listed.headers}
    assert listed.seconds > 0
    assert created.request_body == b'{"pr_url":"https://git.example.com/a/b/pull/7"}'
    assert created.request_type == "application/json"
    assert repr(listed) == "<ExchangeRecord organization.sessions.list attempt 1: 200>"


async def test_it_gets_the_error_of_an_attempt_without_a_response() -> None:
    records: list[ExchangeRecord] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    settings: Any = {"retry": ONE_ATTEMPT, "on_exchange": records.append}
    async with client("https://x.example.com", httpx.MockTransport(refuse), **settings) as platform:
        with pytest.raises(ConnectionFailedError):
            await platform.enterprise.roles.list()
    assert [(each.status, type(each.error), each.headers) for each in records] == [(None, ConnectionFailedError, ())]
    assert repr(records[0]) == "<ExchangeRecord enterprise.roles.list attempt 1: no response>"


@pytest.mark.parametrize("closes", [False, True])
async def test_an_attempt_that_is_cut_off_is_told_as_well(closes: bool) -> None:
    records: list[ExchangeRecord] = []
    retry = RetryPolicy(deadline=20 if closes else 0.1)
    async with (
        fault_server(after(20, EMPTY_LIST)) as server,
        server.client(on_exchange=records.append, retry=retry) as platform,
    ):
        call = asyncio.ensure_future(platform.enterprise.roles.list())
        if closes:
            while not server.requests:
                await asyncio.sleep(0)
            await platform.aclose()
        with pytest.raises(ClientClosedError if closes else DeadlineExceededError) as caught:
            await call
    assert [(each.status, each.error) for each in records] == [(None, caught.value)]


async def test_a_body_that_is_too_large_has_come(caplog: pytest.LogCaptureFixture) -> None:
    records: list[ExchangeRecord] = []
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    body = response({"a": "x" * 200}, "200 OK", "X-Request-Id: r")
    async with fault_server(body) as server, server.client(max_body=100, on_exchange=records.append) as platform:
        with pytest.raises(DecodeError):
            await platform.request("GET", "/v3/x")
    [record] = records
    assert (record.status, record.content, type(record.error)) == (200, None, DecodeError)
    assert ("X-Request-Id", "r") in record.headers
    assert "GET /v3/x 200 in" in caplog.text


async def test_what_it_raises_is_logged_once_and_fails_no_call(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(record: ExchangeRecord) -> None:
        raise RuntimeError("full disk")

    with caplog.at_level(logging.WARNING):
        async with sandbox.client(on_exchange=fail) as platform:
            for _ in range(2):
                await platform.enterprise.roles.list()
    assert [each.getMessage() for each in caplog.records] == ["on_exchange has failed; calls are not affected"]
