"""A status of 400 or more becomes an error of its class, with the details of the body."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from agent_session_platform import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    ProblemError,
    RateLimitedError,
    ServerError,
    UnprocessableContentError,
)
from agent_session_platform._api import Operation
from agent_session_platform.response.outcome import WholeResponse
from agent_session_platform.response.problem import LARGEST_PARSED, STATUS_ERRORS, make_problem
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.strategies import stable, values

OPERATION = Operation(
    id="list_things",
    method="GET",
    path="/v3/things",
    scope="organization",
    resource="things",
    verb="list",
    permission="ViewThings",
    level="organization",
    credentials=("serviceUser", "personalAccessToken"),
)


def response(status: int, content: bytes = b"", retry_after: float | None = None) -> WholeResponse:
    return WholeResponse(status, "application/problem+json", retry_after, content=content)


@pytest.mark.parametrize(
    ("status", "cls"),
    [
        (400, BadRequestError),
        (401, AuthenticationError),
        (403, PermissionDeniedError),
        (404, NotFoundError),
        (409, ConflictError),
        (418, ProblemError),
        (422, UnprocessableContentError),
        (429, RateLimitedError),
        (451, ProblemError),
        (500, ServerError),
        (503, ServerError),
        (520, ServerError),
        (599, ServerError),
    ],
)
def test_the_status_decides_the_class(status: int, cls: type[ProblemError]) -> None:
    error = make_problem(response(status, b'{"title": "Something else", "status": 200}'), OPERATION)
    assert type(error) is cls
    assert error.status == status


def test_a_problem_detail_is_parsed() -> None:
    body = (
        b'{"type": "https://e.example/x", "title": "Conflict", "status": 409, "detail": "busy", '
        b'"instance": "/v3/things", "error_code": "thing_busy", "retry": true}'
    )
    error = make_problem(response(409, body), OPERATION)
    assert (error.title, error.detail, error.type, error.instance, error.error_code) == (
        "Conflict",
        "busy",
        "https://e.example/x",
        "/v3/things",
        "thing_busy",
    )
    assert error.body["retry"] is True
    assert str(error) == "organization.things.list: 409 Conflict: busy"


def test_a_problem_without_a_type_has_the_default() -> None:
    assert make_problem(response(404, b'{"title": "Not Found", "status": 404}'), OPERATION).type == "about:blank"


def test_a_denied_permission_is_named() -> None:
    error = make_problem(response(403, b'{"title": "Forbidden", "status": 403}'), OPERATION)
    assert isinstance(error, PermissionDeniedError)
    assert (error.permission, error.level) == ("ViewThings", "organization")
    assert str(error) == (
        "organization.things.list: 403 Forbidden (the operation needs ViewThings at organization level, "
        "with a service-user credential or a personal access token)"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            b'{"title": "T", "status": 422, "errors": [{"field": "name", "message": "too long"}]}',
            "name, message: too long",
        ),
        (
            b'{"detail": [{"loc": ["body", "name"], "msg": "Field required", "type": "missing"}]}',
            "body.name: Field required",
        ),
    ],
)
def test_both_validation_forms_are_parsed(body: bytes, message: str) -> None:
    """Rule schedule-validation-body; problem-errors-members: the members of the other form are not shown."""
    error = make_problem(response(422, body), OPERATION)
    assert len(error.errors) == 1
    assert message in str(error)


def test_the_message_lists_only_some_of_many_failures() -> None:
    failures = ",".join('{"loc": ["body"], "msg": "no", "type": "x"}' for _ in range(50))
    error = make_problem(response(422, f'{{"detail": [{failures}]}}'.encode()), OPERATION)
    assert str(error).endswith("; and 45 more")
    assert len(error.errors) == 50


def test_a_long_detail_is_cut() -> None:
    error = make_problem(
        response(500, b'{"title": "' + b"t" * 9000 + b'", "detail": "' + b"d" * 9000 + b'"}'), OPERATION
    )
    assert len(str(error)) < 700
    assert len(error.detail or "") == 9000


def test_control_characters_of_the_server_are_escaped_in_the_message() -> None:
    error = make_problem(response(500, b'{"title": "a\\u001b[31mb"}'), OPERATION)
    assert "\x1b" not in str(error)


def test_a_rate_limit_error_says_when_to_retry() -> None:
    error = make_problem(response(429, retry_after=90.0), OPERATION)
    assert isinstance(error, RateLimitedError)
    assert error.retry_after == 90.0
    assert error.retry_at is not None
    assert 80 < (error.retry_at - datetime.now(UTC)).total_seconds() <= 90


# Title, five failures of 300 characters each, and what the operation needs.
LONGEST = 2200


problems = st.fixed_dictionaries(
    {},
    optional={
        name: values
        | st.lists(st.dictionaries(st.sampled_from(["loc", "msg", "field", "message"]), values, max_size=4))
        for name in ("type", "title", "detail", "status", "instance", "errors", "error_code")
    },
)


def check_problem(status: int, content: bytes, longest: int) -> None:
    error = make_problem(response(status, content), OPERATION)
    wanted = ServerError if status >= 500 else STATUS_ERRORS.get(status, ProblemError)
    assert type(error) is wanted
    assert (error.status, error.operation) == (status, OPERATION)
    assert str(error).startswith(f"organization.things.list: {status} ")
    assert len(str(error)) <= longest
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is wanted
        assert (str(other), repr(other.body)) == (str(error), repr(error.body))


statuses = st.integers(400, 999) | st.sampled_from([*STATUS_ERRORS, 500, 503])


@given(status=statuses, body=values | problems)
@settings(stable, max_examples=100)
def test_any_json_is_the_problem_of_its_status(status: int, body: Any) -> None:
    # An escape has ten characters at most.
    check_problem(status, json.dumps(body).encode(), 10 * LONGEST)


@given(status=statuses, content=st.binary(max_size=300))
@stable
def test_any_bytes_are_the_problem_of_their_status(status: int, content: bytes) -> None:
    check_problem(status, content, LONGEST)


printable = st.text(st.characters(categories=["L", "N", "P"]), min_size=200)


@given(title=printable, detail=printable | st.lists(st.fixed_dictionaries({"msg": printable}), min_size=6, max_size=9))
@stable
def test_the_message_of_any_problem_is_short(title: str, detail: Any) -> None:
    body = {"title": title * 50, "detail": detail * 50}
    check_problem(422, json.dumps(body).encode(), LONGEST)


@given(title=st.text(st.characters(categories=["Co", "Cn", "Cc"]), min_size=200))
@settings(stable, phases=[Phase.generate])
def test_the_message_of_any_problem_is_short_when_escaped(title: str) -> None:
    body = {"title": title, "detail": [{"msg": title}] * 5}
    check_problem(422, json.dumps(body).encode(), LONGEST)


def problem_of_size(size: int) -> bytes:
    return b'{"title": "T", "detail": "' + b"d" * (size - 28) + b'"}'


def test_a_problem_of_64_kib_is_decoded() -> None:
    error = make_problem(response(400, problem_of_size(LARGEST_PARSED)), OPERATION)
    assert (error.title, len(error.detail or "")) == ("T", LARGEST_PARSED - 28)


def test_a_larger_problem_is_its_beginning_as_text() -> None:
    content = problem_of_size(LARGEST_PARSED + 1)
    error = make_problem(response(400, content), OPERATION)
    assert error.body == content[:LARGEST_PARSED].decode()
    assert "400 Bad Request (beginning '{" in str(error)


def test_a_credential_in_names_and_escapes_is_redacted() -> None:
    def redact(text: str) -> str:
        return text.replace("my-secret", "[credential]")

    content = b'{"my-secret": ["a", {"x": "my\\u002dsecret"}]}'
    assert make_problem(response(400, content), OPERATION, redact).body == {
        "[credential]": ["a", {"x": "[credential]"}]
    }
