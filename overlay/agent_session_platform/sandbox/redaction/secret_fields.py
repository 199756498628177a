"""Redaction of request bodies by the contract's `x-secret`, on a whole operation or on members of its body."""

from __future__ import annotations

from typing import Any, Final, cast

from ..contract import load_contract, request_schema
from .redaction import HIDDEN, is_secret

Node = dict[str, Any]

# Members that stay visible in a body that is secret as a whole: they identify the secret.
VISIBLE: Final = frozenset({"name", "type"})


def redact_secret_fields(operation_id: str | None, body: Any, path: str = "") -> Any:
    """Return a copy of a request body without the values that have `x-secret` in the contract.

    Args:
        operation_id: The operation that was requested; None if the contract has none for this request. The whole body
            is then secret if *path* names a secret, because the client may have used a wrong path.
        body: The JSON of the request.
        path: Path of the request.
    """
    if operation_id is not None:
        schema = request_schema(operation_id)
    else:
        schema = {"x-secret": any(map(is_secret, path.split("/")))}
    if schema.get("x-secret") and isinstance(body, dict):
        members = cast("Node", body).items()
        return {name: value if name in VISIBLE and isinstance(value, str) else HIDDEN for name, value in members}
    return _redact(schema, body)


def _redact(schema: Node, value: Any) -> Any:
    flat = load_contract().flatten(schema)
    if flat.get("x-secret"):
        return HIDDEN
    if isinstance(value, dict):
        known: Node = flat.get("properties", {})
        return {name: _redact(known.get(name, {}), member) for name, member in cast("Node", value).items()}
    if isinstance(value, list):
        items: Node = flat.get("items", {})
        return [_redact(items, each) for each in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    return value
