"""httpx, httpx2: a request that is cancelled during the TLS handshake leaves its socket open."""

import asyncio
import gc
import socket
import threading

from serving import httpx, serve

connected, cancelled, done = threading.Event(), threading.Event(), threading.Event()


def never_respond(connection: socket.socket) -> None:
    """Read the beginning of the handshake, and look whether the client hangs up after the request was cancelled."""
    connection.recv(65536)
    connected.set()
    cancelled.wait()
    connection.settimeout(0.3)
    try:
        connection.recv(65536)
    except TimeoutError:
        print("the client is closed, and a socket is still open")
    done.set()


async def main(address: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        task = asyncio.ensure_future(client.get(f"https://{address}"))
        await asyncio.to_thread(connected.wait)
        task.cancel()
        await asyncio.wait((task,))
    cancelled.set()
    await asyncio.to_thread(done.wait)


gc.disable()
with serve(never_respond) as address:
    asyncio.run(main(address))
