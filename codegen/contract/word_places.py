"""Find the role of every scalar in openapi.yaml: prose, a defined or used identifier, or an id of this project.

`vendor_word` renames identifiers and never prose, and `word_lint` checks that each is annotated where it is defined:
both need the roles, and the positions in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import Any

import attrs
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from codegen.contract.nodes import child

# The loader in C is 8 times faster.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

VENDOR_WORD_KEY = "x-vendor-word"
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
# Keywords whose value is data of the API: possible values, and examples.
VALUES = frozenset({"const", "default", "enum", "x-known-values", "x-credential-prefix", "x-id-prefix"})
EXAMPLES = frozenset({"example", "examples"})


class Role(Enum):
    """The role of a scalar."""

    PROSE = auto()
    """Text for people."""
    DEFINED = auto()
    """An identifier at its definition: the name of a field, a parameter or a component, a path, a value."""
    USED = auto()
    """An identifier that is defined elsewhere: in references, examples and links."""
    OURS = auto()
    """An id of a gap or a rule, which the API does not know."""
    ANNOTATION = auto()
    """An entry of `x-vendor-word`."""
    DECLARED = auto()
    """The word or the credential prefix in `x-vendor`; `field` has its key."""


@attrs.frozen
class Scalar:
    """A scalar of the contract: its text, position and role.

    Attributes:
        start: The offset in the file of its first character.
        end: The offset after its last character.
        place: The JSON pointer of the mapping where this identifier has to be annotated.
        annotated: The identifiers that this mapping annotates.
        field: In an example, the field whose value it is; empty if it is the example itself.
        values: For a field name: annotated identifiers among its values, plus the components (`#Name`) it references.
        is_name: It names a field, a parameter or a component, which become names of Python.
    """

    text: str
    start: int
    end: int
    role: Role
    place: str
    annotated: frozenset[str] = frozenset()
    field: str | None = None
    values: frozenset[str] = frozenset()
    is_name: bool = False


@lru_cache(maxsize=2)
def scalars(text: str) -> tuple[Scalar, ...]:
    """Return every scalar of the contract, in order."""
    root = yaml.compose(text, Loader=LOADER)
    return tuple(sorted(_object(root, "#") if root is not None else (), key=lambda scalar: scalar.start))


def annotated(node: Node) -> frozenset[str]:
    """Return the identifiers that a mapping annotates."""
    found = entries(node).get(VENDOR_WORD_KEY)
    return frozenset(each.value for each in found.value) if isinstance(found, SequenceNode) else frozenset()


def values_of(schema: Node) -> frozenset[str]:
    """Return the annotated identifiers among a field's values or list members, plus the components it references."""
    found = set(annotated(schema))
    for each in (schema, entries(schema).get("items", schema)):
        reference = entries(each).get("$ref")
        found |= annotated(each) | ({f"#{reference.value.rpartition('/')[2]}"} if reference is not None else set())
    return frozenset(found)


def entries(node: Node | None) -> dict[str, Node]:
    """Return the values of a mapping by their keys; nothing for any other node."""
    return {key.value: value for key, value in node.value} if isinstance(node, MappingNode) else {}


def _scalar(node: Node, role: Role, place: str, holder: Node | None = None, **more: Any) -> Scalar:
    found = annotated(holder) if holder is not None else frozenset[str]()
    return Scalar(node.value, node.start_mark.index, node.end_mark.index, role, place, found, **more)


def _object(node: Node, place: str, keyword: str = "") -> Iterator[Scalar]:
    """Yield the scalars of an object whose keys are keywords of OpenAPI, or of a list of such objects."""
    if isinstance(node, ScalarNode):
        yield _scalar(node, Role.USED, place)
    elif isinstance(node, SequenceNode):
        for index, member in enumerate(node.value):
            yield from _object(member, child(place, index), keyword)
    else:
        for key, value in node.value:
            yield _scalar(key, Role.USED, place)
            yield from _keyword(node, key.value, value, place, keyword)


def _keyword(holder: Node, key: str, node: Node, place: str, parent: str) -> Iterator[Scalar]:
    """Yield the scalars of *node*, the value of the keyword *key* in *holder*, which itself is below *parent*."""
    here = child(place, key)
    if key == DECLARATION:
        yield from (_scalar(value, Role.DECLARED, place, field=word) for word, value in entries(node).items())
        return
    if key == VENDOR_WORD_KEY:
        yield from (attrs.evolve(each, role=Role.ANNOTATION, place=place) for each in _object(node, here))
    elif key in PROSE and isinstance(node, ScalarNode):
        yield _scalar(node, Role.PROSE, place)
    elif key in NAMES and isinstance(node, MappingNode) and parent != "link":
        for name, member in node.value:
            more = {"is_name": key != "paths", "values": values_of(member)}
            yield _scalar(name, Role.DEFINED, child(here, name.value), member, **more)
            yield from _object(member, child(here, name.value), "link" if key == "links" else key)
    elif key in VALUES:
        values = node.value if isinstance(node, SequenceNode) else [node]
        for value in values:
            # A default may be an object, which is read like an example.
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
    """Yield the scalars of an example, each with the name of its field."""
    if isinstance(node, ScalarNode):
        yield _scalar(node, Role.USED, place, holder, field=field or "")
    elif isinstance(node, SequenceNode):
        for member in node.value:
            yield from _data(member, place, holder, field)
    else:
        for key, value in node.value:
            yield _scalar(key, Role.USED, place)
            yield from _data(value, place, holder, key.value)
