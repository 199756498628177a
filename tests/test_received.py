"""Where a response is shown: on errors, to `on_response` and `on_exchange`, with a result, and in the log."""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, ExchangeRecord, ReceivedResponse, RetryPolicy, errors
from agent_session_platform_sandbox import Sandbox

from tests.faults.exposure import exposed
from tests.fixtures import ONE_ATTEMPT, QUICK, all_transports, until
from tests.servers.fault_server import TOKEN, Script, client, fault_server
from tests.servers.scripts import EMPTY_LIST, after, response, silence, then_close

PATH = "/v3/enterprise/whatever"
IDENTIFIED = response({}, "200 OK", "X-Request-Id: r-1", "X-Own: a", "X-Own: b", f"X-Echo: {TOKEN}", "Set-Cookie: s=1")
MISSING = response({"title": "no"}, "404 Not Found", "X-Request-Id: r-2")
BUSY = response(b"", "503 Busy", "Retry-After: 0")


@all_transports
async def test_a_result_and_an_error_come_with_their_response(transport: Any) -> None:
    async with fault_server(BUSY, IDENTIFIED, MISSING) as server, server.client(transport) as platform:
        result, received = await platform.with_response(platform.request("GET", PATH))
        with pytest.raises(errors.NotFoundError) as caught:
            await platform.request("GET", PATH)
    assert (result, received.status, received.attempts, received.request_id) == ({}, 200, 2, "r-1")
    assert (received.headers["x-own"], str(received.operation)) == ("a, b", f"GET {PATH}")
    assert received.elapsed > 0
    missing = caught.value.response
    assert missing is not None
    assert (missing.status, missing.attempts, missing.request_id) == (404, 1, "r-2")
    assert str(caught.value).endswith("404 no (request id r-2)")
    assert pickle.loads(pickle.dumps(caught.value)).response == missing


async def test_no_response_shows_the_credential_a_cookie_or_a_signature() -> None:
    location = response(b"", "302 Found", "Location: https://x.example.com/a?signature=secret", f"X-Echo: {TOKEN}")
    async with fault_server(IDENTIFIED, location) as server, server.client() as platform:
        _, received = await platform.with_response(platform.request("GET", PATH))
        with pytest.raises(errors.DecodeError) as caught:
            await platform.request("GET", PATH)
    redirected = caught.value.response
    assert redirected is not None
    for each in (received, redirected):
        assert TOKEN not in f"{each!r}{each.headers}"
    assert "set-cookie" not in received.headers
    assert redirected.headers["location"] == "https://x.example.com/a"


async def test_a_list_has_the_response_of_its_last_page() -> None:
    busy_then_last = [BUSY, response({"items": [], "has_next_page": False}, "200 OK", "X-Request-Id: r-9")]
    first = response({"items": [], "has_next_page": True, "end_cursor": "x"})
    async with fault_server(first, *busy_then_last) as server, server.client() as platform:
        pager = platform.organization().sessions.list()
        items, received = await platform.with_response(pager.collect())
    assert (items, received.request_id, received.attempts) == ([], "r-9", 2)
    assert received.operation.name == "organization.sessions.list"


async def test_calls_at_once_have_their_own_responses() -> None:
    by_path = {f"/v3/{number}": response({}, "200 OK", f"X-Request-Id: {number}") for number in range(20)}
    async with fault_server(by_path=by_path) as server, server.client() as platform:
        results = await asyncio.gather(*(platform.with_response(platform.request("GET", path)) for path in by_path))
    assert [received.request_id for _, received in results] == [str(number) for number in range(20)]


async def test_a_call_inside_another_is_a_response_of_both() -> None:
    async with fault_server(IDENTIFIED) as server, server.client() as platform:
        (_, inner), outer = await platform.with_response(platform.with_response(platform.request("GET", PATH)))
    assert inner == outer


async def test_a_call_that_sends_nothing_has_no_response() -> None:
    """An outcome or a list is never lost for the lack of a response."""
    async with AgentPlatform("https://x.example.com", TOKEN) as platform:
        sessions = platform.organization("org-acme").sessions
        assert await platform.with_response(sessions.list().collect(limit=0)) == ([], None)


