"""A SOCKS5 proxy on loopback, with a user name and a password or without (RFC 1928, RFC 1929)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.servers.proxy_server import carry


@asynccontextmanager
async def socks_server(port: int, credentials: tuple[str, str] | None = None) -> AsyncIterator[tuple[str, list[str]]]:
    """Serve until the end of the block; every name is a server of this machine on *port*.

    Args:
        port: Port of the server.
        credentials: User name and password that every client must have; None for anybody.

    Yields:
        The host and the port of the proxy, and the addresses that it has connected to.
    """
    connected: list[str] = []
    tasks: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await reader.readexactly((await reader.readexactly(2))[1])
            writer.write(b"\x05\x00" if credentials is None else b"\x05\x02")
            if credentials is not None:
                await reader.readexactly(1)
                user = await reader.readexactly((await reader.readexactly(1))[0])
                password = await reader.readexactly((await reader.readexactly(1))[0])
                allowed = (user.decode(), password.decode()) == credentials
                writer.write(b"\x01\x00" if allowed else b"\x01\x01")
                if not allowed:
                    writer.close()
                    return
            kind = (await reader.readexactly(4))[3]
            address = await reader.readexactly(4 if kind == 1 else (await reader.readexactly(1))[0])
            await reader.readexactly(2)
            connected.append(".".join(map(str, address)) if kind == 1 else address.decode())
            there, to = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
            try:
                ways = [asyncio.ensure_future(way) for way in (carry(reader, to), carry(there, writer))]
                tasks.extend(ways)
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                to.close()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", connected
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
