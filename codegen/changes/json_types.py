"""The types of a value as comparisons need them, and whether some types accept all that others have."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from codegen.render.shapes import ListOf, MappingOf, Model, NamedValues, OneOf, Scalar, Shape, Values

JSON_NAMES = {"str": "string", "int": "integer", "bool": "boolean"}


@attrs.frozen
class JsonType:
    """A type of JSON, or a named schema.

    Attributes:
        name: Its name.
        of: The types of the members of an array or a mapping.
        bases: The types of the values of a named closed set.
    """

    name: str
    of: frozenset[JsonType] = frozenset()
    bases: frozenset[JsonType] = frozenset()

    def __str__(self) -> str:
        return f"{self.name} of {' or '.join(sorted(map(str, self.of)))}" if self.of else self.name


Types = frozenset[JsonType]

ANYTHING, NULL, OBJECT, STRING = map(JsonType, ("any type", "null", "object", "string"))


def types_of(shape: Shape) -> Types:
    """Return the types of a shape; null only within arrays, mappings and alternatives."""
    if isinstance(shape, NamedValues):
        return frozenset({JsonType(shape.name, bases=value_types(shape.values))})
    if isinstance(shape, Values):
        return value_types(shape.values)
    if isinstance(shape, Model):
        return frozenset({JsonType(shape.name)})
    if isinstance(shape, ListOf):
        return frozenset({JsonType("array", with_null(shape.item))})
    if isinstance(shape, MappingOf):
        of = with_null(shape.value)
        return frozenset({OBJECT if ANYTHING in of else JsonType("mapping", of)})
    if isinstance(shape, OneOf):
        return frozenset[JsonType]().union(*map(with_null, shape.alternatives))
    return frozenset({JsonType(shape.kind) if isinstance(shape, Scalar) else ANYTHING})


def value_types(values: Iterable[object]) -> Types:
    """Return the types of the values of a set."""
    return frozenset(JsonType(JSON_NAMES[type(value).__name__]) for value in values)


def with_null(shape: Shape) -> Types:
    """Return the types of a shape, with null where it is allowed."""
    return types_of(shape) | ({NULL} if shape.nullable else set())


def accepts(wide: Types, narrow: Types) -> bool:
    """Return whether every value of the types *narrow* is one of the types *wide*."""
    return all(any(includes(each, other) for each in wide) or covers(wide, other.bases) for other in narrow)


def covers(wide: Types, bases: Types) -> bool:
    """Return whether a closed set with these types of values is accepted."""
    return bool(bases) and accepts(wide, bases)


def includes(wide: JsonType, narrow: JsonType) -> bool:
    """Return whether every value of the type *narrow* is one of the type *wide*."""
    if wide in (ANYTHING, narrow) or (wide.name, narrow.name) == ("number", "integer"):
        return True
    if wide == OBJECT:
        return narrow.name == "mapping"
    return wide.name == narrow.name and bool(wide.of) and accepts(wide.of, narrow.of)


def opened(types: Types) -> Types:
    """Return the types as responses have them, where a closed set may get another value."""
    return frozenset(
        each
        for written in types
        for each in (written.bases or {attrs.evolve(written, of=opened(written.of)) if written.of else written})
    )
