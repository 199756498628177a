"""Bodies are parsed to the values of `json.loads`, and decompressed, within bounds."""

from __future__ import annotations

import asyncio
import codecs
import copy
import gc
import gzip
import json
import pickle
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, DecodeError, Download, errors
from agent_session_platform._api import Request, decode_text
from agent_session_platform.models import Session
from agent_session_platform.response import decode as decode_module
from agent_session_platform.response.body_limits import MAX_PIECE
from agent_session_platform.response.compression import decompress
from agent_session_platform.response.decode import UnusableBodyError, decode, parse_json
from agent_session_platform.response.exchange import Response
from hypothesis import given, strategies as st

from tests.fixtures import ONE_ATTEMPT, all_transports, make_operation
from tests.servers.fault_server import fault_server
from tests.servers.scripts import gzip_response, response, then_silence
from tests.strategies import stable, values

OPERATION = make_operation()
TEXT: Request[str] = Request(OPERATION, decode_text, {}, {})


def outcome(parse: Callable[[bytes], Any], content: bytes) -> str:
    """Return the repr of the parsed value, which shows the types of its parts, or a text for a refused value."""
    try:
        return repr(parse(content))
    except (ValueError, RecursionError, UnusableBodyError):
        return "refused"


@pytest.mark.parametrize("error", [TypeError, ValueError, RecursionError])
def test_an_error_of_a_converter_does_not_look_like_one_of_the_body(error: type[Exception]) -> None:
    def fail(value: Any) -> Any:
        raise error("a bug")

    with pytest.raises(error, match="a bug"):
        decode(Request(OPERATION, fail, {}, {}), Response(OPERATION, 200, str, content=b"{}"))


@pytest.mark.parametrize(
    ("content", "content_type", "text"),
    [
        (b"", "text/plain", ""),
        ("é".encode(), "text/plain", "é"),
        ("é".encode("latin-1"), "text/csv; charset=iso-8859-1", "é"),
        ("é".encode("utf-16"), "text/plain", "é"),
        (b"\xff", "text/plain", "\ufffd"),
        (b"x-y", "text/plain; charset=punycode", "x-y"),
        (b"x", "text/plain; charset=klingon", "x"),
    ],
)
def test_text_is_decoded_by_its_charset(content: bytes, content_type: str, text: str) -> None:
    assert decode(TEXT, Response(OPERATION, 200, str, content_type, content=content)) == text


def test_a_page_of_html_is_no_text() -> None:
    with pytest.raises(DecodeError, match="200 with text/html instead of text, beginning '<p>'"):
        decode(TEXT, Response(OPERATION, 200, str, "text/html; charset=utf-8", content=b"<p>"))


@given(values, st.booleans())
@stable
def test_valid_json_has_the_same_value_with_and_without_the_extra(value: Any, ascii_only: bool) -> None:
    content = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert outcome(parse_json, content) == outcome(json.loads, content)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"18446744073709551616", id="an-integer-of-65-bits"),
        pytest.param(b"1" * 5000, id="more-digits-than-python-converts"),
        pytest.param(b"1e999", id="beyond-the-largest-float"),
        pytest.param(b"[NaN, Infinity, -Infinity]", id="no-numbers"),
        pytest.param(b'{"a": 1, "a": 2}', id="a-member-twice"),
        pytest.param(b'"\\ud800"', id="half-of-a-surrogate-pair"),
        pytest.param(b'"\xed\xa0\x80"', id="half-of-a-surrogate-pair-as-bytes"),
        pytest.param(b"\xef\xbb\xbf{}", id="a-byte-order-mark"),
        pytest.param('{"é": "ü"}'.encode("utf-16"), id="utf-16"),
        pytest.param('{"é": "ü"}'.encode("utf-32"), id="utf-32"),
        pytest.param(codecs.BOM_UTF32_BE + '{"é": "ü"}'.encode("utf-32-be"), id="utf-32-in-big-endian"),
        pytest.param(b'"\xff"', id="no-utf-8"),
        pytest.param(b"[" * 100_000, id="nested-without-end"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_an_odd_body_is_read_or_refused_alike(content: bytes) -> None:
    assert outcome(parse_json, content) == outcome(json.loads, content)


def test_without_the_extra_bodies_are_parsed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode_module, "parse", json.loads)
    assert parse_json(b'{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}


@all_transports
async def test_what_was_decoded_can_be_used_without_a_recursion_error(transport: Any) -> None:
    deepest = b'{"session_id": "a", "more": ' + b"[" * 99 + b"]" * 99 + b"}"
    async with fault_server(response(deepest)) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        session = await platform.organization("org-acme").sessions.get("a")
    assert Session.from_dict(session.to_dict()) == copy.deepcopy(session) == pickle.loads(pickle.dumps(session))
    assert repr(session)


@pytest.mark.parametrize("end", [b"]", b","], ids=["valid", "invalid"])
def test_the_garbage_collector_of_the_program_is_left_alone(end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to the whole process, and so to other threads."""

    def refuse() -> None:
        raise AssertionError("the SDK has switched the garbage collector")

    for name in ("disable", "enable", "freeze"):
        monkeypatch.setattr(gc, name, refuse)
    outcome(lambda body: parse_json(body) and None, b"[" + b"[]," * 2**18 + b"[]" + end)


def download(platform: AgentPlatform) -> Download:
    return platform.organization().attachments.download("uuid", "name")


async def test_closing_the_client_ends_a_download() -> None:
    begun = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n1\n")
    async with fault_server(begun) as server:
        platform = server.client()
        chunks = aiter(download(platform))
        assert await anext(chunks) == b"1\n"
        second = asyncio.ensure_future(anext(chunks))
        await asyncio.sleep(0)
        await platform.aclose()
        with pytest.raises(errors.ClientClosedError):
            await second


# Compressed bodies, piece by piece.

PLAIN = b"hello " * 1000


BODIES: dict[str, tuple[bytes, str]] = {
    "none": (PLAIN, ""),
    "identity": (PLAIN, "identity"),
    "odd name": (gzip.compress(PLAIN), " X-GZIP "),
    "two members": (gzip.compress(PLAIN[:2]) + gzip.compress(PLAIN[2:]), "gzip"),
    "zeros": (gzip.compress(PLAIN[:2]) + bytes(4) + gzip.compress(PLAIN[2:]) + bytes(4), "gzip"),
    "and identity": (gzip.compress(PLAIN), "identity, gzip"),
}


@pytest.mark.parametrize("size", [1, 7, 10**6])
@pytest.mark.parametrize(("data", "codings"), BODIES.values(), ids=BODIES)
async def test_a_body_is_decoded_in_pieces_of_any_size(data: bytes, codings: str, size: int) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(data), size):
            yield data[start : start + size]

    assert b"".join([piece async for piece in decompress(pieces(), codings)]) == PLAIN


async def test_a_body_that_expands_much_comes_in_pieces_of_a_megabyte() -> None:
    found: list[bytes] = []
    async with fault_server(gzip_response(bytes(5 * MAX_PIECE))) as server, server.client() as platform:
        await download(platform).read(checksum=found.append)
    assert b"".join(found) == bytes(5 * MAX_PIECE)
    assert max(map(len, found)) <= MAX_PIECE
