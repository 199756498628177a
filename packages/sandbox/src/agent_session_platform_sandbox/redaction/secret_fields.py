"""Redaction of requests by the contract's `x-secret`: on a whole operation, members of its body or parameters."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from agent_session_platform.contract import is_array, is_object

from ..contract import QUERY, Shape, load_contract, load_routes, request_shape
from .redaction import HIDDEN, is_secret

# Members that stay visible in a body that is secret as a whole: they identify the secret.
VISIBLE: Final = frozenset({"name", "type"})


def redact_secret_fields(operation_id: str | None, body: Any, path: str = "") -> Any:
    """Return a copy of a request body without the values that have `x-secret` in the contract.

    Args:
        operation_id: The operation that was requested; None if the contract has none for this request. The whole body
            is then secret if *path* names a secret, because the client may have used a wrong path.
        body: The body of the request: JSON, the fields of a form, or text.
        path: Path of the request.
    """
    if operation_id is not None:
        shape = request_shape(operation_id)
    else:
        shape = Shape(load_contract(), {"x-secret": any(map(is_secret, path.split("/")))})
    if shape.is_secret and is_object(body):
        return {name: value if name in VISIBLE and isinstance(value, str) else HIDDEN for name, value in body.items()}
    return redact_by_schema(shape, body)


@cache
def secret_parameters(operation_id: str | None) -> frozenset[str]:
    """Return the names of the query parameters that have `x-secret` in the contract."""
    found = [route.parameters[QUERY] for route in load_routes() if route.operation_id == operation_id]
    return frozenset(name for parameters in found for name, each in parameters.items() if each.is_secret)


def redact_by_schema(shape: Shape, value: Any) -> Any:
    """Return a copy of JSON without the values whose schema has `x-secret`."""
    if shape.is_secret:
        return HIDDEN
    if is_object(value):
        return {name: redact_by_schema(shape.member(name), member) for name, member in value.items()}
    if is_array(value):
        return [redact_by_schema(shape.items, each) for each in value]
    return value
