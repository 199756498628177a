"""The routes of the sandbox, from the contract: one for each operation, with what it validates and requires."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from ..._api import PACKAGE
from ..state.accounts import ENTERPRISE, ORGANIZATION, Requirement

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A query parameter, or a member of a body: its validator, and whether it is an array."""

    name: str
    validator: Validator
    types: tuple[str, ...]
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """One operation as the sandbox serves it."""

    operation_id: str
    method: str
    path: str
    pattern: str
    requirement: Requirement
    query: dict[str, Field]
    required_query: frozenset[str]
    body: Validator | None
    body_is_form: bool
    body_schema: Node
    body_required: bool
    success: int
    answer_schema: Node
    validation_form: bool
    with_code: bool


class Contract:
    """The OpenAPI document, with its references resolved on demand."""

    def __init__(self) -> None:
        self.document: Node = import_module(f"{PACKAGE}.contract").load()

    def resolve(self, node: Any) -> Node:
        """Follow a local `$ref`; its siblings win."""
        while isinstance(node, dict) and "$ref" in node:
            resolved = cast("Node", node)
            target: Any = self.document
            for part in str(resolved["$ref"]).removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = {**target, **{key: value for key, value in resolved.items() if key != "$ref"}}
        return cast("Node", node)

    def validator(self, schema: Node) -> Validator:
        """A validator for a schema of the document."""
        # Local references are looked up from the root of the schema, so the components go with it.
        return Draft202012Validator({**schema, "components": self.document["components"]})

    def routes(self) -> Iterator[Route]:
        """All routes of the document."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield self._route(path, method, item)

    def _route(self, path: str, method: str, item: Node) -> Route:
        node = item[method]
        parameters = [self.resolve(each) for each in [*item.get("parameters", ()), *node.get("parameters", ())]]
        query = {each["name"]: self._query_field(each) for each in parameters if each["in"] == "query"}
        request_body = self.resolve(node.get("requestBody", {}))
        body_schema = self._content_schema(request_body)
        answers = {str(status): self.resolve(answer) for status, answer in node["responses"].items()}
        status = next((status for status in answers if status.startswith("2")), "200")
        failure = answers.get("default", {})
        return Route(
            operation_id=node["operationId"],
            method=method.upper(),
            path=path,
            pattern=self._pattern(path, parameters),
            requirement=self._requirement(path, node),
            query=query,
            required_query=frozenset(
                each["name"] for each in parameters if each["in"] == "query" and each.get("required")
            ),
            body=self.validator(body_schema) if body_schema is not None else None,
            body_is_form="multipart/form-data" in request_body.get("content", {}),
            body_schema=self.resolve(body_schema or {}),
            body_required=request_body.get("required", False),
            success=int(status.replace("XX", "00")),
            answer_schema=self.flatten(self._content_schema(answers.get(status, {})) or {}),
            validation_form="application/json" in failure.get("content", {}),
            with_code="error_code" in self.flatten(self._problem_schema(failure)).get("properties", {}),
        )

    def flatten(self, schema: Any) -> Node:
        """A schema with its reference followed and its `allOf` merged."""
        resolved = self.resolve(schema)
        merged: Node = {key: value for key, value in resolved.items() if key != "allOf"}
        for part in resolved.get("allOf", ()):
            flat = self.flatten(part)
            merged["properties"] = {**flat.get("properties", {}), **merged.get("properties", {})}
        return merged

    @staticmethod
    def _requirement(path: str, node: Node) -> Requirement:
        """What is shown; the level is that of the path where none is."""
        security: list[dict[str, list[str]]] = node.get("security", [])
        scope = ENTERPRISE if ENTERPRISE in path.split("/") else ORGANIZATION
        return Requirement(
            kinds=tuple(kind for entry in security for kind in entry),
            permissions=tuple(dict.fromkeys(name for entry in security for names in entry.values() for name in names)),
            level=node.get("x-permission-level", scope),
        )

    @staticmethod
    def _pattern(path: str, parameters: list[Node]) -> str:
        """The path as starlette writes it: a wildcard takes several segments."""
        for parameter in parameters:
            if parameter.get("x-wildcard"):
                path = path.replace(f"{{{parameter['name']}}}", f"{{{parameter['name']}:path}}")
        return path

    def _query_field(self, parameter: Node) -> Field:
        schema = self.resolve(parameter["schema"])
        items = self.resolve(schema.get("items", {}))
        return Field(parameter["name"], self.validator(schema), _types(schema), _types(items))

    @staticmethod
    def _content_schema(node: Node) -> Node | None:
        for media in node.get("content", {}).values():
            schema: Node = media.get("schema", {})
            return schema
        return None

    @staticmethod
    def _problem_schema(node: Node) -> Node:
        schema: Node = node.get("content", {}).get("application/problem+json", {}).get("schema", {})
        return schema


def _types(schema: Node) -> tuple[str, ...]:
    types: Any = schema.get("type", ())
    return (types,) if isinstance(types, str) else tuple(types)
