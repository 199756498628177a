"""Read from openapi.yaml what the generator itself does not carry: operations with their extensions, and gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from codegen.contract.naming import Name, name_operation
from codegen.render.docstrings import DEPRECATED

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

PLACEHOLDER = re.compile(r"\{\w+\}")

# Part "Paginated list envelope" of the API's description.
ENVELOPE = ("items", "end_cursor", "has_next_page", "total")

Node = dict[str, Any]


class ContractError(Exception):
    """The contract breaks one of its own conventions; the message names the place."""


@dataclass
class OperationFacts:
    """One operation as the templates need it: its name in the facade and the literal facts of its catalogue entry."""

    name: Name
    arguments: Node
    parameters: list[Node]
    rules: list[Node]
    gaps: list[Node]
    descriptions: dict[str, str]
    legacy: str | None
    stated: str | None


class Contract:
    """The document, with its references resolved on demand."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.document: Node = YAML(typ="safe").load(path)
        self.operations: dict[str, OperationFacts] = {}
        self._routes: dict[tuple[str, str], OperationFacts] = {}
        # A rule that holds for several operations has its text at one of them.
        self._rules = {rule["id"]: rule for rule in rules_below(self.document) if "text" in rule}
        taken: dict[Name, str] = {}
        for template, method, item in self.routes():
            facts = self._describe(template, method, item)
            operation_id = item[method]["operationId"]
            if facts.name in taken:
                raise ContractError(f"{operation_id} and {taken[facts.name]} are both called {facts.name}")
            taken[facts.name] = operation_id
            self.operations[operation_id] = facts
            self._routes[method, PLACEHOLDER.sub("{}", template)] = facts

    def routes(self) -> Iterator[tuple[str, str, Node]]:
        """Path, method and path item of every operation."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item

    def operation(self, method: str, path: str) -> OperationFacts:
        """The operation of a route; the names of the path parameters do not matter."""
        return self._routes[method.lower(), PLACEHOLDER.sub("{}", path)]

    def resolve(self, node: Any) -> Any:
        """Follow a local `$ref`; its siblings win over what it points to, as OpenAPI 3.1 has it."""
        while isinstance(node, dict) and "$ref" in node:
            target: Any = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            siblings = {key: value for key, value in node.items() if key != "$ref"}
            node = {**self.resolve(target), **siblings}
        return node

    def gaps(self) -> list[Node]:
        """All gaps of the document with their places, each id once."""
        found: dict[str, Node] = {}
        for gap in gaps_below(self.document, "#"):
            if gap["id"] in found:
                raise ContractError(f"gap {gap['id']} stands at {found[gap['id']]['place']} and at {gap['place']}")
            found[gap["id"]] = gap
        return list(found.values())

    def property_schema(self, schema: Node, name: str) -> Node:
        """The resolved schema of one property, also through `allOf`; empty when there is none."""
        schema = self.resolve(schema)
        found: Node = {}
        for part in schema.get("allOf", ()):
            found = {**found, **self.property_schema(part, name)}
        return {**found, **self.resolve(schema.get("properties", {}).get(name, {}))}

    def body_schemas(self) -> set[str]:
        """Names of the schemas that only request bodies use: the facade takes keywords in their place."""
        used = {name: set(references_below(schema)) for name, schema in self.document["components"]["schemas"].items()}
        answers = [item[method]["responses"] for _, method, item in self.routes()]
        reached = {reference for answer in answers for reference in references_below(self.resolve_deeply(answer))}
        while more := {name for known in reached for name in used.get(known, ())} - reached:
            reached |= more
        enums = {name for name, schema in self.document["components"]["schemas"].items() if "enum" in schema}
        return set(used) - reached - enums

    def resolve_deeply(self, responses: Node) -> list[Any]:
        """The responses of an operation, with those that are shared resolved."""
        return [self.resolve(response) for response in responses.values()]

    def _describe(self, path: str, method: str, item: Node) -> OperationFacts:
        node = item[method]
        place = f"{method.upper()} {path}"
        if "operationId" not in node:
            raise ContractError(f"{place} has no operationId")
        if not node.get("tags"):
            raise ContractError(f"{place} has no tag; the first one names its resource")
        name = name_operation(path, node["tags"][0], node["operationId"], method)
        content = self.resolve(node.get("requestBody", {})).get("content", {})
        media_type = next(iter(content), None)
        body = self.resolve(content[media_type]["schema"]) if media_type else {}
        shared = [self.resolve(parameter) for parameter in item.get("parameters", ())]
        given = [self.resolve(parameter) for parameter in node.get("parameters", ())]
        overridden = {(parameter["name"], parameter["in"]) for parameter in given}
        parameters = [parameter for parameter in shared if (parameter["name"], parameter["in"]) not in overridden]
        described = [
            self._parameter(parameter["name"], parameter["in"], parameter.get("required", False), parameter["schema"])
            | ({"wildcard": True} if parameter.get("x-wildcard") else {})
            for parameter in parameters + given
        ]
        described += [
            self._parameter(key, "body", key in body.get("required", ()), schema)
            for key, schema in body.get("properties", {}).items()
        ]
        permissions = {
            permission for entry in node.get("security", ()) for names in entry.values() for permission in names
        }
        if len(permissions) > 1:
            raise ContractError(f"{place} names several permissions: {', '.join(sorted(permissions))}")
        facts = {
            "id": node["operationId"],
            "method": method.upper(),
            "path": path,
            "scope": name.scope,
            "resource": name.resource,
            "verb": name.verb,
            "summary": node.get("summary", ""),
            "permission": next(iter(permissions), None),
            "level": node.get("x-permission-level"),
            "credentials": tuple(kind for entry in node.get("security", ()) for kind in entry),
            "paginated": self._is_paginated(node, {parameter["name"] for parameter in parameters + given}),
            "deprecated": node.get("deprecated", False),
            "beta": node.get("x-stability") == "beta",
            "inferred": node.get("x-inferred"),
            "media_type": media_type,
            "streamed": self._is_streamed(node),
            "successor": node.get("x-successor"),
        }
        pointer = f"#/paths/{path.replace('~', '~0').replace('/', '~1')}/{method}"
        rules = [{**self._rules.get(rule["id"], {}), **rule} for rule in node.get("x-rules", [])]
        if unknown := [rule["id"] for rule in rules if "text" not in rule]:
            raise ContractError(f"{place} refers to the rule {unknown[0]}, which stands nowhere with a text")
        gaps = list(gaps_below(node, pointer))
        described_by = {parameter["name"]: parameter for parameter in parameters + given}
        described_by |= {key: self.resolve(schema) for key, schema in body.get("properties", {}).items()}
        descriptions = {
            key: (DEPRECATED if each.get("deprecated") else "") + each.get("description", "")
            for key, each in described_by.items()
        }
        legacy, stated = node.get("x-legacy"), node.get("x-stated-path")
        return OperationFacts(name, facts, described, rules, gaps, descriptions, legacy, stated)

    def _parameter(self, name: str, location: str, required: bool, schema: Node) -> Node:
        schema = self.resolve(schema)
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        kind = next((each for each in types if each != "null"), "")
        if kind == "string" and schema.get("format") == "date-time":
            kind = "date-time"
        if kind == "string" and schema.get("format") == "binary":
            kind = "file"
        facts = {
            "name": name,
            "location": location,
            "kind": kind,
            "required": required,
            "nullable": "null" in types or {"type": "null"} in schema.get("anyOf", ()),
            "minimum": schema.get("minimum"),
            "maximum": schema.get("maximum"),
        }
        return {key: value for key, value in facts.items() if value not in (None, False, "")}

    def _is_streamed(self, node: Node) -> bool:
        successes = [
            self.resolve(answer) for status, answer in node["responses"].items() if str(status).startswith("2")
        ]
        return any("application/octet-stream" in answer.get("content", {}) for answer in successes)

    def _is_paginated(self, node: Node, names: set[str]) -> bool:
        for status, response in node["responses"].items():
            if not str(status).startswith("2"):
                continue
            for media in self.resolve(response).get("content", {}).values():
                schema = media.get("schema", {})
                if "after" in names and all(self.property_schema(schema, name) for name in ENVELOPE):
                    return self.property_schema(schema, "items").get("type") == "array"
        return False


def gaps_below(node: Any, place: str) -> Iterator[Node]:
    """Every `x-not-shown` entry at or below *node*, with its place as a JSON pointer."""
    if isinstance(node, dict):
        for gap in node.get("x-not-shown", ()):
            yield {"id": gap["id"], "place": place, "what": gap["what"]}
        for key, child in node.items():
            if key not in ("x-not-shown", "examples", "example"):
                yield from gaps_below(child, f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from gaps_below(child, f"{place}/{index}")


def mappings_below(node: Any) -> Iterator[Node]:
    """Every mapping at or below *node*."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from mappings_below(child)


def rules_below(node: Any) -> Iterator[Node]:
    """Every `x-rules` entry at or below *node*."""
    return (rule for mapping in mappings_below(node) for rule in mapping.get("x-rules", ()))


def references_below(node: Any) -> Iterator[str]:
    """The names of the component schemas that *node* refers to."""
    for mapping in mappings_below(node):
        reference = mapping.get("$ref", "")
        if isinstance(reference, str) and reference.startswith("#/components/schemas/"):
            yield reference.rpartition("/")[2]
