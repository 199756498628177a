"""The shape of a schema in words that two contracts can be compared by: types, null, presence and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codegen.contract.document import Contract, Node

ANYTHING = "anything"
NAMED = "#/components/schemas/"


@dataclass(frozen=True)
class Shape:
    """What may stand in one place: the types it is one of, and what is said of it beside."""

    types: frozenset[str]
    nullable: bool = False
    required: bool = False
    deprecated: bool = False
    values: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " or ".join(sorted(self.types))

    def takes(self, other: Shape) -> bool:
        """Whether everything of the other's types may stand here, too."""
        wider = self.types | ({"integer"} if "number" in self.types else frozenset())
        return ANYTHING in self.types or other.types <= wider


def shape(contract: Contract, schema: Node, *, required: bool = False) -> Shape:
    """The shape of *schema*; the values of a schema with a name of its own are told there."""
    resolved = contract.resolve(schema)
    return Shape(
        types=frozenset(types(contract, schema)),
        nullable=is_nullable(contract, resolved),
        required=required,
        deprecated=bool(resolved.get("deprecated")),
        values=() if is_named(schema) else tuple(map(str, resolved.get("enum", ()))),
        known=tuple(map(str, resolved.get("x-known-values", ()))),
    )


def types(contract: Contract, schema: Node) -> set[str]:
    """The types that *schema* allows, null left out: those of JSON, date-time and file, or the name of a schema."""
    resolved = contract.resolve(schema)
    if is_named(schema) and (fields(contract, resolved) or "enum" in resolved):
        return {str(schema["$ref"]).rpartition("/")[2]}
    if alternatives := [*resolved.get("anyOf", ()), *resolved.get("oneOf", ())]:
        return set().union(*(types(contract, each) for each in alternatives)) - {"null"} or {"null"}
    written = resolved.get("type", ANYTHING)
    found = {written} if isinstance(written, str) else set(written)
    if len(found) > 1:
        found.discard("null")
    if "array" in found:
        found.remove("array")
        found.add(f"array of {' or '.join(sorted(types(contract, resolved.get('items', {}))))}")
    if "string" in found and resolved.get("format") in ("date-time", "binary"):
        found.remove("string")
        found.add("file" if resolved["format"] == "binary" else "date-time")
    return found


def is_named(schema: Node) -> bool:
    """Whether *schema* refers to one that has a name."""
    return str(schema.get("$ref", "")).startswith(NAMED)


def is_nullable(contract: Contract, resolved: Node) -> bool:
    """Whether null may stand there."""
    alternatives = [*resolved.get("anyOf", ()), *resolved.get("oneOf", ())]
    return "null" in resolved.get("type", ()) or any(
        is_nullable(contract, contract.resolve(each)) for each in alternatives
    )


def fields(contract: Contract, schema: Node) -> dict[str, Shape]:
    """The fields of an object by their wire names, also those that come through `allOf`."""
    resolved: Any = contract.resolve(schema)
    found: dict[str, Shape] = {}
    for part in resolved.get("allOf", ()):
        found |= fields(contract, part)
    required = resolved.get("required", ())
    return found | {
        name: shape(contract, child, required=name in required)
        for name, child in resolved.get("properties", {}).items()
    }
