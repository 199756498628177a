"""A success is decoded, or told apart from what only claims to be one."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import DecodeError
from agent_session_platform._api import Operation, Request
from agent_session_platform.models import Session
from agent_session_platform.response.decode import decode
from agent_session_platform.transport.exchange import Answer

OPERATION = Operation(id="get", method="GET", path="/", scope="", resource="", verb="")
REQUEST: Request[Any] = Request(OPERATION, Session.decode, {}, {})
ANYTHING: Request[Any] = Request(OPERATION, lambda payload: payload, {}, {})


def answer(
    content: bytes, content_type: str = "application/json", status: int = 200, location: str | None = None
) -> Answer:
    return Answer(status, content_type, None, location, content)


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "application/hal+json", ""]
)
async def test_json_is_decoded(content_type: str) -> None:
    assert await decode(REQUEST, answer(b'{"session_id": "a"}', content_type)) == Session(session_id="a")


async def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert await decode(REQUEST, answer(b'\xef\xbb\xbf{"session_id": "a"}')) == Session(session_id="a")


async def test_an_empty_body_is_nothing() -> None:
    assert await decode(ANYTHING, answer(b"", status=204)) is None


@pytest.mark.parametrize(
    ("received", "message"),
    [
        (
            answer(b"<html>Login</html>", "text/html"),
            "200 with text/html where JSON should have come, beginning '<html>",
        ),
        (answer(b"", status=204), "204 with null where a JSON object (Session) should have come, with an empty body"),
        (answer(b"[]"), "200 with an array where a JSON object (Session) should have come"),
        (answer(b'"text"'), "200 with text where a JSON object (Session) should have come"),
        (answer(b'{"a": '), "200 with a body that is no JSON"),
        (answer(b"\xff\xfe\xfd"), "200 with a body that is no JSON"),
        (answer(b'{"a": ' + b"9" * 5_000 + b"}"), "200 with a body that is no JSON"),
        (answer(b"[" * 100_000), "200 with JSON that is nested too deeply"),
        (
            answer(b"", status=302, location="https://elsewhere.example/"),
            "302 with a redirect to https://elsewhere.example/",
        ),
        (answer(b"", status=304), "304 with a redirect, which is not followed"),
        (answer(b"", status=199), "199 with no final answer"),
    ],
)
async def test_what_is_no_success_is_told(received: Answer, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        await decode(REQUEST, received)
    assert message in str(caught.value)
    assert caught.value.status == received.status
    assert len(str(caught.value)) < 300
