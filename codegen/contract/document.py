"""Read from openapi.yaml what the generator leaves out: the extensions of operations, and gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from codegen.contract.checks import check
from codegen.contract.naming import Name, name_operation
from codegen.contract.nodes import Node, child, gaps_below, references_below, rules_below
from codegen.contract.source import Source

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

PLACEHOLDER = re.compile(r"\{\w+\}")

# Part "Paginated list envelope" of the API's description.
ENVELOPE = ("items", "end_cursor", "has_next_page", "total")


@attrs.frozen
class OperationFacts:
    """One operation as the templates need it.

    Attributes:
        name: The name of its method in the facade.
        arguments: The literal arguments of its catalogue entry.
        parameters: The literal arguments of each `Parameter`.
        documented: Schema and description of each argument, by wire name.
        legacy: The legacy path that it replaces.
        stated: The path that the API's description states, where a newer one took its place.
    """

    name: Name
    arguments: Node
    parameters: list[Node]
    rules: list[Node]
    gaps: list[Node]
    documented: dict[str, Node]
    legacy: str | None
    stated: str | None


class Contract:
    """The document at *path*, with its references resolved on demand.

    Raises:
        ContractError: Something in it is wrong; the message has one line for each finding, with its place.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = Source(path)
        if found := check(self.source):
            raise self.source.error(found)
        self.document: Node = self.source.document
        self.schemas: Node = self.document.get("components", {}).get("schemas", {})
        self.operations: dict[str, OperationFacts] = {}
        self._routes: dict[tuple[str, str], OperationFacts] = {}
        # A rule that holds for several operations has its text at one of them.
        self._rules = {rule["id"]: rule for rule in rules_below(self.document) if "text" in rule}
        for template, method, item in self.routes():
            facts = self._describe(template, method, item)
            self.operations[item[method]["operationId"]] = facts
            self._routes[method, PLACEHOLDER.sub("{}", template)] = facts

    def routes(self) -> Iterator[tuple[str, str, Node]]:
        """Yield path, method and path item of every operation."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item

    def operation(self, method: str, path: str) -> OperationFacts:
        """Return the operation of a route; the names of the path parameters do not matter."""
        return self._routes[method.lower(), PLACEHOLDER.sub("{}", path)]

    def resolve(self, node: Any) -> Any:
        """Follow a local `$ref`; its siblings override the target, as in OpenAPI 3.1."""
        while isinstance(node, dict) and "$ref" in node:
            target: Any = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            siblings = {key: value for key, value in node.items() if key != "$ref"}
            node = {**self.resolve(target), **siblings}
        return node

    def parameters(self, method: str, item: Node) -> list[Node]:
        """Return the resolved parameters of an operation; its own override those of the path."""
        found = [*item.get("parameters", ()), *item[method].get("parameters", ())]
        return list({(each["name"], each["in"]): each for each in map(self.resolve, found)}.values())

    def success_schemas(self, node: Node) -> Iterator[tuple[str, Node]]:
        """Yield media type and schema of each 2xx response of an operation."""
        for status, response in node["responses"].items():
            if str(status).startswith("2"):
                for media_type, media in self.resolve(response).get("content", {}).items():
                    yield media_type, media.get("schema", {})

    def gaps(self) -> list[Node]:
        """Return all gaps of the document with their places."""
        return list(gaps_below(self.document, "#"))

    def property_schema(self, schema: Node, name: str) -> Node:
        """Return the resolved schema of one property, also through `allOf`; empty if there is none."""
        schema = self.resolve(schema)
        found: Node = {}
        for part in schema.get("allOf", ()):
            found = {**found, **self.property_schema(part, name)}
        return {**found, **self.resolve(schema.get("properties", {}).get(name, {}))}

    def body_schemas(self) -> set[str]:
        """Return the names of the schemas that only request bodies use: methods have keyword arguments for these."""
        responses = [
            self.resolve(each) for _, method, item in self.routes() for each in item[method]["responses"].values()
        ]
        enums = {name for name, schema in self.schemas.items() if "enum" in schema}
        return set(self.schemas) - self.reachable(responses) - enums

    def reachable(self, node: Any) -> set[str]:
        """Return the names of the component schemas that *node* refers to, directly or through another schema."""
        reached = set(references_below(node))
        while more := {each for name in reached for each in references_below(self.schemas.get(name))} - reached:
            reached |= more
        return reached

    def _describe(self, path: str, method: str, item: Node) -> OperationFacts:
        node = item[method]
        name = name_operation(path, node["tags"][0], node["operationId"], method)
        content = self.resolve(node.get("requestBody", {})).get("content", {})
        media_type = next(iter(content), None)
        body = self.resolve(content[media_type]["schema"]) if media_type else {}
        parameters = self.parameters(method, item)
        described = [
            parameter_facts(self.resolve(each["schema"]), each["name"], each["in"], each.get("required", False))
            | ({"wildcard": True} if each.get("x-wildcard") else {})
            for each in parameters
        ]
        examples: Node = next(iter(body.get("examples", ())), {})
        members = {
            key: {**self.resolve(schema), **({"example": examples[key]} if key in examples else {})}
            for key, schema in body.get("properties", {}).items()
        }
        described += [
            parameter_facts(schema, key, "body", key in body.get("required", ())) for key, schema in members.items()
        ]
        security = node.get("security", ())
        permissions = sorted({permission for entry in security for names in entry.values() for permission in names})
        successes = list(self.success_schemas(node))
        facts = {
            "id": node["operationId"],
            "method": method.upper(),
            "path": path,
            "scope": name.scope,
            "resource": name.resource,
            "verb": name.verb,
            "summary": node.get("summary", ""),
            "permission": permissions[0] if permissions else None,
            "level": node.get("x-permission-level"),
            "credentials": tuple(kind for entry in security for kind in entry),
            "paginated": any(each["name"] == "after" for each in parameters)
            and any(self._is_page(schema) for _, schema in successes),
            "deprecated": node.get("deprecated", False),
            "beta": node.get("x-stability") == "beta",
            "inferred": node.get("x-inferred"),
            "media_type": media_type,
            "streamed": any(each == "application/octet-stream" for each, _ in successes),
            "successor": node.get("x-successor"),
        }
        rules = [{**self._rules.get(rule["id"], {}), **rule} for rule in node.get("x-rules", [])]
        documented = {each["name"]: {**self.resolve(each["schema"]), **each} for each in parameters} | members
        gaps = list(gaps_below(node, child(child("#/paths", path), method)))
        return OperationFacts(
            name, facts, described, rules, gaps, documented, node.get("x-legacy"), node.get("x-stated-path")
        )

    def _is_page(self, schema: Node) -> bool:
        """Return whether a response is the envelope of a paginated list."""
        is_envelope = all(self.property_schema(schema, name) for name in ENVELOPE)
        return is_envelope and self.property_schema(schema, "items").get("type") == "array"


def parameter_facts(schema: Node, name: str, location: str, required: bool) -> Node:
    """Return the literal arguments of a `Parameter`, without those that are its defaults.

    Args:
        schema: The resolved schema of its values.
        name: The name on the wire.
        location: `path`, `query` or `body`.
        required: True if it must be given.
    """
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    kind = next((each for each in types if each != "null"), "")
    if kind == "string":
        kind = {"date-time": "date-time", "binary": "file"}.get(schema.get("format", ""), kind)
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
