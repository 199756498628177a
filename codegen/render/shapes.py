"""The shapes of JSON values, and how Python writes them: their types, and the functions that read them.

The types of arguments are strict (a closed set is a Literal). The types of responses are open, because a server may be
newer than the contract: an editor completes the known values, and an unknown one is not an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

MAPPING = "Mapping[str, Any]"
OPEN = "OpenModel"

# The types of an argument and of a response, and the function that reads the latter from JSON.
SCALARS = {
    "string": ("str", "str", None),
    "integer": ("int", "int", None),
    "number": ("float", "float", None),
    "boolean": ("bool", "bool", None),
    "date-time": ("datetime | str", "datetime", "parse_datetime"),
    "date": ("date | str", "date", "parse_date"),
    "uuid": ("UUID | str", "UUID", "parse_uuid"),
    "duration": ("timedelta | str", "str", None),
    "file": ("str", "str", None),
    "null": ("None", "None", None),
}

Names = frozenset[tuple[str, str]]


@attrs.frozen
class Shape:
    """A value of any JSON type: what the description does not show, or Python cannot express.

    Attributes:
        nullable: Whether null is allowed.
    """

    nullable: bool = attrs.field(default=False, kw_only=True)

    def written(self, *, strict: bool) -> str:
        """Return the type of a value that is not null: of an argument if *strict*, else of a response."""
        return "Any"

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

    def written(self, *, strict: bool) -> str:
        """Return the type: an argument may be of any."""
        return "Any" if strict else OPEN

    def reader(self) -> str | None:
        """Return the function that makes a view of an object, and keeps any other value."""
        return "open_value"


@attrs.frozen
class Scalar(Shape):
    """A string, a number, a boolean or null, by its `kind`, a key of SCALARS."""

    kind: str

    def written(self, *, strict: bool) -> str:
        """Return the type of a value that is not null."""
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

    def written(self, *, strict: bool) -> str:
        """Return the type of a value that is not null."""
        bases = sorted({type(value).__name__ for value in self.values})
        return self.literal() if strict and self.closed else " | ".join([self.literal(), *bases])

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
        schema: The key of its schema in `Schemas.models`.
        name: The name of its class.
        module: The name of its module.
    """

    schema: str
    name: str
    module: str

    def written(self, *, strict: bool) -> str:
        """Return the class; an argument may also be a mapping."""
        return f"{self.name} | {MAPPING}" if strict else self.name

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

    def written(self, *, strict: bool) -> str:
        """Return the type of the sequence."""
        return f"Sequence[{self.item.type(strict=strict)}]"

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

    def written(self, *, strict: bool) -> str:
        """Return the type of the mapping."""
        return f"Mapping[str, {self.value.type(strict=strict)}]"

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
