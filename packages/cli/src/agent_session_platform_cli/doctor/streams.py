"""Connections that are made only to see whether they can be: nothing of the API is sent over them."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeAlias

from agent_session_platform.network import Network, Proxy, make_context

from .setup import PATIENCE
from .way import Way

Stream: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

LONGEST_HEAD: Final = 64 * 1024
# A server of http may wait for the end of a line that never comes.
PROBE_SECONDS: Final = 3.0


class ProxyRefusedError(Exception):
    """A proxy does not connect to the server.

    Args:
        status: Its status; 0 if it does not speak HTTP.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@asynccontextmanager
async def open_stream(host: str, port: int) -> AsyncGenerator[Stream, None]:
    """Connect to a host of the network.

    Raises:
        OSError: It cannot be reached; a TimeoutError if that took too long.
    """
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(host, port, limit=LONGEST_HEAD)
    try:
        yield reader, writer
    finally:
        # Nothing was sent that must arrive.
        writer.transport.abort()
        # After a handshake that was reset nobody tells that it is closed.
        with suppress(OSError):
            async with asyncio.timeout(1.0):
                await writer.wait_closed()


@asynccontextmanager
async def open_proxy(proxy: Proxy, network: Network) -> AsyncGenerator[Stream, None]:
    """Connect to a proxy.

    Raises:
        OSError: It cannot be reached; an ssl.SSLError if its certificate is refused.
    """
    host, _, port = proxy.url.partition("://")[2].rpartition(":")
    async with open_stream(host.strip("[]"), int(port)) as (reader, writer):
        if proxy.has_tls:
            await start_tls(writer, make_context(network.verify), host.strip("[]"))
        yield reader, writer


@asynccontextmanager
async def open_server(way: Way, network: Network) -> AsyncGenerator[Stream, None]:
    """Connect to the server, through a proxy of HTTP if there is one.

    Raises:
        OSError: It, or the proxy, cannot be reached.
        ProxyRefusedError: The proxy does not connect to it.
    """
    if way.proxy is None:
        async with open_stream(way.host, way.port) as stream:
            yield stream
        return
    async with open_proxy(way.proxy, network) as (reader, writer):
        await open_tunnel(way, way.proxy, reader, writer)
        yield reader, writer


async def open_tunnel(way: Way, proxy: Proxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ask a proxy to connect to the server.

    Raises:
        OSError: It does not respond.
        ProxyRefusedError: It does not connect.
    """
    lines = [f"CONNECT {way.authority} HTTP/1.1", f"Host: {way.authority}"]
    if proxy.authorization is not None:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    try:
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise ProxyRefusedError(0) from None
    status = head.split(b" ", 2)[1:2]
    if not head.startswith(b"HTTP/1.") or not status or not status[0].isdigit():
        raise ProxyRefusedError(0)
    if status[0] != b"200":
        raise ProxyRefusedError(int(status[0]))


async def start_tls(
    writer: asyncio.StreamWriter, context: ssl.SSLContext, host: str, patience: float = PATIENCE
) -> None:
    """Shake hands.

    Args:
        writer: The connection.
        context: What is trusted.
        host: The host name that the certificate must be for.
        patience: Seconds after which to give up.

    Raises:
        OSError: The handshake failed; an ssl.SSLCertVerificationError if the certificate is refused.
    """
    await writer.start_tls(context, server_hostname=host, ssl_handshake_timeout=patience)


async def speaks_tls(way: Way) -> bool:
    """Return whether a server shakes hands; its certificate is not looked at, and nothing is sent to it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        async with open_stream(way.host, way.port) as (_, writer):
            await start_tls(writer, context, way.host, PROBE_SECONDS)
            return True
    except (OSError, EOFError):
        return False


def reason_of(error: BaseException) -> str:
    """Return why a connection was not made, in words of the system."""
    # asyncio aborts a handshake that takes too long.
    if isinstance(error, ConnectionAbortedError) or (isinstance(error, TimeoutError) and not error.errno):
        return f"no response within {PATIENCE:g} s"
    if isinstance(error, ConnectionRefusedError):
        return "the connection is refused: nothing listens there"
    if isinstance(error, socket.gaierror):
        return "its name cannot be found"
    if isinstance(error, EOFError | ConnectionResetError):
        return "the connection was closed"
    if isinstance(error, OSError) and error.strerror and error.errno and error.errno > 0:
        # asyncio names the address again, of which it tries several.
        return error.strerror.partition(" [")[0] if not error.strerror.startswith("[") else error.strerror
    return type(error).__name__
