"""Unix sockets, IPv6, headers of all calls, and settings that a client of the caller would ignore."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import httpx2
import pytest
from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    ConnectionFailedError,
    InvalidArgumentError,
    RequestOptions,
)

from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import CERTIFICATES, Connection, Request, client, fault_server, read_request
from tests.servers.scripts import response
from tests.transport.proxied import OK, transports

AUTHORITY = CERTIFICATES / "authority.pem"
ADDRESS = "https://platform.example.com"

CONTEXT = ssl.create_default_context(cafile=AUTHORITY)

CLIENTS = {"httpx": httpx.AsyncClient, "httpx2": httpx2.AsyncClient, "aiohttp": aiohttp.ClientSession}


@asynccontextmanager
async def unix_server(path: Path, script: bytes = OK) -> AsyncIterator[list[Request]]:
    """Serve on a socket of this machine until the end of the block; the list has the requests."""
    requests: list[Request] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer, 1)
        try:
            while True:
                requests.append(await read_request(connection))
                await connection.send(script)
        except (OSError, asyncio.IncompleteReadError):
            writer.close()

    server = await asyncio.start_unix_server(serve, path)
    try:
        yield requests
    finally:
        server.close()


# Unix sockets.


@transports
@pytest.mark.parametrize("make", [str, Path])
async def test_a_call_goes_through_a_unix_socket(
    transport: Any, make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the host is: nothing leaves this machine, so that no proxy is used and http is enough."""
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    path = tmp_path / "s"
    async with (
        unix_server(path) as requests,
        client("http://platform.example.com/api", transport, unix_socket=make(path)) as platform,
    ):
        for _ in range(2):
            assert await platform.request("POST", "/v3/x", body={"b": 2}) == {"a": 1}
    assert [(each.target, each.headers["host"]) for each in requests] == [("/api/v3/x", "platform.example.com")] * 2


@transports
async def test_a_socket_that_is_missing_is_named(transport: Any, tmp_path: Path) -> None:
    path = tmp_path / "s"
    async with client("http://localhost", transport, unix_socket=str(path), retry=ONE_ATTEMPT) as platform:
        expected = rf"could not connect to http://localhost through the socket {path} \("
        with pytest.raises(ConnectionFailedError, match=expected) as caught:
            await platform.request("POST", "/v3/x", body={})
    assert not caught.value.received


