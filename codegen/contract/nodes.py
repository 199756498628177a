"""Walk through the nodes of an OpenAPI document, and describe findings in it: place, what is wrong, what to do."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

COMPONENT = "#/components/schemas/"
# A longer value would hide the rest of the sentence, and more findings have few causes.
LONGEST_VALUE = 60
MOST_FINDINGS = 40

Node = dict[str, Any]


class ContractError(Exception):
    """The contract is wrong; each line of the message is one finding with its place."""


def child(place: str, key: object) -> str:
    """Return the JSON pointer of a member of *place*."""
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"


def parts(place: str) -> list[str]:
    """Return the keys and indexes of a JSON pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[1:]]


def gaps_below(node: Any, place: str) -> Iterator[Node]:
    """Yield every `x-not-shown` entry at or below *node*, with its place; `closed` tells how it was closed."""
    if isinstance(node, dict):
        for gap in node.get("x-not-shown", ()):
            yield {"id": gap["id"], "place": place, "what": gap["what"], "closed": gap.get("closed")}
        for key, member in node.items():
            if key not in ("x-not-shown", "examples", "example"):
                yield from gaps_below(member, child(place, key))
    elif isinstance(node, list):
        for index, member in enumerate(node):
            yield from gaps_below(member, child(place, index))


def mappings_below(node: Any) -> Iterator[Node]:
    """Yield every mapping at or below *node*."""
    if isinstance(node, dict):
        yield node
    for member in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from mappings_below(member)


def rules_below(node: Any) -> Iterator[Node]:
    """Yield every `x-rules` entry at or below *node*."""
    return (rule for mapping in mappings_below(node) for rule in mapping.get("x-rules", ()))


def is_component(place: str) -> bool:
    """Return whether a JSON pointer is that of a component schema, and not of a part of one."""
    return place.startswith(COMPONENT) and "/" not in place.removeprefix(COMPONENT)


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
