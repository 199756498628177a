"""httpx: a request that is cancelled takes its connection out of the pool for good."""

import asyncio

import httpx

STEPS = 40


async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.read(65536):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    writer.close()


async def is_lost(url: str, steps: int) -> bool:
    """Cancel a request after so many steps of the event loop, and send another one when nothing is under way."""
    limits = httpx.Limits(max_connections=1)
    async with httpx.AsyncClient(limits=limits, timeout=0.2, trust_env=False, verify=False) as client:
        task = asyncio.ensure_future(client.get(url))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait((task,))
        try:
            await client.get(url)
        except httpx.PoolTimeout:
            return True
    return False


async def main() -> None:
    server = await asyncio.start_server(respond, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    for steps in range(STEPS):
        if await is_lost(url, steps):
            print("PoolTimeout, though nothing is under way")
            break
    server.close()


asyncio.run(main())
