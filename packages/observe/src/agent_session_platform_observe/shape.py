"""The shape of JSON values: the types, members and formats of all of them together, as counts, and no value.

A tally is plain JSON: a whole number is a count, a text is a date, and an object has more of them. Two are added member
by member, whichever process made them.

A name that the contract does not know may be a value, such as a key of a mapping by the names of people. It is kept
only where everything of its kind had it, several times. Inside a body, the same object that comes again is no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

import attrs
from agent_session_platform import operations
from agent_session_platform.contract import is_object

from .contract import Schema

Tally = dict[str, Any]

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
# Of each kind in one place: a place with more is a mapping with free keys, or no set of values.
MOST_NAMES: Final = 64
MOST_VALUES: Final = 32
# What was seen less often is not written: once, every name is in all that was seen.
LEAST: Final = 3
# Objects of which it is remembered that they came, each as one number.
MOST_OBJECTS: Final = 100_000

# In no spelling that a member has: how often unknown names were looked at, those that came each time, and how often
# there were others; the required members that were missing; the values of a set that the contract shows, those that it
# does not, and how many were not kept.
NAMED: Final = "*named"
OTHERS: Final = "*others"
FREE: Final = "*free"
MISSING: Final = "*missing"
VALUES: Final = "*values"
NEW: Final = "*new"
MANY: Final = "*many"

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

# An unknown name; ids, addresses and paths have other characters or more digits.
NAME: Final = re.compile(r"(?=.{1,40}\Z)[A-Za-z_-]+[0-9]{0,3}[A-Za-z_-]*")
WORD: Final = r"(?:[a-z]+|[A-Z]+|(?:[A-Z][a-z]+)+)"
# One of a set, such as `timed_out`: words without a digit, and no id.
VALUE: Final = re.compile(rf"(?=.{{1,40}}\Z){WORD}(?:[_.-]{WORD}){{0,5}}")
ID_PREFIXES: Final = tuple({each.prefix for operation in operations for each in operation.parameters if each.prefix})


def count(tally: Tally, key: str, times: int = 1) -> None:
    """Add to a count."""
    tally[key] = tally.get(key, 0) + times


def below(tally: Tally, *keys: str) -> Tally:
    """Return the tally below another one, a new one if there is none."""
    for key in keys:
        tally = tally.setdefault(key, {})
    return tally


def keep_names(tally: Tally, names: Collection[str], times: int = 1) -> Tally:
    """Keep those unknown names that came each time, and return their tallies.

    Args:
        tally: Of the place.
        names: The names that came now.
        times: How often they came.
    """
    before: Tally = tally.get(OTHERS, {})
    kept = {name for name in names if NAME.fullmatch(name) and (name in before or NAMED not in tally)}
    if len(kept) > MOST_NAMES:
        kept.clear()
    if len(kept) < max(len(names), len(before)):
        count(tally, FREE, times)
    count(tally, NAMED, times)
    tally[OTHERS] = {name: before.get(name, {}) for name in kept}
    return below(tally, OTHERS)


def take_unsure(tally: Tally) -> Tally:
    """Take out the names that came each time, but too rarely to be written, and return them at their places."""
    taken: Tally = {}
    # Where no name came each time, there is none to keep back, and that none came is a fact.
    if tally.get(OTHERS) and tally[NAMED] < LEAST:
        taken = {key: tally.pop(key) for key in (NAMED, OTHERS)}
    for key, value in list(tally.items()):
        if is_object(value):
            if unsure := take_unsure(value):
                taken[key] = unsure
            if not value:
                del tally[key]
    return taken


def add(tally: Tally, other: Mapping[str, Any]) -> None:
    """Add all counts of *other*."""
    for key, value in other.items():
        if isinstance(value, int):
            count(tally, key, value)
        elif isinstance(value, str):
            tally[key] = (min if key == "first" else max)(tally.get(key, value), value)
        else:
            add(below(tally, key), value)
    others: Tally = tally.get(OTHERS, {})
    if rare := [name for name, each in others.items() if each["n"] < tally[NAMED]]:
        count(tally, FREE)
        for name in rare:
            del others[name]
    if MANY in tally or len(tally.get(NEW, ())) > MOST_VALUES:
        tally.pop(NEW, None)
        tally.setdefault(MANY, 1)


def members_of(shape: Tally) -> dict[str, Tally]:
    """Return the shapes of all members of an object, whether the contract knows their names or not."""
    return {**shape.get("members", {}), **shape.get(OTHERS, {})}


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
    """A reader of a body into a shape.

    Args:
        vocabulary: The names of members that may be kept wherever they come.
        body: What tells this body from others; the same one may come again.
        objects: The objects that came before, each as a number.
        is_sent: Whether the values are of users: nothing is kept that the contract does not show, but for the names
            and types of members beside those that it does.
        left: How many values may still be read.
    """

    vocabulary: frozenset[str]
    body: object
    objects: set[int]
    is_sent: bool = False
    left: int = MOST_NODES

    def read(self, value: Any, schema: Schema | None, shape: Tally, *where: str | int) -> None:
        """Add a value to a shape.

        Args:
            value: A JSON value.
            schema: What the contract shows of it; None for nothing.
            shape: The shape.
            where: The names and indexes that lead to it in the body.
        """
        self.left -= 1
        kind = TYPES[value.__class__]
        count(shape, "n")
        count(below(shape, "types"), kind)
        if len(where) > DEPTH or (self.is_sent if schema is None else schema.is_secret):
            return
        if kind == "object":
            if schema is None or not schema.is_free:
                self._members(value, schema, shape, *where)
        elif kind == "array":
            items = schema.items if schema is not None else None
            if items is not None or schema is None or schema.is_unshown:
                for index in range(0, len(value), -(-len(value) // ITEMS) or 1):
                    if self.left > 0:
                        self.read(value[index], items, below(shape, "items"), *where, index)
        elif kind in ("string", "integer"):
            form = format_of(value)
            count(below(shape, "formats"), form)
            if schema is not None and kind == "string" and schema.is_set:
                self._value(value, schema, shape, is_plain=form == PLAIN)

    def _members(self, value: dict[str, Any], schema: Schema | None, shape: Tally, *where: str | int) -> None:
        known: Mapping[str, Schema] = {} if schema is None else schema.properties
        is_large = len(value) > MOST_MEMBERS
        for name in known if is_large else value:
            if name in value and (name in known or name in self.vocabulary):
                self.read(value[name], known.get(name), below(shape, "members", name), *where, name)
        for name in () if schema is None else schema.required.keys() - value.keys():
            count(below(shape, MISSING), name)
        unknown = value.keys() - known.keys() - self.vocabulary
        # Who sends an object chooses its members, while a server sends all that there are.
        if self.left <= 0 or (self.is_sent and not unknown):
            return
        is_record = not known.keys().isdisjoint(value) or (self.is_sent and bool(known))
        if is_large or (not is_record and is_mapping(value)):
            # No member has the empty name.
            unknown = {""} if unknown else set[str]()
        elif not is_record and not self._is_new(where):
            return
        others = keep_names(shape, unknown)
        for name in others:
            self.read(value[name], None, others[name], *where, name)

    def _is_new(self, where: tuple[str | int, ...]) -> bool:
        """Return whether an object inside a body came for the first time; the whole of a body is always new."""
        number, size = hash((self.body, where)), len(self.objects)
        if where and size < MOST_OBJECTS:
            self.objects.add(number)
        return not where or len(self.objects) > size

    def _value(self, value: str, schema: Schema, shape: Tally, *, is_plain: bool) -> None:
        if value in schema.values:
            count(below(shape, VALUES), value)
            return
        new = shape.get(NEW, {})
        is_kept = is_plain and not self.is_sent and MANY not in shape and is_value_name(value)
        if is_kept and (value in new or len(new) < MOST_VALUES):
            count(below(shape, NEW), value)
        else:
            # One that is no name shows that the others may be no names either.
            shape.pop(NEW, None)
            count(shape, MANY)
