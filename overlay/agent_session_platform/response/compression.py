"""Compressed bodies: decoded piece by piece, and whole or not at all."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

# What is decoded at a time: a few bytes may stand for gigabytes.
PIECE = 1024 * 1024

# What the two content codings are called (RFC 9110, section 8.4.1), and what zlib calls their forms.
GZIP = 16 + zlib.MAX_WBITS
FORMS = {"gzip": GZIP, "x-gzip": GZIP, "deflate": zlib.MAX_WBITS}

ACCEPTED = "gzip, deflate"


# A body that is coded more often is none that somebody means well with.
MOST_CODINGS = 2


class BrokenBodyError(Exception):
    """The body is not what its Content-Encoding says; never leaves the transport."""


def decoded(chunks: AsyncIterator[bytes], codings: str) -> AsyncIterator[bytes]:
    """Decode *chunks* from what a Content-Encoding says; raises BrokenBodyError, also for what nobody asked for."""
    named = [name for coding in codings.split(",") if (name := coding.strip().lower()) not in ("", "identity")]
    if not FORMS.keys() >= set(named) or len(named) > MOST_CODINGS:
        raise BrokenBodyError(f"{codings}: only {ACCEPTED} were asked for")
    for coding in reversed(named):
        chunks = inflate(chunks, coding)
    return chunks


async def inflate(chunks: AsyncIterator[bytes], coding: str) -> AsyncIterator[bytes]:
    """Decode *chunks*, of one of the codings in FORMS; raises BrokenBodyError. No bytes at all are none decoded."""
    form = FORMS[coding]
    decoder = None
    begun = False
    try:
        async for chunk in chunks:
            # RFC 1952, section 2.2: one member may follow another. Some servers pad with zeros.
            rest = chunk.lstrip(b"\0") if begun and decoder is None else chunk
            begun = True
            while rest:
                if decoder is None:
                    if form == zlib.MAX_WBITS and rest[0] & 0x0F != zlib.DEFLATED:
                        # Some servers send deflate without the frame that the RFC wants.
                        form = -zlib.MAX_WBITS
                    decoder = zlib.decompressobj(form)
                yield decoder.decompress(rest, PIECE)
                rest = decoder.unconsumed_tail
                if decoder.eof:
                    rest = decoder.unused_data.lstrip(b"\0")
                    decoder = None
    except zlib.error as error:
        raise BrokenBodyError(f"{coding}: {error}") from None
    if decoder is not None:
        # A whole piece may be left in the decoder when the last chunk filled it.
        while piece := decoder.decompress(b"", PIECE):
            yield piece
        if not decoder.eof:
            raise BrokenBodyError(f"{coding}: it is cut off")
