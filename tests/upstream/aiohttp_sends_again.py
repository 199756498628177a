"""aiohttp: a session sends a request again by itself when the connection breaks off."""

import asyncio
import socket
import threading

import aiohttp

received: list[bytes] = []


def serve(listener: socket.socket) -> None:
    while True:
        connection, _ = listener.accept()
        received.append(connection.recv(65536))
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        # The second request on a connection is read, and the connection closed.
        if second := connection.recv(65536):
            received.append(second)
        connection.close()


async def main(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        for _ in range(2):
            async with session.delete(url) as response:
                await response.read()
        print("two calls of DELETE,", len(received), "requests")


with socket.create_server(("127.0.0.1", 0)) as listener:
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    asyncio.run(main(f"http://127.0.0.1:{listener.getsockname()[1]}"))
