"""A status of 400 or more becomes an error of its class, with the details of the body."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from agent_session_platform import PermissionDeniedError, ProblemError, RateLimitedError, ServerError, operations
from agent_session_platform.errors import STATUS_ERRORS
from agent_session_platform.response.exchange import Response
from agent_session_platform.response.problem import make_problem
from hypothesis import given, strategies as st

from tests.strategies import stable, values

OPERATION = operations["organization.sessions.list"]


def problem(status: int, body: Any = b"", retry_after: float | None = None) -> ProblemError:
    """Return the error of a response; a body that is no bytes is sent as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return make_problem(
        Response(OPERATION, status, str, "application/problem+json", retry_after=retry_after, content=content)
    )


def test_a_problem_detail_is_parsed() -> None:
    """Gap error-code-values: the code is kept as it came."""
    members = {"type": "https://e.example/x", "title": "Conflict", "detail": "busy", "instance": "/v3/things"}
    error = problem(409, {**members, "status": 409, "error_code": "thing_busy", "retry": True})
    assert {name: getattr(error, name) for name in members} == members
    assert error.error_code == "thing_busy"
    assert error.body["retry"] is True
    assert str(error) == "organization.sessions.list: 409 Conflict: busy"


def test_a_denied_permission_is_named() -> None:
    error = problem(403, {"title": "Forbidden", "status": 403})
    assert isinstance(error, PermissionDeniedError)
    assert (error.permission, error.level) == ("ViewOrgSessions", "organization")
    assert str(error) == (
        "organization.sessions.list: 403 Forbidden (the operation needs ViewOrgSessions at organization level, "
        "with a service-user credential or a personal access token)"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"title": "T", "errors": [{"field": "name", "message": "too long"}]}, "name, message: too long"),
        ({"detail": [{"loc": ["body", "name"], "msg": "Field required"}]}, "body.name: Field required"),
    ],
)
def test_both_validation_forms_are_parsed(body: Any, message: str) -> None:
    """Rule schedule-validation-body; problem-errors-members: the members of the other form are not shown.

    Nor is what is required in them: schedule-validation-required-fields and validation-issue-required-fields.
    """
    error = problem(422, body)
    assert len(error.errors) == 1
    assert message in str(error)


def test_the_message_lists_only_some_of_many_failures() -> None:
    error = problem(422, {"detail": [{"loc": ["body"], "msg": "no", "type": "x"}] * 50})
    assert str(error).endswith("; and 45 more")
    assert len(error.errors) == 50


def test_a_rate_limit_error_says_when_to_retry() -> None:
    error = problem(429, retry_after=90.0)
    assert isinstance(error, RateLimitedError)
    assert error.retry_after == 90.0
    assert error.retry_at is not None
    assert 80 < (error.retry_at - datetime.now(UTC)).total_seconds() <= 90


problems = st.fixed_dictionaries(
    {},
    optional={
        name: values
        | st.lists(st.dictionaries(st.sampled_from(["loc", "msg", "field", "message"]), values, max_size=4))
        for name in ("type", "title", "detail", "status", "instance", "errors", "error_code")
    },
)


@given(
    status=st.integers(400, 999) | st.sampled_from([*STATUS_ERRORS, 500, 503]),
    content=(values | problems).map(lambda body: json.dumps(body).encode()) | st.binary(max_size=300),
)
@stable
def test_any_body_is_the_problem_of_its_status(status: int, content: bytes) -> None:
    error = problem(status, content)
    wanted = ServerError if status >= 500 else STATUS_ERRORS.get(status, ProblemError)
    assert type(error) is wanted
    assert (error.status, error.operation) == (status, OPERATION)
    assert str(error).startswith(f"organization.sessions.list: {status} ")
    # Title, five failures of 300 characters each, and what the operation needs; an escape has ten characters at most.
    assert len(str(error)) <= 10 * 2200
    assert not set(str(error)) & set("\x00\x1b\n\x7f")
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is wanted
        assert (str(other), repr(other.body)) == (str(error), repr(error.body))
