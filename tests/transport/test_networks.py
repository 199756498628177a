"""IPv6, the headers of all calls, and the settings that no client is made with."""

from __future__ import annotations

import platform as machine
import socket
import ssl
import sys
import traceback
from importlib.metadata import version
from typing import Any

import pytest
from agent_session_platform import ConfigurationError, RequestOptions

from tests.fixtures import URL, all_clients, all_transports
from tests.servers.fault_server import TOKEN, client, fault_server
from tests.servers.scripts import response
from tests.transport.test_proxies import UNUSABLE

OK = response({"a": 1})


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


@pytest.mark.parametrize("library", ["aiohttp", "httpx2"])
def test_without_the_library_no_client_is_made(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ConfigurationError, match=f"needs {library}: pip install '{library}>=.*,<.*'$"):
        client(URL, library)


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
