"""aiohttp: a server that takes no more of a request is waited for without a timeout."""

import asyncio

import aiohttp
from serving import serve, wait_for

BODY = bytes(64 * 1024 * 1024)


async def main(url: str) -> None:
    timeout = aiohttp.ClientTimeout(total=None, connect=0.1, sock_connect=0.1, sock_read=0.1)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        await wait_for(session.post(url, data=BODY), aiohttp.ServerTimeoutError)


# Nobody accepts the connection, and so nobody reads from it.
with serve() as address:
    asyncio.run(main(f"http://{address}"))
