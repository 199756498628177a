"""A status of 400 or more becomes the error of its class, with what the body tells."""

from __future__ import annotations

from datetime import UTC, datetime

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
from agent_session_platform.response.problem import make_problem
from agent_session_platform.response.response import Response

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


def response(status: int, content: bytes = b"", retry_after: float | None = None) -> Response:
    return Response(status, "application/problem+json", retry_after, content=content)


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
    error = make_problem(response(status, b'{"title": "Gone astray", "status": 200}'), OPERATION)
    assert type(error) is cls
    assert error.status == status


def test_a_problem_detail_is_read() -> None:
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
    ("body", "said"),
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
def test_both_validation_forms_are_read(body: bytes, said: str) -> None:
    """Rule schedule-validation-body; problem-errors-members: the members of the other form are not shown."""
    error = make_problem(response(422, body), OPERATION)
    assert len(error.errors) == 1
    assert said in str(error)


def test_only_some_of_many_failures_are_listed() -> None:
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


def test_a_rate_limit_tells_when_to_come_back() -> None:
    error = make_problem(response(429, retry_after=90.0), OPERATION)
    assert isinstance(error, RateLimitedError)
    assert error.retry_after == 90.0
    assert error.retry_at is not None
    assert 80 < (error.retry_at - datetime.now(UTC)).total_seconds() <= 90


def test_a_rate_limit_without_a_hint_has_no_time() -> None:
    error = make_problem(response(429), OPERATION)
    assert isinstance(error, RateLimitedError)
    assert (error.retry_after, error.retry_at) == (None, None)


def test_a_retry_after_beyond_the_calendar_is_no_failure() -> None:
    error = make_problem(response(429, retry_after=float("9" * 30)), OPERATION)
    assert isinstance(error, RateLimitedError)
    assert error.retry_at is None
