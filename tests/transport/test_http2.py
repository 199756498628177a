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
    OutcomeUnknownError,
)
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded

from tests.fixtures import ONE_ATTEMPT, PASSED, all_transports, httpx_transports, until
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
async def test_calls_one_after_another_share_a_connection(transport: Any) -> None:
    async with http2(transport) as (server, requests, platform):
        await platform.request("POST", "/v3/x", query={"q": "a b"}, body={})
        await platform.organization().attachments.upload(file=b"x" * 500_000)
        assert platform.rate_limiter.stats().in_flight == 0
    assert (server.connections, len(requests)) == (1, 2)
    first, last = requests
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


class WritesOnly:
    """A handler that responds to POST, and never to GET."""

    def __init__(self) -> None:
        self.reads: set[tuple[H2Connection, int]] = set()

    def __call__(self, connection: H2Connection, event: Any) -> None:
        headers: dict[Any, Any] = dict(event.headers) if isinstance(event, RequestReceived) else {}
        if headers.get(":method") == "GET":
            self.reads.add((connection, event.stream_id))
        elif not isinstance(event, StreamEnded) or (connection, event.stream_id) not in self.reads:
            respond(connection, event)


@httpx_transports
async def test_a_call_that_hangs_or_ends_disturbs_no_other_one(transport: Any) -> None:
    """Calls at once have connections of their own: the library lets those of one connection hold each other up."""
    async with http2(transport, WritesOnly(), retry=ONE_ATTEMPT) as (server, requests, platform):
        hanging = asyncio.ensure_future(platform.request("GET", "/v3/x"))
        await until(lambda: requests)
        assert await platform.request("POST", "/v3/x", body={}) == {"a": 1}
        assert len(server.opened) == 2
        hanging.cancel()
        await asyncio.wait([hanging])
        assert await platform.request("POST", "/v3/x", body={}) == {"a": 1}
    assert server.connections == 2


@httpx_transports
async def test_a_connection_that_ends_while_it_is_idle_is_not_used(transport: Any) -> None:
    async with http2(transport, retry=ONE_ATTEMPT) as (server, requests, platform):
        for _ in range(3):
            assert await platform.request("POST", "/v3/x", body={}) == {"a": 1}
            for connection in server.opened:
                connection.reset()
            await until(lambda: not server.opened)
    assert len(requests) == 3


class Refusal:
    """A handler that refuses the first request with a function, and responds to the others."""

    def __init__(self, refuse: Callable[[H2Connection, int], None]) -> None:
        self.refuse = refuse
        self.has_refused = False

    def __call__(self, connection: H2Connection, event: Any) -> None:
        if self.has_refused or not isinstance(event, StreamEnded):
            respond(connection, event)
            return
        self.has_refused = True
        self.refuse(connection, event.stream_id)


NOTHING_DONE: dict[str, Callable[[H2Connection, int], None]] = {
    "REFUSED_STREAM": lambda connection, stream: connection.reset_stream(stream, 7),
    "GOAWAY": lambda connection, _: connection.close_connection(last_stream_id=0),
}


@httpx_clients
@pytest.mark.parametrize("refuse", NOTHING_DONE.values(), ids=NOTHING_DONE)
async def test_a_write_that_the_server_refuses_is_not_sent_again(transport: Any, refuse: Any, trust: None) -> None:
    """The library does not tell in a public way that the server has done nothing."""
    async with http2(transport, Refusal(refuse)) as (_, requests, platform):
        with pytest.raises(OutcomeUnknownError):
            await platform.request("POST", "/v3/x", body={})
        assert await platform.request("GET", "/v3/x") == {"a": 1}
    assert [each[":method"] for each in requests] == ["POST", "GET"]


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
