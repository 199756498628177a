"""A tree of counts: everything that is kept of a deployment, in memory and in files; and how a body is read into it.

A file has operations; these have statuses; a status has the places of its exchanges, such as `header` and `body`; and
a place has those below it. Each has counts. Two trees are added count by count, in any order, whoever made them.

A name that the contract does not know may be a value, such as a key of a mapping by the names of people. It is kept
only while every object at its place has it, and written once three had it. Everything else at the place is a mapping.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

import attrs
from agent_session_platform import operations

from .contract import Schema

# What a step down begins with: a member that the contract knows, one that it does not know, and the items of a list.
KNOWN: Final = "."
UNKNOWN: Final = "?"
ITEMS: Final = "*"
# What counts begin with: those of types, of formats, of required members that did not come, and of the values that the
# contract shows and does not show.
MISSING: Final = "missing:"
TYPE: Final = "type:"
FORMAT: Final = "format:"
VALUE: Final = "value:"
NEW: Final = "new:"
# Dates are whole numbers, such as 20261120, and the only ones that are not added up.
DATES: Final[Mapping[str, Callable[[int, int], int]]] = {"first": min, "last": max}

# An unknown name; ids, addresses and paths have other characters or more digits.
NAME: Final = re.compile(r"(?=.{1,40}\Z)[A-Za-z_-]+[0-9]{0,3}[A-Za-z_-]*")
# A place with more is a mapping, or no set of values.
MOST_NAMES: Final = 64
MOST_VALUES: Final = 32
# What was seen less often is not written: once, every name is in all that was seen.
LEAST: Final = 3


@attrs.define
class Tally:
    """Counts of the values that were seen at a place.

    Attributes:
        counts: `n` counts values, `objects` the objects whose members were read, `named` those in which unknown
            names were looked at; `unnamed` and `unkept` the members and values that are not kept.
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
        """Return the tally one step below this one, a new one if there is none."""
        if step not in self.below:
            self.below[step] = Tally()
        return self.below[step]

    def facts(self, kind: str) -> dict[str, int]:
        """Return the counts of a kind, such as those of types."""
        return {fact.removeprefix(kind): times for fact, times in self.counts.items() if fact.startswith(kind)}

    def members(self) -> dict[str, Tally]:
        """Return the tallies of all members of an object, whether the contract knows their names or not."""
        found: dict[str, Tally] = {}
        for step, each in self.below.items():
            if step[0] in (KNOWN, UNKNOWN):
                found.setdefault(step[1:], Tally()).add(each)
        return found

    def examined(self, name: str) -> int:
        """Return the number of objects in which a member was looked for."""
        return self.counts["named" if UNKNOWN + name in self.below else "objects"]

    def always(self, at_least: int = 1) -> set[str]:
        """Return the names of the members that every examined object had."""
        found: set[str] = set()
        for name, member in self.members().items():
            if member.n >= max(self.examined(name), at_least):
                found.add(name)
        return found

    def values(self) -> dict[str, int]:
        """Return the values of a set that nothing says to be closed, with how often they came."""
        return dict(sorted({**self.facts(NEW), **self.facts(VALUE)}.items()))

    def dates(self) -> tuple[str, str]:
        """Return when the first and the last response came."""
        days = [each.counts[name] for each in (self, *self.below.values()) for name in DATES if each.counts[name]]
        return date.fromisoformat(str(min(days))).isoformat(), date.fromisoformat(str(max(days))).isoformat()

    def others(self, schema: Schema) -> dict[str, Tally]:
        """Return the members that a schema does not show."""
        return {name: each for name, each in sorted(self.members().items()) if name not in schema.properties}

    def new_values(self, schema: Schema) -> dict[str, int]:
        """Return the values of a set that a schema does not show."""
        return {name: times for name, times in self.values().items() if name not in schema.values}

    def keep(self, names: list[str]) -> list[str]:
        """Count the unknown names of one object, and return those that may be kept."""
        kept = [name for name in names if NAME.fullmatch(name)] if len(names) <= MOST_NAMES else []
        self.counts.update(named=1, unnamed=len(names) - len(kept))
        return kept

    def add(self, other: Tally) -> None:
        """Add all counts of another tally."""
        for fact, number in other.counts.items():
            if fact in DATES and fact in self.counts:
                self.counts[fact] = DATES[fact](self.counts[fact], number)
            else:
                self.counts[fact] += number
        for step, each in other.below.items():
            self.at(step).add(each)

    def settle(self) -> None:
        """Drop the names that not every object had, and the values where some are no values of a set."""
        new = [fact for fact in self.counts if fact.startswith(NEW)]
        if new and (self.counts["unkept"] or len(new) > MOST_VALUES):
            self.counts["unkept"] += sum(self.counts.pop(fact) for fact in new)
        for step, each in list(self.below.items()):
            if step.startswith(UNKNOWN) and each.n < self.counts["named"]:
                self.counts["unnamed"] += self.below.pop(step).n
            else:
                each.settle()

    def take_rare(self) -> Tally:
        """Take out the names that were seen too rarely to be written, and return them at their places."""
        taken = Tally()
        names = [step for step in self.below if step.startswith(UNKNOWN)]
        # Where no object has a name that the others have, there is none to keep back, and that is a fact.
        if names and self.counts["named"] < LEAST:
            taken.counts["named"] = self.counts.pop("named")
            taken.below = {step: self.below.pop(step) for step in names}
        for step, each in list(self.below.items()):
            if rare := each.take_rare():
                taken.below[step] = rare
            if not each:
                del self.below[step]
        return taken

    def to_dict(self) -> dict[str, Any]:
        """Return the tally as JSON has it: numbers are counts, and objects are below it."""
        return {**+self.counts, **{step: each.to_dict() for step, each in self.below.items()}}


