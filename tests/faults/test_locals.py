"""Nothing of what was sent is in a traceback: not in the local variables of our frames, in no message and no pickle."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import socket
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    CredentialMismatchError,
    InvalidArgumentError,
    RequestOptions,
    RetryPolicy,
)
from agent_session_platform._api import UNSET, Operation, Request

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, FaultServer, Script, client, fault_server
from tests.servers.scripts import response, silence, then_close, then_reset, then_silence

SECRET = "pzq-value-7f3e91"
SECRETS = (SECRET, TOKEN)

OTHER = Operation(
    id="other", method="POST", path="/v3/x", scope="", resource="", verb="", media_type="application/json"
)
FORM = "application/x-www-form-urlencoded"

Use = Callable[[AgentPlatform], Awaitable[Any]]


def send(operation: Operation = OTHER, body: Any = UNSET, **arguments: Any) -> Use:
    """Call an operation that the contract has not, with arguments of kinds that it has not."""
    return lambda platform: platform._client.send(
        Request(operation, dict, {}, arguments.pop("query", {}), body, **arguments)
    )  # type: ignore[call-arg]  # any


def evolved(**facts: Any) -> Operation:
    return Operation(**{"id": "o", "method": "POST", "path": "/v3/x", "scope": "", "resource": "", "verb": "", **facts})


async def iterated(values: Any) -> None:
    async for _ in values:
        pass


HEADERS = RequestOptions(extra_headers={"X-Signature": SECRET})
QUERY = RequestOptions(extra_query={"signature": SECRET})

NEVER_WRITTEN = os.path.join(tempfile.gettempdir(), "never-written.bin")

USES: dict[str, Use] = {
    "body": lambda platform: platform.organization().secrets.create(body={"value": SECRET, "more": [{"deep": SECRET}]}),
    "member": lambda platform: platform.organization().sessions.create(assistant_mode="fast", extra_body={"p": SECRET}),
    "file": lambda platform: platform.organization().attachments.upload(file=SECRET.encode()),
    "open file": lambda platform: platform.organization().attachments.upload(file=io.BytesIO(SECRET.encode())),
    "form with a file": lambda platform: platform.organization().attachments.upload(
        file=b"", extra_body={"value": SECRET, "object": {"value": SECRET}}
    ),
    "extra headers": lambda platform: platform.organization().sessions.get("assistant-1", options=HEADERS),
    "extra query": lambda platform: platform.organization().secrets.delete("secret-1", options=QUERY),
    "raw body": lambda platform: platform.request("POST", "/v3/x", body={"value": SECRET}, options=HEADERS),
    "raw query": lambda platform: platform.request("GET", "/v3/x", query={"signature": SECRET}),
    "header": lambda platform: send(headers={"X-Key": SECRET})(platform),
    "cookie": lambda platform: send(cookies={"key": SECRET})(platform),
    "form": lambda platform: send(evolved(media_type=FORM), {"value": SECRET})(platform),
    "text": lambda platform: send(evolved(media_type="text/plain"), SECRET)(platform),
    "list": lambda platform: platform.organization().sessions.list(origins=[SECRET], options=HEADERS).collect(),
    "items": lambda platform: iterated(platform.organization().sessions.list(origins=[SECRET], options=HEADERS)),
    "pages": lambda platform: iterated(platform.organization().sessions.list(origins=[SECRET], options=QUERY).pages()),
    "download": lambda platform: platform.organization().attachments.download("a", "b", options=HEADERS).read(),
    "saved": lambda platform: platform.organization().attachments.download("a", "b", options=QUERY).save(NEVER_WRITTEN),
}
JSON_404 = response({"title": "No"}, "404 Not Found", media_type="application/problem+json")
SCRIPTS: dict[str, Script] = {
    "404": JSON_404,
    "500": response(b"<html>", "500 X", media_type="text/html"),
    "429": response(b"", "429 X", "Retry-After: 7000"),
    "redirect": response(b"", "307 X", f"Location: https://files.example/a?X-Signature={SECRET}"),
    "not gzip": response(b"no", "200 OK", "Content-Encoding: gzip"),
    "closed": then_close(),
    "reset": then_reset(),
    "broken body": then_close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
    "no HTTP": then_close(b"no\r\n\r\n"),
}


async def failure(awaitable: Awaitable[Any]) -> BaseException:
    try:
        await awaitable
    except BaseException as error:
        return error
    raise AssertionError("nothing failed")


async def all_leaks(run: Callable[[Use], Awaitable[Any]]) -> dict[str, list[str]]:
    """Run each use, and return what the errors of those that show something show."""
    errors = await asyncio.gather(*(failure(run(use)) for use in USES.values()))
    found = {name: leaks(error, *SECRETS) for name, error in zip(USES, errors, strict=True)}
    return {name: places for name, places in found.items() if places}


@all_transports
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
async def test_no_response_makes_an_error_that_shows_what_was_sent(
    script: Script, transport: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        assert await all_leaks(lambda use: use(platform)) == {}
    assert all(secret not in caplog.text for secret in SECRETS)


async def cancelled(use: Use, platform: AgentPlatform, server: FaultServer) -> None:
    task = asyncio.ensure_future(use(platform))
    while not server.requests:
        await asyncio.sleep(0)
    task.cancel()
    await task


async def in_a_group(use: Use, platform: AgentPlatform, server: FaultServer) -> None:
    async def fail() -> None:
        while not server.requests:
            await asyncio.sleep(0)
        raise ZeroDivisionError

    async with asyncio.TaskGroup() as group:
        group.create_task(fail())
        await use(platform)


async def timed_out(use: Use, platform: AgentPlatform, server: FaultServer) -> None:
    async with asyncio.timeout(0.05):
        await use(platform)


async def waited_for(use: Use, platform: AgentPlatform, server: FaultServer) -> None:
    await asyncio.wait_for(use(platform), 0.05)


async def closed(use: Use, platform: AgentPlatform, server: FaultServer) -> None:
    task = asyncio.ensure_future(use(platform))
    while not server.requests:
        await asyncio.sleep(0)
    await platform.aclose()
    await task


GIVEN_UP: dict[str, Callable[[Use, AgentPlatform, FaultServer], Awaitable[None]]] = {
    "cancel": cancelled,
    "group": in_a_group,
    "timeout": timed_out,
    "wait_for": waited_for,
    "close": closed,
}


@all_transports
@pytest.mark.parametrize("give_up", GIVEN_UP.values(), ids=GIVEN_UP)
async def test_no_call_that_is_given_up_shows_what_was_sent(
    give_up: Callable[[Use, AgentPlatform, FaultServer], Awaitable[None]], transport: Any
) -> None:
    async def run(use: Use) -> None:
        async with fault_server(silence) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
            await give_up(use, platform, server)

    assert await all_leaks(run) == {}


@all_transports
@pytest.mark.parametrize(
    "settings", [{"timeout": 0.1}, {"retry": RetryPolicy(deadline=0.1)}], ids=["timeout", "deadline"]
)
async def test_no_time_limit_shows_what_was_sent(settings: Any, transport: Any) -> None:
    settings = {"retry": ONE_ATTEMPT, **settings}
    async with fault_server(silence) as server, server.client(transport, **settings) as platform:
        assert await all_leaks(lambda use: use(platform)) == {}


@all_transports
async def test_no_refused_connection_shows_what_was_sent(transport: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    async with client(f"http://127.0.0.1:{port}", transport, retry=ONE_ATTEMPT) as platform:
        assert await all_leaks(lambda use: use(platform)) == {}


async def test_no_call_of_a_closed_client_shows_what_was_to_be_sent() -> None:
    platform = client("http://127.0.0.1:9")
    await platform.aclose()
    assert await all_leaks(lambda use: use(platform)) == {}


async def test_no_credential_mismatch_shows_what_was_to_be_sent() -> None:
    async with AgentPlatform("http://127.0.0.1:9", f"apk_user_{SECRET}", organization="org-a") as platform:
        for name in ("body", "extra headers", "extra query", "download", "open file"):
            with pytest.raises(CredentialMismatchError) as caught:
                await USES[name](platform)
            assert leaks(caught.value, *SECRETS) == []


class Raising(httpx.AsyncBaseTransport):
    def __init__(self, error: BaseException) -> None:
        self.error = error

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        raise self.error


class Interrupted(BaseException):
    """As KeyboardInterrupt, which would end the event loop of the tests."""


@pytest.mark.parametrize("make", [lambda: KeyError("app"), Interrupted], ids=["error of an application", "interrupt"])
async def test_no_error_behind_a_transport_shows_what_was_sent(make: Callable[[], BaseException]) -> None:
    for use in USES.values():
        error = make()
        async with client("http://127.0.0.1:9", Raising(error), retry=ONE_ATTEMPT) as platform:
            assert await failure(use(platform)) is error
        assert leaks(error, *SECRETS) == []


def test_no_keyboard_interrupt_shows_what_was_sent() -> None:
    async def main(use: Use) -> None:
        async with client("http://127.0.0.1:9", Raising(KeyboardInterrupt()), retry=ONE_ATTEMPT) as platform:
            await use(platform)

    for use in USES.values():
        with pytest.raises(KeyboardInterrupt) as caught:
            asyncio.run(main(use))
        assert leaks(caught.value, *SECRETS) == []


async def test_no_hook_that_raises_shows_what_was_sent() -> None:
    def fail(event: object) -> None:
        raise ZeroDivisionError

    policy = RetryPolicy(backoff_base=0.0, on_retry=fail)
    async with client("http://127.0.0.1:9", Raising(httpx.ConnectError("no")), retry=policy) as platform:
        for use in USES.values():
            error = await failure(use(platform))
            assert isinstance(error, ZeroDivisionError)
            assert leaks(error, *SECRETS) == []


async def test_no_error_of_preparing_another_page_shows_what_was_sent() -> None:
    page = {"items": [], "end_cursor": "\ud800", "has_next_page": True, "total": 0}
    async with fault_server(response(page)) as server, server.client() as platform:
        error = await failure(USES["list"](platform))
    assert isinstance(error, AgentPlatformError)
    assert leaks(error, *SECRETS) == []


DEEP: Mapping[str, Any] = {"value": SECRET, "list": [{"a": SECRET, "b": {SECRET.encode()}}]}

REFUSED: dict[str, Use] = {
    "type deep inside": lambda platform: platform.organization().secrets.create(body=DEEP),
    "text as a body": lambda platform: platform.organization().secrets.create(body=SECRET),  # type: ignore[arg-type]
    "surrogate": lambda platform: platform.organization().secrets.create(body={"value": f"{SECRET}\ud800"}),
    "nan": lambda platform: platform.organization().secrets.create(body={"value": SECRET, "n": float("nan")}),
    "extra body": lambda platform: platform.organization().sessions.create(assistant_mode="fast", extra_body=SECRET),  # type: ignore[arg-type]
    "header": lambda platform: send(headers={"X-Key": f"{SECRET}\n"})(platform),
    "cookie": lambda platform: send(cookies={"key": [{SECRET: 1}]})(platform),
    "query": lambda platform: platform.organization().sessions.list(first=SECRET).collect(),  # type: ignore[arg-type]
    "form": lambda platform: send(evolved(media_type=FORM), {"value": f"{SECRET}\ud800"})(platform),
    "raw path": lambda platform: platform.request("GET", f"/v3/x?signature={SECRET}"),
    "raw host": lambda platform: platform.request("GET", f"//user:{SECRET}@host/x?signature={SECRET}"),
    "raw query": lambda platform: platform.request("GET", "/v3/x", query=SECRET),  # type: ignore[arg-type]
    "raw body": lambda platform: platform.request("GET", "x", body={"value": SECRET}, options=HEADERS),
    "options": lambda platform: platform.request("GET", "/v3/x", body=SECRET, options={"h": SECRET}),  # type: ignore[arg-type]
    "token as an id": lambda platform: platform.request("GET", f"{TOKEN}/x"),
}


@pytest.mark.parametrize("use", REFUSED.values(), ids=REFUSED)
async def test_no_refused_argument_is_shown(use: Use) -> None:
    async with AgentPlatform("http://127.0.0.1:9", TOKEN, organization="org-a") as platform:

        async def run() -> None:
            await use(platform)

        error = await failure(run())
    assert type(error).__name__ == "InvalidArgumentError", error
    assert leaks(error, *SECRETS) == []


@all_transports
async def test_a_download_that_breaks_off_shows_nothing_of_what_was_sent(transport: Any) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\nab"
    for script, timeout in ((then_close(head), 5.0), (then_reset(head), 5.0), (then_silence(head), 0.05)):
        async with (
            fault_server(script) as server,
            server.client(transport, retry=ONE_ATTEMPT, timeout=timeout) as platform,
        ):
            for name in ("download", "saved"):
                assert leaks(await failure(USES[name](platform)), *SECRETS) == []


@pytest.mark.parametrize("value", [HEADERS, QUERY, Request(OTHER, dict, {}, {"q": SECRET}, {"value": SECRET})])
def test_no_repr_shows_what_is_sent(value: object) -> None:
    assert SECRET not in repr(value)


@pytest.mark.parametrize(
    "settings",
    [
        {"extra_headers": {"X-Key": f"{SECRET}\n"}},
        {"extra_headers": {"Expect": SECRET}},
        {"extra_query": [SECRET]},
        {"extra_query": {"signature": SECRET}, "timeout": -1},
    ],
)
def test_no_refused_option_is_shown(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        RequestOptions(**settings)
    assert leaks(caught.value, SECRET) == []


@pytest.mark.parametrize("settings", [{"timeout": -1}, {"max_body": 0}, {"organization": "acme"}, {"rate_limiter": 1}])
def test_no_refused_setting_shows_the_credential(settings: dict[str, Any]) -> None:
    with pytest.raises(AgentPlatformError) as caught:
        AgentPlatform("https://platform.example.com", TOKEN, **settings)
    assert leaks(caught.value, TOKEN) == []
