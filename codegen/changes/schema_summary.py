"""Summarize the facts of a schema that comparisons use: types, null, presence, values and limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from codegen.changes.change import Change
from codegen.contract import COMPONENT, Contract, Node

ANYTHING = "any type"

# The keywords that bound a value; for each number, the direction in which it accepts less.
LIMITS = {
    "maximum": -1,
    "exclusiveMaximum": -1,
    "maxLength": -1,
    "maxItems": -1,
    "minimum": 1,
    "exclusiveMinimum": 1,
    "minLength": 1,
    "minItems": 1,
    "multipleOf": 0,
    "pattern": 0,
    "format": 0,
    "default": 0,
}


@attrs.frozen
class SchemaSummary:
    """The comparable facts of one schema; `limits` are the keywords of LIMITS that it has, with their values."""

    types: frozenset[str]
    nullable: bool = False
    required: bool = False
    deprecated: bool = False
    values: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    limits: dict[str, Any] = attrs.Factory(dict)

    def __str__(self) -> str:
        return " or ".join(sorted(self.types))

    def accepts(self, other: SchemaSummary) -> bool:
        """Return whether this schema accepts every type of the other one."""
        wider = self.types | ({"integer"} if "number" in self.types else frozenset())
        return ANYTHING in self.types or other.types <= wider


def summarize(contract: Contract, schema: Node, *, required: bool = False) -> SchemaSummary:
    """Summarize *schema*. Omit the values of a named schema: it is compared separately."""
    resolved = contract.resolve(schema)
    return SchemaSummary(
        types=frozenset(types(contract, schema)),
        nullable=is_nullable(contract, resolved),
        required=required,
        deprecated=bool(resolved.get("deprecated")),
        values=() if is_named(schema) else tuple(map(str, resolved.get("enum", ()))),
        known=tuple(map(str, resolved.get("x-known-values", ()))),
        limits=limits(contract, resolved),
    )


def types(contract: Contract, schema: Node) -> set[str]:
    """Return the types that *schema* allows, without null: JSON types, date-time, file, or the name of a schema."""
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
    """Return whether *schema* refers to a named schema."""
    return str(schema.get("$ref", "")).startswith(COMPONENT)


def is_nullable(contract: Contract, resolved: Node) -> bool:
    """Return whether null is allowed."""
    alternatives = [*resolved.get("anyOf", ()), *resolved.get("oneOf", ())]
    return "null" in resolved.get("type", ()) or any(
        is_nullable(contract, contract.resolve(each)) for each in alternatives
    )


def limits(contract: Contract, resolved: Node) -> dict[str, Any]:
    """Return the limits of a value, of its alternatives and, with the prefix `items.`, of the members of an array."""
    found: dict[str, Any] = {}
    for each in (*resolved.get("anyOf", ()), *resolved.get("oneOf", ())):
        found |= limits(contract, contract.resolve(each))
    if "items" in resolved and not is_named(resolved["items"]):
        inner = limits(contract, contract.resolve(resolved["items"]))
        found |= {f"items.{name}": value for name, value in inner.items()}
    # These two formats count as types here.
    mine = {name: resolved[name] for name in LIMITS if resolved.get(name) not in (None, "date-time", "binary")}
    return found | mine


def limit_changes(was: SchemaSummary, now: SchemaSummary, *, is_argument: bool) -> Iterator[Change]:
    """Yield the limits and defaults that changed.

    Args:
        was: The schema before.
        now: The schema after.
        is_argument: True if callers pass the value: a limit that accepts less, or another default, is breaking then.
    """
    for name in sorted(was.limits.keys() | now.limits.keys()):
        old, new = was.limits.get(name), now.limits.get(name)
        if old != new:
            was_text, now_text = (f"`{each}`" if each is not None else "not set" for each in (old, new))
            text = f"{name} {now_text}, was {was_text}"
            yield Change("Changed", text, breaking=is_argument and accepts_less(name.rpartition(".")[2], old, new))


def accepts_less(name: str, old: Any, new: Any) -> bool:
    """Return whether a limit may refuse values that were accepted, or a known default changed."""
    if name == "default":
        return old is not None and new is not None
    if new is None or old is None:
        return new is not None
    return not LIMITS[name] or bool((new - old) * LIMITS[name] > 0)


def fields(contract: Contract, schema: Node) -> dict[str, SchemaSummary]:
    """Summarize the fields of an object by their wire names, including those from `allOf`."""
    resolved: Any = contract.resolve(schema)
    found: dict[str, SchemaSummary] = {}
    for part in resolved.get("allOf", ()):
        found |= fields(contract, part)
    required = resolved.get("required", ())
    return found | {
        name: summarize(contract, child, required=name in required)
        for name, child in resolved.get("properties", {}).items()
    }
