"""A form in multipart/form-data (RFC 7578), as it is sent: the same bytes through every transport."""

from __future__ import annotations

import mimetypes
import os
import re
from collections.abc import AsyncIterator, Mapping
from typing import Protocol

import attrs

# What a quoted name escapes (HTML, section 4.10.21.8).
ESCAPED = re.compile(r'[\x00-\x1f"\x7f]')

CHUNK = 64 * 1024


class Readable(Protocol):
    """A file whose length is known before it is read, or is None."""

    @property
    def length(self) -> int | None:
        """Its length in bytes."""
        ...

    def read(self, size: int) -> bytes:
        """Read at most so many bytes; none at its end."""
        ...


@attrs.frozen
class Part:
    """The content of one part of a form.

    Attributes:
        content: Bytes, or a file that is read while the form is sent.
        filename: The name of the file; None for a part that is none.
        media_type: Its Content-Type; None: that of the name of the file.
    """

    content: bytes | Readable = attrs.field(repr=False)
    filename: str | None = None
    media_type: str | None = None


class MultipartForm:
    """A form that is read while it is sent; once, because its files are.

    Args:
        members: The members that are text: a list is one part for each of its texts.
        parts: The other parts.

    Attributes:
        media_type: The Content-Type header.
        length: The length in bytes; None if that of a file is not known before it is read.
    """

    def __init__(self, members: Mapping[str, str | list[str]], parts: Mapping[str, Part]) -> None:
        boundary = os.urandom(16).hex()
        self.media_type = f"multipart/form-data; boundary={boundary}"
        self._delimiter = f"--{boundary}\r\n".encode()
        self._end = f"--{boundary}--\r\n".encode()
        texts = [
            (name, Part(text.encode()))
            for name, value in members.items()
            for text in (value if isinstance(value, list) else [value])
        ]
        self._parts = [(write_head(name, part), part.content) for name, part in [*texts, *parts.items()]]
        lengths = [content.length if not isinstance(content, bytes) else len(content) for _, content in self._parts]
        framing = sum(len(self._delimiter) + len(head) + 2 for head, _ in self._parts) + len(self._end)
        self.length = None if None in lengths else framing + sum(length or 0 for length in lengths)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for head, content in self._parts:
            yield self._delimiter + head
            if isinstance(content, bytes):
                yield content
            else:
                while chunk := content.read(CHUNK):
                    yield chunk
            yield b"\r\n"
        yield self._end

    def read(self) -> bytes:
        """Return the whole form; only for one without files."""
        parts = [(head, content) for head, content in self._parts if isinstance(content, bytes)]
        return b"".join([*(self._delimiter + head + content + b"\r\n" for head, content in parts), self._end])


def write_head(name: str, part: Part) -> bytes:
    """Write the headers of a part."""
    lines = f'Content-Disposition: form-data; name="{escape(name)}"'
    media_type = part.media_type
    if part.filename:
        lines += f'; filename="{escape(part.filename)}"'
        media_type = media_type or mimetypes.guess_type(part.filename)[0] or "application/octet-stream"
    if media_type:
        lines += f"\r\nContent-Type: {media_type}"
    return f"{lines}\r\n\r\n".encode()


def escape(name: str) -> str:
    """Return a name as it is written between quotes."""
    return ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", name)
