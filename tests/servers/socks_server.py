"""A SOCKS5 proxy on loopback, with a user name and a password or without (RFC 1928, RFC 1929)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.servers.fault_server import Connection, fault_server
from tests.servers.proxy_server import join


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

    async def serve(connection: Connection) -> None:
        await read_text(connection, skipped=1)
        await connection.send(b"\x05\x00" if credentials is None else b"\x05\x02")
        if credentials is not None:
            given = await read_text(connection, skipped=1), await read_text(connection)
            await connection.send(b"\x01\x00" if given == credentials else b"\x01\x01")
            if given != credentials:
                connection.close()
                return
        connected.append(await read_text(connection, skipped=4))
        await connection.reader.readexactly(2)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await connection.send(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
        await join(connection, reader, writer)

    async with fault_server(on_connect=serve) as server:
        yield server.base_url.removeprefix("http://"), connected


async def read_text(connection: Connection, skipped: int = 0) -> str:
    """Read a text behind its length, and behind some bytes that are skipped."""
    length = (await connection.reader.readexactly(skipped + 1))[skipped]
    return (await connection.reader.readexactly(length)).decode()
