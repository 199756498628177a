"""Bodies in gzip, decompressed piece by piece with bounded memory: a body that was cut off is an error."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator

from .body_limits import MAX_PIECE

# Every server that compresses knows gzip, so no other coding is accepted.
ACCEPTED_CODING = "gzip"
# The same coding under an old name (RFC 9110, section 8.4.1.3).
GZIP_NAMES = ("gzip", "x-gzip")

# The codings of the "HTTP Content Coding Registry" of IANA that servers use. Some servers write something else into the
# header, such as "utf-8": such a body comes as it is.
COMPRESSIONS = (*GZIP_NAMES, "br", "compress", "deflate", "zstd")

# The number that zlib uses for the format of gzip.
GZIP_WBITS = 16 + zlib.MAX_WBITS


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
        BrokenBodyError: The body is not in this coding or was cut off, or the coding was not accepted. The message has
            the header as the server wrote it.
    """
    names = map(str.strip, content_encoding.lower().split(","))
    codings = [name for name in names if name in COMPRESSIONS]
    if codings:
        chunks = inflate(chunks, codings)
    try:
        async for piece in chunks:
            yield piece
    except (BrokenBodyError, zlib.error) as error:
        raise BrokenBodyError(f"{content_encoding.strip()}: {error}") from None


async def inflate(chunks: AsyncIterator[bytes], codings: list[str]) -> AsyncIterator[bytes]:
    """Decompress a body in gzip; an empty body stays empty."""
    decoder = zlib.decompressobj(GZIP_WBITS)
    is_empty = True
    async for rest in chunks:
        if len(codings) > 1 or codings[0] not in GZIP_NAMES:
            raise BrokenBodyError(f"only {ACCEPTED_CODING} was accepted")
        is_empty = is_empty and not rest
        piece = b""
        # After a full piece the decoder may hold more data.
        while rest or len(piece) == MAX_PIECE:
            if decoder.eof:
                # Another member follows (RFC 1952, section 2.2), or zeros, with which some servers pad the body.
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                decoder = zlib.decompressobj(GZIP_WBITS)
            piece = decoder.decompress(rest, MAX_PIECE)
            yield piece
            if len(piece) == MAX_PIECE:
                # Let other tasks run between two large pieces.
                await asyncio.sleep(0)
            rest = decoder.unconsumed_tail
            if decoder.eof:
                rest = decoder.unused_data
    if not (is_empty or decoder.eof):
        raise BrokenBodyError("it is cut off")