async def test_a_task_in_place_of_a_call_is_refused() -> None:
    async with fault_server(EMPTY_LIST) as server, server.client() as platform:
        no_calls: list[Any] = [asyncio.ensure_future(platform.request("GET", PATH)), object()]
        for no_call in no_calls:
            with pytest.raises(errors.InvalidArgumentError, match=r"the call itself, .* not .*(Task|object)"):
                await platform.with_response(no_call)


async def test_the_log_has_each_attempt(caplog: pytest.LogCaptureFixture) -> None:
    busy = response(b"", "503 Busy", "Retry-After: 0", "X-Request-Id: r-0")
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    async with fault_server(busy, IDENTIFIED) as server, server.client() as platform:
        await platform.request("GET", PATH, query={"secret": "x"})
    records = [each for each in caplog.records if each.levelno == logging.DEBUG and each.name.startswith("agent_")]
    lines = [each.getMessage() for each in records]
    assert re.fullmatch(rf"GET {PATH} 503 in 0\.\d{{3}} s \(GET {PATH}, attempt 1, request id r-0\)", lines[0])
    assert lines[-1].endswith("attempt 2, request id r-1)")
    assert vars(records[0])["request_id"] == "r-0"
    assert "secret" not in caplog.text


def test_the_environment_switches_logging_on(monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger("agent_session_platform")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "level", logging.NOTSET)
    monkeypatch.setattr(logger, "propagate", False)
    for level in ("debug", "INFO"):
        monkeypatch.setenv("AGENT_PLATFORM_LOG", level)
        client("https://x.example.com")
        assert logging.getLevelName(logger.level) == level.upper()
    assert len(logger.handlers) == 1
    monkeypatch.setenv("AGENT_PLATFORM_LOG", "loud")
    with pytest.raises(errors.ConfigurationError, match="AGENT_PLATFORM_LOG must be one of debug"):
        client("https://x.example.com")


