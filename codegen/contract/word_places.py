"""Every scalar of openapi.yaml with what it is: prose, an identifier that is defined or used there, or a name of ours.

The vendor's word is put into identifiers and never into prose (`vendor_word.py`), and the lint wants it marked where
an identifier is defined (`word_lint.py`): both need to know which is which, and where in the file it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

# The one in C takes an eighth of the time; nodes with their positions are all that is wanted of it.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MARK = "x-vendor-word"
DECLARATION = "x-vendor"

# Keywords whose text is for people.
PROSE = frozenset({"description", "summary", "title", "text", "what", "x-inferred"})
# Keywords below which the keys are names.
NAMES = frozenset(
    {
        "$defs",
        "headers",
        "links",
        "parameters",
        "paths",
        "patternProperties",
        "properties",
        "requestBodies",
        "responses",
        "schemas",
        "securitySchemes",
        "variables",
    }
)
# Keywords whose value is data of the API: what it may be, and what it looks like.
VALUES = frozenset({"const", "default", "enum", "x-known-values", "x-credential-prefix"})
EXAMPLES = frozenset({"example", "examples"})


class Role(Enum):
    """What a scalar is."""

    PROSE = auto()
    """Text for people."""
    DEFINED = auto()
    """An identifier, at the place that a mark stands at: names of fields, parameters and components, paths, values."""
    USED = auto()
    """An identifier that is defined elsewhere: in references, examples and links."""
    OURS = auto()
    """An id of a gap or a rule, which the API knows nothing of."""
    MARK = auto()
    """An entry of a mark."""
    DECLARED = auto()
    """The word or the credential prefix in `x-vendor`; `field` tells which."""


@dataclass(frozen=True)
class Scalar:
    """One scalar: its text, its position in the file, and its role at its place."""

    text: str
    start: int
    end: int
    role: Role
    place: str
    """JSON pointer of the mapping that a mark of this identifier belongs into."""
    marks: frozenset[str] = frozenset()
    """The mark of that place."""
    field: str | None = None
    """In an example, the field whose value it is; empty for an example of the place itself."""
    values: frozenset[str] = frozenset()
    """Of a field's name: the marks of what its values are, and the components (`#Name`) that they refer to."""
    is_name: bool = False
    """Whether it names a field, a parameter or a component, which become names of Python."""


@lru_cache(maxsize=2)
def scalars(text: str) -> tuple[Scalar, ...]:
    """Every scalar of the contract, in order."""
    root = yaml.compose(text, Loader=LOADER)
    return tuple(sorted(_object(root, "#") if root is not None else (), key=lambda scalar: scalar.start))


def marks(node: Node) -> frozenset[str]:
    """The identifiers that the mark of a mapping lists."""
    found = entries(node).get(MARK)
    return frozenset(each.value for each in found.value) if isinstance(found, SequenceNode) else frozenset()


def values_of(schema: Node) -> frozenset[str]:
    """The marks of what a field's values are, be it one or a list, and the components that it refers to."""
    found = set(marks(schema))
    for each in (schema, entries(schema).get("items", schema)):
        reference = entries(each).get("$ref")
        found |= marks(each) | ({f"#{reference.value.rpartition('/')[2]}"} if reference is not None else set())
    return frozenset(found)


def entries(node: Node | None) -> dict[str, Node]:
    """The values of a mapping by their keys; empty for anything else."""
    return {key.value: value for key, value in node.value} if isinstance(node, MappingNode) else {}


def below(place: str, key: object) -> str:
    """The JSON pointer of a child."""
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"


def _scalar(node: Node, role: Role, place: str, holder: Node | None = None, **more: Any) -> Scalar:
    found = marks(holder) if holder is not None else frozenset[str]()
    return Scalar(node.value, node.start_mark.index, node.end_mark.index, role, place, found, **more)


def _object(node: Node, place: str, keyword: str = "") -> Iterator[Scalar]:
    """An object of OpenAPI, whose keys are keywords, or a list of such."""
    if isinstance(node, ScalarNode):
        yield _scalar(node, Role.USED, place)
    elif isinstance(node, SequenceNode):
        for index, child in enumerate(node.value):
            yield from _object(child, below(place, index), keyword)
    else:
        for key, child in node.value:
            yield _scalar(key, Role.USED, place)
            yield from _keyword(node, key.value, child, place, keyword)


def _keyword(holder: Node, key: str, node: Node, place: str, parent: str) -> Iterator[Scalar]:
    """What stands under a keyword of *holder*, which itself stands under *parent*."""
    here = below(place, key)
    if key == DECLARATION:
        yield from (_scalar(value, Role.DECLARED, place, field=word) for word, value in entries(node).items())
        return
    if key == MARK:
        yield from (replace(each, role=Role.MARK, place=place) for each in _object(node, here))
    elif key in PROSE and isinstance(node, ScalarNode):
        yield _scalar(node, Role.PROSE, place)
    elif key in NAMES and isinstance(node, MappingNode) and parent != "link":
        for name, child in node.value:
            more = {"is_name": key != "paths", "values": values_of(child)}
            yield _scalar(name, Role.DEFINED, below(here, name.value), child, **more)
            yield from _object(child, below(here, name.value), "link" if key == "links" else key)
    elif key in VALUES:
        values = node.value if isinstance(node, SequenceNode) else [node]
        for value in values:
            # A default may be an object; what is in it is like an example.
            plain = isinstance(value, ScalarNode)
            yield from [_scalar(value, Role.DEFINED, place, holder)] if plain else _data(value, place, holder)
    elif key in EXAMPLES:
        yield from _data(node, place, holder)
    elif key == "security":
        for kind, permissions in (pair for entry in node.value for pair in entry.value):
            yield _scalar(kind, Role.USED, place)
            yield from (_scalar(permission, Role.DEFINED, place, holder) for permission in permissions.value)
    elif key == "id" and parent in ("x-rules", "x-not-shown"):
        yield _scalar(node, Role.OURS, place)
    elif key == "operationId" and parent != "link":
        yield _scalar(node, Role.DEFINED, place, holder)
    elif key == "name" and ("in" in entries(holder) or parent == "tags"):
        yield _scalar(node, Role.DEFINED, place, holder, is_name=True)
    else:
        yield from _object(node, here, "link" if parent == "link" else key)


def _data(node: Node, place: str, holder: Node, field: str | None = None) -> Iterator[Scalar]:
    """The scalars of an example, each with the name of its field."""
    if isinstance(node, ScalarNode):
        yield _scalar(node, Role.USED, place, holder, field=field or "")
    elif isinstance(node, SequenceNode):
        for child in node.value:
            yield from _data(child, place, holder, field)
    else:
        for key, child in node.value:
            yield _scalar(key, Role.USED, place)
            yield from _data(child, place, holder, key.value)
