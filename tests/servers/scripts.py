"""Responses and misbehaviours for the fault server."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

from tests.servers.fault_server import Connection, Request, Script

# The head of a JSON response, without its length and its last line.
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def response(
    body: Any = b"", status: str = "200 OK", *fields: str, media_type: str | None = "application/json"
) -> bytes:
    """Write a whole response.

    Args:
        body: Bytes are sent as they are, anything else as JSON.
        status: The status and the reason phrase.
        fields: Further header lines, such as `Retry-After: 1`.
        media_type: The value of Content-Type; None leaves the header out.
    """
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", *fields]
    lines += [f"Content-Type: {media_type}"] if media_type is not None else []
    return "\r\n".join([*lines, "", ""]).encode() + content


# What the operation `enterprise.blueprints.list` accepts.
EMPTY_LIST = response({"data": []})


def gzip_response(body: bytes, *, keep: int | None = None, encoding: str = "gzip", status: str = "200 OK") -> bytes:
    """Write a compressed response that ends after *keep* bytes of its body, with a length that fits them."""
    return response(gzip.compress(body, mtime=0)[:keep], status, f"Content-Encoding: {encoding}")


def then_close(data: bytes = b"") -> Script:
    """Send *data* and close the connection."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(data)
        connection.close()

    return script


def then_reset(data: bytes = b"") -> Script:
    """Send *data* and reset the connection; the network decides whether *data* arrives."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(data)
        connection.reset()

    return script


def then_silence(data: bytes) -> Script:
    """Send *data* and nothing more until the client hangs up."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(data)
        await connection.reader.read()

    return script


def after(seconds: float, data: bytes) -> Script:
    """Send *data* late."""

    async def script(request: Request, connection: Connection) -> None:
        await asyncio.sleep(seconds)
        await connection.send(data)

    return script


def drip(head: bytes, piece: bytes = b" ", every: float = 0.005) -> Script:
    """Send *head*, and then *piece* every so many seconds until the client hangs up."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(head)
        while not connection.reader.at_eof() and not connection.writer.is_closing():
            await connection.send(piece)
            await asyncio.sleep(every)

    return script


async def silence(request: Request, connection: Connection) -> None:
    """Send nothing until the client hangs up."""
    await connection.reader.read()
