"""The OpenAPI document, with its references resolved on demand."""

from __future__ import annotations

from functools import cache
from typing import Any, cast
from urllib.parse import unquote

from agent_session_platform import operations
from jsonschema.protocols import Validator

from .formats import FORMATS
from .json_values import is_object
from .operations import operation_named
from .validator import validator_class

Node = dict[str, Any]

# Members of a schema that are about all of it: in one part of several, they say nothing of the whole.
OF_THE_WHOLE = frozenset({"title", "description", "default", "example", "examples"})


class Contract:
    """An OpenAPI document.

    Args:
        document: The parsed document; None loads that of the generated package.
    """

    def __init__(self, document: Node | None = None) -> None:
        self.document: Node = operations.contract() if document is None else document
        self._validator_class = validator_class(self.discriminated)

    def resolve(self, node: Any) -> Node:
        """Return *node* with its local `$ref` followed; members beside the `$ref` win."""
        while is_object(node) and "$ref" in node:
            target: Any = self.document
            for part in unquote(str(node["$ref"])).removeprefix("#/").split("/"):
                name = part.replace("~1", "/").replace("~0", "~")
                target = target[int(name) if isinstance(target, list) else name]
            beside = {key: value for key, value in node.items() if key != "$ref"}
            node = {**target, **beside} if is_object(target) else target
        return cast("Node", node)

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged."""
        resolved: Any = self.resolve(schema)
        if not is_object(resolved):
            # The schemas `true` and `false`.
            return {"not": {}} if resolved is False else {}
        parts = resolved.get("allOf", ())
        if not parts:
            return resolved
        merged: Node = {}
        for part in (
            *(self.flatten(each) for each in parts),
            {key: resolved[key] for key in resolved if key != "allOf"},
        ):
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
        """Return the variants (`oneOf`, `anyOf`) of a flat schema: the reference of each, if any, and its schema."""
        of_variants = {*OF_THE_WHOLE, "oneOf", "anyOf", "discriminator"}
        rest = {key: value for key, value in flat.items() if key not in of_variants}
        name, by_value = self.discriminated(flat)
        found: list[tuple[str, Node]] = []
        for variant in _variants(flat):
            parts = [*filter(None, [rest]), variant]
            value = next((value for value, chosen in by_value.items() if variant in chosen), None)
            if value is not None and not {"const", "enum"} & self._member(variant, name).keys():
                parts.append({"properties": {name: {"const": value}}})
            found.append((_reference(variant), {"allOf": parts}))
        return found

    def discriminated(self, schema: Node) -> tuple[str, dict[str, list[Any]]]:
        """Return the name of the discriminator of a schema, and the variants that each of its values may choose."""
        node: Node = schema.get("discriminator", {})
        name, mapping = node.get("propertyName", ""), node.get("mapping", {})
        by_value: dict[str, list[Any]] = {}
        for variant in _variants(schema) if name else ():
            reference, member = _reference(variant), self._member(variant, name)
            last = reference.rpartition("/")[2]
            values = [value for value, target in mapping.items() if target in (reference, last)]
            values += [*([member["const"]] if "const" in member else member.get("enum", ())), *filter(None, [last])]
            for value in dict.fromkeys(values):
                by_value.setdefault(value, []).append(variant)
        return name, by_value

    def alternatives(self, schema: Any, seen: frozenset[str] = frozenset()) -> list[Node]:
        """Return the flat schemas of which a value follows one: itself, or one for each of its variants."""
        flat, seen = self.flatten(schema), seen | {_reference(schema)}
        variants = self.variants(flat)
        # A variant that leads back to itself adds nothing.
        new = [(reference, variant) for reference, variant in variants if not reference or reference not in seen]
        found = [self.alternatives(variant, seen | {reference}) for reference, variant in new]
        return [each for alternatives in found for each in alternatives] if variants else [flat]

    def _member(self, schema: Any, name: str) -> Node:
        return self.flatten(self.flatten(schema).get("properties", {}).get(name, {}))

    def validator(self, schema: Any) -> Validator:
        """Return a validator for a schema of the document."""
        # References are looked up from the root of the schema, so it needs the whole document.
        rooted = {**self.document, **(schema if is_object(schema) else {"allOf": [schema]})}
        return self._validator_class(rooted, format_checker=FORMATS)


def _variants(schema: Node) -> list[Any]:
    return [*schema.get("oneOf", ()), *schema.get("anyOf", ())]


def _reference(schema: Any) -> str:
    return str(schema.get("$ref", "")) if is_object(schema) else ""


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
