"""The exit code of each kind of failure."""

from __future__ import annotations

import click
import pytest
from agent_session_platform import errors
from agent_session_platform_cli.errors import exit_code_of, in_words

from cli_tests.conftest import Asp

CODES = {
    1: "AgentPlatform Decode FileTooLarge Paging MissingField Problem",
    2: "BadRequest UnprocessableContent InvalidArgument InvalidOrganization Configuration ClientClosed EventLoop",
    3: "Authentication PermissionDenied CredentialMismatch CredentialUnavailable",
    4: "NotFound",
    5: "Conflict",
    6: "RateLimited",
    7: "OutcomeUnknown",
    8: "Transport ConnectionFailed Certificate DeadlineExceeded PoolTimeout",
    9: "Server",
}
ERRORS = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}


def test_every_error_of_the_sdk_has_its_code() -> None:
    expected = {f"{name}Error": code for code, names in CODES.items() for name in names.split()}
    classes = {name: getattr(errors, name) for name in ERRORS}
    assert {name: exit_code_of(cls.__new__(cls)) for name, cls in classes.items()} == expected


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
