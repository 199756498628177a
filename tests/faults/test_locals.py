"""The token is in no local variable of our frames in a traceback, and what was sent is in no message and no pickle.

Error reporters send local variables. Bodies, queries and headers of the caller are in some: SECURITY.md says so.
"""

from __future__ import annotations

import asyncio
import io
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ConfigurationError,
    CredentialMismatchError,
    InvalidArgumentError,
    RequestOptions,
    RetryPolicy,
)
from agent_session_platform._api import UNSET, Operation, Request

from tests.faults.exposure import exposed, leaks
from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, FaultServer, Script, client, fault_server
from tests.servers.scripts import response, silence, then_close, then_reset, then_silence

SECRET = "pzq-value-7f3e91"
FORM = "application/x-www-form-urlencoded"

Use = Callable[[AgentPlatform], Awaitable[Any]]


def send(media_type: str, body: Any = UNSET, **arguments: Any) -> Use:
    """Call an operation that the contract has not, with arguments of kinds that it has not."""
    operation = Operation(id="o", method="POST", path="/x", scope="", resource="", verb="", media_type=media_type)
    return lambda platform: platform._client.send(Request(operation, dict, {}, {}, body, **arguments))


async def iterated(values: Any) -> None:
    async for _ in values:
        pass


USES: dict[str, Use] = {
    "call": lambda platform: platform.organization().sessions.get("assistant-1"),
    "write": lambda platform: platform.organization().secrets.create(value=SECRET),
    "upload": lambda platform: platform.organization().attachments.upload(file=io.BytesIO(SECRET.encode())),
    "raw": lambda platform: platform.request("POST", "/v3/x", query={"signature": SECRET}, body={"value": SECRET}),
    "pages": lambda platform: iterated(platform.organization().sessions.list(origins=[SECRET]).pages()),
    "download": lambda platform: platform.organization().attachments.download("a", "b").read(),
}
SCRIPTS: dict[str, Script] = {
    "404": response({"title": "No"}, "404 Not Found", media_type="application/problem+json"),
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
    """Run each use, and return where the errors of those that show something show it."""
    found: dict[str, list[str]] = {}
    for name, use in USES.items():
        error = await failure(run(use))
        found[name] = leaks(error, TOKEN)
        if isinstance(error, AgentPlatformError) and SECRET in exposed(error):
            found[name].append("what was sent")
    return {name: places for name, places in found.items() if places}


@all_transports
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
async def test_no_response_makes_a_traceback_with_the_token(
    script: Script, transport: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        assert await all_leaks(lambda use: use(platform)) == {}
    assert TOKEN not in caplog.text
    assert SECRET not in caplog.text


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


async def closed(use: Use, platform: AgentPlatform, server: FaultServer) -> None:
    task = asyncio.ensure_future(use(platform))
    while not server.requests:
        await asyncio.sleep(0)
    await platform.aclose()
    await task


async def too_late(use: Use, platform: AgentPlatform, server: FaultServer) -> None:
    await use(platform)


GIVEN_UP: dict[str, tuple[Callable[[Use, AgentPlatform, FaultServer], Awaitable[None]], dict[str, Any]]] = {
    "cancel": (cancelled, {}),
    "group": (in_a_group, {}),
    "asyncio.timeout": (timed_out, {}),
    "close": (closed, {}),
    "timeout": (too_late, {"timeout": 0.05}),
    "deadline": (too_late, {"retry": RetryPolicy(deadline=0.05)}),
}


@all_transports
@pytest.mark.parametrize(("give_up", "settings"), GIVEN_UP.values(), ids=GIVEN_UP)
async def test_no_call_that_is_given_up_shows_the_token(give_up: Any, settings: Any, transport: Any) -> None:
    async def run(use: Use) -> None:
        arguments = {"retry": ONE_ATTEMPT, **settings}
        async with fault_server(silence) as server, server.client(transport, **arguments) as platform:
            await give_up(use, platform, server)

    assert await all_leaks(run) == {}


@all_transports
async def test_no_refused_connection_shows_the_token(transport: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    async with client(f"http://127.0.0.1:{port}", transport, retry=ONE_ATTEMPT) as platform:
        assert await all_leaks(lambda use: use(platform)) == {}


async def test_no_call_of_a_closed_client_shows_the_token() -> None:
    platform = client("http://127.0.0.1:9")
    await platform.aclose()
    assert await all_leaks(lambda use: use(platform)) == {}


async def test_no_credential_mismatch_shows_the_token() -> None:
    token = f"apk_user_{SECRET}"
    async with AgentPlatform("http://127.0.0.1:9", token, organization="org-a") as platform:
        with pytest.raises(CredentialMismatchError) as caught:
            await USES["call"](platform)
    assert leaks(caught.value, token) == []


class Raising(httpx.AsyncBaseTransport):
    def __init__(self, error: BaseException) -> None:
        self.error = error

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        raise self.error


class Interrupted(BaseException):
    """As KeyboardInterrupt, which would end the event loop of the tests."""


@pytest.mark.parametrize("make", [lambda: KeyError("app"), Interrupted], ids=["error of an application", "interrupt"])
async def test_no_error_behind_a_transport_shows_the_token(make: Callable[[], BaseException]) -> None:
    for use in USES.values():
        error = make()
        async with client("http://127.0.0.1:9", Raising(error), retry=ONE_ATTEMPT) as platform:
            assert await failure(use(platform)) is error
        assert leaks(error, TOKEN) == []


async def test_no_hook_that_raises_shows_the_token() -> None:
    def fail(event: object) -> None:
        raise ZeroDivisionError

    policy = RetryPolicy(backoff_base=0.0, on_retry=fail)
    async with client("http://127.0.0.1:9", Raising(httpx.ConnectError("no")), retry=policy) as platform:
        for use in USES.values():
            error = await failure(use(platform))
            assert isinstance(error, ZeroDivisionError)
            assert leaks(error, TOKEN) == []


@all_transports
async def test_a_download_that_breaks_off_does_not_show_the_token(transport: Any, tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\nab"
    for script, timeout in ((then_close(head), 5.0), (then_reset(head), 5.0), (then_silence(head), 0.05)):
        async with (
            fault_server(script) as server,
            server.client(transport, retry=ONE_ATTEMPT, timeout=timeout) as platform,
        ):
            download = platform.organization().attachments.download("a", "b")
            for awaitable in (download.read(), download.save(tmp_path / "file")):
                assert leaks(await failure(awaitable), TOKEN) == []


DEEP: Mapping[str, Any] = {"value": SECRET, "list": [{"a": SECRET, "b": {SECRET.encode()}}]}

REFUSED: dict[str, Use] = {
    "type deep inside": lambda platform: platform.organization().secrets.create(body=DEEP),
    "text as a body": lambda platform: platform.organization().secrets.create(body=SECRET),  # type: ignore[arg-type]
    "surrogate": lambda platform: platform.organization().secrets.create(value=f"{SECRET}\ud800"),
    "nan": lambda platform: platform.organization().secrets.create(value=SECRET, n=float("nan")),
    "extra body": lambda platform: platform.organization().sessions.create(assistant_mode="fast", extra_body=SECRET),  # type: ignore[arg-type]
    "header": send("application/json", headers={"X-Key": f"{SECRET}\n"}),
    "cookie": send("application/json", cookies={"key": [{SECRET: 1}]}),
    "query": lambda platform: platform.organization().sessions.list(first=SECRET).collect(),  # type: ignore[arg-type]
    "form": send(FORM, {"value": f"{SECRET}\ud800"}),
    "raw path": lambda platform: platform.request("GET", f"/v3/x?signature={SECRET}"),
    "raw host": lambda platform: platform.request("GET", f"//user:{SECRET}@host/x?signature={SECRET}"),
    "options": lambda platform: platform.request("GET", "/v3/x", body=SECRET, options={"h": SECRET}),  # type: ignore[arg-type]
    "token as an id": lambda platform: platform.request("GET", f"{TOKEN}/x"),
}


@pytest.mark.parametrize("use", REFUSED.values(), ids=REFUSED)
async def test_no_refused_argument_is_in_a_message(use: Use) -> None:
    async with AgentPlatform("http://127.0.0.1:9", TOKEN, organization="org-a") as platform:

        async def run() -> None:
            await use(platform)

        error = await failure(run())
    assert type(error).__name__ == "InvalidArgumentError", error
    assert SECRET not in exposed(error)
    assert TOKEN not in exposed(error)


@pytest.mark.parametrize(
    "settings",
    [
        {"extra_headers": {"X-Key": f"{SECRET}\n"}},
        {"extra_headers": {"Expect": SECRET}},
        {"extra_query": [SECRET]},
        {"extra_query": {"signature": SECRET}, "timeout": -1},
    ],
)
def test_no_refused_option_is_in_a_message(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        RequestOptions(**settings)
    assert SECRET not in exposed(caught.value)


def test_no_repr_shows_what_is_sent() -> None:
    headers, query = {"X-Signature": SECRET}, {"signature": SECRET}
    operation = Operation(id="o", method="POST", path="/x", scope="", resource="", verb="")
    for value in (RequestOptions(extra_headers=headers, extra_query=query), Request(operation, dict, {}, query, query)):
        assert SECRET not in repr(value)


@pytest.mark.parametrize("settings", [{"timeout": -1}, {"max_body": 0}, {"organization": "acme"}, {"rate_limiter": 1}])
def test_no_refused_setting_shows_the_token(settings: dict[str, Any]) -> None:
    with pytest.raises(AgentPlatformError) as caught:
        AgentPlatform("https://platform.example.com", TOKEN, **settings)
    assert leaks(caught.value, TOKEN) == []


def test_no_malformed_token_is_shown() -> None:
    with pytest.raises(ConfigurationError, match="token begins or ends with white space") as caught:
        AgentPlatform("https://platform.example.com", f"{TOKEN}\n")
    assert leaks(caught.value, TOKEN) == []
