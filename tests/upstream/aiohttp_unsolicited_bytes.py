"""aiohttp: a response that comes while a connection is idle becomes that of the next request."""

import asyncio
import socket
import threading

import aiohttp
from serving import serve

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
idle, sent = threading.Event(), threading.Event()


def respond_thrice(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(HEAD + b"first")
    idle.wait()
    connection.sendall(HEAD + b"other")
    sent.set()
    connection.recv(65536)
    connection.sendall(HEAD + b"right")


async def main(url: str) -> None:
    async with aiohttp.ClientSession(url) as session:
        async with session.get("/1") as response:
            await response.read()
        idle.set()
        await asyncio.to_thread(sent.wait)
        await asyncio.sleep(0.05)
        async with session.get("/2") as response:
            print("the response of the second request:", await response.text())


with serve(respond_thrice) as address:
    asyncio.run(main(f"http://{address}"))
