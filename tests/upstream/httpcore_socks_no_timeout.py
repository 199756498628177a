"""httpx: a SOCKS proxy that is silent is waited for without a timeout."""

import asyncio
import importlib
import socket
import sys

httpx = importlib.import_module(sys.argv[1] if sys.argv[1:] else "httpx")


async def main(proxy: str) -> None:
    async with httpx.AsyncClient(proxy=proxy, timeout=0.1) as client:
        try:
            async with asyncio.timeout(0.5):
                await client.get("http://server.example/")
        except httpx.TimeoutException as error:
            print(type(error).__name__)
        except TimeoutError:
            print("timeout=0.1, and no error after half a second")


with socket.create_server(("127.0.0.1", 0)) as listener:
    asyncio.run(main(f"socks5://127.0.0.1:{listener.getsockname()[1]}"))
