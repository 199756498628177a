"""The exit code of each kind of failure: what a script can rely on."""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAILURE: Final = 1
USAGE: Final = 2
DENIED: Final = 3
NOT_FOUND: Final = 4
CONFLICT: Final = 5
RATE_LIMITED: Final = 6
OUTCOME_UNKNOWN: Final = 7
NETWORK: Final = 8
SERVER: Final = 9
UNEXPECTED: Final = 10
GONE: Final = 11
STALLED: Final = 12
DEADLINE: Final = 13
ROWS_FAILED: Final = 14
INTERRUPTED: Final = 130

MEANINGS: Final = {
    OK: "done; also where the reader of a pipe wanted no more",
    FAILURE: "any other failure",
    USAGE: "the command is wrong: refused here, or by the server (400, 422)",
    DENIED: "the credential is missing, invalid or lacks the permission (401, 403)",
    NOT_FOUND: "not found (404)",
    CONFLICT: "conflict (409)",
    RATE_LIMITED: "too many requests (429)",
    OUTCOME_UNKNOWN: "a write may or may not have been carried out: read the state before you repeat it",
    NETWORK: "no response: no connection, certificate, deadline",
    SERVER: "the server failed (500 and above)",
    UNEXPECTED: "a wait ended with a value that --unexpected names",
    GONE: "a wait ended because the object is archived or deleted",
    STALLED: "a wait ended because nothing changed for --stalled-after seconds",
    DEADLINE: "a wait ended after --timeout seconds",
    ROWS_FAILED: "rows of a batch were refused",
    INTERRUPTED: "Ctrl-C",
}

# The first class that an error is an instance of decides, by its name in the tree of the SDK's errors.
KINDS: Final = (
    ("CredentialUnavailableError", DENIED),
    ("CredentialMismatchError", DENIED),
    ("AuthenticationError", DENIED),
    ("PermissionDeniedError", DENIED),
    ("NotFoundError", NOT_FOUND),
    ("ConflictError", CONFLICT),
    ("RateLimitedError", RATE_LIMITED),
    ("ServerError", SERVER),
    ("BadRequestError", USAGE),
    ("UnprocessableContentError", USAGE),
    ("OutcomeUnknownError", OUTCOME_UNKNOWN),
    ("TransportError", NETWORK),
    ("BatchStoppedError", OUTCOME_UNKNOWN),
    ("InvalidArgumentError", USAGE),
    ("ConfigurationError", USAGE),
)


def exit_code_of(error: BaseException) -> int:
    """Return the exit code of an error.

    Example:
        >>> from agent_session_platform import NotFoundError
        >>> exit_code_of(NotFoundError("no such session", status=404))
        4
    """
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    own = getattr(error, "exit_code", None)
    if isinstance(own, int):
        # click's errors have theirs.
        return own
    names = {cls.__name__ for cls in type(error).__mro__}
    return next((code for name, code in KINDS if name in names), FAILURE)
