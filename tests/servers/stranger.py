"""A stranger's HTTP server: raw bytes on a loopback port, one script for each request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Stranger:
    """Where it listens, and the head and body of every request that it got."""

    def __init__(self) -> None:
        self.base_url = ""
        self.requests: list[bytes] = []


@asynccontextmanager
async def stranger(*scripts: bytes | Script) -> AsyncIterator[Stranger]:
    """Serve *scripts*, one a request and the last one again and again: bytes to send, or a function to run.

    Each connection is closed after its request.
    """
    server_state = Stranger()
    open_writers: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_writers.add(writer)
        try:
            request = await reader.readuntil(b"\r\n\r\n")
            length = next(
                (int(line[15:]) for line in request.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
            )
            request += await reader.readexactly(length)
            if b"transfer-encoding: chunked" in request.lower():
                request += await chunks(reader)
            script = scripts[min(len(server_state.requests), len(scripts) - 1)]
            server_state.requests.append(request)
            if isinstance(script, bytes):
                writer.write(script)
                await writer.drain()
            else:
                await script(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            open_writers.discard(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    server_state.base_url = f"http://{host}:{port}"
    try:
        yield server_state
    finally:
        server.close()
        for writer in list(open_writers):
            writer.transport.abort()
        await server.wait_closed()


async def chunks(reader: asyncio.StreamReader) -> bytes:
    """A chunked body as it stands; its content may well look like its end."""
    body = b""
    while True:
        head = await reader.readuntil(b"\r\n")
        length = int(head, 16)
        body += head + await reader.readexactly(length + 2)
        if length == 0:
            return body


def response(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    """A whole response, with its length and its content type (JSON unless given)."""
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say nothing until the other side hangs up."""
    await reader.read()


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Reset the connection without an answer."""
    writer.transport.abort()
