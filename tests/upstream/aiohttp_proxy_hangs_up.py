"""aiohttp: a proxy that hangs up before it has connected looks like a server that has the request."""

import asyncio
import socket
import threading

import aiohttp


def hang_up(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    connection.recv(65536)
    connection.close()


async def main(proxy: str) -> None:
    async with aiohttp.ClientSession() as session:
        try:
            await session.post("https://server.example/", proxy=proxy)
        except aiohttp.ClientError as error:
            is_connecting = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientHttpProxyError)
            print("it hangs up:", "an error of connecting" if is_connecting else "an error of the exchange")


with socket.create_server(("127.0.0.1", 0)) as listener:
    threading.Thread(target=hang_up, args=(listener,), daemon=True).start()
    asyncio.run(main(f"http://127.0.0.1:{listener.getsockname()[1]}"))