TYPES: Final = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
# Deeper levels are not looked at.
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
# Of a time since 1970.
UNITS: Final = {"unix-seconds": 1, "unix-milliseconds": 10**3, "unix-microseconds": 10**6}

WORD: Final = r"(?:[a-z]+|[A-Z]+|(?:[A-Z][a-z]+)+)"
# One of a set, such as `timed_out`: words without a digit, and no id.
WORDS: Final = re.compile(rf"(?=.{{1,40}}\Z){WORD}(?:[_.-]{WORD}){{0,5}}")
ID_PREFIXES: Final = tuple({each.prefix for operation in operations for each in operation.parameters if each.prefix})


def format_of(value: str | int) -> str:
    """Return the format of a text, or the unit in which a number may be a time; `plain` if it has none."""
    if isinstance(value, int):
        # The years 2001 to 2096.
        return next((name for name, unit in UNITS.items() if value // unit in range(10**9, 4 * 10**9)), PLAIN)
    if len(value) < 8:
        return PLAIN
    if match := DATE_TIME.fullmatch(value):
        # Without a timezone it is none of RFC 3339, which the contract means by `date-time`.
        return "date-time" if match["zone"] else "local date-time"
    return next((name for name, pattern in FORMATS.items() if pattern.fullmatch(value)), PLAIN)


@attrs.define
class Reader:
    """A reader of one body.

    Args:
        vocabulary: The names that the contract knows anywhere.
        is_sent: Whether the values are of users: nothing is kept that the contract does not show, but for the names
            and types of members beside those that it does.
        left: How many values may still be read.
    """

    vocabulary: frozenset[str]
    is_sent: bool = False
    left: int = MOST_NODES

    def read(self, value: Any, schema: Schema | None, tally: Tally, depth: int = 0, *, is_member: bool = False) -> None:
        """Add a value to a tally.

        Args:
            value: A JSON value.
            schema: What the contract shows of it; None for nothing.
            tally: The tally of its place.
            depth: How deep in the body it is.
            is_member: Whether it is the value of a member, and neither the body nor an item of a list.
        """
        self.left -= 1
        kind = TYPES.get(value.__class__, "null")
        tally.counts.update(("n", TYPE + kind))
        if depth > DEPTH or (self.is_sent if schema is None else schema.is_secret):
            return
        if kind == "object" and self.left > 0 and (schema is None or not schema.is_free):
            self._members(value, schema, tally, depth, is_member)
        elif kind == "array" and self.left > 0:
            for item in value[:: -(-len(value) // MOST_ITEMS) or 1]:
                self.read(item, schema.items if schema is not None else None, tally.at(ITEMS), depth + 1)
        elif kind in ("string", "integer"):
            form = format_of(value)
            tally.counts[FORMAT + form] += 1
            if schema is not None and schema.is_set and kind == "string":
                is_word = WORDS.fullmatch(value) and not value.startswith(ID_PREFIXES)
                new = NEW + value if is_word and form == PLAIN and not self.is_sent else "unkept"
                tally.counts[VALUE + value if value in schema.values else new] += 1

    def _members(self, value: dict[str, Any], schema: Schema | None, tally: Tally, depth: int, is_member: bool) -> None:
        known: Mapping[str, Schema] = schema.properties if schema is not None else {}
        unknown: list[str] = []
        tally.counts["objects"] += 1
        for name, member in value.items():
            if name in known or name in self.vocabulary:
                self.read(member, known.get(name), tally.at(KNOWN + name), depth + 1, is_member=True)
            else:
                unknown.append(name)
        tally.counts.update(
            MISSING + name for name in (schema.required if schema is not None else ()) if name not in value
        )
        # Who sends an object chooses its members, while a server sends all that there are.
        if self.is_sent and not unknown:
            return
        # Any name of an object without a name of the contract may be a value, and of one at an unknown member.
        if known:
            is_record = self.is_sent or not known.keys().isdisjoint(value)
        else:
            is_record = not is_member and len(unknown) < len(value)
        tally.counts["unnamed"] += 0 if is_record else len(unknown)
        for name in tally.keep(unknown if is_record else []):
            self.read(value[name], None, tally.at(UNKNOWN + name), depth + 1, is_member=True)
