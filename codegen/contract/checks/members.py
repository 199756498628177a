"""Find the properties of an object schema, also those from references and from its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from codegen.contract.checks.structure import Structure
from codegen.contract.nodes import Node, child

# The end of the JSON pointer of a schema that describes the same value as the one above it.
PART = re.compile(r"/(allOf|anyOf|oneOf)/\d+$|/(not|if|then|else)$")


@attrs.frozen
class Known:
    """The properties of an object: the JSON pointer of each, and whether others are allowed explicitly."""

    names: dict[str, str]
    open: bool


class Members:
    """The properties of the object schemas of a document."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure

    def of_whole(self, place: str) -> Known | None:
        """Return the properties of the object that the schema at *place* describes or is a part of."""
        while PART.search(place):
            place = PART.sub("", place)
        return self.of(place)

    def of(self, place: str) -> Known | None:
        """Return the properties of a schema and of all its parts; None if one of them is wrong."""
        names: dict[str, str] = {}
        is_open = False
        seen: set[str] = set()
        waiting = [place]
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            node = self._structure.nodes.get(here)
            if node is None or not self._structure.sound(here):
                return None
            if here in self._structure.references:
                waiting.append(self._structure.references[here].target)
            names |= {name: child(f"{here}/properties", name) for name in node.get("properties", ())}
            is_open = is_open or node.get("additionalProperties", False) is not False or "patternProperties" in node
            waiting += parts_of(here, node)
        return Known(names, is_open)


def parts_of(place: str, node: Node) -> Iterator[str]:
    """Yield the JSON pointers of the schemas that describe the same value as the one at *place*."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from (f"{place}/{keyword}/{index}" for index, _ in enumerate(node.get(keyword, ())))
    yield from (
        f"{place}/{keyword}" for keyword in ("not", "if", "then", "else") if isinstance(node.get(keyword), dict)
    )
