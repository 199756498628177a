"""Unix sockets, IPv6, the headers of all calls, and the settings that no client is made with."""

from __future__ import annotations

import platform as machine
import socket
import ssl
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import ConfigurationError, ConnectionFailedError, RequestOptions

from tests.fixtures import ONE_ATTEMPT, URL, all_clients, all_transports
from tests.servers.fault_server import AUTHORITY, TOKEN, client, fault_server
from tests.servers.scripts import redirect_to, response
from tests.transport.test_proxies import UNUSABLE

OK = response({"a": 1})


def unix_socket(path: Path) -> socket.socket:
    """Make a socket of this machine."""
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(path))
    return bound


# Unix sockets.


@all_transports
@pytest.mark.parametrize("make", [str, Path])
async def test_a_call_goes_through_a_unix_socket(
    transport: Any, make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing leaves this machine, whatever the host is, so no proxy is used and http is enough."""
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    path = tmp_path / "s"
    async with (
        fault_server(OK, sock=unix_socket(path)) as server,
        client("http://platform.example.com/api", transport, unix_socket=make(path)) as platform,
    ):
        for _ in range(2):
            assert await platform.request("POST", "/v3/x", body={"b": 2}) == {"a": 1}
    assert [(each.target, each.headers["host"]) for each in server.requests] == [
        ("/api/v3/x", "platform.example.com")
    ] * 2


@all_transports
async def test_a_socket_that_is_missing_is_named(transport: Any, tmp_path: Path) -> None:
    path = tmp_path / "s"
    async with client("http://localhost", transport, unix_socket=str(path), retry=ONE_ATTEMPT) as platform:
        expected = rf"could not connect to http://localhost through the socket {path} \("
        with pytest.raises(ConnectionFailedError, match=expected) as caught:
            await platform.request("POST", "/v3/x", body={})
    assert not caught.value.may_have_arrived


@all_transports
@pytest.mark.usefixtures("trust")
async def test_the_target_of_a_redirect_is_reached_over_the_network(transport: Any, tmp_path: Path) -> None:
    async with fault_server(response(b"file"), certificate="loopback") as storage:
        host = storage.base_url.removeprefix("https://")
        async with (
            fault_server(redirect_to(f"{storage.base_url}/file"), sock=unix_socket(tmp_path / "s")) as server,
            client("http://localhost", transport, unix_socket=tmp_path / "s") as platform,
        ):
            file = platform.organization().attachments.download("a", "b")
            assert await file.read(follow=True, hosts=[host]) == b"file"
    assert (len(server.requests), len(storage.requests)) == (1, 1)


@all_transports
async def test_a_server_may_have_an_ipv6_address(transport: Any) -> None:
    listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
    async with fault_server(OK, sock=listener) as server, server.client(transport) as platform:
        assert await platform.request("GET", "/v3/x") == {"a": 1}
    assert server.requests[0].headers["host"] == server.base_url.removeprefix("http://")


# Headers of every call.

DEFAULTS = {"X-Gateway-Key": "hush-0123456789", "X-Team": " a ", "Accept-Language": "de"}


@all_clients
async def test_the_headers_of_every_call_are_sent(transport: Any) -> None:
    options = RequestOptions(extra_headers={"x-team": "b"})
    async with fault_server(OK) as server, server.client(transport, default_headers=DEFAULTS) as platform:
        await platform.request("GET", "/v3/x")
        await platform.request("POST", "/v3/x", body={}, options=options)
    first, second = (request.headers for request in server.requests)
    assert (first["x-gateway-key"], first["x-team"], first["accept-language"]) == ("hush-0123456789", "a", "de")
    assert (second["x-gateway-key"], second["x-team"]) == ("hush-0123456789", "b")
    assert all(len({name.lower() for name, _ in each.fields}) == len(each.fields) for each in server.requests)


@all_clients
async def test_the_program_stands_before_the_sdk_in_user_agent(transport: Any) -> None:
    async with fault_server(OK) as server, server.client(transport, user_agent="acme/1.0 (ops)") as platform:
        await platform.request("GET", "/v3/x")
    assert server.requests[0].headers["user-agent"].startswith("acme/1.0 (ops) agent-session-platform/")
    library = str(transport or "httpx").removeprefix("http_client ")
    written = f" python/{machine.python_version()} {library}/{version(library)}"
    assert server.requests[0].headers["user-agent"].endswith(written)


def test_no_repr_shows_a_value_of_a_header() -> None:
    platform = client(URL, default_headers=DEFAULTS)
    assert "X-Gateway-Key" in repr(platform._configuration)
    assert "hush" not in repr(platform) + repr(platform._configuration)


# The headers that each request has.

PATH = "/v3/enterprise/whatever"


async def test_each_header_is_sent_once() -> None:
    async with fault_server(OK) as server, server.client() as platform:
        await platform.request("GET", PATH)
    sent = server.requests[0].headers
    assert len(sent) == len(server.requests[0].fields)
    expected = {"accept", "accept-encoding", "authorization", "host", "user-agent", "x-agent-platform-attempt"}
    assert set(sent) == expected
    assert sent["authorization"] == f"Bearer {TOKEN}"
    # Some servers choose the form of an error by the Accept header.
    assert sent["accept"] == "application/json, application/problem+json"


@all_transports
async def test_no_cookie_is_kept(transport: Any) -> None:
    cookie = response({}, "200 OK", "Set-Cookie: a=b; Path=/")
    async with fault_server(cookie) as server, server.client(transport) as platform:
        for _ in range(2):
            await platform.request("GET", PATH)
    assert "cookie" not in server.requests[1].headers


# Settings that no client is made with.

VERIFY = "verify must be True, the path of certificates, or an ssl.SSLContext that verifies them, not"
PROXY = "proxy must be an address such as http://user:p%40ss@"
USER_AGENT = "user_agent must be text such as 'acme/1.0'"
HUSH = "http://user:hush@"
ELSEWHERE = f"{HUSH}proxy.example.com:3128"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"verify": False}, f"{VERIFY} False"),
        ({"verify": ""}, f"{VERIFY} ''"),
        ({"verify": 1}, f"{VERIFY} 1"),
        ({"verify": ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)}, f"{VERIFY} ssl.SSLContext"),
        ({"cert": ()}, r"cert must be a path, \(certificate, key\) or \(certificate, key, password\)"),
        ({"cert": (AUTHORITY, AUTHORITY, 5)}, "cert=.* cannot be used: password should be a string"),
        ({"cert": ("hush", "b", "c", "d")}, "cert must be a path"),
        ({"cert": AUTHORITY, "verify": ssl.create_default_context()}, "pass cert or an ssl.SSLContext, not both"),
        ({"http2": True, "transport": "aiohttp"}, "needs transport='httpx' or 'httpx2': aiohttp does not support it"),
        ({"http2": "yes"}, "http2 must be True or False, not str"),
        ({"unix_socket": "/run/s", "transport": "aiohttp"}, "https over a unix_socket needs .*: aiohttp does not"),
        ({"unix_socket": "/run/s", "proxy": "http://127.0.0.1:1"}, "pass proxy or unix_socket, not both"),
        ({"unix_socket": 1}, "unix_socket must be the path of a socket, not 1"),
        *(({"proxy": address}, PROXY) for address in (*UNUSABLE.values(), "", 5, {"https": f"{HUSH}127.0.0.1:1"})),
        # The token would go to another machine without encryption.
        ({"base_url": "http://127.0.0.1:8000", "proxy": ELSEWHERE}, "the proxy http://proxy.example.com:3128: over"),
        *(({"user_agent": value}, USER_AGENT) for value in ("", "  ", "acme\r\nX-A: b", "acmé", 1)),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_without_its_password(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        client(**{"base_url": URL, **settings})
    assert "hush" not in "".join(traceback.format_exception(caught.value))