@transports
async def test_the_target_of_a_redirect_is_reached_over_the_network(
    transport: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    async with fault_server(response(b"file"), certificate="loopback") as storage:
        host = storage.base_url.removeprefix("https://")
        redirect = response(b"", "302 Found", f"Location: {storage.base_url}/file")
        async with (
            unix_server(tmp_path / "s", redirect) as requests,
            client("http://localhost", transport, unix_socket=tmp_path / "s") as platform,
        ):
            file = platform.organization().attachments.download("a", "b")
            assert await file.read(follow=True, hosts=[host]) == b"file"
    assert (len(requests), len(storage.requests)) == (1, 1)


def test_aiohttp_has_no_tls_on_a_unix_socket() -> None:
    with pytest.raises(ConfigurationError, match="aiohttp has no TLS on a unix_socket: use http"):
        client(ADDRESS, "aiohttp", unix_socket="/run/s")


@pytest.mark.parametrize("value", ["", 1])
def test_a_socket_that_is_no_path_is_refused(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="unix_socket must be the path of a socket, not"):
        client(ADDRESS, unix_socket=value)


def test_a_proxy_and_a_socket_exclude_each_other() -> None:
    with pytest.raises(ConfigurationError, match="pass proxy or unix_socket, not both"):
        client(ADDRESS, unix_socket="/run/s", proxy="http://127.0.0.1:1")


# Addresses.


@transports
@pytest.mark.parametrize("prefix", ["", "/api/a%2Fb"])
async def test_a_server_may_have_an_ipv6_address_and_a_path(transport: Any, prefix: str) -> None:
    listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
    host = f"[::1]:{listener.getsockname()[1]}"
    async with fault_server(OK, sock=listener) as server, client(f"http://{host}{prefix}", transport) as platform:
        assert await platform.request("GET", "/v3/x") == {"a": 1}
    [request] = server.requests
    assert (request.headers["host"], request.target) == (host, f"{prefix}/v3/x")


# Headers of every call.

DEFAULTS = {"X-Gateway-Key": "hush-0123456789", "X-Team": " a ", "Accept-Language": "de"}


@asynccontextmanager
async def sending(transport: Any, own: bool, base_url: str, **settings: Any) -> AsyncIterator[AgentPlatform]:
    """Make a client on the SDK's own connections, or on a client of the caller."""
    if not own:
        async with client(base_url, transport, **settings) as platform:
            yield platform
        return
    # That of aiohttp reads the environment when it is imported.
    trusting: Any = {"connector": aiohttp.TCPConnector(ssl=CONTEXT)} if transport == "aiohttp" else {"verify": CONTEXT}
    async with (
        CLIENTS[transport](**trusting) as http_client,
        client(base_url, http_client=http_client, **settings) as platform,
    ):
        yield platform


either = pytest.mark.parametrize("own", [False, True], ids=["own connections", "http_client"])


@transports
@either
async def test_the_headers_of_every_call_are_sent(transport: Any, own: bool) -> None:
    options = RequestOptions(extra_headers={"x-team": "b"})
    async with (
        fault_server(OK) as server,
        sending(transport, own, server.base_url, default_headers=DEFAULTS) as platform,
    ):
        await platform.request("GET", "/v3/x")
        await platform.request("POST", "/v3/x", body={}, options=options)
    first, second = (request.headers for request in server.requests)
    assert (first["x-gateway-key"], first["x-team"], first["accept-language"]) == ("hush-0123456789", "a", "de")
    assert (second["x-gateway-key"], second["x-team"]) == ("hush-0123456789", "b")
    assert all(len({name.lower() for name, _ in each.fields}) == len(each.fields) for each in server.requests)


@transports
@either
async def test_the_program_stands_before_the_sdk_in_user_agent(transport: Any, own: bool) -> None:
    async with (
        fault_server(OK) as server,
        sending(transport, own, server.base_url, user_agent="acme/1.0 (ops)") as platform,
    ):
        await platform.request("GET", "/v3/x")
    assert server.requests[0].headers["user-agent"].startswith("acme/1.0 (ops) agent-session-platform/")
    assert f" {transport}/" in server.requests[0].headers["user-agent"]


@transports
@either
async def test_the_target_of_a_redirect_gets_none_of_them(
    transport: Any, own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    settings: Any = {"default_headers": DEFAULTS, "user_agent": "acme/1.0"}
    async with fault_server(response(b"file"), certificate="loopback") as storage:
        host = storage.base_url.removeprefix("https://")
        redirect = response(b"", "302 Found", f"Location: {storage.base_url}/file")
        async with (
            fault_server(redirect) as server,
            sending(transport, own, server.base_url, **settings) as platform,
        ):
            await platform.organization().attachments.download("a", "b").read(follow=True, hosts=[host])
    [request] = storage.requests
    assert set(request.headers) <= {"host", "user-agent", "accept", "accept-encoding", "connection"}
    assert request.headers["user-agent"].startswith("agent-session-platform/")


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"Authorization": "hush"}, "default_headers must not set Authorization: the client sets it"),
        ({"Proxy-Authorization": "hush"}, "default_headers must not set Proxy-Authorization"),
        ({"X-A": "hush\n"}, r"default_headers\['X-A'\] has characters that a header cannot carry"),
        ({"X-A": 5}, r"default_headers\['X-A'\] must be a string, not int"),
        ({"X A": "hush"}, "default_headers has 'X', which is not a valid header name"),
        (["hush"], "default_headers must be a mapping, not list"),
    ],
)
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(headers: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message) as caught:
        client(ADDRESS, default_headers=headers)
    assert "hush" not in str(caught.value)


def test_no_repr_shows_a_value_of_a_header() -> None:
    platform = client(ADDRESS, default_headers=DEFAULTS)
    assert "X-Gateway-Key" in repr(platform._configuration)
    assert "hush" not in repr(platform) + repr(platform._configuration)


# What a client of the caller would ignore.


@pytest.mark.parametrize(
    "make",
    [
        lambda: httpx.AsyncClient(auth=("user", "hush")),
        lambda: httpx2.AsyncClient(auth=("user", "hush")),
        lambda: aiohttp.ClientSession(auth=aiohttp.BasicAuth("user", "hush")),
    ],
    ids=CLIENTS,
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_a_client_with_an_auth_is_refused(make: Any) -> None:
    async with make() as http_client:
        with pytest.raises(ConfigurationError, match="http_client must not have an auth: it would be ignored"):
            client(ADDRESS, http_client=http_client)


SETTINGS: list[dict[str, Any]] = [
    {"proxy": "http://127.0.0.1:1"},
    {"verify": AUTHORITY},
    {"cert": CERTIFICATES / "loopback.pem"},
    {"http2": True},
    {"unix_socket": "/run/s"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: next(iter(settings)))
@transports
async def test_settings_of_own_connections_are_refused_with_a_client(transport: Any, settings: dict[str, Any]) -> None:
    expected = f"{next(iter(settings))} is for the SDK's own connections: set it on what you pass instead"
    async with CLIENTS[transport]() as http_client:
        with pytest.raises(ConfigurationError, match=expected):
            client(ADDRESS, http_client=http_client, **settings)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: next(iter(settings)))
@pytest.mark.parametrize("library", [httpx, httpx2])
def test_settings_of_own_connections_are_refused_with_a_transport(library: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="is for the SDK's own connections"):
        client(ADDRESS, library.MockTransport(lambda request: None), **settings)


@pytest.mark.parametrize("value", ["", "  ", "acme\r\nX-A: b", "acmé", 1])
def test_a_user_agent_that_cannot_be_sent_is_refused(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="user_agent must be text such as 'acme/1.0'"):
        client(ADDRESS, user_agent=value)
