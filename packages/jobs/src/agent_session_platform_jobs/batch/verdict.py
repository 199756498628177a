"""Judge the error of a create: what it means for its row, and for the others. Pure, so that a table tests it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from agent_session_platform import (
    AgentPlatformError,
    AuthenticationError,
    ConfigurationError,
    ConnectionFailedError,
    CredentialMismatchError,
    DeadlineExceededError,
    InvalidArgumentError,
    PermissionDeniedError,
    PoolTimeoutError,
    ProblemError,
    RateLimitedError,
    ServerError,
)

Verdict: TypeAlias = Literal["postponed", "stop", "failed", "unknown"]
"""`postponed`: nothing was carried out, and the row may be sent again later. `stop`: nothing was carried out,
and other rows would fail in the same way. `failed`: nothing was carried out, because of this row. `unknown`: it may
have been."""


def concerns_all(error: BaseException) -> bool:
    """Return whether other rows would meet the same error."""
    if isinstance(error, ConnectionFailedError):
        return not error.received
    return isinstance(error, AuthenticationError | ConfigurationError | CredentialMismatchError | PermissionDeniedError)


def judge(error: BaseException) -> Verdict:
    """Return what the error of a create means.

    A 429, a call that got no permit or connection in time, and a server that cannot be reached have carried out
    nothing. Of a 5xx and of a success that cannot be read nobody knows, and so of any error that is not the SDK's.
    """
    if isinstance(error, RateLimitedError | DeadlineExceededError | PoolTimeoutError):
        return "postponed"
    if concerns_all(error):
        return "stop"
    if isinstance(error, InvalidArgumentError):
        return "failed"
    if isinstance(error, ProblemError) and not isinstance(error, ServerError):
        return "failed"
    return "unknown"


def describe(error: BaseException) -> str:
    """Return an error as text for the store: the SDK's have no credential; of others it has only the type."""
    name = type(error).__name__
    return f"{name}: {error}" if isinstance(error, AgentPlatformError) else name
