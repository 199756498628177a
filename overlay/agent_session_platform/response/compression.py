"""Compressed bodies, decompressed piece by piece with bounded memory: a body that was cut off is an error."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from typing import Any

from ..text import truncate

# A few bytes may expand to gigabytes: no more than this is decompressed at a time.
MAX_PIECE = 1024 * 1024

# The content codings (RFC 9110, section 8.4.1), and what zlib calls their formats.
FORMATS = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
RAW_DEFLATE = -zlib.MAX_WBITS

ACCEPTED_CODINGS = "gzip, deflate"

# Beyond MAX_PIECE no body may expand to more than this many times its compressed size. Pages of JSON expand to ten or
# thirty times; zlib can reach 1,032 (https://zlib.net/zlib_tech.html).
MAX_EXPANSION = 200

# Empty gzip members and blocks expand to nothing, without end: so much may be compressed to less than it was.
MAX_OVERHEAD = 1024 * 1024

# Copying what follows a gzip member takes time, so that is not much.
MAX_INPUT = 64 * 1024

# A gzip member takes 10 microseconds and more: the event loop runs after so many.
MEMBERS_OF_A_STEP = 200


class BrokenBodyError(Exception):
    """The body is not what its Content-Encoding states; never leaves the transport.

    Attributes:
        beginning: The beginning of the body as it came.
    """

    def __init__(self, message: str, beginning: bytes = b"") -> None:
        super().__init__(message)
        self.beginning = beginning


async def decompress(chunks: AsyncIterator[bytes], content_encoding: str) -> AsyncIterator[bytes]:
    """Decompress a body; raise BrokenBodyError, also for codings that were not accepted, and for more than one."""
    codings = [
        name for coding in content_encoding.split(",") if (name := coding.strip().lower()) not in ("", "identity")
    ]
    beginning = b""
    inflater = Inflater(codings[0]) if len(codings) == 1 and codings[0] in FORMATS else None
    try:
        async for chunk in chunks:
            beginning = beginning or chunk[:MAX_INPUT]
            if not codings:
                yield chunk
                continue
            if inflater is None:
                why = f"only one of {ACCEPTED_CODINGS} was accepted"
                raise BrokenBodyError(f"{truncate(content_encoding)}: {why}")
            for begin in range(0, len(chunk), MAX_INPUT):
                async for piece in inflater.add(chunk[begin : begin + MAX_INPUT]):
                    yield piece
        if inflater is not None:
            inflater.finish()
    except BrokenBodyError as error:
        error.beginning = beginning
        raise
    except zlib.error as error:
        raise BrokenBodyError(f"{codings[0]}: {error}", beginning) from None


class Inflater:
    """A body of one coding while it is decompressed; an empty body stays empty."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._format = FORMATS[coding]
        self._decoder: Any = None
        self._members = 0
        self._compressed = 0
        self._size = 0

    async def add(self, data: bytes) -> AsyncIterator[bytes]:
        """Decompress the next bytes into pieces of at most MAX_PIECE."""
        self._compressed += len(data)
        # One gzip member may follow another (RFC 1952, section 2.2); some servers pad with zeros.
        rest = data.lstrip(b"\0") if self._members and self._decoder is None else data
        piece = b""
        # A full piece may have left more in the decoder.
        while rest or len(piece) == MAX_PIECE:
            if self._decoder is None:
                self._decoder = await self._next_member(rest)
            piece = self._decoder.decompress(rest, MAX_PIECE)
            if piece:
                self._count(piece)
                yield piece
            rest = self._decoder.unconsumed_tail
            if self._decoder.eof:
                rest = self._decoder.unused_data.lstrip(b"\0")
                self._decoder, piece = None, b""
            elif len(piece) == MAX_PIECE:
                await asyncio.sleep(0)
        self._count(b"")

    async def _next_member(self, data: bytes) -> Any:
        self._members += 1
        if self._members % MEMBERS_OF_A_STEP == 0:
            await asyncio.sleep(0)
        if self._format == zlib.MAX_WBITS and data[0] & 0x0F != zlib.DEFLATED:
            # Some servers send deflate without the zlib header that RFC 9110 requires.
            self._format = RAW_DEFLATE
        return zlib.decompressobj(self._format)

    def _count(self, piece: bytes) -> None:
        """Raise BrokenBodyError for a body that expands too much, or to nothing."""
        self._size += len(piece)
        if self._size > MAX_PIECE + MAX_EXPANSION * self._compressed:
            raise BrokenBodyError(f"{self._coding}: it expands to more than {MAX_EXPANSION} times its size")
        if self._compressed > self._size + MAX_OVERHEAD:
            raise BrokenBodyError(f"{self._coding}: it is larger than what it expands to")

    def finish(self) -> None:
        """Raise BrokenBodyError for a body that was cut off."""
        if self._decoder is not None:
            raise BrokenBodyError(f"{self._coding}: it is cut off")
