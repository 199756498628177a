"""Responses and misbehaviours for the fault server."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterable
from typing import Any

import attrs

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


def busy(retry_after: object) -> bytes:
    """Write a 429."""
    return response({"title": "Too Many Requests"}, "429 Too Many Requests", f"Retry-After: {retry_after}")


BUSY = busy(0)


def redirect_to(location: str) -> bytes:
    """Write a redirect."""
    return response(b"", "302 Found", f"Location: {location}")


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


# The first half of a file, and nothing more.
HALF_A_FILE = then_silence(b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Length: 6\r\n\r\nabc')


def after(seconds: float, data: bytes) -> Script:
    """Send *data* late."""

    async def script(request: Request, connection: Connection) -> None:
        await asyncio.sleep(seconds)
        await connection.send(data)

    return script


def drip(head: bytes, piece: bytes = b" ", every: float = 0.005) -> Script:
    """Send *head*, and then *piece* again and again, *every* seconds apart, until the client hangs up."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(head)
        while not connection.reader.at_eof() and not connection.writer.is_closing():
            await connection.send(piece)
            await asyncio.sleep(every)

    return script


async def silence(request: Request, connection: Connection) -> None:
    """Send nothing until the client hangs up."""
    await connection.reader.read()


@attrs.define
class FileScript:
    """A script that serves a file and its ranges; a response breaks off where `cuts` says so.

    Attributes:
        content: The file.
        etag: Its ETag header.
        cuts: After how many bytes each response breaks off; None does not, and neither do later ones.
    """

    content: bytes
    etag: str = '"v1"'
    cuts: list[int | None] = attrs.Factory(list[int | None])
    served: int = 0

    async def __call__(self, request: Request, connection: Connection) -> None:
        begin, status, fields = 0, "200 OK", [f"ETag: {self.etag}"]
        asked = re.fullmatch(r"bytes=(\d+)-", request.headers.get("range", ""))
        if asked and request.headers.get("if-range") == self.etag:
            begin, size = int(asked[1]), len(self.content)
            status = "206 Partial Content" if begin < size else "416 Range Not Satisfiable"
            fields.append(f"Content-Range: bytes {begin}-{size - 1}/{size}")
        body = self.content[begin:]
        cut = self.cuts[self.served] if self.served < len(self.cuts) else None
        self.served += 1
        head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", ""]
        await connection.send("\r\n".join(head).encode() + body[:cut])
        if cut is not None:
            connection.close()


# Lists.


def page(items: Iterable[str], end_cursor: object = None, has_next_page: object = None, **more: Any) -> dict[str, Any]:
    """Return a page with these ids."""
    following = end_cursor is not None if has_next_page is None else has_next_page
    sessions = [{"session_id": each} for each in items]
    return {"items": sessions, "end_cursor": end_cursor, "has_next_page": following, **more}


async def pour(pager: Any, into: list[Any]) -> None:
    """Append the ids of all items one by one, so that those before an error are kept."""
    async for session in pager:
        into.append(session.session_id)
