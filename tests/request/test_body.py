"""A body is written in the media type of its operation."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import attrs
import pytest
from agent_session_platform import UNSET, InvalidArgumentError
from agent_session_platform._api import Operation, Request
from agent_session_platform.models import Session
from agent_session_platform.request.body import Body, write_body
from agent_session_platform.request.multipart import Part

OPERATION = Operation(id="do", method="POST", path="/do", scope="", resource="", verb="")


def write(body: Any, media_type: str | None = None, **more: Any) -> Body:
    operation = attrs.evolve(OPERATION, media_type=media_type, optional_body=more.pop("optional_body", False))
    return write_body(Request(operation, lambda payload: payload, {}, {}, body, **more))


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ({"a": UNSET, "b": None}, {"b": None}),
        ([{"a": 1}, Session(title="x")], [{"a": 1}, {"title": "x"}]),
        (Session(title="x"), {"title": "x"}),
        ("text", "text"),
        (7, 7),
        (None, None),
        (
            {"day": date(2026, 1, 2), "at": datetime(2026, 1, 2, tzinfo=UTC), "key": UUID(int=7)},
            {"day": "2026-01-02", "at": "2026-01-02T00:00:00+00:00", "key": "00000000-0000-0000-0000-000000000007"},
        ),
        ({"wait": timedelta(days=1, hours=2, seconds=0.5)}, {"wait": "P1DT2H0.5S"}),
    ],
)
def test_any_value_is_written_as_json(body: Any, written: Any) -> None:
    assert json.loads(write(body).content or b"") == written


def test_a_json_body_has_the_media_type_of_its_operation() -> None:
    assert write({"a": 1}, "application/merge-patch+json").media_type == "application/merge-patch+json"


def test_an_optional_body_without_members_is_not_sent() -> None:
    assert write({"a": UNSET}, optional_body=True) == Body()


@pytest.mark.parametrize(("body", "content"), [("Ä", b"\xc3\x84"), (b"\x00", b"\x00"), (bytearray(b"x"), b"x")])
def test_text_and_bytes_are_sent_as_they_are(body: Any, content: bytes) -> None:
    assert write(body, "text/csv") == Body(content, "text/csv")


@pytest.mark.parametrize(
    ("body", "message"),
    [(7, "body must be text or bytes, not int"), ("\ud800", "body has half of a surrogate pair")],
)
def test_a_body_that_is_no_text_is_refused(body: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        write(body, "text/plain")


def test_a_url_encoded_form_repeats_the_name_of_a_list() -> None:
    written = write({"name": "a b", "tags": ["x&", "y"], "open": True}, "application/x-www-form-urlencoded")
    assert written.content == b"name=a+b&tags=x%26&tags=y&open=true"


def test_a_form_without_a_file_is_multipart_as_well() -> None:
    written = write({"name": "a", "tags": ["x", "y"]}, "multipart/form-data", files={"file": UNSET})
    assert written.media_type is not None
    boundary = re.fullmatch(r"multipart/form-data; boundary=(\w{32})", written.media_type)
    assert boundary is not None
    parts = (written.content or b"").decode().split(f"--{boundary[1]}")
    assert [part.partition("\r\n\r\n")[2].strip() for part in parts[1:-1]] == ["a", "x", "y"]
    assert parts[-1] == "--\r\n"


def test_an_object_in_a_form_is_json_with_its_media_type() -> None:
    written = write({"meta": {"a": 1}, "name": "x"}, "multipart/form-data", files={"file": b"x"})
    with ExitStack() as stack:
        assert written.files["meta"].open(stack) == Part(b'{"a":1}', media_type="application/json")
    assert written.form == {"name": "x"}


def test_a_form_with_a_file_keeps_the_other_members_as_text() -> None:
    written = write({"name": "a"}, "multipart/form-data", files={"file": b"x"})
    assert (written.content, list(written.files), written.form) == (None, ["file"], {"name": "a"})
