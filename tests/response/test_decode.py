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


def answer(content: bytes, content_type: str = "application/json", status: int = 200) -> Answer:
    return Answer(status, content_type, None, None, content)


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "application/hal+json", ""]
)
async def test_json_is_decoded(content_type: str) -> None:
    assert await decode(REQUEST, answer(b'{"session_id": "a"}', content_type)) == Session(session_id="a")


async def test_an_empty_body_is_nothing() -> None:
    assert await decode(ANYTHING, answer(b"", status=204)) is None


@pytest.mark.parametrize(
    ("received", "message"),
    [
        (answer(b"", status=304), "304 with a redirect, which is not followed"),
        (answer(b"", status=199), "199 with no final answer"),
    ],
    ids=["304", "199"],
)
async def test_a_status_that_is_no_success_is_an_error(received: Answer, message: str) -> None:
    """What a success may hold instead of JSON is tested in tests/faults/test_bodies.py."""
    with pytest.raises(DecodeError, match=message) as caught:
        await decode(REQUEST, received)
    assert caught.value.status == received.status
