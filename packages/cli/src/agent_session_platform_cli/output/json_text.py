"""Values as JSON text, which is safe to show on a terminal."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any, Final

# json leaves these as they are: a terminal would obey them, or show other text than there is. UTF-8 has no surrogates.
UNSAFE: Final = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def to_text(value: Any, *, indent: int | None = None) -> str:
    """Return a value of plain JSON types as JSON.

    Args:
        value: The value.
        indent: Spaces of each level; None: all on one line.
    """
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not is_unicode, indent=indent)
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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
