"""Arguments are checked before anything is sent, and written as the contract says."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from agent_session_platform import UNSET, AgentPlatform, InvalidArgumentError
from agent_session_platform._api import Operation, Parameter, Request
from agent_session_platform.models import Session
from agent_session_platform.options import DEFAULTS
from agent_session_platform.request.arguments import check_argument
from agent_session_platform.request.prepare import prepare
from agent_session_platform.request.raw import raw_request

FIRST = Parameter("first", "query", kind="integer", minimum=1, maximum=200)
TAGS = Parameter("tags", "body", kind="array", nullable=True)
WHEN = Parameter("scheduled_at", "body", kind="date-time")


def request(body: Any = UNSET, extra_body: Any = None, **query: Any) -> Request[Any]:
    operation = Operation(id="do", method="POST", path="/v3/do/{thing_id}", scope="", resource="", verb="")
    return Request(operation, lambda payload: payload, {"thing_id": "a/b"}, query, body, extra_body)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (FIRST, 500, "first must be between 1 and 200, not 500"),
        (FIRST, 0, "first must be between 1 and 200, not 0"),
        (FIRST, 10**60, "first must be between 1 and 200, not an integer of many digits"),
        (FIRST, "10", "first must be an integer, not str"),
        (FIRST, True, "first must be an integer, not True"),
        (FIRST, 1.5, "first must be an integer, not 1.5"),
        (Parameter("archive", "query", kind="boolean"), "yes", "archive must be a boolean, not str"),
        (Parameter("origins", "query", kind="array"), "api", r"origins must be a list, not str; write it in brackets"),
        (Parameter("name", "body", kind="string"), 7, "name must be a string, not int"),
        (Parameter("name", "body", kind="string"), None, "name must be a string, not None"),
        (Parameter("name", "body", kind="string"), {"a": 1}, "name must be a string, not dict"),
        (Parameter("name", "body", kind="integer"), "x" * 500, "name must be an integer, not str$"),
        (Parameter("least", "body", kind="number", minimum=0), -1, "least must be at least 0$"),
        (Parameter("most", "body", kind="number", maximum=9), 10, "most must be at most 9$"),
        (WHEN, datetime(2026, 12, 1), "scheduled_at must have a timezone; add one"),
        (Parameter("day", "body", kind="date"), datetime(2026, 12, 1), "day must be a date or ISO 8601 text, not"),
        (Parameter("first", "query", required=True), None, "first must be given, not None"),
        (WHEN, 12, "scheduled_at must be a datetime or ISO 8601 text, not int"),
    ],
)
def test_a_value_that_the_contract_does_not_allow_is_refused(parameter: Parameter, value: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        check_argument(parameter, value)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (FIRST, 1),
        (FIRST, 200),
        (FIRST, None),
        (TAGS, None),
        (TAGS, ["a"]),
        (TAGS, ("a",)),
        (TAGS, UNSET),
        (WHEN, datetime(2026, 12, 1, tzinfo=UTC)),
        (WHEN, "2026-12-01T00:00:00Z"),
        (Parameter("anything", "query"), 1.5),
        (Parameter("ratio", "body", kind="number"), 1),
    ],
)
def test_a_value_that_the_contract_allows_passes(parameter: Parameter, value: Any) -> None:
    check_argument(parameter, value)


def test_an_invalid_argument_is_also_a_value_error() -> None:
    with pytest.raises(ValueError, match="must be between"):
        check_argument(FIRST, 500)


def test_unset_members_are_not_sent() -> None:
    prepared = prepare(request({"a": UNSET, "b": None, "c": 1}), DEFAULTS)
    assert prepared.content == b'{"b":null,"c":1}'


def test_a_request_without_a_body_sends_none() -> None:
    prepared = prepare(request(), DEFAULTS)
    assert prepared.content is None
    assert prepared.media_type is None


def test_extra_members_join_the_body() -> None:
    prepared = prepare(request({"assistant_mode": "fast"}, {"prompt": "Fix it"}), DEFAULTS)
    assert json.loads(prepared.content or b"") == {"assistant_mode": "fast", "prompt": "Fix it"}


def test_an_extra_member_that_repeats_a_named_one_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="extra_body repeats assistant_mode"):
        prepare(request({"assistant_mode": "fast"}, {"assistant_mode": "lite"}), DEFAULTS)


def test_a_datetime_in_a_body_is_written_as_iso_8601() -> None:
    prepared = prepare(request({"scheduled_at": datetime(2026, 12, 1, 9, tzinfo=UTC)}), DEFAULTS)
    assert prepared.content == b'{"scheduled_at":"2026-12-01T09:00:00+00:00"}'


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "cannot be written as JSON: prompt is of type object"),
        (float("nan"), "prompt must be a finite number, not nan"),
        (b"bytes", "cannot be written as JSON: prompt is of type bytes"),
        ({"a": [1, {"b": {2j}}]}, r"cannot be written as JSON: prompt.a\[1\].b\[0\] is of type complex"),
        ({1: "x"}, "prompt has a key of type int"),
        ({"at": datetime(2026, 1, 1)}, "prompt.at must have a timezone; add one with"),
    ],
)
def test_a_body_that_is_not_json_names_the_place(value: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        prepare(request({"name": "x", "prompt": value}), DEFAULTS)


def test_a_body_that_contains_itself_is_refused() -> None:
    body: dict[str, Any] = {}
    body["prompt"] = [body]
    with pytest.raises(InvalidArgumentError, match=r"nested too deeply \(in prompt\)"):
        prepare(request(body), DEFAULTS)


def test_a_body_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="extra_body must be a mapping, not list"):
        prepare(request({}, ["prompt"]), DEFAULTS)


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        ("GET", "v3/x", "path must begin with one slash"),
        ("GET", "//elsewhere.example/x", "path must begin with one slash and name no host"),
        ("GET", "https://elsewhere.example/x", "path must begin with one slash"),
        ("GET", "/v3/x?first=1", r"pass query=\{...\}"),
        ("GET", "/v3/../x", "path must be written out"),
        ("GET", "/v3/a b", "path must be written out"),
        ("GE T", "/v3/x", "method must be an HTTP method"),
    ],
)
def test_a_raw_request_to_another_host_is_refused(method: str, path: str, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        raw_request(method, path, None, None)


async def test_nothing_is_sent_when_an_argument_is_refused(platform: AgentPlatform) -> None:
    """A list raises where it is called, not where it is read."""
    with pytest.raises(InvalidArgumentError, match="first must be between 1 and 200, not 500"):
        platform.organization("org-acme").sessions.list(first=500)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda org: org.sessions.get("\ud800"), "assistant_id has characters that cannot be written in a path"),
        (lambda org: org.sessions.send_message("a", body={"message": "\ud800"}), "the body has half of a surrogate"),
        (
            lambda org: org.sessions.send_message("a", body={"n": int("9" * 4000) * 10**4000}),
            "n is an integer of more digits than Python writes",
        ),
        (
            lambda org: org.sessions.send_message("a", body=Session(acus_consumed=float("nan"))),
            "body.acus_consumed must be a finite number, not nan",
        ),
        (lambda org: org.sessions.send_message("a", body="Fix it"), "body must be a mapping or a list, not str"),
        (
            lambda org: org.sessions.send_message("a", body={"s": Session(acus_consumed=float("nan"))}),
            "s.acus_consumed must be a finite number, not nan",
        ),
    ],
)
async def test_a_value_that_cannot_be_written_is_refused(platform: AgentPlatform, call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await call(platform.organization("org-acme"))


@pytest.mark.parametrize(
    ("method", "path", "query", "message"),
    [
        (5, "/v3/x", None, "method must be a string, not int"),
        ("GET", None, None, "path must be a string, not None"),
        ("GET", "/v3/x", "a=1", "query must be a mapping, not str"),
        ("GET", "/v3/a/%2e%2e/z", None, "path must be written out"),
    ],
)
def test_a_raw_request_of_the_wrong_types_is_refused(method: Any, path: Any, query: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        raw_request(method, path, query, None)
