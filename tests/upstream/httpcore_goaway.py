"""httpx: after a GOAWAY, a response that the server still sends is not waited for (RFC 9113, section 6.8)."""

import asyncio
import socket

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from serving import httpx, serve
from serving_http2 import respond

# The connection takes no stream above 1, and the first stream goes on.
GOAWAY = b"\x00\x00\x08" + b"\x07" + b"\x00" + bytes(4) + (1).to_bytes(4) + bytes(4)


def go_away_gracefully(connection: socket.socket) -> None:
    """Say that this request is the last one, and respond to it."""
    state = H2Connection(H2Configuration(client_side=False))
    state.initiate_connection()
    while not any(isinstance(event, RequestReceived) for event in state.receive_data(connection.recv(65536))):
        connection.sendall(state.data_to_send())
    connection.sendall(state.data_to_send() + GOAWAY)
    respond(state, 1)
    # The response does not come in the same packet.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.recv(65536)
    connection.sendall(state.data_to_send())


async def main(url: str) -> None:
    async with httpx.AsyncClient(http1=False, http2=True, timeout=0.5, trust_env=False) as client:
        try:
            print((await client.get(url)).status_code)
        except httpx.TransportError:
            print("an error of the exchange")


with serve(go_away_gracefully) as address:
    asyncio.run(main(f"http://{address}"))
