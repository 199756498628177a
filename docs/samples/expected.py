"""Compare what a sample printed with what its document shows: `...` stands for anything."""

from __future__ import annotations

import re
from typing import Final

ANYTHING: Final = "..."


def matches(shown: str, printed: str) -> bool:
    """Return whether a text is the one that is shown, apart from blanks at the ends of lines.

    Example:
        >>> matches("2 sessions in ... s", "2 sessions in 0.1 s")
        True
    """
    pattern = ".*".join(map(re.escape, _trimmed(shown).split(ANYTHING)))
    return re.fullmatch(pattern, _trimmed(printed), re.DOTALL) is not None


def difference(shown: str, printed: str) -> str:
    """Return both texts, for the message of a failed test."""
    return f"the document shows:\n{shown}\nbut this was printed:\n{printed}"


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())
