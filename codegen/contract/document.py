"""Read an OpenAPI document with the reader of the generated package, and check its references."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codegen.contract.source import COMPONENT, Finding, Node, Source, closest, quote
from codegen.contract.structure import form_findings, spoken
from codegen.render.runtime.contract import Contract, child


class Document(Contract):
    """The document at *path*, which the generated package reads in the same way.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Raises:
        ContractError: The document does not have the form of OpenAPI. The message has one line for each finding, with
            its place.

    Attributes:
        path: The file.
        source: The text of the file, with the line of each place.
        kinds: The kind of the object or reference at each JSON pointer, such as `media type`.
        nodes: Every object by its JSON pointer, in order. References to schemas are included, other references are not.
        references: The target of every reference by the JSON pointer of the object that has `$ref`.
        components: The components; empty if the document has no components.
        schemas: The component schemas.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        self.path = path
        self.source = Source(path) if source is None else source
        super().__init__(self.source.document)
        self.source.refuse(self.source.findings)
        self.kinds: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        self.references: dict[str, str] = {}
        definitions: dict[int, str] = {}
        self.source.refuse(form_findings(self.document, "document", definitions))
        self._visit(self.document, "#", definitions)
        self.source.refuse(self._wrong_references())
        self.source.complete()
        self.components: Node = self.document.get("components", {})
        self.schemas: Node = self.components.get("schemas", {})

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged.

        If the schema has members of its own, the members of its alternatives are added as optional members.
        """
        merged = super().flatten(schema)
        if "properties" not in merged:
            return merged
        properties: Node = {}
        for each in (*merged.get("oneOf", ()), *merged.get("anyOf", ())):
            properties = {**self.flatten(each).get("properties", {}), **properties}
        whole = {key: value for key, value in merged.items() if key not in ("oneOf", "anyOf")}
        return {**whole, "properties": {**properties, **merged["properties"]}}

    def subtypes(self, reference: str) -> list[str]:
        """Return references to the components that extend a component by `allOf`, if it has a discriminator."""
        base = self.resolve(self.schemas.get(reference.removeprefix(COMPONENT), {}))
        if "discriminator" not in base or "properties" not in base:
            return []
        found = [reference]
        for each in found:
            # The list grows during the loop, because a component may extend a component that was just found.
            parts = {name: schema.get("allOf", ()) for name, schema in self.schemas.items()}
            below = [f"{COMPONENT}{name}" for name in parts if any(part.get("$ref") == each for part in parts[name])]
            found += [place for place in below if place not in found]
        return found[1:]

    def of(self, kind: str) -> Iterator[tuple[str, Node]]:
        """Yield the objects of a kind with their JSON pointers."""
        return ((place, node) for place, node in self.nodes.items() if self.kinds[place] == kind)

    def _visit(self, value: Any, place: str, definitions: dict[int, str]) -> None:
        """Record the objects that the meta-schema describes, at *place* and below it."""
        if isinstance(value, dict) and (name := definitions.get(id(value))):
            kind = spoken(name.removesuffix("-or-reference"))
            self.kinds[place] = kind
            if "$ref" in value and (kind == "schema" or name.endswith("-or-reference")):
                self.references[place] = value["$ref"]
            if kind == "schema" or place not in self.references:
                self.nodes[place] = value
        members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, member in members:
            self._visit(member, child(place, key), definitions)

    def _wrong_references(self) -> Iterator[Finding]:
        """Yield the references that point to nothing, or to the wrong kind of object."""
        written = [(child(place, "$ref"), target, self.kinds[place]) for place, target in self.references.items()]
        for place, node in self.of("discriminator"):
            for value, target in node.get("mapping", {}).items():
                pointer = target if "/" in target else f"{COMPONENT}{target}"
                written.append((child(f"{place}/mapping", value), pointer, "schema"))
        for place, target, kind in written:
            found = self.kinds.get(target)
            if found != kind:
                components = [each for each, name in self.kinds.items() if name == kind and each.count("/") == 3]
                meant = closest(target, components, 0.9)
                way_out = f"did you mean `{meant}`?" if meant else f"define the {kind} below `#/components`"
                wrong = f"is a {found}, and not a {kind}" if found else "is not defined in this file"
                yield Finding(place, f"{quote(target)} {wrong}; {way_out}")
