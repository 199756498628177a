"""Errors as `asp` tells them: an exit code, a sentence in its own words, and JSON for programs."""

from __future__ import annotations

import sys
import traceback
from typing import Any, Final, NoReturn

import attrs
import click
from agent_session_platform import to_json

from .settings import Settings
from .terminal_text import escaped, one_line, redacted, to_text

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
    OUTCOME_UNKNOWN: ("unknown outcome", "a write may have been carried out: read the state before repeating it"),
    NETWORK: ("network", "no response: name, connection, proxy, certificate or timeout"),
    SERVER: ("server", "the server failed (500 and above)"),
    UNEXPECTED: ("unexpected", "a wait ended with a value that --unexpected names"),
    GONE: ("gone", "a wait ended because the object is archived or deleted"),
    STALLED: ("stalled", "a wait ended because nothing changed for --stalled-after seconds"),
    DEADLINE: ("deadline", "a wait ended after --timeout seconds"),
    ROWS_FAILED: ("rows failed", "rows of a batch were refused"),
    INTERRUPTED: ("Ctrl-C", "Ctrl-C"),
}


def in_words() -> str:
    """Return all codes with their names, for a help text."""
    return ", ".join(f"{code} {name}" for code, (name, _) in MEANINGS.items())


# Names of error classes by exit code. Of an error's class and its bases, in the order of the MRO, the first that is
# named here decides.
CODES: Final = {
    DENIED: ("CredentialUnavailableError", "CredentialMismatchError", "AuthenticationError", "PermissionDeniedError"),
    NOT_FOUND: ("NotFoundError",),
    CONFLICT: ("ConflictError",),
    RATE_LIMITED: ("RateLimitedError",),
    SERVER: ("ServerError",),
    OUTCOME_UNKNOWN: ("OutcomeUnknownError", "BatchStoppedError"),
    NETWORK: ("TransportError",),
    USAGE: ("BadRequestError", "UnprocessableContentError", "InvalidArgumentError", "ConfigurationError"),
    INTERRUPTED: ("KeyboardInterrupt", "Abort"),
}


def exit_code_of(error: BaseException) -> int:
    """Return the exit code of an error.

    Example:
        >>> from agent_session_platform import NotFoundError
        >>> exit_code_of(NotFoundError("no such session", status=404))
        4
    """
    if isinstance(error, click.ClickException):
        return error.exit_code
    if getattr(error, "outcome_unknown", False):
        # Also of a response that does not say whether the write was carried out.
        return OUTCOME_UNKNOWN
    for name in [each.__name__ for each in type(error).__mro__]:
        for code, names in CODES.items():
            if name in names:
                return code
    return FAILURE


# How a program in Python reads the state; a command line cannot.
IN_PYTHON: Final = " (`await error.read()`)"


def exit_with(error: BaseException, settings: Settings) -> NoReturn:
    """Report an error and exit with its code.

    With `-o json` or `jsonl` the report is a JSON document, on stderr as well: stdout has nothing but results.

    Args:
        error: What ended the command.
        settings: The global options.
    """
    code = exit_code_of(error)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        # A command without arguments is a question for help.
        error.show()
    elif code != INTERRUPTED:
        if settings.debug:
            text = redacted("".join(traceback.format_exception(error)), settings.redact)
            click.echo(escaped(text, kept="\n"), err=True)
        if settings.errors_as_json:
            click.echo(to_text(redacted(document_of(error, code), settings.redact)), err=True)
        else:
            prefix = click.style("asp: ", fg="red", bold=True)
            text = redacted(f"{sentence_of(error)}{_hint(error, code)}", settings.redact)
            click.echo(f"{prefix}{text}", err=True, color=False if settings.no_color else None)
    sys.exit(code)


def sentence_of(error: BaseException) -> str:
    """Return what went wrong and what to do, on one line and in the words of the command line."""
    return one_line(_message_of(error).replace(IN_PYTHON, ""))


def _hint(error: BaseException, code: int) -> str:
    if code == DENIED and getattr(error, "status", None) == 403:
        # The doctor tries some reads only, so it may not see which permission is missing.
        return f"; `asp show {getattr(error, 'operation', 'OPERATION')}` has what it needs"
    return "; `asp doctor` finds out why" if code in (DENIED, NETWORK) else ""


def _message_of(error: BaseException) -> str:
    if isinstance(error, click.UsageError):
        text = error.format_message().rstrip(".")
        where = error.ctx.command_path.removesuffix(" rows") if error.ctx is not None else "asp"
        if isinstance(error, click.NoSuchOption) and not error.option_name.startswith("--"):
            text += "; an argument that begins with a hyphen comes after --"
        return f"{text}; try: {where} --help"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if exit_code_of(error) == FAILURE and not hasattr(error, "operation"):
        return f"{type(error).__name__}: {error}; --debug shows where"
    return str(error) or type(error).__name__


def document_of(error: BaseException, code: int) -> dict[str, Any]:
    """Return the members of a JSON report: the problem document of the server, if there is one, is in `problem`."""
    document: dict[str, Any] = {"error": type(error).__name__, "message": sentence_of(error), "exit_code": code}
    for name in ("operation", "status", "retry_after", "cursor", "continue_with", "problem"):
        value = getattr(error, name, None)
        if name == "problem" and value is not None:
            value = to_json(attrs.asdict(value, filter=lambda _, member: bool(member)))
        if value is not None:
            document[name] = str(value) if name == "operation" else value
    return document
