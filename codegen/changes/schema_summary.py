"""Summarize the facts of a value that comparisons use: types, null, presence, values and limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from codegen.changes.change import Change
from codegen.changes.json_types import Types, accepts, opened, types_of
from codegen.contract import COMPONENT, FORMATS, Contract, Node
from codegen.render.shapes import NamedValues, Shape, Values

# The keywords that bound a value; for each number, the direction in which it accepts less.
LIMITS = {
    "maximum": -1,
    "exclusiveMaximum": -1,
    "maxLength": -1,
    "maxItems": -1,
    "maxProperties": -1,
    "minimum": 1,
    "exclusiveMinimum": 1,
    "minLength": 1,
    "minItems": 1,
    "minProperties": 1,
    "multipleOf": 0,
    "pattern": 0,
    "format": 0,
    "uniqueItems": 0,
    "default": 0,
}


@attrs.frozen
class SchemaSummary:
    """The comparable facts of one value.

    Attributes:
        types: Its types.
        nullable: Whether null is allowed.
        required: Whether it must be given, or is always there.
        deprecated: Whether it is deprecated.
        values: The values of a closed set without a name.
        known: The known values of an open set.
        limits: The keywords of LIMITS that it has, with their values.
    """

    types: Types
    nullable: bool = False
    required: bool = False
    deprecated: bool = False
    values: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    limits: dict[str, Any] = attrs.Factory(dict)

    def __str__(self) -> str:
        return " or ".join(sorted(map(str, self.types)))

    def accepts(self, other: SchemaSummary) -> bool:
        """Return whether an argument of these types accepts whatever one of the other types accepted."""
        return accepts(self.types, other.types)

    def reads_like(self, other: SchemaSummary) -> bool:
        """Return whether code that reads the other types can read these: no type is new."""
        return accepts(opened(other.types), opened(self.types))


def summarize(contract: Contract, shape: Shape, schema: Node, *, required: bool) -> SchemaSummary:
    """Summarize a value.

    Args:
        contract: The contract.
        shape: The shape of the value.
        schema: Its schema, with its references followed and its `allOf` merged.
        required: Whether it must be given, or is always there.
    """
    sets = [each for each in shape.below() if isinstance(each, Values) and not isinstance(each, NamedValues)]
    closed, known = (
        dict.fromkeys(str(value) for each in sets if each.closed is is_closed for value in each.values)
        for is_closed in (True, False)
    )
    return SchemaSummary(
        types=types_of(shape),
        nullable=shape.nullable,
        required=required,
        deprecated=bool(schema.get("deprecated")),
        values=tuple(closed),
        known=tuple(known),
        limits=limits(contract, schema),
    )


def limits(contract: Contract, schema: Node, seen: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the limits of a value, of its alternatives, and with a prefix those of the members of an array or mapping.

    Args:
        contract: The contract.
        schema: The merged schema of the value.
        seen: The named schemas that it is a part of: a schema may contain itself.
    """
    found: dict[str, Any] = {}
    alternatives = [("", each) for key in ("anyOf", "oneOf") for each in schema.get(key, ())]
    members = [(f"{key}.", schema.get(key)) for key in ("items", "additionalProperties")]
    for prefix, part in (*alternatives, *members):
        name = str(part.get("$ref", "")).removeprefix(COMPONENT) if isinstance(part, dict) else ""
        # The members of a named schema are compared with that schema.
        if isinstance(part, dict) and name not in seen and not (prefix and name):
            inner = limits(contract, contract.flatten(part), seen | {name} - {""})
            found |= {f"{prefix}{keyword}": value for keyword, value in inner.items()}
    # The formats that have a type of their own are compared as types.
    return found | {
        keyword: schema[keyword]
        for keyword in LIMITS
        if keyword in schema and not (keyword == "format" and schema["format"] in FORMATS)
    }


def limit_changes(was: SchemaSummary, now: SchemaSummary, *, is_argument: bool) -> Iterator[Change]:
    """Yield the limits and defaults that changed.

    Args:
        was: The value before.
        now: The value after.
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


def value_changes(was: SchemaSummary, now: SchemaSummary, *, is_argument: bool) -> Iterator[Change]:
    """Yield changes of a set of values.

    Removing a value from a closed set is breaking only if callers pass it.

    Args:
        was: The value before.
        now: The value after.
        is_argument: True if callers pass the value.
    """
    if bool(was.values) != bool(now.values):
        text = f"accepts only {', '.join(now.values)}" if now.values else "any value is accepted"
        yield Change("Changed", text, breaking=bool(now.values) and is_argument)
        return
    old, new = {*was.values, *was.known}, {*now.values, *now.known}
    for value in sorted(new - old):
        yield Change("Added", f"the value `{value}`")
    for value in sorted(old - new):
        yield Change("Removed", f"the value `{value}`", breaking=is_argument and value in was.values)
