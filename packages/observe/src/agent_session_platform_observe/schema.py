"""A schema of the contract at its place: what it shows of a value, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

import attrs

from .nodes import REFERENCE, Node, Nodes

# A schema with none of these shows nothing.
CONSTRAINTS: Final = ("type", "enum", "const", "properties", "items", "additionalProperties", "allOf", "anyOf", "oneOf")


@attrs.frozen
class Gap:
    """An entry of `x-not-shown`: its id, and the JSON pointer of the object that has it."""

    id: str
    place: str


class Schema:
    """A schema, with its references followed.

    Args:
        document: The contract.
        place: Its JSON pointer.
        made: The schemas that were made, by JSON pointer.

    Attributes:
        own_place: The JSON pointer where it is used.
        place: The JSON pointer where it is written: another one if there is a reference.
        node: What is written, also beside the reference.
    """

    def __init__(self, document: Nodes, place: str, made: dict[str, Schema]) -> None:
        self._document = document
        self._made = made
        self.own_place = place
        self.node: Node = document.at(place)
        beside: Node = {}
        gaps = list(gaps_of(self.node, place))
        while REFERENCE in self.node:
            place = self.node[REFERENCE]
            beside = {**{key: value for key, value in self.node.items() if key != REFERENCE}, **beside}
            self.node = document.at(place)
            gaps += gaps_of(self.node, place)
        self.place = place
        self.gaps = tuple(gaps)
        self.node = {**self.node, **beside}

    @cached_property
    def parts(self) -> tuple[Schema, ...]:
        """The schemas that all hold: the entries of `allOf`, one variant beside null, and the schema itself."""
        found = [part for index in range(len(self.node.get("allOf", ()))) for part in self._at("allOf", index).parts]
        for keyword in ("anyOf", "oneOf"):
            variants = [self._at(keyword, index) for index in range(len(self.node.get(keyword, ())))]
            shown = [each for each in variants if each.node.get("type") != "null"]
            found += shown[0].parts if len(shown) == 1 else ()
        return (*found, self)

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that it allows; empty for any."""
        found: set[str] = set()
        for part in self.parts:
            given: str | list[str] = part.node.get("type", [])
            found.update([given] if isinstance(given, str) else given)
        variants = [*self.node.get("anyOf", ()), *self.node.get("oneOf", ())]
        if any(each.get("type") == "null" for each in variants):
            found.add("null")
        if len(variants) > 2:
            return frozenset()
        return frozenset(found | ({"integer"} if "number" in found else set()))

    @cached_property
    def properties(self) -> Mapping[str, Schema]:
        """The members that it shows."""
        return {name: part.member(name) for part in self.parts for name in part.node.get("properties", {})}

    def member(self, name: str) -> Schema:
        """Return a member that this part of the schema shows."""
        return self._at("properties", name)

    @cached_property
    def required(self) -> Mapping[str, str]:
        """The members that it requires, each with the place of the list that says so."""
        return {
            name: self._document.child(part.place, "required")
            for part in self.parts
            for name in part.node.get("required", ())
        }

    @cached_property
    def items(self) -> Schema | None:
        """The schema of the items of an array."""
        return next((part._at("items") for part in reversed(self.parts) if "items" in part.node), None)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The texts that it shows as values, whether these are all or not."""
        keywords = ("enum", "x-known-values")
        found = [each for part in self.parts for keyword in keywords for each in part.node.get(keyword, ())]
        return tuple(each for each in found if isinstance(each, str))

    @cached_property
    def is_closed(self) -> bool:
        """True if there are no other values."""
        return any("enum" in part.node for part in self.parts)

    @cached_property
    def is_set(self) -> bool:
        """True if the contract says that a text is one of a set, of which it may show no value."""
        return bool(self.values) or any(
            gap.id.endswith("-values") for gap in self.all_gaps if self.types <= {"string", "null"}
        )

    @property
    def all_gaps(self) -> Iterator[Gap]:
        """The gaps of all parts."""
        return (gap for part in self.parts for gap in part.gaps)

    @cached_property
    def is_secret(self) -> bool:
        """True if the value is a secret."""
        return any(part.node.get("x-secret") for part in self.parts)

    @cached_property
    def is_unshown(self) -> bool:
        """True if nothing is shown of the value."""
        return not any(keyword in part.node for part in self.parts for keyword in CONSTRAINTS)

    @cached_property
    def is_free(self) -> bool:
        """True if the names of members are the users' own: an object of any members, without a gap that asks which."""
        return not (self.is_unshown or self.properties or self.gaps)

    @cached_property
    def shows_all(self) -> bool:
        """True if nothing below it is unshown, as far as one object or list goes."""
        if self.is_unshown:
            return False
        return self.items is None or self.items.shows_all if not self.properties else self._members_show_all

    @property
    def _members_show_all(self) -> bool:
        lists = [each for each in self.properties.values() if each.items is not None]
        return not any(each.items is not None and each.items.is_unshown for each in lists)

    def _at(self, *keys: str | int) -> Schema:
        place = self.place
        for key in keys:
            place = self._document.child(place, key)
        return schema_at(self._document, place, self._made)


def schema_at(document: Nodes, place: str, made: dict[str, Schema]) -> Schema:
    """Return the schema at a JSON pointer: one that was made before, if there is one."""
    if place not in made:
        made[place] = Schema(document, place, made)
    return made[place]


def gaps_of(node: Node, place: str) -> Iterator[Gap]:
    """Yield the gaps of an object."""
    return (Gap(each["id"], place) for each in node.get("x-not-shown", ()) if not each.get("closed"))
