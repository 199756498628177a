"""The shape of JSON values: the types, members and formats of all of them together, and no value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs
from agent_session_platform import operations

from .contract import Schema
from .tally import MANY, MOST_VALUES, NEW, VALUES, Room, Tally

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

DATE_TIME: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?P<zone>[Zz]|[+-]\d\d:?\d\d)?", re.ASCII
)
FORMATS: Final = {
    "date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
    "uuid": re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE),
    "uri": re.compile(r"[a-z][a-z0-9+.-]{1,9}://[^\s]+", re.IGNORECASE),
}
PLAIN: Final = "plain"
# A longer text is looked at no further.
LONGEST: Final = 2048
# The years 2001 to 2096, in each unit since 1970.
SECONDS: Final = range(10**9, 4 * 10**9)
UNITS: Final = {"unix-seconds": 1, "unix-milliseconds": 10**3, "unix-microseconds": 10**6}

WORD: Final = r"(?:[a-z]+|[A-Z]+|(?:[A-Z][a-z]+)+)"
# One of a set, such as `timed_out`: words without a digit, and no id.
VALUE: Final = re.compile(rf"(?=.{{1,40}}\Z){WORD}(?:[_.-]{WORD}){{0,5}}")
ID_PREFIXES: Final = tuple({each.prefix for operation in operations for each in operation.parameters if each.prefix})


def format_of(value: str | int) -> str:
    """Return the format of a text, or the unit in which a number may be a time; `plain` if it has none."""
    if isinstance(value, int):
        return next((name for name, unit in UNITS.items() if value // unit in SECONDS), PLAIN)
    if not 8 <= len(value) <= LONGEST:
        return PLAIN
    if value[0].isdigit() and (match := DATE_TIME.fullmatch(value)):
        # Without a timezone it is none of RFC 3339, which the contract means by `date-time`.
        return "date-time" if match["zone"] else "local date-time"
    return next((name for name, pattern in FORMATS.items() if pattern.fullmatch(value)), PLAIN)


def is_value_name(text: str) -> bool:
    """Return whether a text looks like one of a set of values, such as `timed_out`."""
    return VALUE.fullmatch(text) is not None and not text.startswith(ID_PREFIXES)


def is_mapping(value: Mapping[str, Any]) -> bool:
    """Return whether all members of an object are of one kind, as those of a mapping by the names of people are."""
    kinds = {
        format_of(member) if isinstance(member, str) else TYPES[member.__class__].replace("integer", "number")
        for member in value.values()
        if member is not None
    }
    return len(kinds) < 2


@attrs.define
class Reader:
    """A reader of values into shapes.

    Args:
        room: What bounds the entries of the shapes.
        vocabulary: The names of members that may be kept wherever they come.
        sent: True if the values are of users: nothing is kept that the contract does not show, but for the names and
            types of members beside those that it does.
        left: How many values may still be read.
    """

    room: Room
    vocabulary: frozenset[str]
    sent: bool = False
    left: int = MOST_NODES

    def read(self, value: Any, schema: Schema | None, shape: Tally, depth: int = 0) -> None:
        """Add a value to a shape.

        Args:
            value: A JSON value.
            schema: What the contract shows of it; None for nothing.
            shape: The shape.
            depth: How many objects and lists it is in.
        """
        count, below = self.room.count, self.room.below
        self.left -= 1
        kind = TYPES[value.__class__]
        count(shape, "n")
        count(below(shape, "types"), kind)
        if (schema is not None and schema.is_secret) or depth > DEPTH or (self.sent and schema is None):
            return
        if kind == "object":
            if schema is None or not schema.is_free:
                self._members(value, schema, shape, depth)
        elif kind == "array":
            items = schema.items if schema is not None else None
            if value and (items is not None or schema is None or schema.is_unshown):
                for item in value[:: -(-len(value) // ITEMS)]:
                    if self.left <= 0:
                        break
                    self.read(item, items, below(shape, "items"), depth + 1)
        elif kind in ("string", "integer"):
            form = format_of(value)
            count(below(shape, "formats"), form)
            if schema is not None and kind == "string":
                self._value(value, schema, shape, is_plain=form == PLAIN)

    def _members(self, value: dict[str, Any], schema: Schema | None, shape: Tally, depth: int) -> None:
        known: Mapping[str, Schema] = {} if schema is None else schema.properties
        is_large = len(value) > MOST_MEMBERS
        members = self.room.below(shape, "members")
        for name in known if is_large else value:
            if name in value and (name in known or name in self.vocabulary):
                self.read(value[name], known.get(name), self.room.below(members, name), depth + 1)
        if self.left <= 0:
            return
        unknown = value.keys() - known.keys() - self.vocabulary
        is_free = is_large or (not known and is_mapping(value))
        # No member has the empty name.
        others = self.room.narrow(shape, {""} if is_free and unknown else unknown)
        for name in others:
            self.read(value[name], None, others[name], depth + 1)

    def _value(self, value: str, schema: Schema, shape: Tally, *, is_plain: bool) -> None:
        if value in schema.values:
            self.room.count(self.room.below(shape, VALUES), value)
        elif schema.is_set:
            new = shape.get(NEW, {})
            is_kept = is_plain and not self.sent and MANY not in shape and is_value_name(value)
            if is_kept and (value in new or len(new) < MOST_VALUES):
                self.room.count(self.room.below(shape, NEW), value)
            else:
                # One that is no name shows that the others may be no names either.
                shape.pop(NEW, None)
                self.room.count(shape, MANY)
