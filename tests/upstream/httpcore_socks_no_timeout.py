"""httpx: a SOCKS proxy that is silent is waited for without a timeout."""

import asyncio

from serving import httpx, serve


async def main(proxy: str) -> None:
    async with httpx.AsyncClient(proxy=proxy, timeout=0.1) as client:
        try:
            async with asyncio.timeout(0.5):
                await client.get("http://server.example/")
        except httpx.TimeoutException as error:
            print(type(error).__name__)
        except TimeoutError:
            print("timeout=0.1, and no error after half a second")


with serve() as address:
    asyncio.run(main(f"socks5://{address}"))
