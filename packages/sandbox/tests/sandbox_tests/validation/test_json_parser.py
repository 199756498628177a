"""Strict parsing of JSON."""

from __future__ import annotations

import json

import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.validation import MAX_DEPTH, parse_json

from sandbox_tests.plain_http import send

ORGANIZATION = "/v3/organizations/org-acme"
SESSIONS = f"{ORGANIZATION}/sessions"
JSON = "application/json"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"title": "a", "title": "b"}', 'the member "title" is repeated in one object'),
        (b'{"tags": [{"a": 1, "a": 2}]}', 'the member "a" is repeated in one object'),
        (b'{"x": NaN}', "NaN is not a JSON number"),
        (b'{"x": -Infinity}', "-Infinity is not a JSON number"),
        (b'{"x": 1e999}', "is too large"),
        (b'{"x": ' + b"9" * 5000 + b"}", "the body is not JSON"),
        (b'{"title": "\xff"}', "it is not UTF-8"),
        ('{"title": "a"}'.encode("utf-16"), "it is not UTF-8"),
        (b'\xef\xbb\xbf{"title": "a"}', "the body is not JSON"),
        (b'{"title": "\\ud800"}', "half of a surrogate pair"),
        (b'{"x": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", f"nested deeper than {MAX_DEPTH} levels"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"title": "a"} {}', "the body is not JSON"),
        (b"{'title': 'a'}", "the body is not JSON"),
    ],
)
async def test_ambiguous_json_is_refused(sandbox: Sandbox, content: bytes, message: str) -> None:
    refused = await send(sandbox, "POST", SESSIONS, content=content)
    assert (refused.status_code, refused.headers["Content-Type"]) == (400, "application/problem+json")
    assert message in refused.json()["detail"]


@pytest.mark.parametrize("content", [b'{"message": "\\ud800"}', b'{"message": NaN}', b'{"message": 1e999}'])
async def test_json_that_cannot_be_written_again_is_refused(sandbox: Sandbox, content: bytes) -> None:
    path = f"{ORGANIZATION}/sessions/{sandbox.add_session()}/messages"
    assert (await send(sandbox, "POST", path, content=content)).status_code == 400


def test_too_many_values_are_refused_before_they_are_parsed() -> None:
    assert parse_json("[1, 2, [3]]", max_values=6) == [1, 2, [3]]
    for text in ("[1, 2, 3, 4, 5, 6, 7]", "[[],[],[],[]", '{"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}}'):
        with pytest.raises(ValueError, match="it has more than 6 values"):
            parse_json(text, max_values=6)


def test_commas_in_text_are_no_values() -> None:
    text = json.dumps(['a,b,c,"d",[{,\\"', "\\"])
    assert parse_json(text, max_values=4) == json.loads(text)


def test_many_short_texts_are_too_many_values() -> None:
    with pytest.raises(ValueError, match="it has more than 3 values"):
        parse_json(json.dumps(["[,"] * 7), max_values=3)
