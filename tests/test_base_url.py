"""The base URL: what is no address of a server, and http to another host, is refused when the client is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, ConfigurationError
from agent_session_platform.network import check_base_url
from agent_session_platform_sandbox import Sandbox

from tests.fixtures import all_transports
from tests.servers.fault_server import TOKEN

THIS_MACHINE = [
    "localhost",
    "LOCALHOST",
    "localhost:8080",
    "api.localhost",
    "127.0.0.1",
    "127.255.3.4:1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]:8080",
]
OTHERS = [
    "platform.example.com",
    "10.0.0.1",
    "0.0.0.0",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "127.1",
    "127.0.0.1.",
    "127.0.0.1.evil.example",
    "localhost.",
    "localhost.evil.example",
    "evillocalhost",
    "localhost-",
    "127-0-0-1.evil.example",
]
# Some resolvers take these for an address; httpx or the socket refuses them.
UNCLEAR = [
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "127.0.0.01",
    "\uff11\uff12\uff17.0.0.1",
    "\u24dbocalhost",
    "localho\u017ft",
    ".localhost",
]

NO_HOSTS = [
    "☃.example",
    "bücher.example",
    f"{'a' * 64}.example",
    f"{'é' * 60}.example",
    "a." * 127 + "a",
    "a..b",
    "a%2eb",
    "a\\b",
    "h:0",
    "h:65536",
    "h:-1",
    "h:x",
    "[::1",
    "[::1%25lo]",
    "[fe80::1%eth0]",
    "[::g]",
]


def client(base_url: str | None, **settings: Any) -> AgentPlatform:
    return AgentPlatform(base_url, TOKEN, **settings)


@pytest.mark.parametrize("host", THIS_MACHINE)
def test_http_to_this_machine_is_allowed(host: str) -> None:
    client(f"http://{host}")


@all_transports
@pytest.mark.parametrize("host", OTHERS)
def test_http_to_another_host_is_refused(host: str, transport: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"use https://, or pass AgentPlatform\(allow_http=True\)"):
        client(f"http://{host}", transport=transport)


@pytest.mark.parametrize("host", UNCLEAR)
def test_http_to_a_host_that_is_not_clearly_this_machine_is_refused(host: str) -> None:
    with pytest.raises(ConfigurationError, match="base_url"):
        client(f"http://{host}")


def test_http_of_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_BASE_URL", "http://platform.example.com")
    with pytest.raises(ConfigurationError, match="allow_http"):
        client(None)


@pytest.mark.parametrize("host", OTHERS)
def test_http_can_be_allowed(host: str) -> None:
    client(f"http://{host}", allow_http=True)


def respond(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={})


async def application(scope: Any, receive: Any, send: Any) -> None:
    raise NotImplementedError


IN_PROCESS: dict[str, Callable[[], httpx.AsyncBaseTransport]] = {
    "mock": lambda: httpx.MockTransport(respond),
    "asgi": lambda: httpx.ASGITransport(application),
    "sandbox": lambda: Sandbox().transport(),
}
NETWORK: dict[str, Callable[[], httpx.AsyncBaseTransport]] = {
    "httpx": httpx.AsyncHTTPTransport,
    "a transport of the caller": httpx.AsyncBaseTransport,
}


@pytest.mark.parametrize("transport", IN_PROCESS.values(), ids=IN_PROCESS)
async def test_http_inside_this_process_is_allowed(transport: Callable[[], httpx.AsyncBaseTransport]) -> None:
    client("http://service", transport=transport())


async def test_http_through_a_client_is_refused_whatever_its_transport_is() -> None:
    async with httpx.AsyncClient(transport=httpx.MockTransport(lambda request: httpx.Response(200))) as own:
        with pytest.raises(ConfigurationError, match="allow_http"):
            client("http://service", http_client=own)
        client("http://service", http_client=own, allow_http=True)


@pytest.mark.parametrize("transport", NETWORK.values(), ids=NETWORK)
async def test_http_through_any_other_transport_is_refused(transport: Callable[[], httpx.AsyncBaseTransport]) -> None:
    with pytest.raises(ConfigurationError, match="allow_http"):
        client("http://service", transport=transport())
    own = httpx.AsyncClient(transport=transport())
    with pytest.raises(ConfigurationError, match="allow_http"):
        client("http://service", http_client=own)


async def test_http_through_a_transport_that_is_mounted_beside_a_mock_is_refused() -> None:
    own = httpx.AsyncClient(
        transport=httpx.MockTransport(respond), mounts={"http://platform.example.com": httpx.AsyncHTTPTransport()}
    )
    with pytest.raises(ConfigurationError, match="allow_http"):
        client("http://platform.example.com", http_client=own)


@pytest.mark.parametrize("host", NO_HOSTS)
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(ConfigurationError, match="^base_url") as caught:
        client(f"https://{host}")
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
    from agent_session_platform import ConnectionFailedError, RetryPolicy

    async with client(f"https://{host}", transport=transport, timeout=0.2, retry=RetryPolicy.none()) as platform:
        with pytest.raises(ConnectionFailedError, match="could not connect"):
            await platform.request("GET", "/v3/x")
