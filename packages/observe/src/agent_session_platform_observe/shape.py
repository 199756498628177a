"""The shape of JSON values: the types, members and formats of all of them together, and no value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from .contract import Schema
from .formats import PLAIN, length_class, number_format, text_format
from .names import MOST_NAMES, MOST_VALUES, is_field_name, is_mapping, is_private, is_value_name
from .tally import FREE, MANY, NEW, OTHERS, VALUES, Room, Tally

TYPES: Final = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}
# Deeper levels are not looked at.
DEPTH: Final = 8
# So many items of each list are read of one body, evenly over it.
ITEMS: Final = 50
# After so many values of one body no further items and no unknown members are read: that takes about ten milliseconds.
MOST_NODES: Final = 2000
# Of a larger object only the members that the contract shows are looked at.
MOST_MEMBERS: Final = 500

# The members of a shape.
COUNT: Final = "n"
TYPE: Final = "types"
MEMBERS: Final = "members"
ITEM: Final = "items"
FORMATS: Final = "formats"
LENGTHS: Final = "lengths"


@attrs.define
class Reader:
    """A reader of values into shapes.

    Args:
        room: What bounds the entries of the shapes.
        values: True to keep short identifiers of few values where the contract does not speak of a set.
        sent: True if the values are of users: nothing is kept that the contract does not show, but for the names and
            types of members beside those that it does.
        items: How many items of each list are read.
        left: How many values may still be read.
    """

    room: Room
    values: bool = False
    sent: bool = False
    items: int = ITEMS
    left: int = MOST_NODES

    def read(self, value: Any, schema: Schema | None, shape: Tally, name: str = "", depth: int = 0) -> None:
        """Add a value to a shape.

        Args:
            value: A JSON value.
            schema: What the contract shows of it; None for nothing.
            shape: The shape.
            name: The name of the member that has it; empty for any other value.
            depth: How many objects and lists it is in.
        """
        count, below = self.room.count, self.room.below
        self.left -= 1
        kind = TYPES.get(value.__class__, "other")
        count(shape, COUNT)
        count(below(shape, TYPE), kind)
        if (schema is not None and schema.is_secret) or depth > DEPTH or (self.sent and schema is None):
            return
        if kind == "object":
            self._members(value, schema, shape, name, depth)
        elif kind == "array":
            items = schema.items if schema is not None else None
            if value and (items is not None or schema is None or schema.is_unshown):
                of_items = below(shape, ITEM)
                for item in spread(value, self.items):
                    if self.left <= 0:
                        break
                    self.read(item, items, of_items, name, depth + 1)
            count(below(shape, LENGTHS), length_class(len(value)))
        elif kind == "string":
            found = text_format(value, name)
            count(below(shape, FORMATS), found)
            count(below(shape, LENGTHS), length_class(len(value)))
            self._value(value, schema, shape, name, is_plain=found == PLAIN)
        elif kind == "integer":
            count(below(shape, FORMATS), number_format(value))

    def _members(self, value: dict[str, Any], schema: Schema | None, shape: Tally, name: str, depth: int) -> None:
        if schema is not None and schema.is_free:
            return
        known: Mapping[str, Schema] = {} if schema is None else schema.properties
        members = self.room.below(shape, MEMBERS)
        is_large = len(value) > MOST_MEMBERS
        for each in known if is_large else value:
            if each in value and (of_member := known.get(each)) is not None:
                self.read(value[each], of_member, self.room.below(members, each), each, depth + 1)
        if is_large:
            shape.pop(OTHERS, None)
            self.room.count(shape, FREE)
            return
        unknown = [each for each in value if each not in known] if self.left > 0 else []
        if not unknown:
            return
        others = shape.get(OTHERS, {})
        names = [each for each in unknown if is_field_name(each)]
        is_free = FREE in shape or len(names) < len(unknown) or len(others.keys() | names) > MOST_NAMES
        if is_free or (not known and is_mapping(value, name)):
            # The names are the users' own, as those of a mapping by id are.
            shape.pop(OTHERS, None)
            self.room.count(shape, FREE)
            return
        others = self.room.below(shape, OTHERS)
        for each in names:
            self.read(value[each], None, self.room.below(others, each), each, depth + 1)

    def _value(self, value: str, schema: Schema | None, shape: Tally, name: str, *, is_plain: bool) -> None:
        if schema is not None and value in schema.values:
            self.room.count(self.room.below(shape, VALUES), value)
        elif (schema is not None and schema.is_set) or (self.values and not self.sent and not is_private(name)):
            new = shape.get(NEW, {})
            is_kept = is_plain and not self.sent and MANY not in shape and is_value_name(value)
            if is_kept and (value in new or len(new) < MOST_VALUES):
                self.room.count(self.room.below(shape, NEW), value)
            else:
                # One that is no name shows that the others may be no names either.
                shape.pop(NEW, None)
                self.room.count(shape, MANY)


def spread(items: list[Any], most: int) -> list[Any]:
    """Return at most so many items, evenly over a list."""
    return items if len(items) <= most else items[:: -(-len(items) // most)]
