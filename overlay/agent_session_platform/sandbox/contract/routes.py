"""Routes: the path, the required credential and the validators of each operation of the contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from jsonschema.protocols import Validator

from .document import Contract, Node
from .requirement import ENTERPRISE, ORGANIZATION, Requirement

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@attrs.frozen
class QueryParameter:
    """A query parameter: its validator, its JSON types, and those of its items if it is an array."""

    name: str
    validator: Validator
    types: tuple[str, ...]
    items: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Route:
    """One operation as the sandbox serves it."""

    operation_id: str
    method: str
    path: str
    pattern: str
    requirement: Requirement
    query: dict[str, QueryParameter]
    required_query: frozenset[str]
    body: Validator | None
    body_is_form: bool
    body_schema: Node
    body_required: bool
    success: int
    response_schema: Node
    validation_form: bool
    with_code: bool


def routes(contract: Contract) -> Iterator[Route]:
    """Yield a route for every operation of the contract."""
    for path, item in contract.document["paths"].items():
        for method in METHODS:
            if method in item:
                yield _route(contract, path, method, item)


def _route(contract: Contract, path: str, method: str, item: Node) -> Route:
    node = item[method]
    parameters = [contract.resolve(each) for each in [*item.get("parameters", ()), *node.get("parameters", ())]]
    in_query = [each for each in parameters if each["in"] == "query"]
    request_body = contract.resolve(node.get("requestBody", {}))
    body_schema = _content_schema(request_body)
    responses = {str(status): contract.resolve(response) for status, response in node["responses"].items()}
    status = next((status for status in responses if status.startswith("2")), "200")
    failure = responses.get("default", {})
    problem: Node = failure.get("content", {}).get("application/problem+json", {}).get("schema", {})
    return Route(
        operation_id=node["operationId"],
        method=method.upper(),
        path=path,
        pattern=_pattern(path, parameters),
        requirement=_requirement(path, node),
        query={each["name"]: _query_parameter(contract, each) for each in in_query},
        required_query=frozenset(each["name"] for each in in_query if each.get("required")),
        body=None if body_schema is None else contract.validator(body_schema),
        body_is_form="multipart/form-data" in request_body.get("content", {}),
        body_schema=contract.resolve(body_schema or {}),
        body_required=request_body.get("required", False),
        success=int(status.replace("XX", "00")),
        response_schema=contract.flatten(_content_schema(responses.get(status, {})) or {}),
        validation_form="application/json" in failure.get("content", {}),
        with_code="error_code" in contract.flatten(problem).get("properties", {}),
    )


def _requirement(path: str, node: Node) -> Requirement:
    """Return the requirement in the contract; if it has no level, use that of the path."""
    security: list[dict[str, list[str]]] = node.get("security", [])
    scope = ENTERPRISE if ENTERPRISE in path.split("/") else ORGANIZATION
    return Requirement(
        kinds=tuple(kind for entry in security for kind in entry),
        permissions=tuple(dict.fromkeys(name for entry in security for names in entry.values() for name in names)),
        level=node.get("x-permission-level", scope),
    )


def _pattern(path: str, parameters: list[Node]) -> str:
    """Return the path as starlette writes it: a wildcard matches several segments."""
    for parameter in parameters:
        if parameter.get("x-wildcard"):
            path = path.replace(f"{{{parameter['name']}}}", f"{{{parameter['name']}:path}}")
    return path


def _query_parameter(contract: Contract, parameter: Node) -> QueryParameter:
    schema = contract.resolve(parameter["schema"])
    items = contract.resolve(schema.get("items", {}))
    return QueryParameter(parameter["name"], contract.validator(schema), _types(schema), _types(items))


def _content_schema(node: Node) -> Node | None:
    return next((media.get("schema", {}) for media in node.get("content", {}).values()), None)


def _types(schema: Node) -> tuple[str, ...]:
    types: Any = schema.get("type", ())
    return (types,) if isinstance(types, str) else tuple(types)
