"""aiohttp: a server that takes no more of a request is waited for without a timeout."""

import asyncio

import aiohttp
from serving import serve

BODY = bytes(64 * 1024 * 1024)


async def main(url: str) -> None:
    timeout = aiohttp.ClientTimeout(total=None, connect=0.1, sock_connect=0.1, sock_read=0.1)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        try:
            async with asyncio.timeout(0.5):
                await session.post(url, data=BODY)
        except aiohttp.ServerTimeoutError as error:
            print(type(error).__name__)
        except TimeoutError:
            print("every timeout is 0.1, and no error after half a second")


# Nobody accepts the connection, and so nobody reads from it.
with serve() as address:
    asyncio.run(main(f"http://{address}"))
