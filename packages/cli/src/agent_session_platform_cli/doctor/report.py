"""Findings, and their report: text for a person, and JSON for a bug report, which has no secret in it."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
import click
from agent_session_platform import Credential

from ..terminal_text import one_line

State: TypeAlias = Literal["ok", "not tried", "warning", "problem"]

# What a reader looks for comes last.
COLORS: Final = {"ok": "green", "not tried": None, "warning": "yellow", "problem": "red"}
WIDEST: Final = 100
NARROWEST: Final = 40
INDENT: Final = " " * 11


@attrs.frozen
class Finding:
    """The outcome of a check.

    Attributes:
        check: Name of the check.
        state: How it is; `not tried` says in `text` why.
        text: What was found, as a sentence.
        remedy: What to do; empty where there is nothing to do.
        code: The exit code of a problem.
        facts: The same for a program, as plain JSON types.
        lines: Details for a person.
    """

    check: str
    state: State
    text: str
    remedy: str = ""
    code: int = 0
    facts: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    lines: tuple[str, ...] = ()


@attrs.define
class Examination:
    """The findings so far, and what the report must not show.

    Attributes:
        findings: The findings, in their order.
        organization: The organization; None for none.
        credential: The credential; None if there is none.
    """

    findings: list[Finding] = attrs.field(factory=list[Finding])
    organization: str | None = None
    credential: Credential | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the first problem; 0 without one."""
        return next((each.code for each in self.findings if each.state == "problem"), 0)

    def add(
        self,
        check: str,
        state: State,
        text: str,
        remedy: str = "",
        code: int = 0,
        facts: Mapping[str, Any] = {},  # is never changed
        lines: tuple[str, ...] = (),
    ) -> None:
        """Add a finding."""
        self.findings.append(Finding(check, state, text, remedy, code, facts, lines))

    def skip(self, because: str, *checks: str) -> None:
        """Add that checks are not tried."""
        for check in checks:
            self.add(check, "not tried", f"because {because}.")

    def redact(self, text: str) -> str:
        """Take the credential out of a text."""
        return text if self.credential is None else self.credential.redact(text)

    def anonymize(self, text: str) -> str:
        """Take everything out of a text that others need not know: credential, home folder, organization."""
        text = self.redact(text)
        for home in sorted({str(Path.home()), str(Path.home().resolve())} - {"/"}, key=len, reverse=True):
            text = text.replace(home, "~")
        return text.replace(self.organization, "(set)") if self.organization else text


def text_of(examination: Examination) -> Iterator[str]:
    """Yield the lines of a report for a person."""
    states = list(COLORS)
    for finding in sorted(examination.findings, key=lambda each: states.index(each.state)):
        state = click.style(f"{finding.state:<9}", fg=COLORS[finding.state], bold=finding.state == "problem")
        shown = _fill(examination.redact(f"{finding.check}: {sentence(finding.text)}"), INDENT)
        yield f"{state}  {shown.strip()}"
        for line in ([f"-> {sentence(finding.remedy)}"] if finding.remedy else []) + [*finding.lines]:
            yield _fill(examination.redact(line), f"{INDENT}   ")
    counts = Counter(each.state for each in examination.findings)
    yield ""
    yield f"Problems: {counts['problem']}. Warnings: {counts['warning']}. Checks not tried: {counts['not tried']}."
    yield _fill("Nothing was written. Sent were only GET requests, and PING where there is a Redis.", "").strip()
    yield "For a bug report: asp doctor --json"


def _fill(text: str, following: str) -> str:
    """Return text in the width of the terminal, indented, and its later lines by `following`."""
    width = max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 0)).columns))
    return textwrap.fill(
        text,
        width,
        initial_indent=INDENT,
        subsequent_indent=following,
        break_long_words=False,
        break_on_hyphens=False,
    )


def document_of(examination: Examination) -> dict[str, Any]:
    """Return the report as plain JSON types, to send to others.

    It has no token, no user name and password of a proxy, no path of the home folder, and no id of an organization.
    """
    findings = [
        {
            "check": each.check,
            "state": each.state,
            "text": sentence(each.text),
            **({"remedy": each.remedy} if each.remedy else {}),
            **({"facts": {**each.facts}} if each.facts else {}),
        }
        for each in examination.findings
    ]
    return {"exit_code": examination.exit_code, "findings": _changed(findings, examination.anonymize)}


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value of plain JSON types with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: _changed(each, change) for name, each in cast("dict[str, Any]", value).items()}
    return [_changed(each, change) for each in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]  # any JSON


def sentence(text: str) -> str:
    """Return text on one line, safe to show, and with one full stop at its end."""
    line = one_line(text)
    return f"{line.rstrip('.')}." if line.endswith("..") else line
