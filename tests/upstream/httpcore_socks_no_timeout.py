"""httpx: a SOCKS proxy that is silent is waited for without a timeout."""

import asyncio

from serving import httpx, serve, wait_for


async def main(proxy: str) -> None:
    async with httpx.AsyncClient(proxy=proxy, timeout=0.1) as client:
        await wait_for(client.get("http://server.example/"), httpx.TimeoutException)


with serve() as address:
    asyncio.run(main(f"socks5://{address}"))
