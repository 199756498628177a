"""Bodies are parsed to the same values with the extra `speed` and without."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agent_session_platform.response import json_parser
from agent_session_platform.response.json_parser import MANY_COMMAS, fast_parser, parse_json
from hypothesis import given
from hypothesis import strategies as st

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
# What numbers, literals and strings are written with, in any order: most of it is nearly JSON.
SCRIBBLE = st.text('0123456789+-.eE"\\ud8:,{}[]nulltrefasNI \n\t\x00\x7fé', max_size=40)


@pytest.fixture(autouse=True, scope="module")
def past_the_first_bytes() -> Iterator[None]:
    """The extra is in use from the first body on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_parser, "FIRST_BYTES", 0)
        yield


def outcome(parse: Callable[[bytes], Any], content: bytes) -> str:
    """Return the value with the types of its parts as text, or the kind of error."""
    try:
        return repr(parse(content))
    except (ValueError, RecursionError) as error:
        return "RecursionError" if isinstance(error, RecursionError) else "ValueError"


@given(VALUES, st.booleans())
def test_valid_json_has_the_same_value(value: Any, ascii_only: bool) -> None:
    content = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert outcome(parse_json, content) == outcome(json.loads, content)


@given(SCRIBBLE)
def test_nearly_valid_json_is_read_or_refused_alike(text: str) -> None:
    content = text.encode()
    assert outcome(parse_json, content) == outcome(json.loads, content)


@given(VALUES, st.data())
def test_json_with_a_byte_changed_is_read_or_refused_alike(value: Any, data: st.DataObject) -> None:
    content = bytearray(json.dumps(value).encode())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    assert outcome(parse_json, bytes(content)) == outcome(json.loads, bytes(content))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"18446744073709551616", id="an-integer-of-65-bits"),
        pytest.param(b"-" + b"9" * 100, id="a-long-negative-integer"),
        pytest.param(b"1" * 5000, id="more-digits-than-python-converts"),
        pytest.param(b"1e999", id="beyond-the-largest-float"),
        pytest.param(b"[NaN, Infinity, -Infinity]", id="no-numbers"),
        pytest.param(b"-0", id="minus-zero"),
        pytest.param(b'{"a": 1, "a": 2}', id="a-member-twice"),
        pytest.param(b'"\\ud800"', id="half-of-a-surrogate-pair"),
        pytest.param(b'"\xed\xa0\x80"', id="half-of-a-surrogate-pair-as-bytes"),
        pytest.param(b"\xef\xbb\xbf{}", id="a-byte-order-mark"),
        pytest.param('{"é": "ü"}'.encode("utf-16"), id="utf-16"),
        pytest.param(b'"\xff"', id="no-utf-8"),
        pytest.param(b"[" * 100_000, id="nested-without-end"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_an_odd_body_is_read_or_refused_alike(content: bytes) -> None:
    assert outcome(parse_json, content) == outcome(json.loads, content)


def test_the_extra_is_used_where_it_is_installed() -> None:
    parser = fast_parser()
    assert parser is not None
    assert type(parser).__name__ == "builtin_function_or_method"


def test_without_the_extra_bodies_are_parsed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "msgspec.json", None)
    fast_parser.cache_clear()
    try:
        assert fast_parser() is None
        assert parse_json(b'{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    finally:
        monkeypatch.undo()
        fast_parser.cache_clear()


@pytest.mark.parametrize(("commas", "fast"), [(MANY_COMMAS, True), (MANY_COMMAS + 1, False)])
def test_a_body_with_many_commas_is_not_given_to_the_extra(
    commas: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[bytes] = []

    def parse(content: bytes) -> Any:
        given.append(content)
        return json.loads(content)

    monkeypatch.setattr(json_parser, "fast_parser", lambda: parse)
    content = b"[" + b"1," * commas + b"1]"
    assert parse_json(content) == [1] * (commas + 1)
    assert given == ([content] if fast else [])


def test_the_extra_is_imported_after_the_first_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of a few calls is done before importing it pays."""
    given: list[bytes] = []

    def parser() -> Callable[[bytes], Any]:
        return lambda content: given.append(content) or json.loads(content)

    monkeypatch.setattr(json_parser, "_parsed", 0)
    monkeypatch.setattr(json_parser, "FIRST_BYTES", 10)
    monkeypatch.setattr(json_parser, "fast_parser", parser)
    assert [parse_json(content) for content in (b"[1, 2]", b"[3, 4]", b"5")] == [[1, 2], [3, 4], 5]
    assert given == [b"[3, 4]", b"5"]
