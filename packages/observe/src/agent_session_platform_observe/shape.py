"""A tree of counts, and the reader that counts a body. Nothing else is kept of the responses of a deployment.

The levels of the tree: an operation, a status, the parts of an exchange (such as `header` and `body`), and the places
inside a part. Each node has counts. Two trees can be added count by count, in any order.

A name that the contract does not know may be a value, such as the name of a person in a mapping. It is kept only while
every object at its place has it, and written only after three objects had it. The name of a query parameter is written
by the program that sends it, and each request has other ones, so it is kept at once, unless there are many.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

import attrs
from agent_session_platform import operations

from .contract import Schema

# How a step to a lower level begins: for a known member, for an unknown member, for an unknown query parameter, and for
# the items of a list.
KNOWN: Final = "."
UNKNOWN: Final = "?"
PARAMETER: Final = "="
ITEMS: Final = "*"
# How the name of a count begins: for required members that are missing, types, formats, and values that the contract
# shows or does not show.
MISSING: Final = "missing:"
TYPE: Final = "type:"
FORMAT: Final = "format:"
VALUE: Final = "value:"
NEW: Final = "new:"
# Dates are kept as whole numbers, such as 20261120. Adding two tallies keeps the earliest and the latest date.
DATES: Final[Mapping[str, Callable[[int, int], int]]] = {"first": min, "last": max}

# Matches an unknown name that may be kept. Ids, addresses and paths have other characters or more digits.
NAME: Final = re.compile(r"(?=.{1,40}\Z)[A-Za-z_-]+[0-9]{0,3}[A-Za-z_-]*")
PARAMETERS: Final = [parameter for operation in operations for parameter in operation.parameters]
ID_PREFIXES: Final = tuple({parameter.prefix for parameter in PARAMETERS if parameter.prefix})
# A place with more names than this is a mapping. A place with more values than this has no set of values, and an
# operation with more unknown query parameters has names that are values.
MOST_NAMES: Final = 64
MOST_VALUES: Final = 32
# Names are written only after this many objects. After one object, every name would seem to be in all objects.
LEAST: Final = 3


@attrs.define
class Tally:
    """Counts of the values that were seen at a place.

    Attributes:
        counts: `n` counts values, `objects` the objects whose members were read, `named` the objects whose unknown
            names were read; `unnamed` and `unkept` count the members and values that are not kept.
        below: The tallies below it, by step.
    """

    counts: Counter[str] = attrs.field(factory=Counter[str])
    below: dict[str, Tally] = attrs.field(factory=dict[str, "Tally"])

    def __bool__(self) -> bool:
        return bool(self.counts or self.below)

    @property
    def n(self) -> int:
        """The number of values."""
        return self.counts["n"]

    def at(self, step: str) -> Tally:
        """Return the tally one step below this one; make it if there is none."""
        if step not in self.below:
            self.below[step] = Tally()
        return self.below[step]

    def facts(self, kind: str) -> dict[str, int]:
        """Return the counts of a kind, such as the counts of types."""
        found: dict[str, int] = {}
        for fact, times in self.counts.items():
            if fact.startswith(kind):
                found[fact.removeprefix(kind)] = times
        return found

    def members(self) -> dict[str, Tally]:
        """Return the tallies of all members of an object, whether the contract knows their names or not."""
        found: dict[str, Tally] = {}
        for step, member in self.below.items():
            if step[0] in (KNOWN, UNKNOWN, PARAMETER):
                found.setdefault(step[1:], Tally()).add(member)
        return found

    def examined(self, name: str) -> int:
        """Return the number of objects in which a member would have been counted."""
        if UNKNOWN + name in self.below:
            return self.counts["named"]
        return self.counts["objects"]

    def always(self, at_least: int = 1) -> set[str]:
        """Return the names of the members that every examined object had."""
        found: set[str] = set()
        for name, member in self.members().items():
            if member.n >= max(self.examined(name), at_least):
                found.add(name)
        return found

    def values(self) -> dict[str, int]:
        """Return the values of a set. For each value, return how often it came."""
        found = self.facts(NEW) | self.facts(VALUE)
        return dict(sorted(found.items()))

    def dates(self) -> tuple[str, str]:
        """Return when the first and the last response came."""
        tallies = [self, *self.below.values()]
        days = [*filter(None, (tally.counts[name] for tally in tallies for name in DATES))]
        first = date.fromisoformat(str(min(days)))
        last = date.fromisoformat(str(max(days)))
        return first.isoformat(), last.isoformat()

    def others(self, schema: Schema) -> dict[str, Tally]:
        """Return the members that a schema does not show."""
        members = sorted(self.members().items())
        return {name: member for name, member in members if name not in schema.properties}

    def new_values(self, schema: Schema) -> dict[str, int]:
        """Return the values of a set that a schema does not show."""
        found = self.values()
        for name in schema.values:
            found.pop(name, None)
        return found

    def keep_parameters(self, names: list[str]) -> None:
        """Count the unknown query parameters of one request. A name that looks like an id is not kept."""
        for name in names:
            if NAME.fullmatch(name) and not name.startswith(ID_PREFIXES):
                self.at(PARAMETER + name).counts["n"] += 1
            else:
                self.counts["unnamed"] += 1

    def keep(self, names: list[str]) -> list[str]:
        """Count the unknown names of one object, and return the names that may be kept."""
        kept: list[str] = []
        if len(names) <= MOST_NAMES:
            kept = [*filter(NAME.fullmatch, names)]
        self.counts["named"] += 1
        self.counts["unnamed"] += len(names) - len(kept)
        return kept

    def add(self, other: Tally) -> None:
        """Add all counts of another tally."""
        for fact, number in other.counts.items():
            if fact in DATES and fact in self.counts:
                self.counts[fact] = DATES[fact](self.counts[fact], number)
            else:
                self.counts[fact] += number
        for step, below in other.below.items():
            self.at(step).add(below)

    def settle(self) -> None:
        """Drop names that not every object had, and values at places that have no set of values."""
        unkept = self.counts["unkept"]
        new = self.facts(NEW)
        if new and (unkept or len(new) > MOST_VALUES):
            for name, times in new.items():
                del self.counts[NEW + name]
                self.counts["unkept"] += times
        parameters = self._steps(PARAMETER)
        if parameters and (unkept or len(parameters) > MOST_VALUES):
            for step in parameters:
                self.counts["unkept"] += self.below.pop(step).n
        for step in self._steps(UNKNOWN):
            if self.below[step].n < self.counts["named"]:
                self.counts["unnamed"] += self.below.pop(step).n
        for below in self.below.values():
            below.settle()

    def take_rare(self) -> Tally:
        """Take out the names that were seen too rarely to be written, and return them at their places."""
        taken = Tally()
        # Only unknown names are rare, so without unknown names there is nothing to take out.
        names = self._steps(UNKNOWN)
        if names and self.counts["named"] < LEAST:
            taken.counts["named"] = self.counts.pop("named")
            for step in names:
                taken.below[step] = self.below.pop(step)
        for step, below in [*self.below.items()]:
            rare = below.take_rare()
            if rare:
                taken.below[step] = rare
            if not below:
                del self.below[step]
        return taken

    def _steps(self, kind: str) -> list[str]:
        return [step for step in self.below if step.startswith(kind)]

    def to_dict(self) -> dict[str, Any]:
        """Return the tally as JSON: its counts are numbers, the tallies below it are objects."""
        found: dict[str, Any] = {**+self.counts}
        for step, below in self.below.items():
            found[step] = below.to_dict()
        return found


TYPES: Final = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
}
# Levels of a body below this depth are not read.
DEPTH: Final = 8
# At most this many items of a list are read, spread evenly over it.
MOST_ITEMS: Final = 50
# A reader stops at this many values of one body, which takes about ten milliseconds.
MOST_NODES: Final = 2000

DATE_TIME: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?P<zone>[Zz]|[+-]\d\d:?\d\d)?", re.ASCII
)
FORMATS: Final = {
    "date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
    "uuid": re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE),
    "uri": re.compile(r"[a-z][a-z0-9+.-]{1,9}://[^\s]+", re.IGNORECASE),
}
PLAIN: Final = "plain"
# Units of a time since 1970, by the number of units in a second.
UNITS: Final = {
    "unix-seconds": 1,
    "unix-milliseconds": 10**3,
    "unix-microseconds": 10**6,
}
# The seconds of the years 2001 to 2096.
YEARS: Final = range(10**9, 4 * 10**9)

WORD: Final = r"(?:[a-z]+|[A-Z]+|(?:[A-Z][a-z]+)+)"
# Matches a text that may be a value of a set, such as `timed_out`: words without a digit.
WORDS: Final = re.compile(rf"(?=.{{1,40}}\Z){WORD}(?:[_.-]{WORD}){{0,5}}")


def format_of(value: str | int) -> str:
    """Return the format of a text, or the unit of a number that may be a time; `plain` for any other value."""
    if isinstance(value, int):
        for name, units in UNITS.items():
            if value // units in YEARS:
                return name
        return PLAIN
    if len(value) < 8:
        return PLAIN
    match = DATE_TIME.fullmatch(value)
    if match is not None:
        # The contract means RFC 3339 by `date-time`, which requires a timezone.
        return "date-time" if match["zone"] else "local date-time"
    for name, pattern in FORMATS.items():
        if pattern.fullmatch(value):
            return name
    return PLAIN


@attrs.define
class Reader:
    """A reader of one body.

    Args:
        vocabulary: The names that the contract has anywhere.
        is_sent: Whether the body was sent by a user. Then values that the contract does not show are not kept.
        left: How many values may still be read.
    """

    vocabulary: frozenset[str]
    is_sent: bool = False
    left: int = MOST_NODES

    def read(self, value: Any, schema: Schema | None, tally: Tally, depth: int = 0, *, is_member: bool = False) -> None:
        """Add a value to a tally.

        Args:
            value: A JSON value.
            schema: The schema of the value; None if the contract shows none.
            tally: The tally of its place.
            depth: The depth of the value in the body.
            is_member: Whether the value belongs to a member. If not, it is the body or an item of a list.
        """
        self.left -= 1
        kind = TYPES.get(value.__class__, "null")
        tally.counts.update(("n", TYPE + kind))
        if depth > DEPTH or (schema is not None and schema.is_secret):
            return
        if kind == "object" and self.left > 0:
            if schema is None or not schema.is_free:
                self._read_members(value, schema, tally, depth, is_member)
        elif kind == "array" and self.left > 0:
            items: Schema | None = None
            if schema is not None:
                items = schema.items
            spacing = math.ceil(len(value) / MOST_ITEMS)
            for item in value[:: spacing or 1]:
                self.read(item, items, tally.at(ITEMS), depth + 1)
        elif kind in ("string", "integer"):
            form = format_of(value)
            if schema is not None or not self.is_sent:
                tally.counts[FORMAT + form] += 1
            if kind == "string" and schema is not None and schema.is_set:
                tally.counts[self._value_fact(value, form, schema)] += 1

    def _value_fact(self, value: str, form: str, schema: Schema) -> str:
        """Return the name of the count for a value of a set."""
        if value in schema.values:
            return VALUE + value
        is_word = form == PLAIN and WORDS.fullmatch(value)
        if self.is_sent or not is_word or value.startswith(ID_PREFIXES):
            return "unkept"
        return NEW + value

    def _read_members(
        self, value: dict[str, Any], schema: Schema | None, tally: Tally, depth: int, is_member: bool
    ) -> None:
        known: Mapping[str, Schema] = {}
        if schema is not None:
            known = schema.properties
            for name in schema.required:
                if name not in value:
                    tally.counts[MISSING + name] += 1
        unknown: list[str] = []
        tally.counts["objects"] += 1
        for name, member in value.items():
            if name in known or name in self.vocabulary:
                self.read(member, known.get(name), tally.at(KNOWN + name), depth + 1, is_member=True)
            else:
                unknown.append(name)
        # A client chooses the members that it sends, so an object without unknown names says nothing about such names.
        if self.is_sent and not unknown:
            return
        has_known_name = len(unknown) < len(value)
        # If an object has no known name, or is the value of an unknown member, its names may be values.
        is_record = has_known_name and not is_member
        if known and self.is_sent:
            # A program may send only members that another operation has.
            is_record = has_known_name
        elif known:
            is_record = not known.keys().isdisjoint(value)
        if not is_record:
            tally.counts["unnamed"] += len(unknown)
            unknown = []
        for name in tally.keep(unknown):
            self.read(value[name], None, tally.at(UNKNOWN + name), depth + 1, is_member=True)
