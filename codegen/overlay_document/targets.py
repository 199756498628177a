"""Find the places that a JSONPath (RFC 9535) selects, and the gaps that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any

from jsonpath import JSONPathEnvironment, JSONPathError

# Without the extensions of the library, which other tools would refuse.
ENVIRONMENT = JSONPathEnvironment(strict=True)
# The library calls itself for each step.
LONGEST = 1000
GAP_ID = re.compile(r"""@(?:\.id|\[['"]id['"]\])\s*==\s*['"]([^'"]+)['"]""")
# Gaps of one operation differ by a word: only a word that is nearly another one is misspelt.
ALIKE = 0.75

Place = tuple[str | int, ...]
"""The keys and indexes that lead to a node."""


def mistake(target: str) -> str | None:
    """Return why a text is no JSONPath that can be used; None if it is one."""
    if not target.startswith("$"):
        return "it must begin with `$`, which is the whole document"
    if len(target) > LONGEST:
        return f"it has more than {LONGEST} characters"
    try:
        ENVIRONMENT.compile(target)
    except JSONPathError as error:
        return str(error.message)
    return None


def places(target: str, document: Any) -> list[Place]:
    """Return the places that a JSONPath selects, each once."""
    return list(dict.fromkeys(match.parts for match in ENVIRONMENT.finditer(target, document)))


def named_gaps(target: str) -> list[str]:
    """Return the ids of the gaps by which a JSONPath selects entries of `x-not-shown`."""
    return GAP_ID.findall(target) if "x-not-shown" in target else []


def misspelt(gap: str, known: Iterable[str]) -> str | None:
    """Return the id of the gap that is meant by one that does not exist; None if none has nearly the same words."""
    given = gap.split("-")
    likeness = {
        each: min(SequenceMatcher(None, *pair).ratio() for pair in zip(given, words, strict=True))
        for each in known
        if len(words := each.split("-")) == len(given)
    }
    nearest = max(likeness, key=lambda each: likeness[each], default=None)
    return nearest if nearest is not None and likeness[nearest] >= ALIKE else None
