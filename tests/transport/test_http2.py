"""HTTP/2, on httpx and httpx2."""

from __future__ import annotations

import asyncio
import logging
import ssl
import sys
from typing import Any

import pytest
from agent_session_platform import ConfigurationError, ConnectionFailedError, OutcomeUnknownError

from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import CERTIFICATES, TOKEN, client, fault_server
from tests.servers.proxy_server import proxy_server
from tests.transport.proxied import OK

h2 = pytest.importorskip("h2")

from tests.servers.http2_server import http2_server  # noqa: E402  # it needs h2

AUTHORITY = CERTIFICATES / "authority.pem"

families = pytest.mark.parametrize("transport", ["httpx", "httpx2"])


@families
async def test_calls_share_one_connection(transport: Any) -> None:
    async with http2_server() as server, client(server.base_url, transport, verify=AUTHORITY, http2=True) as platform:
        await platform.request("POST", "/v3/x", query={"q": "a b"}, body={})
        done = await asyncio.gather(*(platform.request("POST", "/v3/x", body={"n": n}) for n in range(20)))
        await platform.organization().attachments.upload(file=b"x" * 500_000)
        assert platform.rate_limiter.stats().in_flight == 0
    assert done == [{"a": 1}] * 20
    assert (server.connections, len(server.requests)) == (1, 22)
    first, last = server.requests[0], server.requests[-1]
    assert (first[":method"], first[":path"], first["content-length"]) == ("POST", "/v3/x?q=a+b", "2")
    assert first[":authority"] == server.base_url.removeprefix("https://")
    assert first["authorization"] == f"Bearer {TOKEN}"
    assert int(last["content-length"]) > 500_000


@families
async def test_it_goes_through_a_proxy(transport: Any) -> None:
    async with (
        http2_server() as server,
        proxy_server(certificate="loopback") as proxy,
        client(server.base_url, transport, verify=AUTHORITY, http2=True, proxy=proxy.base_url) as platform,
    ):
        assert await platform.request("GET", "/v3/x") == {"a": 1}
    assert [request.method for request in proxy.requests] == ["CONNECT"]


@families
async def test_a_server_without_it_is_spoken_to_as_ever(transport: Any) -> None:
    async with (
        fault_server(OK, certificate="loopback") as server,
        server.client(transport, verify=AUTHORITY, http2=True) as platform,
    ):
        assert await platform.request("GET", "/v3/x") == {"a": 1}


@pytest.mark.parametrize("transport", ["httpx", "httpx2", "aiohttp"])
async def test_another_client_of_the_process_does_not_speak_it(transport: Any, monkeypatch: Any) -> None:
    """They trust the same certificates."""
    monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    async with http2_server() as server, client(server.base_url, "httpx", http2=True) as platform:
        await platform.request("GET", "/v3/x")
        async with client(server.base_url, transport, retry=ONE_ATTEMPT) as other:
            # The server hangs up.
            with pytest.raises(ConnectionFailedError):
                await other.request("GET", "/v3/x")
    assert len(server.requests) == 1


@families
async def test_a_context_that_is_passed_offers_what_it_was_told_to(transport: Any) -> None:
    context = ssl.create_default_context(cafile=AUTHORITY)
    context.set_alpn_protocols(["h2", "http/1.1"])
    async with http2_server() as server, client(server.base_url, transport, verify=context, http2=True) as platform:
        assert await platform.request("GET", "/v3/x") == {"a": 1}


@families
@pytest.mark.parametrize("size", [10, 100_000], ids=["after", "while it is sent"])
async def test_a_write_that_the_server_ends_has_an_unknown_outcome(transport: Any, size: int) -> None:
    def reset(connection: Any, stream: int) -> None:
        connection.increment_flow_control_window(1_000_000)
        connection.increment_flow_control_window(1_000_000, stream)
        connection.reset_stream(stream, 2)

    settings: Any = {"verify": AUTHORITY, "http2": True}
    async with http2_server(reset) as server, client(server.base_url, transport, **settings) as platform:
        with pytest.raises(OutcomeUnknownError, match="the exchange broke off"):
            await platform.organization().attachments.upload(file=b"x" * size)
    assert len(server.requests) == 1


@families
async def test_the_log_of_the_library_has_no_token(transport: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with http2_server() as server, client(server.base_url, transport, verify=AUTHORITY, http2=True) as platform:
        await platform.request("GET", "/v3/x")
    assert "hpack" in {record.name.partition(".")[0] for record in caplog.records}
    # The server, in the same process, writes what it has decoded.
    messages = [record.getMessage() for record in caplog.records]
    assert [text for text in messages if TOKEN in text and not text.startswith("Decoded ")] == []


def test_aiohttp_has_none() -> None:
    with pytest.raises(ConfigurationError, match="http2 needs transport='httpx' or 'httpx2': aiohttp has none"):
        client("https://platform.example.com", "aiohttp", http2=True)


@pytest.mark.parametrize(
    ("library", "settings"),
    [
        ("aiohttp", {"transport": "aiohttp"}),
        ("httpx2", {"transport": "httpx2"}),
        ("h2", {"http2": True}),
        ("h2", {"transport": "httpx2", "http2": True}),
    ],
)
def test_without_the_library_no_client_is_made(library: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ConfigurationError, match=f"needs {library}: pip install '{library}>=.*,<.*'$"):
        client("https://platform.example.com", **settings)


def test_it_is_a_switch() -> None:
    with pytest.raises(ConfigurationError, match="http2 must be True or False, not str"):
        client("https://platform.example.com", http2="yes")
