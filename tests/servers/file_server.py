"""A file on the fault server: with an ETag and ranges, and connections that break off."""

from __future__ import annotations

import re

import attrs

from tests.servers.fault_server import Connection, Request


@attrs.define
class FileScript:
    """A script that serves a file, as much of it as `cuts` say, and its ranges.

    Attributes:
        content: The file.
        etag: Its ETag header.
        cuts: After how many bytes each response breaks off; None does not, and neither do later ones.
        ranges: Whether a range is answered with a range.
    """

    content: bytes
    etag: str = '"v1"'
    cuts: list[int | None] = attrs.Factory(list[int | None])
    ranges: bool = True
    served: int = 0

    async def __call__(self, request: Request, connection: Connection) -> None:
        begin, status, fields = 0, "200 OK", [f"ETag: {self.etag}"]
        asked = re.fullmatch(r"bytes=(\d+)-", request.headers.get("range", ""))
        if asked and self.ranges and request.headers.get("if-range") == self.etag:
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
