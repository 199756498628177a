"""The OpenAPI document, with its references resolved on demand."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from ..._api import PACKAGE
from .operations import operation_named

Node = dict[str, Any]


class Contract:
    """The OpenAPI document that the generated package contains."""

    def __init__(self) -> None:
        self.document: Node = import_module(f"{PACKAGE}.contract").load()

    def resolve(self, node: Any) -> Node:
        """Return *node* with its local `$ref` followed; members beside the `$ref` win."""
        while isinstance(node, dict) and "$ref" in node:
            resolved = cast("Node", node)
            target: Any = self.document
            for part in str(resolved["$ref"]).removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = {**target, **{key: value for key, value in resolved.items() if key != "$ref"}}
        return cast("Node", node)

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged."""
        resolved = self.resolve(schema)
        merged: Node = {key: value for key, value in resolved.items() if key != "allOf"}
        for part in resolved.get("allOf", ()):
            flat = self.flatten(part)
            merged["properties"] = {**flat.get("properties", {}), **merged.get("properties", {})}
        return merged

    def validator(self, schema: Node) -> Validator:
        """Return a validator for a schema of the document."""
        # References are looked up from the root of the schema, so it needs the components.
        return Draft202012Validator({**schema, "components": self.document["components"]})


@cache
def load_contract() -> Contract:
    """Return the contract, loaded once."""
    return Contract()


@cache
def request_schema(operation_id: str) -> Node:
    """Return the schema of an operation's request body; only `x-secret` if the whole operation has it."""
    contract, operation = load_contract(), operation_named(operation_id)
    node: Node = contract.document["paths"][operation.path][operation.method.lower()]
    if "x-secret" in node:
        return {"x-secret": True}
    content: Node = contract.resolve(node.get("requestBody", {})).get("content", {})
    schemas: list[Node] = [media.get("schema", {}) for media in content.values()]
    return schemas[0] if schemas else {}
