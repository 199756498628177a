"""The OpenAPI document, with its references resolved on demand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from codegen.contract.checks import check
from codegen.contract.flatten import flatten
from codegen.contract.nodes import COMPONENT, Node, gaps_below, parts, rules_below
from codegen.contract.source import Source

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

PLACEHOLDER = re.compile(r"\{[^{}/]+\}")


class Document:
    """The document at *path*.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Raises:
        ContractError: Something in it is wrong; the message has one line for each finding, with its place.

    Attributes:
        path: The file.
        source: Its text, with the line of each place.
        document: The whole document.
        schemas: The component schemas.
        rules: The rules by id; one that holds for several operations has its text at one of them.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        self.path = path
        self.source = Source(path) if source is None else source
        if found := check(self.source):
            raise self.source.error(found)
        self.document: Node = self.source.document
        self.schemas: Node = self.document.get("components", {}).get("schemas", {})
        self.rules = {rule["id"]: rule for rule in rules_below(self.document) if "text" in rule}

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

    def parameters(self, method: str, item: Node) -> list[Node]:
        """Return the resolved parameters of an operation; its own override those of the path."""
        found = [*item.get("parameters", ()), *item[method].get("parameters", ())]
        return list({(each["name"], each["in"]): each for each in map(self.resolve, found)}.values())

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
