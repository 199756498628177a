"""httpx: a response over HTTP/2 that comes while the request is being sent is lost."""

import asyncio
import socket

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from serving import httpx, serve


def refuse(connection: socket.socket) -> None:
    """Respond to the head of a request, and say that the rest is not needed (RFC 9113, section 8.1)."""
    state = H2Connection(H2Configuration(client_side=False))
    state.initiate_connection()
    connection.sendall(state.data_to_send())
    while data := connection.recv(65536):
        for event in state.receive_data(data):
            if isinstance(event, RequestReceived):
                state.send_headers(event.stream_id, [(":status", "413")], end_stream=True)
                state.reset_stream(event.stream_id)
        connection.sendall(state.data_to_send())


async def main(url: str) -> None:
    async with httpx.AsyncClient(http1=False, http2=True, timeout=0.5) as client:
        try:
            response = await client.post(url, content=bytes(1024 * 1024))
            print(response.status_code)
        except httpx.TransportError as error:
            print(type(error).__name__)


with serve(refuse) as address:
    asyncio.run(main(f"http://{address}"))
