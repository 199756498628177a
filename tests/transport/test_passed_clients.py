"""Clients that the caller has made: used with all that they have, and left open."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import httpx
import httpx2
import pytest
from agent_session_platform import ConfigurationError, InvalidArgumentError, NotFoundError, TransportError

from tests.fixtures import ONE_ATTEMPT, PASSED
from tests.servers.fault_server import AUTHORITY, TOKEN, client, fault_server, http_client
from tests.servers.scripts import BUSY, response, then_reset

OK = response({"n": 1})
PATH = "/v3/x"
passed = pytest.mark.parametrize("name", PASSED)


@passed
async def test_the_hooks_of_a_client_see_every_request_and_response(name: str) -> None:
    seen: list[Any] = []

    async def note(request: Any) -> None:
        seen.append(request.headers["x-agent-platform-attempt"])

    async def note_status(received: Any) -> None:
        seen.append(received.status_code)

    async def between(request: aiohttp.ClientRequest, handler: Any) -> Any:
        await note(request)
        received = await handler(request)
        seen.append(received.status)
        return received

    hooks: Any = {"event_hooks": {"request": [note], "response": [note_status]}}
    settings = {"middlewares": [between]} if "aiohttp" in name else hooks
    async with fault_server(BUSY, OK) as server, server.client(name, settings) as platform:
        await platform.request("GET", PATH)
    assert seen == ["1", 429, "2", 200]


@passed
async def test_a_client_raising_for_the_status_changes_no_error(name: str) -> None:
    async def raise_for_status(received: Any) -> None:
        received.raise_for_status()

    hooks: Any = {"event_hooks": {"response": [raise_for_status]}}
    settings = {"raise_for_status": True} if "aiohttp" in name else hooks
    async with (
        fault_server(response({}, "404 Not Found")) as server,
        server.client(name, settings, retry=ONE_ATTEMPT) as platform,
    ):
        with pytest.raises(NotFoundError):
            await platform.request("POST", PATH, body={})
    assert len(server.requests) == 1


class Failing:
    """A request of the caller's own hook or middleware, to an address where nobody listens."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def fail(self, *_: Any) -> None:
        if "aiohttp" in self._name:
            async with aiohttp.ClientSession() as session:
                await session.get("http://127.0.0.1:1/")
        library: Any = httpx2 if "httpx2" in self._name else httpx
        async with library.AsyncClient() as other:
            await other.get("http://127.0.0.1:1/")

    async def around(self, request: Any, handler: Any) -> Any:
        received = await handler(request)
        received.release()
        await self.fail()

    @property
    def settings(self) -> dict[str, Any]:
        if "aiohttp" in self._name:
            return {"middlewares": [self.around]}
        return {"event_hooks": {"response": [self.fail]}}


@passed
async def test_a_write_is_sent_once_whatever_a_hook_of_the_client_raises_after_it(name: str) -> None:
    async with fault_server(OK, OK) as server, server.client(name, Failing(name).settings) as platform:
        with pytest.raises(TransportError) as raised:
            await platform.request("POST", PATH, body={})
    assert (len(server.requests), raised.value.outcome_unknown) == (1, True)


async def test_a_write_is_sent_once_whatever_a_trace_of_a_session_raises_after_it() -> None:
    async def fail(*_: Any) -> None:
        raise RuntimeError("the metrics are full")

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(fail)
    settings: Any = {"trace_configs": [trace]}
    name = next(each for each in PASSED if "aiohttp" in each)
    async with fault_server(OK, OK) as server, server.client(name, settings) as platform:
        with pytest.raises(TransportError, match="the metrics are full") as raised:
            await platform.request("POST", PATH, body={})
    assert (len(server.requests), raised.value.outcome_unknown) == (1, True)


@pytest.mark.parametrize("library", [httpx, httpx2], ids=lambda library: library.__name__)
async def test_a_write_is_sent_once_to_an_application_whose_own_request_fails(library: Any) -> None:
    sent: list[str] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        sent.append(scope["method"])
        async with library.AsyncClient() as other:
            await other.get("http://127.0.0.1:1/")

    transport = library.ASGITransport(application)
    async with client("http://127.0.0.1", transport=transport) as platform:
        with pytest.raises(TransportError) as raised:
            await platform.request("POST", PATH, body={})
    assert (sent, raised.value.outcome_unknown) == (["POST"], True)


@passed
async def test_the_headers_and_cookies_of_a_client_go_with_a_request(name: str) -> None:
    headers = {"Authorization": "Bearer other", "Accept-Encoding": "br", "User-Agent": "other", "X-Own": "1"}
    settings: Any = {"headers": headers, "cookies": {"a": "b"}}
    if "aiohttp" in name:
        settings["cookie_jar"] = aiohttp.CookieJar(unsafe=True)
    async with fault_server(OK) as server, server.client(name, settings) as platform:
        await platform.request("POST", PATH, body={"a": 1})
    sent = server.requests[0].headers
    assert (sent["x-own"], sent["cookie"], sent["content-length"]) == ("1", "a=b", "7")
    assert (sent["authorization"], sent["accept-encoding"]) == (f"Bearer {TOKEN}", "gzip")
    assert sent["user-agent"].startswith("agent-session-platform/")


@passed
async def test_a_client_stays_open(name: str) -> None:
    async with fault_server(OK) as server, http_client(name) as own:
        async with server.client(http_client=own) as platform:
            await platform.request("GET", PATH)
        received: Any = await own.get(server.base_url)
        assert getattr(received, "status", None) or received.status_code == 200


