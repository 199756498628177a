"""The shapes of JSON values, and how Python writes them: their types, and the functions that read them.

The types of arguments are strict (a closed set is a Literal). The types of responses are open, because a server may be
newer than the contract: an editor completes the known values, and an unknown one is not an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

MAPPING = "Mapping[str, Any]"
OPEN = "OpenModel"

# The types of an argument and of a response, and the function that reads the latter from JSON.
SCALARS: dict[str, tuple[list[str], list[str], str | None]] = {
    "string": (["str"], ["str"], None),
    "integer": (["int"], ["int"], None),
    "number": (["float"], ["float"], None),
    "boolean": (["bool"], ["bool"], None),
    "date-time": (["datetime", "str"], ["datetime"], "parse_datetime"),
    "date": (["date", "str"], ["date"], "parse_date"),
    "uuid": (["UUID", "str"], ["UUID"], "parse_uuid"),
    "duration": (["timedelta", "str"], ["str"], None),
    "file": (["str"], ["str"], None),
    "null": (["None"], ["None"], None),
}

Names = frozenset[tuple[str, str]]


@attrs.frozen
class Shape:
    """A value of any JSON type: what the description does not show, or Python cannot express.

    Attributes:
        nullable: Whether null is allowed.
    """

    nullable: bool = attrs.field(default=False, kw_only=True)

    def types(self, *, strict: bool) -> list[str]:
        """Return the types of a value that is not null: of an argument if *strict*, else of a response."""
        return ["Any"]

    def reader(self) -> str | None:
        """Return the function that turns JSON into the type of a response; None where it has that type already."""
        return "to_json"

    def item_reader(self) -> str:
        """Return the function that reads an item of a list or a mapping."""
        return self.reader() or "to_json"

    def read(self, source: str) -> str:
        """Return the expression that reads the JSON value *source*."""
        reader = self.reader()
        return f"{reader}({source})" if reader else source

    def parts(self) -> tuple[Shape, ...]:
        """Return the shapes that this one is made of."""
        return ()

    def written(self, *, strict: bool) -> str:
        """Return the type of a value that is not null, as it is written in Python."""
        return " | ".join(self.types(strict=strict))

    def type(self, *, strict: bool) -> str:
        """Return the type of a value, with None where null is allowed."""
        written = self.written(strict=strict)
        return f"{written} | None" if self.nullable and written not in ("Any", "None") else written

    def below(self) -> Iterator[Shape]:
        """Yield this shape and all that it is made of."""
        yield self
        for part in self.parts():
            yield from part.below()

    def names(self) -> Names:
        """Return module and name of the models and the closed sets that its type names."""
        return frozenset((each.module, each.name) for each in self.below() if isinstance(each, Model | NamedValues))


@attrs.frozen
class Open(Shape):
    """An item of a list that the description does not show."""

    def types(self, *, strict: bool) -> list[str]:
        """Return the type: an argument may be of any."""
        return ["Any"] if strict else [OPEN]

    def reader(self) -> str | None:
        """Return the function that makes a view of an object, and keeps any other value."""
        return "open_value"


@attrs.frozen
class Scalar(Shape):
    """A string, a number, a boolean or null, by its `kind`, a key of SCALARS."""

    kind: str

    def types(self, *, strict: bool) -> list[str]:
        """Return the types of a value that is not null."""
        argument, response, _ = SCALARS[self.kind]
        return argument if strict else response

    def reader(self) -> str | None:
        """Return the function that parses a date-time, a date or a UUID."""
        return SCALARS[self.kind][2]


@attrs.frozen
class Values(Shape):
    """One of several values.

    Attributes:
        values: The values.
        closed: Whether there are no others.
    """

    values: tuple[Any, ...]
    closed: bool = True

    def literal(self) -> str:
        """Return the type of the values."""
        return f"Literal[{', '.join(map(repr, self.values))}]"

    def types(self, *, strict: bool) -> list[str]:
        """Return the types of a value that is not null."""
        bases = sorted({type(value).__name__ for value in self.values})
        return [self.literal()] if strict and self.closed else [self.literal(), *bases]

    def reader(self) -> str | None:
        """Return None: the values are strings, numbers and booleans."""
        return None


@attrs.frozen
class NamedValues(Values):
    """A closed set that has a name in the package."""

    name: str = attrs.field(kw_only=True)
    module: str = attrs.field(kw_only=True)

    def literal(self) -> str:
        """Return the name of the set."""
        return self.name


@attrs.frozen
class Model(Shape):
    """An object with known members.

    Attributes:
        name: The name of its class.
        module: The name of its module.
    """

    name: str
    module: str

    def types(self, *, strict: bool) -> list[str]:
        """Return the class; an argument may also be a mapping."""
        return [self.name, MAPPING] if strict else [self.name]

    def reader(self) -> str | None:
        """Return the function that makes a view."""
        return f"{self.name}.from_value"

    def item_reader(self) -> str:
        """Return the function that reads an item; null is one where the contract allows it."""
        return f"{self.name}.{'from_value' if self.nullable else 'from_item'}"


@attrs.frozen
class ListOf(Shape):
    """An array."""

    item: Shape

    def types(self, *, strict: bool) -> list[str]:
        """Return the type of the sequence."""
        return [f"Sequence[{self.item.type(strict=strict)}]"]

    def reader(self) -> str | None:
        """Return the function that reads all items."""
        return f"lambda value: {self.read('value')}"

    def read(self, source: str) -> str:
        """Return the expression that reads all items."""
        return f"convert_list({source}, {self.item.item_reader()})"

    def parts(self) -> tuple[Shape, ...]:
        """Return the shape of an item."""
        return (self.item,)


@attrs.frozen
class MappingOf(Shape):
    """An object whose members have any name and one shape."""

    value: Shape = attrs.field(factory=Shape)

    def types(self, *, strict: bool) -> list[str]:
        """Return the type of the mapping."""
        return [f"Mapping[str, {self.value.type(strict=strict)}]"]

    def reader(self) -> str | None:
        """Return the function that reads all members."""
        return f"lambda value: {self.read('value')}" if self.value.reader() != "to_json" else "to_json"

    def read(self, source: str) -> str:
        """Return the expression that reads all members."""
        reader = self.value.item_reader()
        return f"to_json({source})" if reader == "to_json" else f"convert_mapping({source}, {reader})"

    def parts(self) -> tuple[Shape, ...]:
        """Return the shape of a member."""
        return (self.value,)


@attrs.frozen
class OneOf(Shape):
    """One of several shapes.

    Attributes:
        alternatives: The shapes.
        key: The discriminator, the member that names the model; empty if there is none.
        by: The name of the class for each value of that member.
        base: The class for all other values, which the others extend; empty if there is none.
    """

    alternatives: tuple[Shape, ...]
    key: str = ""
    by: tuple[tuple[str, str], ...] = ()
    base: str = ""

    def types(self, *, strict: bool) -> list[str]:
        """Return the types of all alternatives, each once."""
        found = [each for shape in self.alternatives for each in shape.types(strict=strict)]
        # A value of the discriminator that is not known is no model of the contract.
        return [*dict.fromkeys(found if strict or self.base or not self.key else [*found, OPEN])]

    def reader(self) -> str | None:
        """Return the function that chooses by the JSON type of the value, and among models by its members."""
        expression = self.read("value")
        return None if expression == "value" else f"lambda value: {expression}"

    def read(self, source: str) -> str:
        """Return the expression that reads the value."""
        models = [each.name for each in self.alternatives if isinstance(each, Model)]
        lists = [each for each in self.alternatives if isinstance(each, ListOf)]
        readers = {each.reader() for each in self.alternatives if isinstance(each, Scalar)} - {None}
        expression = source
        if models:
            by = ", ".join(f"{value!r}: {name}" for value, name in self.by)
            discriminator = f", {self.key!r}, {{{by}}}" if self.key else ""
            discriminator += f", {self.base}" if self.base else ""
            expression = f"one_of({source}, ({', '.join(models)},){discriminator})"
            if not self.only_models:
                expression += f" if {source}.__class__ is dict else to_json({source})"
        elif len(readers) == 1:
            expression = f"{readers.pop()}({source})"
        elif any(not isinstance(each, Scalar | Values) for each in self.alternatives):
            expression = f"to_json({source})"
        if lists:
            items = [each.item for each in lists]
            merged = lists[0] if len(lists) == 1 else ListOf(OneOf(tuple(dict.fromkeys(items))))
            expression = f"{merged.read(source)} if {source}.__class__ is list else {expression}"
        return expression

    def item_reader(self) -> str:
        """Return the function that reads an item; null is one where the contract allows it."""
        reader = self.reader() or "to_json"
        first = self.alternatives[0]
        if self.only_models and not self.nullable and isinstance(first, Model):
            return f"{reader} or {first.name}.from_item(value)"
        return reader

    @property
    def only_models(self) -> bool:
        """True if every alternative is a model."""
        return all(isinstance(each, Model) for each in self.alternatives)

    def parts(self) -> tuple[Shape, ...]:
        """Return the alternatives."""
        return self.alternatives


def one_of(shapes: Iterable[Shape], key: str = "", by: Mapping[str, str] | None = None, base: str = "") -> Shape:
    """Return the shape of a value that has one of several shapes; all constants make one set of values.

    Args:
        shapes: The shapes, each of them no union.
        key: The discriminator; empty if there is none.
        by: The name of the class for each value of the discriminator.
        base: The class for all its other values; empty if there is none.
    """
    found = list(shapes)
    nullable = Scalar("null") in found
    found = [each for each in found if each != Scalar("null")]
    constants = [each for each in found if type(each) is Values and each.closed]
    if constants:
        first = found.index(constants[0])
        together = Values(tuple(value for each in constants for value in each.values))
        found = [each for each in found if each not in constants]
        found.insert(first, together)
    if len(found) == 1:
        return attrs.evolve(found[0], nullable=nullable)
    return OneOf(tuple(found), key, tuple(sorted((by or {}).items())), base, nullable=nullable)
