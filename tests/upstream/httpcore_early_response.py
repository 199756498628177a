"""httpx: a response that comes while the request is being sent is lost if the server does not read the rest."""

import asyncio
import socket
import threading

from serving import httpx, serve

BODY = bytes(64 * 1024 * 1024)
done = threading.Event()


def refuse(connection: socket.socket) -> None:
    """Read a part of a request, respond, and close the connection."""
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def refuse_and_stay(connection: socket.socket) -> None:
    """Read a part of a request, respond, and leave the connection open."""
    refuse(connection)
    done.wait()


async def main(url: str) -> None:
    for what in ("stops reading", "closes the connection"):
        async with httpx.AsyncClient(timeout=0.5) as client:
            try:
                response = await client.post(url, content=BODY)
                print(f"it {what}: {response.status_code}")
            except httpx.TransportError as error:
                print(f"it {what}: {type(error).__name__}")
        done.set()


with serve(refuse_and_stay, refuse) as address:
    asyncio.run(main(f"http://{address}"))