@pytest.mark.parametrize(
    "script",
    [
        response({"a": "x" * 200}, "200 OK", "X-Request-Id: r"),
        response(b"x", "200 OK", "X-Request-Id: r", "Content-Encoding: gzip"),
        response(b"<", "200 OK", "X-Request-Id: r"),
        then_close(b"HTTP/1.1 200 OK\r\nX-Request-Id: r\r\nContent-Length: 9\r\n\r\n{"),
    ],
    ids=["too large", "broken", "no JSON", "broken off"],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
@all_transports
async def test_a_body_that_cannot_be_read_has_its_response(
    transport: Any, method: str, script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    records: list[ExchangeRecord] = []
    settings: Any = {"max_body": 100, "on_exchange": records.append, "retry": ONE_ATTEMPT}
    async with fault_server(script) as server, server.client(transport, **settings) as platform:
        with pytest.raises(errors.AgentPlatformError, match="request id r") as caught:
            await platform.request(method, PATH)
    assert caught.value.response is not None
    assert caught.value.response.request_id == "r"
    assert [(each.status, each.content in (None, b"<")) for each in records] == [(200, True)]
    assert ("X-Request-Id", "r") in records[0].headers
    assert f"{method} {PATH} 200 in" in caplog.text


async def test_a_401_whose_credential_cannot_be_replaced_has_its_response() -> None:
    def give() -> str:
        given.append(1)
        if len(given) > 1:
            raise OSError("gone")
        return TOKEN

    given: list[int] = []
    refused = response({}, "401 Unauthorized", "X-Request-Id: r-4")
    async with fault_server(refused) as server, AgentPlatform(server.base_url, give, retry=ONE_ATTEMPT) as platform:
        with pytest.raises(errors.CredentialUnavailableError, match="raised OSError") as caught:
            await platform.request("GET", PATH)
    assert TOKEN not in exposed(caught.value)
    assert caught.value.response is not None
    assert caught.value.response.request_id == "r-4"


# `on_exchange` gets a record of every attempt: what was sent and received, and never the credential.


async def test_on_exchange_gets_what_was_sent_and_received_in_every_attempt(sandbox: Sandbox) -> None:
    records: list[ExchangeRecord] = []
    sandbox.faults.add("organization.sessions.list", status=503, times=1)
    async with sandbox.client(on_exchange=records.append, retry=QUICK) as platform:
        await platform.organization("org-acme").sessions.list(first=7, origins=["api"]).first_page()
        await platform.enterprise.reviews.create(pr_url="https://git.example.com/a/b/pull/7")
        with pytest.raises(errors.NotFoundError):
            await platform.organization("org-acme").sessions.get("assistant-missing")
    assert [repr(each) for each in records] == [
        "<ExchangeRecord organization.sessions.list attempt 1: 503>",
        "<ExchangeRecord organization.sessions.list attempt 2: 200>",
        "<ExchangeRecord enterprise.reviews.create attempt 1: 200>",
        "<ExchangeRecord organization.sessions.get attempt 1: 404>",
    ]
    _, listed, created, _ = records
    assert (listed.path, listed.query) == ("/v3/organizations/org-acme/sessions", {"first": 7, "origins": ["api"]})
    assert (listed.credential, listed.request_body, listed.error) == ("serviceUser", None, None)
    assert (listed.content or b"").startswith(b'{"items"')
    assert "content-type" in {name.lower() for name, _ in listed.headers}
    assert listed.seconds > 0
    assert created.request_body == b'{"pr_url":"https://git.example.com/a/b/pull/7"}'
    assert created.request_type == "application/json"


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (then_close(), errors.ConnectionFailedError),
        (silence, errors.DeadlineExceededError),
        (after(20, EMPTY_LIST), errors.ClientClosedError),
    ],
    ids=["broken off", "deadline", "closed"],
)
async def test_on_exchange_gets_the_error_of_an_attempt(script: Script, error: type[Exception]) -> None:
    records: list[ExchangeRecord] = []
    retry = RetryPolicy(attempts=1, deadline=0.1 if script is silence else 20)
    async with fault_server(script) as server:
        platform = server.client(on_exchange=records.append, retry=retry)
        call = asyncio.ensure_future(platform.enterprise.roles.list())
        await until(lambda: server.requests)
        if error is errors.ClientClosedError:
            await platform.aclose()
        with pytest.raises(error) as caught:
            await call
        await platform.aclose()
    assert [(each.status, each.error, each.headers) for each in records] == [(None, caught.value, ())]
    assert repr(records[0]) == "<ExchangeRecord enterprise.roles.list attempt 1: no response>"


@pytest.mark.parametrize("hook", ["on_exchange", "on_response"])
async def test_what_a_hook_raises_is_only_logged(sandbox: Sandbox, hook: str, caplog: pytest.LogCaptureFixture) -> None:
    def fail(event: object) -> None:
        raise RuntimeError("full disk")

    with caplog.at_level(logging.WARNING):
        settings: Any = {hook: fail}
        async with sandbox.client(**settings) as platform:
            for _ in range(2):
                await platform.enterprise.roles.list()
    assert [each.getMessage() for each in caplog.records] == [f"{hook} has failed; calls are not affected"]


async def test_the_response_that_ends_a_call_is_reported_to_the_client_s_function() -> None:
    seen: list[ReceivedResponse] = []
    script = response(b"", "503 X", "Retry-After: 0"), response({"data": []}), response({}, "404 X")
    async with fault_server(*script) as server, server.client(None, on_response=seen.append) as platform:
        await platform.enterprise.blueprints.list()
        with pytest.raises(errors.NotFoundError):
            await platform.enterprise.blueprints.list()
    assert [(each.status, each.attempts) for each in seen] == [(200, 2), (404, 1)]


async def test_each_page_of_a_list_has_its_response() -> None:
    seen: list[ReceivedResponse] = []
    pages = [response({"items": [], "has_next_page": more, "end_cursor": "x" * more}) for more in (True, False)]
    async with fault_server(*pages) as server, server.client(on_response=seen.append) as platform:
        await platform.organization().sessions.list().collect()
        page, received = await platform.with_response(platform.organization().sessions.list().first_page())
    assert [each.operation.name for each in seen] == ["organization.sessions.list"] * 3
    assert (page.items, received) == ([], seen[-1])
