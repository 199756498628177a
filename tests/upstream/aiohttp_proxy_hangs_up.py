"""aiohttp: a proxy that hangs up before it has connected looks like a server that has the request."""

import asyncio

import aiohttp
from serving import hang_up, serve


async def main(proxy: str) -> None:
    async with aiohttp.ClientSession() as session:
        try:
            await session.post("https://server.example/", proxy=proxy)
        except aiohttp.ClientError as error:
            is_connecting = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientHttpProxyError)
            print("it hangs up:", "an error of connecting" if is_connecting else "an error of the exchange")


with serve(hang_up) as address:
    asyncio.run(main(f"http://{address}"))
