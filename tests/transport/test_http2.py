"""HTTP/2, on httpx and httpx2."""

from __future__ import annotations

import asyncio
import logging
import ssl
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    ConnectionFailedError,
    InvalidArgumentError,
    OutcomeUnknownError,
)
from agent_session_platform.transport import sender
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded

from tests.fixtures import ONE_ATTEMPT, PASSED, all_transports, httpx_transports
from tests.servers.fault_server import AUTHORITY, TOKEN, Connection, FaultServer, client, fault_server
from tests.servers.proxy_server import proxy_server
from tests.servers.scripts import response

BODY = b'{"a": 1}'

httpx_clients = pytest.mark.parametrize("transport", ["httpx", "httpx2", "http_client httpx", "http_client httpx2"])


def respond(connection: H2Connection, event: Any) -> None:
    """Respond when a request has come completely."""
    if isinstance(event, DataReceived):
        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
    elif isinstance(event, StreamEnded):
        fields = [(":status", "200"), ("content-type", "application/json"), ("content-length", str(len(BODY)))]
        connection.send_headers(event.stream_id, fields)
        connection.send_data(event.stream_id, BODY, end_stream=True)


@asynccontextmanager
async def http2(
    transport: str, handle: Callable[[H2Connection, Any], None] = respond, **settings: Any
) -> AsyncIterator[tuple[FaultServer, list[dict[Any, Any]], AgentPlatform]]:
    """Yield a server that speaks nothing else, the headers of each request, and a client."""
    requests: list[dict[Any, Any]] = []

    async def serve(connection: Connection) -> None:
        if connection.writer.get_extra_info("ssl_object").selected_alpn_protocol() == "h2":
            state = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
            state.initiate_connection()
            await connection.send(state.data_to_send())
            while data := await connection.reader.read(65_536):
                for event in state.receive_data(data):
                    if isinstance(event, RequestReceived):
                        requests.append(dict(event.headers))
                    handle(state, event)
                await connection.send(state.data_to_send())
        connection.close()

    # A client that is passed has these settings itself; it trusts the authority with the fixture `trust`.
    own = {"own": {"http2": True}} if transport in PASSED else {"verify": AUTHORITY, "http2": True}
    settings = {**own, **settings}
    async with (
        fault_server(on_connect=serve, certificate="loopback", protocols=["h2", "http/1.1"]) as server,
        server.client(transport, **settings) as platform,
    ):
        yield server, requests, platform


@httpx_transports
async def test_calls_share_one_connection(transport: Any) -> None:
    async with http2(transport) as (server, requests, platform):
        await platform.request("POST", "/v3/x", query={"q": "a b"}, body={})
        done = await asyncio.gather(*(platform.request("POST", "/v3/x", body={"n": n}) for n in range(20)))
        await platform.organization().attachments.upload(file=b"x" * 500_000)
        assert platform.rate_limiter.stats().in_flight == 0
    assert done == [{"a": 1}] * 20
    assert (server.connections, len(requests)) == (1, 22)
    first, last = requests[0], requests[-1]
    assert (first[":method"], first[":path"], first["content-length"]) == ("POST", "/v3/x?q=a+b", "2")
    assert first[":authority"] == server.base_url.removeprefix("https://")
    assert first["authorization"] == f"Bearer {TOKEN}"
    assert int(last["content-length"]) > 500_000


@httpx_transports
async def test_http2_goes_through_a_proxy(transport: Any) -> None:
    async with (
        proxy_server(certificate="loopback") as proxy,
        http2(transport, proxy=proxy.base_url) as (_, _, platform),
    ):
        assert await platform.request("GET", "/v3/x") == {"a": 1}
    assert [request.method for request in proxy.requests] == ["CONNECT"]


@httpx_transports
async def test_a_server_without_http2_gets_http1(transport: Any) -> None:
    async with (
        fault_server(response({"a": 1}), certificate="loopback") as server,
        server.client(transport, verify=AUTHORITY, http2=True) as platform,
    ):
        assert await platform.request("GET", "/v3/x") == {"a": 1}


@all_transports
async def test_another_client_of_the_process_speaks_http1(transport: Any, monkeypatch: Any) -> None:
    """Both clients trust the same certificates."""
    monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    async with http2("httpx", verify=True) as (server, requests, platform):
        await platform.request("GET", "/v3/x")
        async with server.client(transport, retry=ONE_ATTEMPT) as other:
            # The server hangs up.
            with pytest.raises(ConnectionFailedError):
                await other.request("GET", "/v3/x")
    assert len(requests) == 1


@httpx_transports
async def test_a_context_that_is_passed_offers_what_it_was_told_to(transport: Any) -> None:
    context = ssl.create_default_context(cafile=AUTHORITY)
    context.set_alpn_protocols(["h2", "http/1.1"])
    async with http2(transport, verify=context) as (_, _, platform):
        assert await platform.request("GET", "/v3/x") == {"a": 1}


def reset(connection: H2Connection, event: Any) -> None:
    """End a request that has begun."""
    if isinstance(event, RequestReceived):
        connection.increment_flow_control_window(1_000_000)
        connection.increment_flow_control_window(1_000_000, event.stream_id)
        connection.reset_stream(event.stream_id, 2)


@httpx_clients
@pytest.mark.parametrize("size", [10, 100_000], ids=["after", "while it is sent"])
async def test_a_write_that_the_server_ends_has_an_unknown_outcome(transport: Any, size: int, trust: None) -> None:
    async with http2(transport, reset) as (_, requests, platform):
        with pytest.raises(OutcomeUnknownError, match="the exchange broke off"):
            await platform.organization().attachments.upload(file=b"x" * size)
    assert len(requests) == 1


def send_no_number(connection: H2Connection, event: Any) -> None:
    """Respond with a status that is no number; the server's own check is off."""
    if isinstance(event, StreamEnded):
        connection.config.validate_outbound_headers = False
        connection.send_headers(event.stream_id, [(":status", "abc")], end_stream=True)


@httpx_clients
async def test_a_status_that_is_no_number_is_a_broken_exchange(transport: Any, trust: None) -> None:
    async with http2(transport, send_no_number, retry=ONE_ATTEMPT) as (_, _, platform):
        with pytest.raises(ConnectionFailedError, match="the exchange broke off"):
            await platform.request("GET", "/v3/x")


@httpx_clients
async def test_a_request_that_http1_cannot_carry_is_an_invalid_argument(
    transport: Any, trust: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client offers HTTP/2, and the server takes HTTP/1.1."""
    # No argument makes such a request: the SDK refuses it before.
    monkeypatch.setattr(sender, "ATTEMPT_HEADER", "a header")
    async with fault_server(response({}), certificate="loopback") as server:
        own = {"http2": True} if transport in PASSED else {}
        settings = {} if transport in PASSED else {"verify": AUTHORITY, "http2": True}
        async with server.client(transport, own=own, **settings) as platform:
            with pytest.raises(InvalidArgumentError, match="the request cannot be written"):
                await platform.request("POST", "/v3/x", body={})
    assert server.requests == []


@httpx_transports
async def test_the_log_of_the_library_has_no_token(transport: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with http2(transport) as (_, _, platform):
        await platform.request("GET", "/v3/x")
    assert "hpack" in {record.name.partition(".")[0] for record in caplog.records}
    # The server, in the same process, writes what it has decoded.
    messages = [record.getMessage() for record in caplog.records]
    assert [text for text in messages if TOKEN in text and not text.startswith("Decoded ")] == []


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
