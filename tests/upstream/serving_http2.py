"""HTTP/2 for the scripts of this folder: a server that calls a function with each event of a connection."""

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from h2.config import H2Configuration
from h2.connection import H2Connection


def speak_http2(handle: Callable[[H2Connection, Any], object]) -> Callable[[socket.socket], None]:
    """Return a function for `serve` that speaks HTTP/2 until the client hangs up."""

    def serve_connection(connection: socket.socket) -> None:
        state = H2Connection(H2Configuration(client_side=False))
        state.initiate_connection()
        connection.sendall(state.data_to_send())
        with suppress(ConnectionError):
            while data := connection.recv(65536):
                for event in state.receive_data(data):
                    handle(state, event)
                connection.sendall(state.data_to_send())

    return serve_connection


def respond(state: H2Connection, stream: int, body: bytes = b"") -> None:
    """Send a whole response."""
    state.send_headers(stream, [(":status", "200"), ("content-length", str(len(body)))])
    state.send_data(stream, body, end_stream=True)
