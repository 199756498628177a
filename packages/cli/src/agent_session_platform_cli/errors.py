"""Report an error: an exit code, one sentence for people, and JSON for programs."""

from __future__ import annotations

import re
import sys
import traceback
from enum import IntEnum
from typing import Any, Final, NoReturn, Self

import attrs
import click
from agent_session_platform import to_json

from .settings import Settings
from .terminal_text import escaped, one_line, redacted, say, to_text


class ExitCode(IntEnum):
    """An exit code of `asp`.

    Attributes:
        phrase: The short text in `asp --help`.
        meaning: The long text in the documents.
    """

    phrase: str
    meaning: str

    def __new__(cls, number: int, phrase: str, meaning: str) -> Self:
        """Make a member from its number and its texts."""
        code = int.__new__(cls, number)
        code._value_ = number
        code.phrase, code.meaning = phrase, meaning
        return code

    OK = 0, "done", "done; also if the reader of a pipe stopped early"
    FAILURE = 1, "failure", "any other failure; or `asp observations` found a contradiction to the contract"
    USAGE = 2, "usage", "the command or a setting is wrong: refused here, or by the server (400, 422)"
    DENIED = 3, "denied", "the credential is missing, invalid or lacks the permission (401, 403)"
    NOT_FOUND = 4, "not found", "not found (404)"
    CONFLICT = 5, "conflict", "conflict (409)"
    RATE_LIMITED = 6, "rate limit", "too many requests (429)"
    OUTCOME_UNKNOWN = 7, "unknown", "a write may have been carried out: read the state before repeating it"
    NETWORK = 8, "network", "no response: name, connection, proxy, certificate or timeout"
    SERVER = 9, "server", "the server failed (500 and above)"
    UNEXPECTED = 10, "unexpected", "a wait ended with a value that --unexpected names"
    GONE = 11, "gone", "a wait ended because the object is archived or deleted"
    STALLED = 12, "stalled", "a wait ended because nothing changed for --stalled-after seconds"
    DEADLINE = 13, "deadline", "a wait ended after --timeout seconds"
    ROWS_FAILED = 14, "rows failed", "rows of a batch were refused"
    WAITING = 15, "waiting", "a turn ended because the session waits for a person"
    FAILED = 16, "failed", "a turn ended because the session has failed"
    HUNG_UP = 129, "SIGHUP", "the terminal was closed (SIGHUP)"
    INTERRUPTED = 130, "Ctrl-C", "Ctrl-C"
    TERMINATED = 143, "SIGTERM", "ended by SIGTERM, as by `kill` or `docker stop`"


# The error classes of each exit code. An error gets the code of the first class in its MRO that is listed here.
CODES: Final = {
    ExitCode.DENIED: (
        "CredentialUnavailableError",
        "CredentialMismatchError",
        "AuthenticationError",
        "PermissionDeniedError",
    ),
    ExitCode.NOT_FOUND: ("NotFoundError",),
    ExitCode.CONFLICT: ("ConflictError",),
    ExitCode.RATE_LIMITED: ("RateLimitedError",),
    ExitCode.SERVER: ("ServerError",),
    ExitCode.OUTCOME_UNKNOWN: ("OutcomeUnknownError", "BatchStoppedError"),
    ExitCode.NETWORK: ("TransportError",),
    ExitCode.USAGE: ("BadRequestError", "UnprocessableContentError", "InvalidArgumentError", "ConfigurationError"),
    ExitCode.INTERRUPTED: ("KeyboardInterrupt", "Abort"),
}


def exit_code_of(error: BaseException) -> ExitCode:
    """Return the exit code of an error.

    Example:
        >>> from agent_session_platform import NotFoundError
        >>> exit_code_of(NotFoundError("no such session", status=404)).phrase
        'not found'
    """
    if isinstance(error, click.ClickException):
        return ExitCode.USAGE if isinstance(error, click.UsageError) else ExitCode.FAILURE
    if getattr(error, "outcome_unknown", False):
        # An error of any class may have this attribute, for example a DecodeError after a write.
        return ExitCode.OUTCOME_UNKNOWN
    for name in [each.__name__ for each in type(error).__mro__]:
        for code, names in CODES.items():
            if name in names:
                return code
    return ExitCode.FAILURE


