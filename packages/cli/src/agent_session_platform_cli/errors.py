"""Failures of a command: one sentence on stderr, or a JSON document there, and the exit code of its kind."""

from __future__ import annotations

import sys
import traceback
from typing import Any, Final, NoReturn

import click
from agent_session_platform import to_json

from .exit_codes import DENIED, FAILURE, INTERRUPTED, NETWORK, exit_code_of
from .settings import Settings
from .terminal_text import escaped, one_line, to_text
from .wording import in_words_of_asp

# The codes of failures that `asp doctor` tells apart.
EXAMINED: Final = (DENIED, NETWORK)
FORBIDDEN: Final = 403


def exit_with(error: BaseException, settings: Settings) -> NoReturn:
    """Report an error and exit with its code.

    With `-o json` or `jsonl` the report is a JSON document, on stderr as well: stdout has nothing but results.

    Args:
        error: What ended the command.
        settings: The global options.
    """
    if isinstance(error, click.exceptions.Exit):
        sys.exit(error.exit_code)
    if isinstance(error, KeyboardInterrupt | click.Abort):
        sys.exit(INTERRUPTED)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        # A command without arguments is a question for help.
        click.echo(error.format_message(), err=True)
        sys.exit(error.exit_code)
    if settings.debug:
        click.echo(escaped("".join(traceback.format_exception(error)), kept="\n"), err=True)
    code = exit_code_of(error)
    if settings.errors_as_json:
        click.echo(to_text(document_of(error, code)), err=True)
    else:
        prefix = click.style("asp: ", fg="red", bold=True)
        click.echo(
            f"{prefix}{sentence_of(error)}{_hint(error, code)}", err=True, color=False if settings.no_color else None
        )
    sys.exit(code)


def sentence_of(error: BaseException) -> str:
    """Return what went wrong and what to do, on one line and in the words of the command line."""
    return one_line(in_words_of_asp(_message_of(error)))


def _hint(error: BaseException, code: int) -> str:
    operation = getattr(error, "operation", None)
    if operation and getattr(error, "status", None) == FORBIDDEN:
        # The doctor tries some reads only, so it may not see which permission is missing.
        return f"; `asp show {operation}` has what it needs"
    return "; `asp doctor` finds out why" if code in EXAMINED else ""


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
    problem = getattr(error, "problem", None)
    found = (
        {name: getattr(problem, name) for name in ("type", "title", "detail", "instance", "errors", "error_code")}
        if problem
        else {}
    )
    members: dict[str, Any] = {
        "error": type(error).__name__,
        "message": sentence_of(error),
        "exit_code": code,
        "operation": str(operation) if (operation := getattr(error, "operation", None)) else None,
        "status": getattr(error, "status", None),
        "retry_after": getattr(error, "retry_after", None),
        "cursor": getattr(error, "cursor", None),
        "continue_with": getattr(error, "continue_with", None),
        "problem": {name: value for name, value in found.items() if value} or None,
    }
    document: dict[str, Any] = to_json({name: value for name, value in members.items() if value is not None})
    return document
