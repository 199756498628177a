"""The report of an examination: text for a person, and JSON for a bug report, which has no secret in it."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

import click

from ..terminal_text import one_line
from .examination import Examination
from .finding import Finding

COLORS: Final = {"ok": "green", "warning": "yellow", "problem": "red", "not tried": None}
WIDEST: Final = 100
NARROWEST: Final = 40
INDENT: Final = " " * 11

# What a reader looks for comes last.
ORDER: Final = ("ok", "not tried", "warning", "problem")
NOT_WRITTEN: Final = "Nothing was written. Sent were only GET requests, and PING where there is a Redis."
FOR_OTHERS: Final = "For a bug report: asp doctor --json"


def text_of(examination: Examination) -> Iterator[str]:
    """Yield the lines of a report for a person."""
    redact = redactor_of(examination)
    for finding in sorted(examination.findings, key=lambda each: ORDER.index(each.state)):
        yield from _lines(finding, redact)
    counts = Counter(each.state for each in examination.findings)
    yield ""
    yield f"Problems: {counts['problem']}. Warnings: {counts['warning']}. Checks not tried: {counts['not tried']}."
    yield textwrap.fill(NOT_WRITTEN, _width())
    yield FOR_OTHERS


def _lines(finding: Finding, redact: Callable[[str], str]) -> Iterator[str]:
    state = click.style(f"{finding.state:<9}", fg=COLORS[finding.state], bold=finding.state == "problem")
    body = _fill(redact(f"{finding.check}: {sentence(finding.text)}"), INDENT)
    yield f"{state}  {body.strip()}"
    if finding.remedy:
        yield _fill(redact(f"-> {sentence(finding.remedy)}"), f"{INDENT}   ")
    for line in finding.lines:
        yield _fill(redact(line), f"{INDENT}   ")


def _fill(text: str, following: str) -> str:
    """Return text in the width of the terminal, indented, and its later lines by `following`."""
    return textwrap.fill(
        text,
        _width(),
        initial_indent=INDENT,
        subsequent_indent=following,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _width() -> int:
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 0)).columns))


def document_of(examination: Examination) -> dict[str, Any]:
    """Return the report as plain JSON types, to send to others.

    It has no token, no user name and password of a proxy, no path of the home folder, and no id of an organization.
    """
    hide = hider_of(examination)
    return cast(
        "dict[str, Any]",
        hidden(
            {
                "exit_code": examination.exit_code,
                "findings": [
                    {
                        "check": each.check,
                        "state": each.state,
                        "text": sentence(each.text),
                        **({"remedy": each.remedy} if each.remedy else {}),
                        **({"facts": dict(each.facts)} if each.facts else {}),
                    }
                    for each in examination.findings
                ],
            },
            hide,
        ),
    )


def redactor_of(examination: Examination) -> Callable[[str], str]:
    """Return what takes the credential out of a text."""
    return str if examination.credential is None else examination.credential.redact


def hider_of(examination: Examination) -> Callable[[str], str]:
    """Return what takes everything out of a text that others need not know."""
    redact = redactor_of(examination)
    organization = examination.setup.organization if examination.setup is not None else None
    homes = {str(Path.home()), str(Path.home().resolve())} - {"/"}

    def hide(text: str) -> str:
        text = redact(text)
        for home in sorted(homes, key=len, reverse=True):
            text = text.replace(home, "~")
        return text.replace(organization, "(set)") if organization else text

    return hide


def hidden(value: Any, hide: Callable[[str], str]) -> Any:
    """Return a value of plain JSON types with every text in it changed."""
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {name: hidden(each, hide) for name, each in cast("dict[str, Any]", value).items()}
    return [hidden(each, hide) for each in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]  # any JSON


def sentence(text: str) -> str:
    """Return text on one line, safe to show, and with one full stop at its end."""
    line = one_line(text)
    return f"{line.rstrip('.')}." if line.endswith("..") else line
