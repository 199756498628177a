"""Values as JSON text, which is safe to show on a terminal, to send, and to read for a model."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import Any, cast


def to_text(value: Any, *, indent: int | None = None) -> str:
    """Return a value of plain JSON types as JSON, in characters that stdout can show.

    Args:
        value: The value.
        indent: Spaces of each level; None: all on one line.
    """
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    return escaped_json(_dumps(value, ensure_ascii=not is_unicode, indent=indent))


def to_compact_text(value: Any) -> str:
    """Return a value of plain JSON types as JSON without spaces, in Unicode."""
    return escaped_json(_dumps(value, ensure_ascii=False, separators=(",", ":")))


def escaped_json(text: str) -> str:
    """Return JSON with all that is not printable escaped: controls, marks that turn text around, half characters."""
    lines = text.split("\n")
    if all(map(str.isprintable, lines)):
        return text
    return "\n".join("".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in line) for line in lines)


def _dumps(value: Any, **settings: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False, **settings)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False, **settings)


def _finite(value: Any) -> Any:
    """Return a value with null for what JSON cannot write: `1e999` is read as infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(member) for name, member in cast("dict[str, Any]", value).items()}
    return [_finite(item) for item in cast("list[Any]", value)] if isinstance(value, list | tuple) else value


class JsonLines:
    """A line for each item."""

    def write(self, items: Sequence[Any]) -> None:
        """Write a line for each item."""
        sys.stdout.writelines(f"{to_text(item)}\n" for item in items)

    def close(self) -> None:
        """Write nothing: each line is complete."""


class JsonArray:
    """One array, written item by item; it is closed also where the list was interrupted."""

    def __init__(self) -> None:
        self._before = "["

    def write(self, items: Sequence[Any]) -> None:
        """Write each item on a line of its own, which is complete: the comma is at the beginning of the next one."""
        for item in items:
            sys.stdout.write(f"{self._before} {to_text(item)}\n")
            self._before = ","

    def close(self) -> None:
        """Close the array."""
        sys.stdout.write("[]\n" if self._before == "[" else "]\n")
