"""Bodies in gzip, decompressed piece by piece with bounded memory: a body that was cut off is an error."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

# The only content coding that is accepted, and its older name (RFC 9110, section 8.4.1.3).
ACCEPTED_CODING = "gzip"
NAMES = (ACCEPTED_CODING, "x-gzip")

# The number that zlib uses for the format of gzip.
GZIP_FORMAT = 16 + zlib.MAX_WBITS

# A few bytes may expand to gigabytes: at most this much is decompressed at a time.
MAX_PIECE = 1024 * 1024

# Beyond MAX_PIECE no body may expand to more than this many times its compressed size. Pages of JSON expand to ten or
# thirty times; zlib can reach 1,032 (https://zlib.net/zlib_tech.html).
MAX_EXPANSION = 200


class BrokenBodyError(Exception):
    """The body is not what its Content-Encoding states; this error never leaves the transport."""


async def decompress(chunks: AsyncIterator[bytes], content_encoding: str) -> AsyncIterator[bytes]:
    """Decompress a body.

    Args:
        chunks: The body as it comes.
        content_encoding: The Content-Encoding header.

    Yields:
        The decompressed body, in pieces of at most MAX_PIECE; an uncompressed body as it comes.

    Raises:
        BrokenBodyError: The body is not in gzip, was cut off or expands too much; or it has another coding, or several
            codings. The message has the header as the server wrote it.
    """
    names = [coding.strip().lower() for coding in content_encoding.split(",")]
    codings = [name for name in names if name not in ("", "identity")]
    inflater = Inflater()
    try:
        async for chunk in chunks:
            if not codings:
                yield chunk
                continue
            if len(codings) > 1 or codings[0] not in NAMES:
                raise BrokenBodyError(f"only {ACCEPTED_CODING} was accepted")
            for piece in inflater.add(chunk):
                yield piece
                if len(piece) == MAX_PIECE:
                    await asyncio.sleep(0)
        inflater.finish()
    except (BrokenBodyError, zlib.error) as error:
        raise BrokenBodyError(f"{content_encoding.strip()}: {error}") from None


class Inflater:
    """The decompression of one body; an empty body stays empty."""

    def __init__(self) -> None:
        # The decoder of one gzip member; several members may follow each other (RFC 1952, section 2.2).
        self._decoder: Any = None
        self._compressed = 0
        self._size = 0

    def add(self, data: bytes) -> Iterator[bytes]:
        """Decompress the next bytes into pieces of at most MAX_PIECE."""
        self._compressed += len(data)
        piece = b""
        # After a full piece the decoder may hold more data.
        while data or len(piece) == MAX_PIECE:
            if self._decoder is None:
                self._decoder = zlib.decompressobj(GZIP_FORMAT)
            piece = self._decoder.decompress(data, MAX_PIECE)
            self._size += len(piece)
            if self._size > MAX_PIECE + MAX_EXPANSION * self._compressed:
                raise BrokenBodyError(f"it expands to more than {MAX_EXPANSION} times its size")
            if piece:
                yield piece
            data = self._decoder.unconsumed_tail
            if self._decoder.eof:
                data = self._decoder.unused_data
                self._decoder, piece = None, b""

    def finish(self) -> None:
        """Raise BrokenBodyError for a body that was cut off."""
        if self._decoder is not None:
            raise BrokenBodyError("it is cut off")