@passed
async def test_a_call_through_a_closed_client_says_so(name: str) -> None:
    async with http_client(name) as own:
        pass
    async with client("http://127.0.0.1:9", http_client=own) as platform:
        with pytest.raises(InvalidArgumentError, match="the request cannot be written .* closed") as caught:
            await platform.request("POST", PATH)
    assert frames_with_the_token(caught.value) == []


def frames_with_the_token(error: BaseException) -> list[str]:
    """Return the frames of an error, and of all errors that it is chained to, in which a local variable has the token.

    Some error reporters show contexts that Python suppresses.
    """
    found: list[str] = []
    pending: list[BaseException | None] = [error]
    while pending:
        each = pending.pop()
        if each is None:
            continue
        pending += [each.__cause__, each.__context__]
        for frame, line in traceback.walk_tb(each.__traceback__):
            # The test itself knows the token.
            if frame.f_globals["__name__"] != __name__ and TOKEN in repr(frame.f_locals):
                found.append(f"{frame.f_code.co_qualname}:{line}")
    return found


async def test_a_login_of_netrc_is_an_error_that_shows_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Aiohttp would send it instead of the token, and refuses that."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login user password secret")
    monkeypatch.setenv("NETRC", str(netrc))
    async with fault_server(OK) as server, server.client("http_client aiohttp") as platform:
        expected = "the request cannot be written .*Cannot combine AUTHORIZATION header"
        with pytest.raises(InvalidArgumentError, match=expected) as caught:
            await platform.request("GET", PATH)
    assert (server.requests, frames_with_the_token(caught.value)) == ([], [])


async def test_the_error_of_a_middleware_comes_as_it_is_and_shows_no_token() -> None:
    async def refuse(request: aiohttp.ClientRequest, handler: Any) -> Any:
        raise LookupError("my own")

    async with fault_server(OK) as server, server.client("http_client aiohttp", {"middlewares": [refuse]}) as platform:
        with pytest.raises(LookupError, match="^my own$") as caught:
            await platform.request("GET", PATH)
    assert frames_with_the_token(caught.value) == []


@passed
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_a_client_sends_nothing_again_by_itself(name: str, method: str) -> None:
    """Aiohttp would, when a kept connection breaks off."""
    async with fault_server(OK, then_reset()) as server, server.client(name, retry=ONE_ATTEMPT) as platform:
        await platform.request("GET", PATH)
        with pytest.raises(TransportError):
            await platform.request(method, PATH)
    assert len(server.requests) == 2


class OddTransport(httpx.AsyncBaseTransport):
    """A transport whose response to one path has headers that are text, and not bytes as those of a library."""

    def __init__(self) -> None:
        self.closed = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path != "/v3/odd":
            return httpx.Response(200, json={"n": 1})
        odd = httpx.Response(200, stream=OddBody(self))
        vars(odd)["headers"] = SimpleNamespace(raw=[("content-type", "application/json")])
        return odd


class OddBody(httpx.AsyncByteStream):
    """A body that counts how often it is closed."""

    def __init__(self, transport: OddTransport) -> None:
        self.transport = transport

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"{}"

    async def aclose(self) -> None:
        self.transport.closed += 1


async def test_a_response_that_cannot_be_used_gives_its_connection_back() -> None:
    transport = OddTransport()
    async with client("https://platform.example.com", transport, max_connections=1, timeout=1) as platform:
        with pytest.raises(AttributeError):
            await platform.request("GET", "/v3/odd")
        assert await platform.request("GET", PATH) == {"n": 1}
    assert transport.closed == 1


@passed
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_a_client_with_an_auth_is_refused(name: str) -> None:
    async with http_client(name, auth=aiohttp.BasicAuth("user") if "aiohttp" in name else ("user", "")) as own:
        with pytest.raises(ConfigurationError, match="http_client must not have an auth: it would be ignored"):
            client("https://platform.example.com", http_client=own)


async def test_a_client_with_params_is_refused() -> None:
    async with httpx2.AsyncClient(params={"tenant": "x"}) as own:
        with pytest.raises(ConfigurationError, match="http_client must not have params: httpx would replace"):
            client("https://platform.example.com", http_client=own)


def respond(request: Any) -> Any:
    """Respond with the content of a request."""
    return httpx2.Response(200, json={"content": request.content.decode()})


OF_CONNECTIONS = {"verify": AUTHORITY, "proxy": "http://[::1]:1"}


@pytest.mark.parametrize(("name", "value"), OF_CONNECTIONS.items())
async def test_settings_of_own_connections_are_refused_with_what_is_passed(name: str, value: Any) -> None:
    async with httpx.AsyncClient() as own:
        passed: list[dict[str, Any]] = [{"http_client": own}, {"transport": httpx2.MockTransport(respond)}]
        for given in passed:
            expected = "proxy and verify are for the SDK's own connections: set them on the client or transport instead"
            with pytest.raises(ConfigurationError, match=expected):
                client("https://platform.example.com", **given, **{name: value})


async def test_a_transport_and_a_client_exclude_each_other() -> None:
    async with httpx.AsyncClient() as own:
        with pytest.raises(ConfigurationError, match="not both"):
            client("https://platform.example.com", "aiohttp", http_client=own)


async def test_a_mock_transport_of_httpx2_is_used() -> None:
    async with client("https://platform.example.com", httpx2.MockTransport(respond)) as platform:
        assert await platform.request("POST", PATH, body={"b": 2}) == {"content": '{"b":2}'}
