"""An HTTP server that fails on purpose: it answers each request with given bytes, or runs a function."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import attrs
import httpx
import httpx2
from agent_session_platform import AgentPlatform

from tests.fixtures import PASSED, QUICK

TOKEN = "svc_never_show_this_0123456789"

# `authority.pem` has issued certificates for loopback and for another host name, which are valid for a century, and one
# that has expired. Another authority has issued the client's certificate. Its key is also in `client-key.pem`, with the
# password "hush-0123456789". OpenSSL finds an authority in a folder by the hash of its name.
CERTIFICATES = Path(__file__).parent / "certificates"
AUTHORITY = CERTIFICATES / "authority.pem"


@attrs.frozen
class Request:
    """One request as received, its body without chunks.

    The names in `headers` are in lower case; `fields` has the header lines as they were sent.
    """

    method: str
    target: str
    fields: list[tuple[str, str]]
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        """The header fields by name, the last of each name."""
        return {name.lower(): value for name, value in self.fields}

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The query parameters, the last value of each name."""
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.target).query, True).items()}


@attrs.frozen(eq=False)
class Connection:
    """One connection, which a script writes to, closes or resets."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    number: int

    async def send(self, data: bytes) -> None:
        """Write *data* and flush it."""
        self.writer.write(data)
        await self.writer.drain()

    def close(self) -> None:
        """Close after what was written."""
        self.writer.close()

    def reset(self) -> None:
        """Close with a RST, as a crashed server does."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


Script = bytes | Callable[[Request, Connection], Awaitable[None]]


@attrs.define
class FaultServer:
    """The address of a running server, the requests that it received, and its connections.

    `connections` counts those that were ever opened; `opened` has the task of each that is open.
    """

    base_url: str
    requests: list[Request] = attrs.Factory(list)
    connections: int = 0
    opened: dict[Connection, Any] = attrs.Factory(dict)

    def client(self, *arguments: Any, **settings: Any) -> AgentPlatform:
        """Make a client of this server, as `client` does."""
        return client(self.base_url, *arguments, **settings)


def client(
    base_url: str, transport: Any = None, own: Mapping[str, Any] | None = None, **settings: Any
) -> AgentPlatform:
    """Make a client that retries without a delay unless *settings* say otherwise.

    Args:
        base_url: Address of the server.
        transport: As for an AgentPlatform, or the name of one in `tests.fixtures.PASSED`.
        own: Settings of a client of the HTTP library.
        settings: Further settings of the AgentPlatform; a proxy is that of a client of the HTTP library.
    """
    arguments = {"organization": "org-acme", "retry": QUICK, **settings}
    if transport in PASSED:
        given = {"proxy": arguments.pop("proxy", None), **(own or {})}
        passed = http_client(transport, settings.get("max_connections", 100), **given)
        return PlatformWithClient(base_url, TOKEN, http_client=passed, **arguments)
    return AgentPlatform(base_url, TOKEN, transport=transport, **arguments)


class PlatformWithClient(AgentPlatform):
    """A client of the SDK that closes the client of the HTTP library that it was made with."""

    def __init__(self, *arguments: Any, http_client: Any, **settings: Any) -> None:
        super().__init__(*arguments, http_client=http_client, **settings)
        self.http_client = http_client

    async def aclose(self) -> None:
        await super().aclose()
        await (self.http_client.close() if hasattr(self.http_client, "close") else self.http_client.aclose())


def http_client(name: str, most: int = 100, **settings: Any) -> Any:
    """Make a client of an HTTP library with at most *most* connections, and with settings of the library."""
    # Reading the certificates of the machine would take longer than most tests.
    context = ssl.create_default_context() if "SSL_CERT_FILE" in os.environ else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if name == "http_client aiohttp":
        connector = aiohttp.TCPConnector(limit=most, ssl=context)
        return aiohttp.ClientSession(connector=connector, trust_env=True, **settings)
    library: Any = {"http_client httpx": httpx, "http_client httpx2": httpx2}[name]
    limits = library.Limits(max_connections=most, max_keepalive_connections=most)
    return library.AsyncClient(limits=limits, verify=context, **settings)


