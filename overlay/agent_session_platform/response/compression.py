"""Compressed bodies, decompressed piece by piece with bounded memory: a body that was cut off is an error."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

ACCEPTED_CODINGS = "gzip, deflate"

# The content codings (RFC 9110, section 8.4.1), each with the number that zlib uses for its format.
FORMATS = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
RAW_DEFLATE = -zlib.MAX_WBITS

# Padding that some servers send after a gzip member.
PADDING = b"\0"

# A few bytes may expand to gigabytes: at most this much is decompressed at a time.
MAX_PIECE = 1024 * 1024

# Beyond MAX_PIECE no body may expand to more than this many times its compressed size. Pages of JSON expand to ten or
# thirty times; zlib can reach 1,032 (https://zlib.net/zlib_tech.html).
MAX_EXPANSION = 200

# The most input that is decompressed at a time: zlib copies what follows each gzip member.
MAX_INPUT = 64 * 1024

# After this many chunks the event loop runs: a server may send a body byte by byte, and many bytes may arrive at once.
CHUNKS_OF_A_STEP = 200


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
        BrokenBodyError: The body is not in this coding, was cut off or expands too much; or there are several codings,
            or the coding was not accepted. The message has the header as the server wrote it.
    """
    names = [coding.strip().lower() for coding in content_encoding.split(",")]
    codings = [name for name in names if name not in ("", "identity")]
    inflater = Inflater(FORMATS[codings[0]]) if len(codings) == 1 and codings[0] in FORMATS else None
    count = 0
    try:
        async for chunk in chunks:
            count += 1
            if count % CHUNKS_OF_A_STEP == 0:
                await asyncio.sleep(0)
            if not codings:
                yield chunk
                continue
            if inflater is None:
                raise BrokenBodyError(f"only one of {ACCEPTED_CODINGS} was accepted")
            for start in range(0, len(chunk), MAX_INPUT):
                for piece in inflater.add(chunk[start : start + MAX_INPUT]):
                    yield piece
                    if len(piece) == MAX_PIECE:
                        await asyncio.sleep(0)
        if inflater is not None:
            inflater.finish()
    except (BrokenBodyError, zlib.error) as error:
        raise BrokenBodyError(f"{content_encoding.strip()}: {error}") from None


class Inflater:
    """The decompression of one body; an empty body stays empty.

    Args:
        wbits: The number that zlib uses for the format.
    """

    def __init__(self, wbits: int) -> None:
        self._wbits = wbits
        # The decoder of one gzip member; several members may follow each other (RFC 1952, section 2.2).
        self._decoder: Any = None
        self._compressed = 0
        self._size = 0

    def add(self, data: bytes) -> Iterator[bytes]:
        """Decompress the next bytes into pieces of at most MAX_PIECE."""
        rest = data.lstrip(PADDING) if self._compressed and self._decoder is None else data
        self._compressed += len(data)
        piece = b""
        # After a full piece the decoder may hold more data.
        while rest or len(piece) == MAX_PIECE:
            if self._decoder is None:
                self._decoder = self._make_decoder(rest)
            piece = self._decoder.decompress(rest, MAX_PIECE)
            self._size += len(piece)
            if self._size > MAX_PIECE + MAX_EXPANSION * self._compressed:
                raise BrokenBodyError(f"it expands to more than {MAX_EXPANSION} times its size")
            if piece:
                yield piece
            rest = self._decoder.unconsumed_tail
            if self._decoder.eof:
                rest = self._decoder.unused_data.lstrip(PADDING)
                self._decoder, piece = None, b""

    def finish(self) -> None:
        """Raise BrokenBodyError for a body that was cut off."""
        if self._decoder is not None:
            raise BrokenBodyError("it is cut off")

    def _make_decoder(self, data: bytes) -> Any:
        if self._wbits == zlib.MAX_WBITS and data[0] & 0x0F != zlib.DEFLATED:
            # Some servers send deflate without the zlib header that RFC 9110 requires.
            self._wbits = RAW_DEFLATE
        return zlib.decompressobj(self._wbits)
