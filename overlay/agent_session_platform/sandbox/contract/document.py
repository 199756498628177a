"""The OpenAPI document, with its references resolved on demand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator
from jsonschema.validators import extend  # pyright: ignore[reportUnknownVariableType]

from ..._api import PACKAGE
from .formats import FORMATS
from .json_values import is_object
from .operations import operation_named

Node = dict[str, Any]

# A value that fits several variants is valid: as objects are open, few contracts say which members exclude each other.
_extend: Callable[..., type[Validator]] = extend  # pyright: ignore[reportUnknownVariableType]  # it has no types
LENIENT = _extend(Draft202012Validator, {"oneOf": Draft202012Validator.VALIDATORS["anyOf"]})

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
        found: list[tuple[str, Node]] = []
        for variant in (*flat.get("oneOf", ()), *flat.get("anyOf", ())):
            reference = str(variant.get("$ref", "")) if is_object(variant) else ""
            parts: list[Any] = [*filter(None, [rest]), variant, *self._discriminating(flat, reference)]
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
        rooted = {**self.document, **(schema if is_object(schema) else {"allOf": [schema]})}
        return LENIENT(rooted, format_checker=FORMATS)


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
