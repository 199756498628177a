"""What the contract marks as secret (`x-secret`): the request of an operation as a whole, or members of its body."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, cast

from ..http.routes import Contract, Node
from .redaction import HIDDEN, is_secret

# Of a body that is secret as a whole (`x-secret` at its operation) these tell which secret it is.
SHOWN: Final = frozenset({"name", "type"})


def without_marked(operation_id: str | None, body: Any, path: str = "") -> Any:
    """The same body without what the contract marks with `x-secret` in the request of an operation.

    That of no operation is secret as a whole where its *path* speaks of secrets: it may be one that went astray.
    """
    astray = operation_id is None and any(map(is_secret, path.split("/")))
    schema: Node = {"x-secret": True} if astray else request_of(operation_id) if operation_id is not None else {}
    if schema.get("x-secret") and isinstance(body, dict):
        members = cast("Node", body).items()
        return {name: value if name in SHOWN and isinstance(value, str) else HIDDEN for name, value in members}
    return _without(schema, body)


@cache
def contract() -> Contract:
    """The contract, for its marks."""
    return Contract()


@cache
def request_of(operation_id: str) -> Node:
    """The schema of an operation's request; one that only says so where the operation is marked as a whole."""
    for item in contract().document["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and cast("Node", operation).get("operationId") == operation_id:
                content: Node = contract().resolve(cast("Node", operation).get("requestBody", {})).get("content", {})
                schemas: list[Node] = [media.get("schema", {}) for media in content.values()]
                if "x-secret" in operation:
                    return {"x-secret": True}
                return schemas[0] if schemas else {}
    return {}


def _without(schema: Node, value: Any) -> Any:
    shape = contract().flatten(schema)
    if shape.get("x-secret"):
        return HIDDEN
    if isinstance(value, dict):
        known: Node = shape.get("properties", {})
        return {name: _without(known.get(name, {}), member) for name, member in cast("Node", value).items()}
    if isinstance(value, list):
        items: Node = shape.get("items", {})
        return [_without(items, each) for each in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    return value
