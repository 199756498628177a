"""A success is decoded; any other status below 400 is an error."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform._api import Operation, Request
from agent_session_platform.models import Session
from agent_session_platform.response.decode import decode
from agent_session_platform.response.response import Response

OPERATION = Operation(id="get", method="GET", path="/", scope="", resource="", verb="")
REQUEST: Request[Any] = Request(OPERATION, Session.decode, {}, {})
ANYTHING: Request[Any] = Request(OPERATION, lambda payload: payload, {}, {})


def response(content: bytes, content_type: str = "application/json", status: int = 200) -> Response:
    return Response(status, content_type, content=content)


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "application/hal+json", ""]
)
async def test_json_is_decoded(content_type: str) -> None:
    assert await decode(REQUEST, response(b'{"session_id": "a"}', content_type)) == Session(session_id="a")


async def test_an_empty_body_is_none() -> None:
    assert await decode(ANYTHING, response(b"", status=204)) is None
