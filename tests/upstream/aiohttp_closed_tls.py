"""aiohttp: a request over TLS that is cancelled while its server is silent leaves its socket open for 30 s."""

import asyncio
import socket
import ssl
import threading
from pathlib import Path

import aiohttp
from serving import serve

CERTIFICATES = Path(__file__).parent.parent / "servers/certificates"
received, cancelled, done = threading.Event(), threading.Event(), threading.Event()


def never_respond(connection: socket.socket) -> None:
    """Read a request, and look whether the client hangs up after it was cancelled."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "loopback.pem")
    with context.wrap_socket(connection, server_side=True, suppress_ragged_eofs=False) as encrypted:
        encrypted.recv(65536)
        received.set()
        cancelled.wait()
        raw = socket.socket(fileno=encrypted.detach())
    raw.settimeout(0.3)
    try:
        while raw.recv(65536):
            pass
        print("the socket is closed")
    except TimeoutError:
        print("the request has ended, and its socket is still open")
    raw.close()
    done.set()


async def main(url: str) -> None:
    context = ssl.create_default_context(cafile=CERTIFICATES / "authority.pem")
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as session:
        task = asyncio.ensure_future(session.get(url))
        await asyncio.to_thread(received.wait)
        task.cancel()
        await asyncio.wait((task,))
        cancelled.set()
        await asyncio.to_thread(done.wait)


with serve(never_respond) as address:
    asyncio.run(main(f"https://{address}"))