# Advice of the SDK for programs in Python, and what a person at a terminal does instead.
ADVICE: Final = tuple(
    (re.compile(python), instead)
    for python, instead in (
        (r" \(`await error\.read\(\)`\)", ""),
        (r"; resume with \w+=('[^']*'|\"[^\"]*\")", ""),
        (r"pass it to platform\.organization\(\) or AgentPlatform\(\), or set", "use --organization or set"),
        (r"pass AgentPlatform\((\w+)=\.\.\.\) or set", "set"),
        (
            r"agent_session_platform_cli\.profiles\._printed_by, which was passed as AgentPlatform\(token=\.\.\.\)",
            "the token_command of the profile",
        ),
        (r", which was passed as AgentPlatform\(token=\.\.\.\)", ""),
        (r"AgentPlatform\((\w+)=\.\.\.\) or (?=AGENT_)", r"\1 of a profile or of "),
        (r"AgentPlatform\(max_body=\.\.\.\) sets the limit", "asp has no option for a greater limit"),
        (r"more than max_retry_after=(\S+)", r"more than the \1 s that asp waits"),
        (r"give its members as keywords, or all of it as body=", "give its members as options, or all of it as --body"),
        (r"body= is the whole body: put (.+) into it, or leave out body=", r"--body is the whole body: put \1 into it"),
        (r"pass options=RequestOptions\(.*?=\.\.\.\)", "it is a setting of the request"),
        (r"pass allow_changed=True", "use --allow-changed"),
        (
            r"batch\.items\(\) yields all rows",
            "the run prints all rows, and `asp batch unknown` those that wait for you",
        ),
        (r"see batch\.unknown\(\)", "see `asp batch unknown`"),
        (r"unexpected ends a wait, and without until .*: pass both", "--unexpected needs --until"),
        (r"until='states' needs", "--wait needs"),
        (r"pass until=States\(.*?\) with", "use --until NAME=VALUE with"),
        (r"changed\(\) takes", "--changed takes"),
        (
            r"chronological needs state, and so does max_pages:",
            "--chronological needs --state, and so does --max-pages:",
        ),
    )
)


def exit_with(error: BaseException, settings: Settings) -> NoReturn:
    """Report an error and exit with its code.

    With `-o json` or `jsonl` the report is a JSON document. It is written to stderr: stdout has only results.

    Args:
        error: The error that ended the command.
        settings: The global options.
    """
    code = exit_code_of(error)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        # A command without arguments prints its help.
        error.show()
    elif code is not ExitCode.INTERRUPTED:
        if settings.debug:
            text = redacted("".join(traceback.format_exception(error)), settings.redact)
            click.echo(escaped(text, kept="\n"), err=True)
        if settings.errors_as_json:
            click.echo(to_text(redacted(document_of(error, code), settings.redact)), err=True)
        else:
            say(f"{sentence_of(error)}{_hint(error, code)}", settings.redact)
    sys.exit(code)


def sentence_of(error: BaseException) -> str:
    """Return the message of an error on one line, without advice for Python."""
    return one_line(advised(_message_of(error)))


def advised(text: str) -> str:
    """Return a message of the SDK with advice for a terminal in place of advice for Python."""
    for python, instead in ADVICE:
        text = python.sub(instead, text)
    return text


def _hint(error: BaseException, code: ExitCode) -> str:
    if code is ExitCode.DENIED and getattr(error, "status", None) == 403:
        # The doctor may not find the missing permission, because it sends only some reads.
        return f"; `asp show {getattr(error, 'operation', 'OPERATION')}` shows the permission that it needs"
    return "; `asp doctor` finds out why" if code in (ExitCode.DENIED, ExitCode.NETWORK) else ""


def _message_of(error: BaseException) -> str:
    if isinstance(error, click.UsageError):
        text = error.format_message().rstrip(".")
        where = error.ctx.command_path if error.ctx is not None else "asp"
        if isinstance(error, click.NoSuchOption) and not error.option_name.startswith("--"):
            text += "; write -- before an argument that begins with a hyphen"
        return f"{text}; try: {where} --help"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if exit_code_of(error) is ExitCode.FAILURE and not hasattr(error, "operation"):
        return f"{type(error).__name__}: {error}; --debug shows where"
    return str(error) or type(error).__name__


def document_of(error: BaseException, code: int) -> dict[str, Any]:
    """Return the JSON report of an error. The member `problem` has the problem document of the server."""
    document: dict[str, Any] = {"error": type(error).__name__, "message": sentence_of(error), "exit_code": code}
    for name in ("operation", "status", "retry_after", "cursor", "continue_with", "problem"):
        value = getattr(error, name, None)
        if name == "problem" and value is not None:
            value = to_json(attrs.asdict(value, filter=lambda _, member: bool(member)))
        if value is not None:
            document[name] = str(value) if name == "operation" else value
    return document
