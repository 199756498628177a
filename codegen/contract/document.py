"""A document in the form of OpenAPI, which the reader of the generated package reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codegen.contract.source import COMPONENT, Node, Source
from codegen.contract.structure import Structure
from codegen.render.runtime.contract import METHODS, Contract, Endpoint


class Document(Contract):
    """The document at *path*, which the generated package reads in the same way.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Raises:
        ContractError: It has not the form of OpenAPI; the message has one line for each finding, with its place.

    Attributes:
        path: The file.
        source: Its text, with the line of each place.
        structure: The objects in it.
        components: The components; empty if it has none.
        schemas: The component schemas.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        self.path = path
        self.source = Source(path) if source is None else source
        super().__init__(self.source.document)
        self.source.refuse(self.source.findings)
        self.structure = Structure(self.document)
        self.source.refuse(self.structure.findings)
        self.components: Node = self.document.get("components", {})
        self.schemas: Node = self.components.get("schemas", {})

    def routes(self) -> Iterator[Endpoint]:
        """Yield every operation."""
        for path, item in self.document["paths"].items():
            for method in item:
                if method in METHODS:
                    yield Endpoint(self, path, method)

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged.

        The alternatives of a schema that has members of its own only add members that need not be there.
        """
        merged = super().flatten(schema)
        alternatives = [each for key in ("oneOf", "anyOf") for each in merged.get(key, ())]
        if "properties" not in merged or not alternatives:
            return merged
        properties: Node = {}
        for each in alternatives:
            properties = {**self.flatten(each).get("properties", {}), **properties}
        whole = {key: value for key, value in merged.items() if key not in ("oneOf", "anyOf")}
        return {**whole, "properties": {**properties, **merged["properties"]}}

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
