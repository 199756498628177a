"""The OpenAPI document, with its references resolved on demand."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, cast
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from ..._api import PACKAGE
from .formats import FORMATS
from .operations import operation_named

Node = dict[str, Any]

# Members of a schema that are about all of it: in one part of several, they say nothing of the whole.
OF_THE_WHOLE = frozenset({"title", "description", "default", "example", "examples"})


class Contract:
    """An OpenAPI document.

    Args:
        document: The parsed document; None loads that of the generated package.
    """

    def __init__(self, document: Node | None = None) -> None:
        self.document: Node = import_module(f"{PACKAGE}.contract").load() if document is None else document

    def resolve(self, node: Any) -> Node:
        """Return *node* with its local `$ref` followed; members beside the `$ref` win."""
        while isinstance(node, dict) and "$ref" in node:
            resolved = cast("Node", node)
            target: Any = self.document
            for part in unquote(str(resolved["$ref"])).removeprefix("#/").split("/"):
                name = part.replace("~1", "/").replace("~0", "~")
                target = target[int(name) if isinstance(target, list) else name]
            beside = {key: value for key, value in resolved.items() if key != "$ref"}
            node = {**target, **beside} if isinstance(target, dict) else target
        return cast("Node", node)

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged."""
        resolved: Any = self.resolve(schema)
        if not isinstance(resolved, dict):
            # The schemas `true` and `false`.
            return {"not": {}} if resolved is False else {}
        own = cast("Node", resolved)
        parts = own.get("allOf", ())
        if not parts:
            return own
        merged: Node = {}
        for part in (*(self.flatten(each) for each in parts), {key: own[key] for key in own if key != "allOf"}):
            if len(parts) > 1:
                merged = {key: value for key, value in merged.items() if key not in OF_THE_WHOLE}
            properties: Node = dict(merged.get("properties", {}))
            for name, member in part.get("properties", {}).items():
                differs = name in properties and properties[name] != member
                properties[name] = {"allOf": [properties[name], member]} if differs else member
            required = [*dict.fromkeys([*merged.get("required", ()), *part.get("required", ())])]
            merged |= part | ({"properties": properties} if properties else {})
            merged |= {"required": required} if required else {}
        return merged

    def variants(self, flat: Node) -> list[tuple[str, Node]]:
        """Return the variants of a flat schema with `oneOf` or `anyOf`: the reference of each, if any, and its schema."""
        of_variants = {*OF_THE_WHOLE, "oneOf", "anyOf", "discriminator"}
        rest = {key: value for key, value in flat.items() if key not in of_variants}
        found: list[tuple[str, Node]] = []
        for variant in (*flat.get("oneOf", ()), *flat.get("anyOf", ())):
            reference = cast("Node", variant).get("$ref", "") if isinstance(variant, dict) else ""
            parts = [*filter(None, [rest]), variant, *self._discriminating(flat, reference)]
            found.append((reference, {"allOf": parts}))
        return found

    def alternatives(self, schema: Any, seen: frozenset[str] = frozenset()) -> list[Node]:
        """Return the flat schemas of which a value follows one: itself, or one for each of its variants."""
        flat = self.flatten(schema)
        variants = self.variants(flat)
        # A variant that leads back to itself adds nothing.
        new = [(reference, variant) for reference, variant in variants if reference not in seen]
        found = [self.alternatives(variant, seen | {reference} if reference else seen) for reference, variant in new]
        return [each for alternatives in found for each in alternatives] if variants else [flat]

    def _discriminating(self, flat: Node, reference: str) -> list[Node]:
        """Return the schema of the discriminator of a variant, unless the variant has its own."""
        name = flat.get("discriminator", {}).get("propertyName")
        if name is None or not reference:
            return []
        own = self.flatten(self.flatten({"$ref": reference}).get("properties", {}).get(name, {}))
        if "const" in own or "enum" in own:
            return []
        last = reference.rpartition("/")[2]
        mapping: dict[str, str] = flat["discriminator"].get("mapping", {})
        value = next((key for key, target in mapping.items() if target in (reference, last)), last)
        return [{"properties": {name: {"const": value}}}]

    def validator(self, schema: Any) -> Validator:
        """Return a validator for a schema of the document."""
        # References are looked up from the root of the schema, so it needs the whole document.
        rooted = {**self.document, **schema} if isinstance(schema, dict) else {**self.document, "allOf": [schema]}
        return Draft202012Validator(rooted, format_checker=FORMATS)


@cache
def load_contract() -> Contract:
    """Return the contract, loaded once."""
    return Contract()


@cache
def request_schema(operation_id: str) -> Node:
    """Return the schema of an operation's request body; only `x-secret` if the whole operation has it."""
    contract, operation = load_contract(), operation_named(operation_id)
    node: Node = contract.resolve(contract.document["paths"][operation.path])[operation.method.lower()]
    if "x-secret" in node:
        return {"x-secret": True}
    content: Node = contract.resolve(node.get("requestBody", {})).get("content", {})
    schemas: list[Node] = [media.get("schema", {}) for media in content.values()]
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else {}
