"""The tree of exceptions: documented, exported, and able to travel between processes."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from typing import Any

import agent_session_platform
import pytest
from agent_session_platform import (
    AgentPlatformError,
    ClientClosedError,
    ConfigurationError,
    EventLoopError,
    OutcomeUnknownError,
    PagingError,
    operations,
)
from agent_session_platform import errors as tree
from agent_session_platform.response.outcome import WholeResponse
from agent_session_platform.response.problem import make_problem

OPERATION = operations["organization.sessions.list"]


def every_error() -> list[AgentPlatformError]:
    problems = [
        make_problem(WholeResponse(status, "application/json", 5.0, content=b'{"title": "T"}'), OPERATION)
        for status in (400, 403, 429, 500)
    ]
    return [
        *problems,
        tree.ConfigurationError("no token"),
        tree.InvalidOrganizationError("no organization"),
        tree.ClientClosedError("closed"),
        tree.CredentialUnavailableError("no credential"),
        tree.EventLoopError("another loop"),
        tree.InvalidArgumentError("first must be less"),
        tree.CredentialMismatchError("no", operation=OPERATION, kind="legacyApiKey", accepted=("serviceUser",)),
        tree.ConnectionFailedError("reset", operation=OPERATION, received=True),
        tree.DeadlineExceededError("late", operation=OPERATION),
        OutcomeUnknownError("who knows", operation=OPERATION, sent_at=datetime.now(UTC)),
        tree.PoolTimeoutError("full"),
        tree.DecodeError("HTML", operation=OPERATION, status=200),
        PagingError("stuck", operation=OPERATION, cursor="c"),
        tree.MissingFieldError("absent", model="Session", field="session_id"),
    ]


@pytest.mark.parametrize("error", every_error(), ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("through", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_every_error_survives_pickling_and_copying(error: AgentPlatformError, through: Any) -> None:
    other = through(error)
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert vars(other) == vars(error)


def test_every_error_is_below_the_root_and_exported() -> None:
    classes = {
        name for name, value in vars(tree).items() if isinstance(value, type) and issubclass(value, AgentPlatformError)
    }
    assert classes <= set(agent_session_platform.__all__)


def test_client_and_loop_errors_are_configuration_and_runtime_errors() -> None:
    for error in (ClientClosedError, EventLoopError):
        assert issubclass(error, ConfigurationError)
        assert issubclass(error, RuntimeError)
