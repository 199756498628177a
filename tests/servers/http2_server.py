"""A server with HTTP/2 over TLS on loopback."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import attrs
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded

from tests.servers.fault_server import CERTIFICATES

BODY = b'{"a": 1}'

# Gets the connection and the number of the stream when a request has begun; by default it is answered at its end.
Script = Callable[[H2Connection, int], None]


@attrs.define
class Http2Server:
    """The address of a running server, the headers of the requests that it received, and its connections."""

    base_url: str
    requests: list[dict[str, str]] = attrs.Factory(list)
    connections: int = 0


@asynccontextmanager
async def http2_server(script: Script | None = None) -> AsyncIterator[Http2Server]:
    """Serve until the end of the block.

    Args:
        script: What to do with a request that has begun, instead of a response at its end.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "loopback.pem")
    context.set_alpn_protocols(["h2", "http/1.1"])
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connections += 1
        writers.append(writer)
        if writer.get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
            writer.close()
            return
        connection = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        connection.initiate_connection()
        with suppress(OSError):
            writer.write(connection.data_to_send())
            while data := await reader.read(65_536):
                for event in connection.receive_data(data):
                    handle(event, connection)
                writer.write(connection.data_to_send())
                await writer.drain()
        writer.close()

    def handle(event: Any, connection: H2Connection) -> None:
        if isinstance(event, RequestReceived):
            server.requests.append(dict(event.headers))
            if script is not None:
                script(connection, event.stream_id)
        elif isinstance(event, DataReceived) and script is None:
            connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, StreamEnded) and script is None:
            fields = [(":status", "200"), ("content-type", "application/json"), ("content-length", str(len(BODY)))]
            connection.send_headers(event.stream_id, fields)
            connection.send_data(event.stream_id, BODY, end_stream=True)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    server = Http2Server(f"https://127.0.0.1:{listening.sockets[0].getsockname()[1]}")
    try:
        yield server
    finally:
        listening.close()
        for writer in writers:
            writer.transport.abort()
