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

# What each code means, for people: the name stands in `asp --help`.
MEANINGS: Final = {
    OK: ("done", "done; also where the reader of a pipe wanted no more"),
    FAILURE: ("failure", "any other failure; of `asp observations`: something contradicts the contract"),
    USAGE: ("usage", "the command or a setting is wrong: refused here, or by the server (400, 422)"),
    DENIED: ("credential or permission", "the credential is missing, invalid or lacks the permission (401, 403)"),
    NOT_FOUND: ("not found", "not found (404)"),
    CONFLICT: ("conflict", "conflict (409)"),
    RATE_LIMITED: ("rate limit", "too many requests (429)"),
    OUTCOME_UNKNOWN: (
        "unknown outcome",
        "a write may have been carried out, or not: read the state before repeating it",
    ),
    NETWORK: ("network", "no response: name, connection, proxy, certificate or timeout"),
    SERVER: ("server", "the server failed (500 and above)"),
    UNEXPECTED: ("unexpected", "a wait ended with a value that --unexpected names"),
    GONE: ("gone", "a wait ended because the object is archived or deleted"),
    STALLED: ("stalled", "a wait ended because nothing changed for --stalled-after seconds"),
    DEADLINE: ("deadline", "a wait ended after --timeout seconds"),
    ROWS_FAILED: ("rows failed", "rows of a batch were refused"),
    INTERRUPTED: ("Ctrl-C", "Ctrl-C"),
}


def in_words(*codes: int) -> str:
    """Return codes with their names, for a help text.

    Args:
        codes: The codes; none: all of them.

    Example:
        >>> in_words(0, 4)
        '0 done, 4 not found'
    """
    return ", ".join(f"{code} {MEANINGS[code][0]}" for code in codes or MEANINGS)


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
    if getattr(error, "outcome_unknown", False):
        # Also of a response that does not say whether the write was carried out.
        return OUTCOME_UNKNOWN
    names = {cls.__name__ for cls in type(error).__mro__}
    return next((code for name, code in KINDS if name in names), FAILURE)
