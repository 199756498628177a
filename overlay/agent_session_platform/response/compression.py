"""Compressed bodies, decompressed piece by piece with bounded memory: a body that was cut off is an error."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

# A few bytes may expand to gigabytes: no more than this is decompressed at a time.
MAX_PIECE = 1024 * 1024

# The content codings (RFC 9110, section 8.4.1), and what zlib calls their formats.
FORMATS = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
RAW_DEFLATE = -zlib.MAX_WBITS

ACCEPTED_CODINGS = "gzip, deflate"

# More than two codings: refused as hostile.
MAX_CODINGS = 2


class BrokenBodyError(Exception):
    """The body is not what its Content-Encoding states; never leaves the transport."""


def decompress(chunks: AsyncIterator[bytes], content_encoding: str) -> AsyncIterator[bytes]:
    """Decompress a body; raise BrokenBodyError, also for a coding that was not accepted."""
    codings = [
        name for coding in content_encoding.split(",") if (name := coding.strip().lower()) not in ("", "identity")
    ]
    if not FORMATS.keys() >= set(codings) or len(codings) > MAX_CODINGS:
        raise BrokenBodyError(f"{content_encoding}: only {ACCEPTED_CODINGS} were accepted")
    for coding in reversed(codings):
        chunks = inflate(chunks, coding)
    return chunks


async def inflate(chunks: AsyncIterator[bytes], coding: str) -> AsyncIterator[bytes]:
    """Decompress a body of one coding; an empty body stays empty."""
    format_ = FORMATS[coding]
    decoder = None
    begun = False
    try:
        async for chunk in chunks:
            # One gzip member may follow another (RFC 1952, section 2.2); some servers pad with zeros.
            rest = chunk.lstrip(b"\0") if begun and decoder is None else chunk
            begun = True
            while rest:
                if decoder is None:
                    if format_ == zlib.MAX_WBITS and rest[0] & 0x0F != zlib.DEFLATED:
                        # Some servers send deflate without the zlib header that RFC 9110 requires.
                        format_ = RAW_DEFLATE
                    decoder = zlib.decompressobj(format_)
                yield decoder.decompress(rest, MAX_PIECE)
                rest = decoder.unconsumed_tail
                if decoder.eof:
                    rest = decoder.unused_data.lstrip(b"\0")
                    decoder = None
    except zlib.error as error:
        raise BrokenBodyError(f"{coding}: {error}") from None
    if decoder is not None:
        # The last chunk may have filled a whole piece and left more in the decoder.
        while piece := decoder.decompress(b"", MAX_PIECE):
            yield piece
        if not decoder.eof:
            raise BrokenBodyError(f"{coding}: it is cut off")
