"""Clients that the caller has made: used with all that they have, left open, and kept from other servers."""

from __future__ import annotations

from typing import Any

import aiohttp
import httpx
import httpx2
import pytest
from agent_session_platform import ConfigurationError, NotFoundError, RequestOptions

from tests.fixtures import ONE_ATTEMPT, PASSED
from tests.servers.fault_server import AUTHORITY, CERTIFICATES, TOKEN, client, fault_server, http_client
from tests.servers.scripts import BUSY, redirect_to, response

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
@pytest.mark.usefixtures("trust")
async def test_nothing_of_a_client_goes_to_another_server(name: str) -> None:
    async def add_key(request: Any, handler: Any) -> Any:
        request.headers["X-Key"] = "s3cret"
        return await handler(request)

    async with fault_server(response(b"file"), certificate="loopback") as storage:
        host = storage.base_url.removeprefix("https://")
        redirect = redirect_to(f"{storage.base_url}/file")
        async with fault_server(redirect) as server, http_client(name) as own:
            own.headers["X-Own"] = "s3cret"
            if "aiohttp" in name:
                own._middlewares = (add_key,)
                own.cookie_jar.update_cookies({"a": "s3cret"})
            else:
                own.cookies.set("a", "s3cret")
            settings: Any = {"default_headers": {"X-Gateway-Key": "s3cret"}, "user_agent": "s3cret/1.0"}
            async with server.client(http_client=own, **settings) as platform:
                options = RequestOptions(extra_headers={"X-Team-Key": "s3cret"})
                download = platform.organization().attachments.download("a", "b", options=options)
                assert await download.read(follow=True, hosts=[host]) == b"file"
    assert str(server.requests[0].fields).count("s3cret") >= 5
    assert set(storage.requests[0].headers) <= {"host", "user-agent", "accept", "accept-encoding", "connection"}
    assert "s3cret" not in str(storage.requests[0])


@passed
async def test_a_client_stays_open(name: str) -> None:
    async with fault_server(OK) as server, http_client(name) as own:
        async with server.client(http_client=own) as platform:
            await platform.request("GET", PATH)
        received: Any = await own.get(server.base_url)
        assert getattr(received, "status", None) or received.status_code == 200


@passed
async def test_a_call_through_a_closed_client_is_the_error_of_the_library(name: str) -> None:
    async with http_client(name) as own:
        pass
    async with client("http://127.0.0.1:9", http_client=own) as platform:
        with pytest.raises(RuntimeError, match="closed"):
            await platform.request("GET", PATH)


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


OF_CONNECTIONS = {
    "verify": AUTHORITY,
    "cert": CERTIFICATES / "client.pem",
    "http2": True,
    "unix_socket": "/s",
    "proxy": "http://[::1]:1",
}


@pytest.mark.parametrize(("name", "value"), OF_CONNECTIONS.items())
async def test_settings_of_own_connections_are_refused_with_what_is_passed(name: str, value: Any) -> None:
    async with httpx.AsyncClient() as own:
        passed: list[dict[str, Any]] = [{"http_client": own}, {"transport": httpx2.MockTransport(respond)}]
        for given in passed:
            expected = f"{name} is for the SDK's own connections: set it on the client or transport instead"
            with pytest.raises(ConfigurationError, match=expected):
                client("https://platform.example.com", **given, **{name: value})


async def test_a_transport_and_a_client_exclude_each_other() -> None:
    async with httpx.AsyncClient() as own:
        with pytest.raises(ConfigurationError, match="not both"):
            client("https://platform.example.com", "aiohttp", http_client=own)


async def test_a_mock_transport_of_httpx2_is_used() -> None:
    async with client("https://platform.example.com", httpx2.MockTransport(respond)) as platform:
        assert await platform.request("POST", PATH, body={"b": 2}) == {"content": '{"b":2}'}
