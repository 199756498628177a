"""Combine what the contract states with what a document shows. Where both state a fact, the document is used."""

from __future__ import annotations

from typing import Any

import attrs

from codegen.adopt.foreign import Foreign
from codegen.adopt.used import PREFIX, Used, add_null
from codegen.contract.contract import Contract
from codegen.contract.operations import types_of
from codegen.contract.source import COMPONENT, Node, join_names, quote
from codegen.contract.vendor_word import PROSE
from codegen.gap_prose import without_clauses
from codegen.overlay_document import json_text
from codegen.render.runtime.contract import Contract as Reader

# What the document must show at the place of a gap to close it, by the last word of the gap's id.
CLOSING = {
    "fields": {"properties"},
    "members": {"properties"},
    "types": {"properties"},
    "values": {"enum", "x-known-values", "$ref"},
    "type": {"type", "$ref", "anyOf", "oneOf"},
    "unit": {"format"},
}
# With a gap around it that ends so, the contract does not state a keyword in full.
COVERING = {"required": "-fields", "type": "-type"}
NO_FACTS = PROSE | {"examples"}
# Their members are compared one by one.
COMPARED_WITHIN = {"items", "properties"}
NOT_SHOWN = ("NotShown", "NotShownPage")
SETS = {"enum", "x-known-values"}


@attrs.frozen
class Contradiction:
    """A fact of the contract that the document states otherwise.

    Attributes:
        place: The names that lead to it.
        stated: The value of the contract.
        shown: The value of the document.
    """

    place: str
    stated: Any
    shown: Any

    def __str__(self) -> str:
        stated, shown = self.stated, self.shown
        if isinstance(stated, list) and isinstance(shown, list):
            # Long lists are shown by their differences.
            stated = [entry for entry in self.stated if entry not in self.shown]
            shown = [entry for entry in self.shown if entry not in self.stated]
            return f"{self.place}: only the contract has {quote(stated)}; only the document has {quote(shown)}"
        return f"{self.place}: {quote(stated)}; the document has {quote(shown).replace(PREFIX, '')}"


