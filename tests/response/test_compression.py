"""Compressed bodies, piece by piece."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import AsyncIterator

import pytest
from agent_session_platform.response.compression import MAX_PIECE, BrokenBodyError, decompress

TEXT = b"hello " * 1000
RAW = zlib.compressobj(wbits=-15)


async def pieces(data: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def read(data: bytes, codings: str, size: int = 7) -> bytes:
    return b"".join([piece async for piece in decompress(pieces(data, size), codings)])


@pytest.mark.parametrize("size", [1, 7, 10**6])
@pytest.mark.parametrize(
    ("data", "codings"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (gzip.compress(TEXT), "gzip"),
        (gzip.compress(TEXT), " X-GZIP "),
        (gzip.compress(TEXT[:2]) + gzip.compress(TEXT[2:]), "gzip"),
        (gzip.compress(TEXT) + bytes(4), "gzip"),
        (gzip.compress(TEXT[:2]) + bytes(4) + gzip.compress(TEXT[2:]), "gzip"),
        (zlib.compress(TEXT), "deflate"),
        (RAW.compress(TEXT) + RAW.flush(), "deflate"),
        (gzip.compress(zlib.compress(TEXT)), "deflate, gzip"),
    ],
    ids=["none", "identity", "gzip", "odd name", "two members", "zeros", "zeros between", "zlib", "deflate", "both"],
)
async def test_a_body_is_decoded_in_pieces_of_any_size(data: bytes, codings: str, size: int) -> None:
    assert await read(data, codings, size) == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_an_empty_body_stays_empty(coding: str) -> None:
    assert await read(b"", coding) == b""


@pytest.mark.parametrize(
    ("data", "codings", "message"),
    [
        (gzip.compress(TEXT)[:-1], "gzip", "gzip: it is cut off"),
        (zlib.compress(TEXT)[:-1], "deflate", "deflate: it is cut off"),
        (gzip.compress(TEXT) + b"garbage", "gzip", "gzip: Error"),
        (TEXT, "br", "br: only gzip, deflate were accepted"),
        (TEXT, "gzip, gzip, gzip", "only gzip, deflate were accepted"),
    ],
    ids=["gzip cut off", "deflate cut off", "garbage behind", "br", "three codings"],
)
async def test_a_body_that_does_not_fit_its_coding_is_an_error(data: bytes, codings: str, message: str) -> None:
    with pytest.raises(BrokenBodyError, match=message):
        await read(data, codings)


async def test_a_small_body_that_expands_comes_in_pieces() -> None:
    bomb = gzip.compress(bytes(5 * MAX_PIECE))
    assert [len(piece) async for piece in decompress(pieces(bomb, len(bomb)), "gzip") if piece] == [MAX_PIECE] * 5
