"""aiohttp: a session sends a request again by itself when the connection breaks off."""

import asyncio
import socket

import aiohttp
from serving import serve

received: list[bytes] = []


def respond_once(connection: socket.socket) -> None:
    received.append(connection.recv(65536))
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    # The second request on a connection is read, and the connection closed.
    if second := connection.recv(65536):
        received.append(second)


async def main(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        for _ in range(2):
            async with session.delete(url) as response:
                await response.read()
        print("two calls of DELETE,", len(received), "requests")


with serve(respond_once, respond_once) as address:
    asyncio.run(main(f"http://{address}"))
