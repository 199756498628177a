"""httpx: a connection of HTTP/2 that the server has closed while it was idle is used for the next request."""

import asyncio
import socket
import threading

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from serving import httpx, serve
from serving_http2 import respond

closed = threading.Event()


def respond_once(connection: socket.socket) -> None:
    """Respond to a request, and close the connection."""
    state = H2Connection(H2Configuration(client_side=False))
    state.initiate_connection()
    while not any(isinstance(event, RequestReceived) for event in state.receive_data(connection.recv(65536))):
        connection.sendall(state.data_to_send())
    respond(state, 1)
    connection.sendall(state.data_to_send())
    connection.shutdown(socket.SHUT_WR)
    closed.set()
    connection.recv(65536)


async def main(url: str) -> None:
    async with httpx.AsyncClient(http1=False, http2=True, timeout=0.5, trust_env=False) as client:
        await client.get(url)
        await asyncio.to_thread(closed.wait)
        try:
            print((await client.get(url)).status_code)
        except httpx.TransportError:
            print("an error of the exchange")


with serve(respond_once, respond_once) as address:
    asyncio.run(main(f"http://{address}"))
