"""Contracts of made-up deployments: nearly all gaps are closed, and not as the sandbox assumes."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from agent_session_platform.contract import load
from agent_session_platform_sandbox.contract import Content, Route, routes
from agent_session_platform_sandbox.lists import is_unknown
from agent_session_platform_sandbox.validation import SandboxContract

CLOSED = {"answers": 3, "first": "2026-11-02", "last": "2026-11-20"}
ADDED = Path(__file__).with_name("acme.yaml")
TYPES = {"archive": "boolean", "enabled": "boolean", "min_sessions": "integer", "min_searches": "integer"}
ERRORS = {"4XX", "default"}


@cache
def deployment(name: str) -> SandboxContract:
    """Return the contract of the deployment `acme` or `globex`, whose records have other members."""
    added = yaml.safe_load(ADDED.read_text(encoding="utf-8"))
    document = copy.deepcopy(load().document)
    document["paths"] |= added["paths"]
    document["components"]["schemas"] |= added["schemas"]
    for schema, members in added[name]["members"].items():
        known = document["components"]["schemas"][schema]
        known["properties"] |= members["properties"]
        known["required"] = [*known.get("required", ()), *members["required"]]
        known.pop("examples", None)
    for route in routes(SandboxContract(load().document)):
        close_gaps(document, route, added[name])
    for node in nodes(document):
        for gap in node.get("x-not-shown", ()):
            gap["closed"] = CLOSED
    return SandboxContract(document)


def close_gaps(document: Any, route: Route, facts: Mapping[str, Any]) -> None:
    """Show the request, the response and the types of the parameters of an operation."""
    operation = document["paths"][route.path][route.method.lower()]
    for parameter in operation.get("parameters", ()):
        if "$ref" not in parameter and not parameter.get("schema", {}).get("type"):
            parameter["schema"] = {"type": TYPES.get(parameter["name"], "string")}
    if is_open(route.body):
        operation["requestBody"]["content"] = json_content(facts["request"])
    if is_open(route.contents):
        kind = kind_of(route)
        operation["responses"] = {
            facts["statuses"].get(route.method, "200"): {"description": "Seen.", "content": json_content(facts[kind])},
            **{status: node for status, node in operation["responses"].items() if status != "2XX"},
        }
    if kind_of(route) == "list":
        operation["parameters"] = [*operation.get("parameters", ()), *copy.deepcopy(facts["filters"])]


def kind_of(route: Route) -> str:
    """Return whether an operation shows a list or a record."""
    return "list" if route.operation_id.startswith("list_") else "record"


def is_open(contents: tuple[Content, ...]) -> bool:
    """Return whether the description does not show a body."""
    return bool(contents) and all(is_unknown(each.shape) for each in contents)


def json_content(schema: Any) -> Any:
    """Return the content of a body."""
    return {"application/json": {"schema": copy.deepcopy(schema)}}


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a document."""
    if isinstance(node, dict):
        yield node
        node = [*node.values()]
    if isinstance(node, list):
        for each in node:
            yield from nodes(each)
