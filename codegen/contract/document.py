"""A document in the form of OpenAPI: references are followed, and the parts of `allOf` are one schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from codegen.contract.source import COMPONENT, Node, Source, gaps_below, mappings_below, parts
from codegen.contract.structure import Structure

# Keywords of a part that do not hold for the whole.
OWN = frozenset(
    {
        *("description", "title", "example", "examples", "deprecated", "readOnly", "writeOnly"),
        *("discriminator", "$defs"),
    }
)
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def flatten(schema: Any, resolve: Callable[[Any], Any]) -> Node:
    """Return the schema with its reference followed and its `allOf` merged.

    Of two parts that describe the same member, both hold. The alternatives of a schema that has members of its own only
    add members that need not be there.
    """
    schema = resolve(schema)
    if not isinstance(schema, dict):
        return {}
    merged: Node = {key: value for key, value in schema.items() if key != "allOf"}
    for part in reversed(schema.get("allOf", ())):
        merged = join(flatten(part, resolve), merged)
    alternatives = [each for key in ("oneOf", "anyOf") for each in merged.get(key, ())]
    if "properties" in merged and alternatives:
        for each in alternatives:
            added = flatten(each, resolve).get("properties", {})
            merged["properties"] = {**added, **merged["properties"]}
        merged = {key: value for key, value in merged.items() if key not in ("oneOf", "anyOf")}
    return merged


def join(part: Node, whole: Node) -> Node:
    """Return the schema for which both hold; the keywords of *whole* win."""
    joined = {**{key: value for key, value in part.items() if key not in OWN}, **whole}
    properties = dict(part.get("properties", {}))
    for name, schema in whole.get("properties", {}).items():
        properties[name] = {"allOf": [properties[name], schema]} if name in properties else schema
    if properties:
        joined["properties"] = properties
    if required := [*part.get("required", ()), *whole.get("required", ())]:
        joined["required"] = list(dict.fromkeys(required))
    return joined


class Document:
    """The document at *path*.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Raises:
        ContractError: It has not the form of OpenAPI; the message has one line for each finding, with its place.

    Attributes:
        path: The file.
        source: Its text, with the line of each place.
        document: The whole document.
        structure: The objects in it.
        components: The components; empty if it has none.
        schemas: The component schemas.
        rules: The rules by id; one that holds for several operations has its text at one of them.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        self.path = path
        self.source = Source(path) if source is None else source
        self.document: Node = self.source.document
        if self.source.findings:
            raise self.source.error(self.source.findings)
        self.structure = Structure(self.document)
        if self.structure.findings:
            raise self.source.error(self.structure.findings)
        self.components: Node = self.document.get("components", {})
        self.schemas: Node = self.components.get("schemas", {})
        rules = (rule for node in mappings_below(self.document) for rule in node.get("x-rules", ()))
        self.rules = {rule["id"]: rule for rule in rules if "text" in rule}

    def routes(self) -> Iterator[tuple[str, str, Node]]:
        """Yield path, method and path item of every operation."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item

    def pointed(self, reference: str) -> Any:
        """Return the node that a local `$ref` points to."""
        target: Any = self.document
        for key in parts(unquote(reference)):
            target = target[int(key) if isinstance(target, list) else key]
        return target

    def resolve(self, node: Any) -> Any:
        """Follow a local `$ref`; its siblings override the target, as in OpenAPI 3.1."""
        while isinstance(node, dict) and "$ref" in node:
            siblings = {key: value for key, value in node.items() if key != "$ref"}
            target = self.resolve(self.pointed(node["$ref"]))
            node = {**target, **siblings} if isinstance(target, dict) else target
        return node

    def gaps(self) -> list[Node]:
        """Return all gaps of the document with their places."""
        return list(gaps_below(self.document, "#"))

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged."""
        return flatten(schema, self.resolve)

    def property_schema(self, schema: Node, name: str) -> Node:
        """Return the schema of one member of an object, merged; empty if there is none."""
        return self.flatten(self.flatten(schema).get("properties", {}).get(name, {}))

    def subtypes(self, reference: str) -> list[str]:
        """Return the references of the components that extend one with a discriminator, by `allOf`."""
        if not reference.startswith(COMPONENT):
            return []
        base = self.resolve(self.schemas.get(reference.removeprefix(COMPONENT), {}))
        if "discriminator" not in base or "properties" not in base:
            return []
        return [
            f"{COMPONENT}{name}"
            for name, schema in self.schemas.items()
            if any(part.get("$ref") == reference for part in schema.get("allOf", ()))
        ]