class Combination:
    """A contract, and a document that shows more.

    Args:
        contract: The contract.
        foreign: The document, which gets the notes.
        used: The copy of the document.
        date: The date on which the document is read.

    Attributes:
        reader: The components of both.
        schemas: The components of the contract to which the document adds.
        names: The name of the component of the contract that stands for a component of the copy.
        contradictions: The facts of the contract that the document states otherwise.
    """

    def __init__(self, contract: Contract, foreign: Foreign, used: Used, date: str) -> None:
        self.contract = contract
        self.reader = Reader({"components": {**contract.components, "schemas": contract.schemas | used.schemas}})
        self.schemas: Node = {}
        self.names: dict[str, str] = {}
        self.contradictions: list[Contradiction] = []
        self._foreign = foreign
        self._used = used
        self._evidence = {"document": foreign.name, "date": date}

    def combine(self, stated: Node, shown: Node, place: str, gaps: str = "") -> Node:
        """Return the schema of a value.

        Args:
            stated: The schema of the contract.
            shown: The schema of the copy.
            place: The names that lead to it; empty if a gap covers what the contract states.
            gaps: The ids of the gaps around it.
        """
        name = component_of(stated)
        if name and self._pair(name, shown):
            found: Node = {"$ref": f"{COMPONENT}{name}"}
            if "description" in shown:
                found["description"] = shown["description"]
            return add_null(found) if core(shown) is not shown else found
        gaps += "".join(f"{gap['id']} " for gap in stated.get("x-not-shown", ()))
        for key in stated.keys() & shown.keys() - NO_FACTS - COMPARED_WITHIN:
            if f"{COVERING.get(key, ':')} " not in gaps:
                self.contradict(place and f"{place} {key}", stated[key], shown[key])
        flat = self.reader.flatten(stated) if "allOf" in stated else stated
        if "properties" in flat and "properties" in shown:
            found = {**marks_of(flat), **shown, "properties": self._properties(flat, shown, place, gaps)}
            if "allOf" in stated and facts_of(found) == facts_of(flat):
                found = {**stated, "description": found["description"]}
        elif "$ref" in stated or not is_same_kind(stated, shown):
            found = {**marks_of(stated), **shown}
        else:
            found = {**stated, **shown}
            if "items" in stated and "items" in shown:
                found["items"] = self.combine(stated["items"], shown["items"], place, gaps)
        if {"$ref", "enum"} & shown.keys():
            found.pop("x-known-values", None)
        if "description" in stated and "description" not in shown:
            found["description"] = still_true(stated["description"])
        if "x-not-shown" in stated:
            endings = {ending for ending, keywords in CLOSING.items() if keywords & shown.keys()}
            found["x-not-shown"] = self.close(stated["x-not-shown"], endings)
        return found

    def close(self, gaps: list[Node], endings: set[str]) -> list[Node]:
        """Return gaps of which those are closed whose ids end in one of some words."""
        found: list[Node] = []
        for gap in gaps:
            if gap["id"].rpartition("-")[2] in endings:
                gap = {**gap, "closed": gap.get("closed", self._evidence)}
            found.append(gap)
        return found

    def contradict(self, place: str, stated: Any, shown: Any) -> None:
        """Note a fact if the document states it otherwise."""
        contradiction = Contradiction(place, stated, shown)
        if place and json_text(stated) != json_text(shown) and contradiction not in self.contradictions:
            self.contradictions.append(contradiction)

    def _pair(self, name: str, shown: Node) -> bool:
        """Return whether a component of the contract stands for a schema of the copy; let it do so if it can."""
        other = component_of(shown)
        if self.names.get(other) == name:
            return True
        flat = self.reader.flatten(self.contract.schemas[name])
        bare = self.reader.flatten(core(shown))
        is_alike = bool(flat.get("properties")) == bool(bare.get("properties"))
        is_alike = is_alike and bool(SETS & flat.keys()) == bool(SETS & bare.keys())
        if name in self.schemas or other in self.names or name in NOT_SHOWN or not is_alike:
            return False
        if other:
            self.names[other] = name
        # A schema may contain itself.
        self.schemas[name] = {}
        combined = self.combine(self.contract.schemas[name], bare, name)
        if facts_of(combined) != facts_of(flat) and "examples" not in bare:
            # The contract's own may not be right any more.
            combined.pop("examples", None)
        self.schemas[name] = combined
        lacking = flat.get("properties", {}).keys() - bare.get("properties", {}).keys()
        if lacking:
            text = f"the document lacks {join_names(sorted(lacking))} of {name}; the contract's remain"
            self._foreign.note(self._used.places.get(other, "#/paths"), text)
        return True

    def _properties(self, stated: Node, shown: Node, place: str, gaps: str) -> Node:
        """Return the members of an object. Those that only the contract states remain."""
        found: Node = {}
        for member, schema in stated["properties"].items():
            found[member] = schema
            if member in shown["properties"]:
                found[member] = self.combine(schema, shown["properties"][member], place and f"{place} {member}", gaps)
        return {**shown["properties"], **found}


def core(schema: Node) -> Node:
    """Return a schema without null as an alternative."""
    for key in ("anyOf", "oneOf"):
        parts: list[Node] = schema.get(key, [])
        others = [part for part in parts if part != {"type": "null"}]
        if len(others) == 1:
            return others[0]
    return schema


def component_of(schema: Node) -> str:
    """Return the name of the component that a schema refers to; empty if it refers to none."""
    return str(core(schema).get("$ref", "")).removeprefix(COMPONENT)


def is_same_kind(stated: Node, shown: Node) -> bool:
    """Return whether the contract states nothing about the type of a value, or the same as the document."""
    if not {"type", "anyOf", "oneOf"} & stated.keys():
        return True
    return "$ref" not in shown and {*types_of(stated)} == {*types_of(shown)}


def marks_of(stated: Node) -> Node:
    """Return what remains of a schema of the contract beside a type that the document changes."""
    return {key: value for key, value in stated.items() if key.startswith("x-") or key in NO_FACTS}


def facts_of(value: Any) -> Any:
    """Return a schema without its prose and its examples."""
    if isinstance(value, list):
        return [facts_of(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    # A member of an object may have the name of a keyword.
    is_fact = {key for key, member in value.items() if key not in NO_FACTS or isinstance(member, dict)}
    return {key: facts_of(value[key]) for key in is_fact}


def still_true(description: str) -> str:
    """Return a description without what it says about facts that are not shown."""
    return without_clauses(description, lambda clause: True) or description
