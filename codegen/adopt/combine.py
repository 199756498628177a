"""Combine what the contract states with what a document shows. Where both state a fact, the document is used."""

from __future__ import annotations

import re
from typing import Any

import attrs

from codegen.contract.contract import Contract
from codegen.contract.operations import types_of
from codegen.contract.source import Node
from codegen.contract.vendor_word import PROSE

# What the document must show at the place of a gap to close it, by the last word of the gap's id.
CLOSING = {
    "fields": {"properties"},
    "members": {"properties"},
    "types": {"properties"},
    "values": {"enum", "x-known-values", "$ref"},
    "type": {"type", "$ref", "anyOf", "oneOf"},
    "unit": {"format"},
}
NO_FACTS = PROSE | {"examples"}


@attrs.frozen
class Combination:
    """A contract, and a document that shows more.

    Attributes:
        contract: The contract.
        evidence: What closes a gap: `{document, date}`.
    """

    contract: Contract
    evidence: Node

    def combine(self, stated: Node, shown: Node) -> Node:
        """Return the schema of a value.

        Args:
            stated: The schema of the contract.
            shown: The schema of the document, in the form of the contract.
        """
        flat = self.contract.flatten(stated) if "allOf" in stated else stated
        if "properties" in flat and "properties" in shown:
            found = self._combine_objects(flat, shown)
            if "allOf" in stated and facts_of(found) == facts_of(flat):
                found = {**stated, "description": found["description"]}
        elif "$ref" in stated or not is_same_kind(stated, shown):
            found = {**marks_of(stated), **shown}
        else:
            found = {**stated, **shown}
            if "items" in stated and "items" in shown:
                found["items"] = self.combine(stated["items"], shown["items"])
        if {"$ref", "enum"} & shown.keys():
            found.pop("x-known-values", None)
        if "description" in stated and "description" not in shown:
            found["description"] = still_true(stated["description"])
        if "x-not-shown" in stated:
            found["x-not-shown"] = self.close(stated["x-not-shown"], self._closed_endings(shown))
        return found

    def close(self, gaps: list[Node], endings: set[str]) -> list[Node]:
        """Return gaps of which those are closed whose ids end in one of some words."""
        found: list[Node] = []
        for gap in gaps:
            if gap["id"].rpartition("-")[2] in endings:
                gap = {**gap, "closed": gap.get("closed", self.evidence)}
            found.append(gap)
        return found

    def _combine_objects(self, stated: Node, shown: Node) -> Node:
        """Return the schema of an object. Members that only the contract states remain."""
        properties: Node = {}
        for member, schema in stated["properties"].items():
            properties[member] = schema
            if member in shown["properties"]:
                properties[member] = self.combine(schema, shown["properties"][member])
        for member, schema in shown["properties"].items():
            properties.setdefault(member, schema)
        return {**marks_of(stated), **shown, "properties": properties}

    def _closed_endings(self, shown: Node) -> set[str]:
        return {ending for ending, keywords in CLOSING.items() if keywords & shown.keys()}


def add_null(schema: Node) -> Node:
    """Return a schema that allows null, too."""
    if {"$ref", "allOf", "anyOf", "oneOf"} & schema.keys():
        inner = {key: value for key, value in schema.items() if key != "description"}
        found: Node = {"anyOf": [inner, {"type": "null"}]}
        if "description" in schema:
            found["description"] = schema["description"]
        return found
    types = types_of(schema)
    if not types or "null" in types:
        return schema
    found = {**schema, "type": [*types, "null"]}
    if "enum" in schema and None not in schema["enum"]:
        found["enum"] = [*schema["enum"], None]
    return found


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
    return {key: facts_of(member) for key, member in value.items() if key not in NO_FACTS}


def still_true(description: str) -> str:
    """Return a description without what it says about facts that are not shown."""
    sentences: list[str] = []
    for sentence in re.split(r"(?<=\.)\s+", description.strip()):
        clauses = [clause for clause in sentence.rstrip(".").split("; ") if "not shown" not in clause]
        if clauses:
            sentences.append(f"{'; '.join(clauses)}.")
    return " ".join(sentences) or description
