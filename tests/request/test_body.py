"""A body is written in the media type of its operation, and one that cannot be written names the place."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from agent_session_platform import UNSET, AgentPlatform, InvalidArgumentError
from agent_session_platform._api import Operation, Request
from agent_session_platform.models import Session
from agent_session_platform.options import DEFAULTS
from agent_session_platform.request.prepare import PreparedRequest, prepare


def write(
    body: Any = UNSET, media_type: str | None = None, optional_body: bool = False, **more: Any
) -> PreparedRequest:
    operation = Operation(
        id="do",
        method="POST",
        path="/do",
        scope="",
        resource="",
        verb="",
        media_type=media_type,
        optional_body=optional_body,
    )
    return prepare(Request(operation, lambda payload: payload, {}, {}, body, **more), DEFAULTS)


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ({"a": UNSET, "b": None}, {"b": None}),
        ([{"a": 1}, Session(title="x")], [{"a": 1}, {"title": "x"}]),
        (Session(title="x"), {"title": "x"}),
        (None, None),
        (
            {"day": date(2026, 1, 2), "at": datetime(2026, 1, 2, tzinfo=UTC), "key": UUID(int=7)},
            {"day": "2026-01-02", "at": "2026-01-02T00:00:00+00:00", "key": "00000000-0000-0000-0000-000000000007"},
        ),
        ({"wait": timedelta(days=1, hours=2, seconds=0.5)}, {"wait": "PT93600.5S"}),
    ],
)
def test_any_value_is_written_as_json(body: Any, written: Any) -> None:
    assert json.loads(write(body).content or b"") == written


def test_extra_members_join_the_body() -> None:
    assert json.loads(write({"a": 1}, extra_body={"b": 2}).content or b"") == {"a": 1, "b": 2}
    with pytest.raises(InvalidArgumentError, match="extra_body repeats a, which is given already"):
        write({"a": 1}, extra_body={"a": 2})
    with pytest.raises(InvalidArgumentError, match="extra_body must be a mapping, not list"):
        write({}, extra_body=["a"])


@pytest.mark.parametrize(("body", "content"), [("Ä", b"\xc3\x84"), (b"\x00", b"\x00"), (bytearray(b"x"), b"x")])
def test_text_and_bytes_are_sent_as_they_are(body: Any, content: bytes) -> None:
    prepared = write(body, "text/csv")
    assert (prepared.content, prepared.media_type) == (content, "text/csv")


@pytest.mark.parametrize(
    ("body", "message"),
    [(7, "body must be text or bytes, not int"), ("\ud800", "body has half of a surrogate pair")],
)
def test_a_body_that_is_no_text_is_refused(body: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        write(body, "text/plain")


def test_a_url_encoded_form_repeats_the_name_of_a_list() -> None:
    members = {"name": "a b", "tags": ["x&", "y"], "open": True, "on": date(2026, 1, 2), "more": {"a": [1]}}
    written = write(members, "application/x-www-form-urlencoded")
    assert written.content == (b"name=a+b&tags=x%26&tags=y&open=true&on=2026-01-02&more=%7B%22a%22%3A%5B1%5D%7D")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "prompt cannot be written: a value of type object"),
        (float("nan"), "prompt cannot be written: Out of range float"),
        ({"a": [1, {"b": {2j}}]}, "prompt cannot be written: a value of type complex"),
        ({(1, 2): "x"}, "prompt cannot be written: keys must be str"),
    ],
)
def test_a_body_that_is_not_json_names_the_member(value: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        write({"name": "x", "prompt": value})


def test_a_body_that_contains_itself_is_refused() -> None:
    body: dict[str, Any] = {}
    body["prompt"] = [body]
    with pytest.raises(InvalidArgumentError, match="prompt cannot be written: maximum recursion depth"):
        write(body)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda org: org.sessions.get("\ud800"), "'assistant_id' has half of a surrogate pair"),
        (lambda org: org.sessions.send_message("a", body={"message": "\ud800"}), "the body has half of a surrogate"),
    ],
)
async def test_a_value_that_cannot_be_written_is_refused(platform: AgentPlatform, call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await call(platform.organization("org-acme"))
