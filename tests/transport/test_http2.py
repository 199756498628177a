"""HTTP/2, with a client of httpx or httpx2 that the caller has made."""

from __future__ import annotations

import logging
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, OutcomeUnknownError
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded

from tests.servers.fault_server import AUTHORITY, TOKEN, Connection, FaultServer, fault_server

BODY = b'{"a": 1}'

both = pytest.mark.parametrize("library", ["httpx", "httpx2"])


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
    library: str, handle: Callable[[H2Connection, Any], None] = respond, **settings: Any
) -> AsyncIterator[tuple[FaultServer, list[dict[Any, Any]], AgentPlatform]]:
    """Yield a server that speaks nothing else, the headers of each request, and a client that was passed one."""
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

    context = ssl.create_default_context(cafile=AUTHORITY)
    async with (
        fault_server(on_connect=serve, certificate="loopback", protocols=["h2", "http/1.1"]) as server,
        import_module(library).AsyncClient(http2=True, verify=context) as passed,
        server.client(http_client=passed, **settings) as platform,
    ):
        yield server, requests, platform


@both
async def test_calls_one_after_another_share_a_connection(library: str) -> None:
    async with http2(library) as (server, requests, platform):
        await platform.request("POST", "/v3/x", query={"q": "a b"}, body={})
        await platform.organization().attachments.upload(file=b"x" * 500_000)
        assert platform.rate_limiter.stats().in_flight == 0
    assert (server.connections, len(requests)) == (1, 2)
    first, last = requests
    assert (first[":method"], first[":path"], first["content-length"]) == ("POST", "/v3/x?q=a+b", "2")
    assert first[":authority"] == server.base_url.removeprefix("https://")
    assert first["authorization"] == f"Bearer {TOKEN}"
    assert int(last["content-length"]) > 500_000


def reset(connection: H2Connection, event: Any) -> None:
    """End a request that has begun."""
    if isinstance(event, RequestReceived):
        connection.increment_flow_control_window(1_000_000)
        connection.increment_flow_control_window(1_000_000, event.stream_id)
        connection.reset_stream(event.stream_id, 2)


@both
@pytest.mark.parametrize("size", [10, 100_000], ids=["after", "while it is sent"])
async def test_a_write_that_the_server_ends_has_an_unknown_outcome(library: str, size: int) -> None:
    async with http2(library, reset) as (_, requests, platform):
        with pytest.raises(OutcomeUnknownError, match="the exchange broke off"):
            await platform.organization().attachments.upload(file=b"x" * size)
    assert len(requests) == 1


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


@both
@pytest.mark.parametrize("refuse", NOTHING_DONE.values(), ids=NOTHING_DONE)
async def test_a_write_that_the_server_refuses_is_not_sent_again(library: str, refuse: Any) -> None:
    """The library does not tell in a public way that the server has done nothing."""
    async with http2(library, Refusal(refuse)) as (_, requests, platform):
        with pytest.raises(OutcomeUnknownError):
            await platform.request("POST", "/v3/x", body={})
        assert await platform.request("GET", "/v3/x") == {"a": 1}
    assert [each[":method"] for each in requests] == ["POST", "GET"]


@both
async def test_the_log_of_the_library_has_no_token(library: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with http2(library) as (_, _, platform):
        await platform.request("GET", "/v3/x")
    assert "hpack" in {record.name.partition(".")[0] for record in caplog.records}
    # The server, in the same process, writes what it has decoded.
    messages = [record.getMessage() for record in caplog.records]
    assert [text for text in messages if TOKEN in text and not text.startswith("Decoded ")] == []
