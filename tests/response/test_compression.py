"""Compressed bodies, piece by piece."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import AsyncIterator

import pytest
from agent_session_platform.response.compression import (
    MAX_EXPANSION,
    MAX_PIECE,
    BrokenBodyError,
    decompress,
)

TEXT = b"hello " * 1000
RAW = zlib.compressobj(wbits=-15)


async def pieces(data: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def read(data: bytes, codings: str, size: int = 7) -> bytes:
    return b"".join([piece async for piece in decompress(pieces(data, size), codings)])


async def pour(found: AsyncIterator[bytes], into: list[int]) -> None:
    """Append the size of each piece, so that those before an error are kept."""
    async for piece in found:
        into.append(len(piece))  # noqa: PERF401


BODIES: dict[str, tuple[bytes, str]] = {
    "none": (TEXT, ""),
    "identity": (TEXT, "identity"),
    "odd name": (gzip.compress(TEXT), " X-GZIP "),
    "two members": (gzip.compress(TEXT[:2]) + gzip.compress(TEXT[2:]), "gzip"),
    "zeros": (gzip.compress(TEXT) + bytes(4), "gzip"),
    "zeros between": (gzip.compress(TEXT[:2]) + bytes(4) + gzip.compress(TEXT[2:]), "gzip"),
    "zlib": (zlib.compress(TEXT), "deflate"),
    "deflate": (RAW.compress(TEXT) + RAW.flush(), "deflate"),
    "and identity": (gzip.compress(TEXT), "identity, gzip"),
}


@pytest.mark.parametrize("size", [1, 7, 10**6])
@pytest.mark.parametrize(("data", "codings"), BODIES.values(), ids=BODIES)
async def test_a_body_is_decoded_in_pieces_of_any_size(data: bytes, codings: str, size: int) -> None:
    assert await read(data, codings, size) == TEXT


@pytest.mark.parametrize("coding", ["gzip", "zlib", "raw"])
@pytest.mark.parametrize("size", [7, 10**6])
async def test_a_body_that_expands_too_much_is_an_error(coding: str, size: int) -> None:
    packer = zlib.compressobj(9, wbits={"gzip": 31, "zlib": 15, "raw": -15}[coding])
    bomb = packer.compress(bytes(5 * MAX_PIECE)) + packer.flush()
    found: list[int] = []
    with pytest.raises(BrokenBodyError, match=f"expands to more than {MAX_EXPANSION} times"):
        await pour(decompress(pieces(bomb, size), "gzip" if coding == "gzip" else "deflate"), found)
    assert sum(found) <= MAX_PIECE + MAX_EXPANSION * len(bomb)


async def test_a_megabyte_may_expand_as_much_as_it_likes() -> None:
    assert await read(gzip.compress(bytes(MAX_PIECE)), "gzip") == bytes(MAX_PIECE)


async def test_a_body_that_expands_a_hundred_times_comes_in_pieces() -> None:
    text = b"".join(b"%08d" % number + b"x" * 600 for number in range(5000))
    data = gzip.compress(text)
    found = [piece async for piece in decompress(pieces(data, len(data)), "gzip")]
    assert b"".join(found) == text
    assert max(map(len, found)) <= MAX_PIECE
