"""A finding in openapi.yaml: its place, what is wrong there, and what to do."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable

import attrs

# A longer value would hide the rest of the sentence, and more findings have few causes.
LONGEST_VALUE = 60
MOST_FINDINGS = 40


@attrs.frozen
class Finding:
    """One thing that is wrong in the contract.

    Attributes:
        place: Its JSON pointer, such as `#/paths`.
        text: What is wrong and, after a semicolon, what to do.
        line: The line, where it is not that of the place.
    """

    place: str
    text: str
    line: int | None = None


def quote(value: object) -> str:
    """Return a value of JSON for a message, shortened if it is long."""
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= LONGEST_VALUE else f'{text[:LONGEST_VALUE]}...'}`"


def described(value: object) -> str:
    """Return a value of JSON with its type in words."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None or isinstance(value, bool):
        return "empty" if value is None else quote(value)
    return f"the text {quote(value)}" if isinstance(value, str) else f"the number {value}"


def listed(names: Iterable[object]) -> str:
    """Return names for a message: `a`, `b` or `c`."""
    *others, last = [quote(name) for name in names]
    return f"{', '.join(others)} or {last}" if others else last


def closest(word: str, known: Iterable[str], cutoff: float = 0.7) -> str | None:
    """Return the known word that *word* seems to be a misspelling of, or None."""
    by_lower = {each.lower(): each for each in known}
    # Two wrong letters are much of a short word.
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=cutoff if len(word) > 4 else cutoff - 0.1)
    return by_lower[found[0]] if found else None


def instead(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return what to do about an unknown word: write the known one that is meant, or *otherwise*."""
    found = closest(word, known)
    return f"did you mean `{found}`?" if found else otherwise
