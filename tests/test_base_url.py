"""The base URL: what is no address of a server, and http to another host, is refused when the client is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, ConfigurationError, ConnectionFailedError
from agent_session_platform.network import check_base_url
from agent_session_platform_sandbox import Sandbox

from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN

LOCAL = ["localhost", "LOCALHOST:8080", "api.localhost", "127.0.0.1", "127.255.3.4:1", "[::1]", "[0:0:0:0:0:0:0:1]:80"]
OTHERS = ["platform.example.com", "10.0.0.1", "0.0.0.0", "[::]", "[::127.0.0.1]", "[::ffff:10.0.0.1]", "localhost."]
OTHERS += ["127.1", "127.0.0.1.", "127.0.0.1.evil.example", "localhost.evil.example", "evillocalhost", "localhost-"]
# Some resolvers take these for an address; httpx or the socket refuses them.
UNCLEAR = ["0x7f000001", "2130706433", "127.0.0.01", "\uff11\uff12\uff17.0.0.1", "\u24dbocalhost", ".localhost"]
NO_HOSTS = ["☃.example", "bücher.example", f"{'a' * 64}.example", "a." * 127 + "a", "a..b", "a%2eb", "a\\b"]
NO_HOSTS += ["h:0", "h:65536", "h:-1", "h:x", "[::1", "[fe80::1%eth0]", "[::g]"]


def client(base_url: str | None, **settings: Any) -> AgentPlatform:
    return AgentPlatform(base_url, TOKEN, **settings)


@pytest.mark.parametrize(("host", "is_local"), [*((each, True) for each in LOCAL), *((each, False) for each in OTHERS)])
def test_only_this_machine_is_reached_over_http(host: str, is_local: bool) -> None:
    client(f"http://{host}", allow_http=True)
    if is_local:
        client(f"http://{host}")
    else:
        with pytest.raises(ConfigurationError, match=r"use https://, or pass AgentPlatform\(allow_http=True\)"):
            client(f"http://{host}")


@all_transports
@pytest.mark.parametrize("host", ["platform.example.com", *UNCLEAR])
def test_http_to_a_host_that_is_not_clearly_this_machine_is_refused(host: str, transport: Any) -> None:
    with pytest.raises(ConfigurationError, match="base_url"):
        client(f"http://{host}", transport=transport)


def test_http_of_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_BASE_URL", "http://platform.example.com")
    with pytest.raises(ConfigurationError, match="allow_http"):
        client(None)


async def application(scope: Any, receive: Any, send: Any) -> None:
    raise NotImplementedError


MOCK = httpx.MockTransport(lambda request: httpx.Response(200, json={}))
MOUNTED = {"transport": MOCK, "mounts": {"http://service": httpx.AsyncHTTPTransport()}}
# What a client is made with, and whether that is inside this process.
PASSED: dict[str, tuple[Callable[[], dict[str, Any]], bool]] = {
    "mock": (lambda: {"transport": MOCK}, True),
    "asgi": (lambda: {"transport": httpx.ASGITransport(application)}, True),
    "sandbox": (lambda: {"transport": Sandbox().transport()}, True),
    "httpx": (lambda: {"transport": httpx.AsyncHTTPTransport()}, False),
    "a transport of the caller": (lambda: {"transport": httpx.AsyncBaseTransport()}, False),
    "a client": (lambda: {"http_client": httpx.AsyncClient(transport=MOCK)}, False),
    "a client with a mount": (lambda: {"http_client": httpx.AsyncClient(**MOUNTED)}, False),
}


@pytest.mark.parametrize(("make", "in_process"), PASSED.values(), ids=PASSED)
async def test_http_is_allowed_inside_this_process(make: Callable[[], dict[str, Any]], in_process: bool) -> None:
    client("http://service", allow_http=True, **make())
    if in_process:
        client("http://service", **make())
    else:
        with pytest.raises(ConfigurationError, match="allow_http"):
            client("http://service", **make())


@pytest.mark.parametrize(
    ("value", "message"),
    [
        *((f"https://{host}", "base_url") for host in NO_HOSTS),
        ("", "base_url must be an http or https address"),
        ("platform.example.com", "base_url must be an http or https address; it should look like"),
        ("ftp://platform.example.com", "base_url must be an http or https address"),
        (" https://platform.example.com", "base_url must have no spaces"),
        ("https://platform.example.com\n", "base_url must have no spaces or line breaks"),
        ("https://platform.example.com:port", "base_url is malformed"),
        ("https://platform.example.com?x=1", "base_url must have no query"),
        ("https://me:secret@platform.example.com", "base_url must not contain credentials"),
        ("https://platform.example.com/v3", "base_url must not end in the version"),
    ],
)
def test_a_malformed_base_url_is_refused(value: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{message}") as caught:
        client(value)
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("base_url", "written"),
    [
        ("HTTPS://platform.example.com:8443/base/", "https://platform.example.com:8443/base"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("https://under_score.example.", "https://under_score.example."),
        ("https://[2001:DB8::1]:8443", "https://[2001:DB8::1]:8443"),
    ],
)
def test_a_base_url_is_kept_without_a_slash_at_its_end(base_url: str, written: str) -> None:
    assert check_base_url(base_url) == written


@all_transports
@pytest.mark.parametrize("host", ["xn--bcher-kva.invalid", "under_score.invalid", "[2001:db8::1]:1"])
async def test_a_host_that_is_accepted_is_one_that_the_transports_take(host: str, transport: Any) -> None:
    """No name ends in .invalid, and no machine has an address for documentation."""
    async with client(f"https://{host}", transport=transport, timeout=0.2, retry=ONE_ATTEMPT) as platform:
        with pytest.raises(ConnectionFailedError, match="could not connect"):
            await platform.request("GET", "/v3/x")
