"""A finding: what a check has found, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import attrs

from ..errors import FAILURE

State: TypeAlias = Literal["ok", "warning", "problem", "not tried"]


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


def ok(check: str, text: str, **facts: Any) -> Finding:
    """Return the finding that all is well."""
    return Finding(check, "ok", text, facts=facts)


def warning(check: str, text: str, remedy: str, **facts: Any) -> Finding:
    """Return the finding of something that may be wrong, or will be."""
    return Finding(check, "warning", text, remedy, facts=facts)


def problem(check: str, text: str, remedy: str, code: int = FAILURE, **facts: Any) -> Finding:
    """Return the finding of something that is wrong.

    Args:
        check: Name of the check.
        text: What is wrong, as a sentence.
        remedy: What to do.
        code: The exit code of its kind.
        facts: The same for a program.
    """
    return Finding(check, "problem", text, remedy, code, facts)


def not_tried(check: str, because: str) -> Finding:
    """Return the finding of a check that was left out.

    Args:
        check: Name of the check.
        because: The reason, as a half sentence.
    """
    return Finding(check, "not tried", f"because {because}.")
