"""The exit code of each kind of failure."""

from __future__ import annotations

import click
import pytest
from agent_session_platform import errors
from agent_session_platform_cli.errors import exit_code_of, in_words

from cli_tests.conftest import Asp

CODES = {
    "AgentPlatformError": 1,
    "DecodeError": 1,
    "FileTooLargeError": 1,
    "PagingError": 1,
    "MissingFieldError": 1,
    "ProblemError": 1,
    "BadRequestError": 2,
    "UnprocessableContentError": 2,
    "InvalidArgumentError": 2,
    "InvalidOrganizationError": 2,
    "ConfigurationError": 2,
    "ClientClosedError": 2,
    "EventLoopError": 2,
    "AuthenticationError": 3,
    "PermissionDeniedError": 3,
    "CredentialMismatchError": 3,
    "CredentialUnavailableError": 3,
    "NotFoundError": 4,
    "ConflictError": 5,
    "RateLimitedError": 6,
    "OutcomeUnknownError": 7,
    "TransportError": 8,
    "ConnectionFailedError": 8,
    "CertificateError": 8,
    "DeadlineExceededError": 8,
    "PoolTimeoutError": 8,
    "ServerError": 9,
}
ERRORS = [name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)]


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_of_the_sdk_has_its_code(name: str) -> None:
    cls = getattr(errors, name)
    assert exit_code_of(cls.__new__(cls)) == CODES[name]


def test_a_write_that_may_have_been_carried_out_has_one_code() -> None:
    error = errors.ServerError("x", status=503)
    error.mark_unknown(None, None)
    assert exit_code_of(error) == 7


@pytest.mark.parametrize(
    ("error", "code"), [(click.UsageError("x"), 2), (KeyboardInterrupt(), 130), (OSError("x"), 1), (ValueError("x"), 1)]
)
def test_other_errors_have_a_code_as_well(error: BaseException, code: int) -> None:
    assert exit_code_of(error) == code


def test_help_names_every_code(offline: Asp) -> None:
    assert f"Exit codes: {in_words()}." in " ".join(offline("--help").stdout.split())
