"""Limits for results: an assistant reads all that it gets, and has room for little."""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

from agent_session_platform import Credential

# Characters of JSON, about 15,000 tokens: clients refuse results of more than 25,000.
LONGEST: Final = 50_000

# The longest text and the most members of an array or object that are kept; the next pair follows if that is too long.
STEPS: Final = ((10_000, 500), (1_000, 100), (200, 20), (50, 5))

# A shorter text is no credential that works.
TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=-]{12,}")
HIDDEN: Final = "[a credential, which asp mcp does not show]"


def length_of(value: Any) -> int:
    """Return the number of characters of a value as JSON."""
    return len(to_text(value))


def to_text(value: Any) -> str:
    """Return a value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def bounded(value: Any) -> Any:
    """Return a JSON value without credentials, and with its long parts cut; a mark stands where something is missing.

    Example:
        >>> bounded({"items": [1, 2]})
        {'items': [1, 2]}
    """
    value = hidden(value)
    if length_of(value) <= LONGEST:
        return value
    for longest, most in STEPS:
        shorter = _cut(value, longest, most)
        if length_of(shorter) <= LONGEST:
            return shorter
    text = to_text(value)
    return {"beginning": text[: LONGEST // 2], "cut": _mark(len(text) - LONGEST // 2, "characters")}


def hidden(value: Any) -> Any:
    """Return a JSON value with each text replaced that is a credential by its prefix, as of a new service user."""
    if isinstance(value, str):
        return HIDDEN if TOKEN.fullmatch(value) and Credential(value).kind else value
    if isinstance(value, list):
        return [hidden(each) for each in value]  # pyright: ignore[reportUnknownVariableType]  # JSON
    if isinstance(value, dict):
        return {name: hidden(each) for name, each in cast("dict[str, Any]", value).items()}
    return value


def _cut(value: Any, longest: int, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= longest else f"{value[:longest]} {_mark(len(value) - longest, 'characters')}"
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]  # JSON
        kept = [_cut(each, longest, most) for each in items[:most]]
        return kept if len(items) <= most else [*kept, _mark(len(items) - most, "items")]
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        cut = {name: _cut(members[name], longest, most) for name in [*members][:most]}
        return cut if len(members) <= most else {**cut, "cut": _mark(len(members) - most, "members")}
    return value


def _mark(count: int, what: str) -> str:
    return f"[cut: {count:,} more {what}; `asp call` prints all]"