@asynccontextmanager
async def fault_server(
    *scripts: Script,
    by_path: Mapping[str, Script] | None = None,
    on_connect: Callable[[Connection], Awaitable[None]] | None = None,
    sock: socket.socket | None = None,
    certificate: str | None = None,
    client_authority: Path | None = None,
    protocols: Sequence[str] = (),
) -> AsyncIterator[FaultServer]:
    """Serve on a loopback port until the end of the block.

    A connection is kept open until a script closes it or a response says `Connection: close`.

    Args:
        scripts: What to do with each request: the first script for the first request, and so on; the last one is
            repeated. Bytes are sent as they are, a function is awaited.
        by_path: Scripts for single paths, preferred to *scripts*.
        on_connect: Awaited for each new connection before anything is read from it.
        sock: A bound socket to listen on; by default one on a free port.
        certificate: Name of a certificate in CERTIFICATES, to serve https with; by default http.
        client_authority: File with the certificate of the authority of the clients, which must show one; with https.
        protocols: What it offers in the handshake of TLS.

    Yields:
        The server, whose requests can be read at any time.
    """
    listener = sock or socket.create_server(("127.0.0.1", 0))
    server = FaultServer(address_of(listener, "https" if certificate else "http"))
    context = tls_context(certificate, client_authority) if certificate else None
    if context is not None and protocols:
        context.set_alpn_protocols(protocols)
    scripted = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal scripted
        if isinstance(listener.getsockname(), tuple):
            # A packet that waited for an acknowledgement would arrive later than the test means.
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server.connections += 1
        connection = Connection(reader, writer, server.connections)
        server.opened[connection] = asyncio.current_task()
        try:
            if on_connect is not None:
                await on_connect(connection)
            while not writer.is_closing():
                request = await read_request(connection)
                server.requests.append(request)
                script = (by_path or {}).get(request.path)
                if script is None:
                    script = scripts[min(scripted, len(scripts) - 1)]
                    scripted += 1
                if not isinstance(script, bytes):
                    await script(request, connection)
                    continue
                await connection.send(script)
                if b"connection: close" in script.partition(b"\r\n\r\n")[0].lower():
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            del server.opened[connection]

    listening = await asyncio.start_server(serve, sock=listener, ssl=context)
    try:
        yield server
    finally:
        listening.close()
        for connection, task in server.opened.items():
            connection.writer.transport.abort()
            task.cancel()
        await asyncio.gather(*server.opened.values())
        await listening.wait_closed()


def tls_context(certificate: str, client_authority: Path | None = None) -> ssl.SSLContext:
    """Make the context of a server, which may demand a certificate of its clients."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / f"{certificate}.pem")
    if client_authority is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_authority)
    return context


def address_of(listener: socket.socket, scheme: str) -> str:
    """Return the URL of a listening socket; for a Unix socket, return a URL with the host localhost."""
    name = listener.getsockname()
    if isinstance(name, str):
        return f"{scheme}://localhost"
    host, port = name[:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


async def read_request(connection: Connection) -> Request:
    """Read one request, with a body of a given length or in chunks."""
    head = await connection.reader.readuntil(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = line.split(" ")
    fields = [(name.strip(), value.strip()) for name, _, value in (each.partition(":") for each in lines if each)]
    headers = {name.lower(): value for name, value in fields}
    body = await connection.reader.readexactly(int(headers.get("content-length", "0")))
    if headers.get("transfer-encoding", "").lower() == "chunked":
        while length := int(await connection.reader.readuntil(b"\r\n"), 16):
            body += (await connection.reader.readexactly(length + 2))[:-2]
        await connection.reader.readuntil(b"\r\n")
    return Request(method, target, fields, body)
