"""Proxies on loopback: one forwards requests over http, and connects with CONNECT; the other speaks SOCKS5."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from tests.servers.fault_server import Connection, FaultServer, Request, Script, fault_server
from tests.servers.scripts import response


@asynccontextmanager
async def proxy_server(
    *,
    credentials: str | None = None,
    refusal: Script | None = None,
    failures: Sequence[Script] = (),
    certificate: str | None = None,
) -> AsyncIterator[FaultServer]:
    """Serve until the end of the block.

    Args:
        credentials: User name and password, with a colon between, that every request must have; None for anybody.
        refusal: What to do with every request instead.
        failures: What to do with the first requests instead, one after another.
        certificate: Name of a certificate in CERTIFICATES, for a proxy with https; by default http.

    Yields:
        The proxy; its requests are those to forward, and each CONNECT.
    """
    expected = f"Basic {base64.b64encode(credentials.encode()).decode()}" if credentials is not None else None

    async def serve(request: Request, connection: Connection) -> None:
        if expected not in (None, request.headers.get("proxy-authorization")):
            status = "407 Proxy Authentication Required"
            await connection.send(response(b"Who are you?", status, "Proxy-Authenticate: Basic"))
        elif request.method == "CONNECT":
            await tunnel(connection, request.target)
        else:
            await forward(request, connection)

    async with fault_server(*failures, refusal or serve, certificate=certificate) as server:
        yield server


async def tunnel(connection: Connection, authority: str) -> None:
    """Connect a client to a server, as the answer to CONNECT."""
    reader, writer = await dial(authority)
    await connection.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await join(connection, reader, writer)


def tunnel_to(server: FaultServer) -> Script:
    """Answer CONNECT with a tunnel to another server than the one that was asked for."""

    async def script(request: Request, connection: Connection) -> None:
        await tunnel(connection, server.base_url.partition("://")[2])

    return script


async def dial(authority: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a server of this machine."""
    target = urlsplit(f"//{authority}")
    assert target.hostname in ("127.0.0.1", "localhost"), "a test asks for another machine"
    return await asyncio.open_connection(target.hostname, target.port)


async def join(connection: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes between a client and a server until one of them has ended."""
    try:
        ways = carry(connection.reader, writer), carry(reader, connection.writer)
        await asyncio.wait([asyncio.ensure_future(way) for way in ways], return_when=asyncio.FIRST_COMPLETED)
    finally:
        writer.close()
        connection.close()


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes in one direction."""
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()


async def forward(request: Request, connection: Connection) -> None:
    """Send a request to its server, without the headers for the proxy, and send the response back."""
    url = urlsplit(request.target)
    reader, writer = await dial(url.netloc)
    fields = [(name, value) for name, value in request.fields if not name.lower().startswith("proxy-")]
    lines = [f"{request.method} {request.target.removeprefix(f'{url.scheme}://{url.netloc}')} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in [*fields, ("Connection", "close")]]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + request.body)
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        await connection.send(head + await reader.readexactly(length))
    finally:
        writer.close()


@asynccontextmanager
async def socks_server(port: int, credentials: tuple[str, str] | None = None) -> AsyncIterator[tuple[str, list[str]]]:
    """Serve SOCKS5 until the end of the block (RFC 1928, RFC 1929); every name is a server of this machine on *port*.

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
            assert (await read_text(connection, skipped=1), await read_text(connection)) == credentials
            await connection.send(b"\x01\x00")
        connected.append(await read_text(connection, skipped=4))
        await connection.reader.readexactly(2)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await connection.send(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
        await join(connection, reader, writer)

    async with fault_server(on_connect=serve) as server:
        yield server.base_url.removeprefix("http://"), connected


async def read_text(connection: Connection, skipped: int = 0) -> str:
    """Skip some bytes, read the length of a text, and return the text."""
    length = (await connection.reader.readexactly(skipped + 1))[skipped]
    return (await connection.reader.readexactly(length)).decode()
