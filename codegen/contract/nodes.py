"""Walk through the nodes of an OpenAPI document: its gaps, rules and references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

COMPONENT = "#/components/schemas/"

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
