"""A proxy on loopback: it forwards requests over http, and connects with CONNECT."""

from __future__ import annotations

import asyncio
import base64
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import attrs

from tests.servers.fault_server import Connection, Request, Script, fault_server
from tests.servers.scripts import response

# None of the names exists: it is the proxy that resolves them.
HOSTS = ("platform.example.com", "files.example.com")

UNAUTHORIZED = response(b"Who are you?", "407 Proxy Authentication Required", "Proxy-Authenticate: Basic")


@attrs.define
class ProxyServer:
    """The address of a running proxy, and the requests that it got: those to forward, and each CONNECT."""

    base_url: str
    requests: list[Request]

    @property
    def targets(self) -> list[tuple[str, str]]:
        """Method and target of each request."""
        return [(request.method, request.target) for request in self.requests]

    def with_credentials(self, userinfo: str) -> str:
        """Return the address with a user name and a password."""
        return self.base_url.replace("://", f"://{userinfo}@")


@asynccontextmanager
async def proxy_server(
    *,
    credentials: str | None = None,
    refusal: Script | None = None,
    first: Callable[[Request, Connection], Awaitable[None]] | None = None,
    certificate: str | None = None,
    ports: Mapping[str, int] | None = None,
    host: str = "127.0.0.1",
) -> AsyncIterator[ProxyServer]:
    """Serve until the end of the block.

    Args:
        credentials: User name and password, with a colon between, that every request must have; None for anybody.
        refusal: What to do with every request instead.
        first: What to do with the first request instead.
        certificate: Name of a certificate in CERTIFICATES, for a proxy with https; by default http.
        ports: Port of this machine for each name that the proxy knows; an address of loopback stays what it is.
        host: Address to listen on.
    """

    async def serve(request: Request, connection: Connection) -> None:
        if not is_authorized(request, credentials):
            await connection.send(UNAUTHORIZED)
        elif request.method == "CONNECT":
            await tunnel(request, connection, ports or {})
        else:
            await forward(request, connection, ports or {})

    scripts: list[Script] = [serve if refusal is None else refusal]
    if first is not None:
        scripts.insert(0, first)
    listener = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    async with fault_server(*scripts, sock=listener, certificate=certificate) as server:
        yield ProxyServer(server.base_url, server.requests)


def is_authorized(request: Request, credentials: str | None) -> bool:
    """Return whether a request has the credentials that the proxy wants."""
    expected = f"Basic {base64.b64encode(credentials.encode()).decode()}" if credentials is not None else None
    return expected is None or request.headers.get("proxy-authorization") == expected


async def dial(authority: str, ports: Mapping[str, int]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a server of this machine."""
    target = urlsplit(f"//{authority}")
    host = target.hostname or ""
    if host in HOSTS:
        return await asyncio.open_connection("127.0.0.1", ports[host])
    assert host in ("127.0.0.1", "::1", "localhost"), "a test asks for another machine"
    return await asyncio.open_connection(host, target.port)


async def tunnel(request: Request, connection: Connection, ports: Mapping[str, int]) -> None:
    """Connect the client to the server that it names."""
    reader, writer = await dial(request.target, ports)
    await connection.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await join(connection, reader, writer)


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


async def forward(request: Request, connection: Connection, ports: Mapping[str, int]) -> None:
    """Send a request to the server of its URL, without what is for the proxy, and its response back."""
    url = urlsplit(request.target)
    reader, writer = await dial(url.netloc, ports)
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
