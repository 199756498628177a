"""Check what the contract says of fields and parameters: their descriptions, and the marks of ids."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.contract.contract import Contract
from codegen.contract.nodes import Node

NO_DESCRIPTION = "no description; write what it is, as far as the API's description or the name says so"
RESOURCE_ID = "x-resource-id"
ID_PREFIX = "x-id-prefix"
ADDS_PREFIX = "x-adds-prefix"


def field_findings(contract: Contract) -> Iterator[str]:
    """Yield the findings, one line each, with their places."""
    for name, schema in contract.schemas.items():
        yield from (f"schema {name}: {finding}" for finding in property_findings(contract, schema))
    for place, parameter in parameters(contract):
        name = parameter["name"]
        yield from (f"{place}, parameter {name}: {finding}" for finding in parameter_findings(contract, parameter))


def property_findings(contract: Contract, schema: Node) -> Iterator[str]:
    """Yield the properties without a description, and wrong marks of the id."""
    marked = []
    for name, field in written_properties(schema):
        # A reference has the description of its target, unless it has its own.
        resolved = contract.resolve(field)
        if not described(resolved):
            yield f"{name}: {NO_DESCRIPTION}"
        if isinstance(resolved, dict) and resolved.get(RESOURCE_ID):
            marked.append(name)
            if resolved.get("type") not in ("string", "integer"):
                yield f"{name}: {RESOURCE_ID} at a type that is no id; an id is a string or an integer, and never null"
    if len(marked) > 1:
        yield f"{RESOURCE_ID} at {' and '.join(marked)}; leave it at the one by which paths name the resource"


def written_properties(schema: Node) -> Iterator[tuple[str, Node]]:
    """Yield the properties that a schema itself declares, also in parts of `allOf`."""
    yield from schema.get("properties", {}).items()
    for part in schema.get("allOf", ()):
        yield from written_properties(part)


def parameters(contract: Contract) -> Iterator[tuple[str, Node]]:
    """Yield every parameter where it is declared, with the place."""
    places = {f"{method.upper()} {path}": item[method] for path, method, item in contract.routes()}
    for place, node in {**contract.document["paths"], **places}.items():
        yield from ((place, each) for each in node.get("parameters", ()) if "$ref" not in each)
    for name, parameter in contract.document["components"].get("parameters", {}).items():
        yield f"component {name}", parameter


def parameter_findings(contract: Contract, parameter: Node) -> Iterator[str]:
    """Yield a missing description, and marks of the id that have no effect."""
    if not described(parameter) and not described(contract.resolve(parameter.get("schema"))):
        yield NO_DESCRIPTION
    if ID_PREFIX in parameter and parameter["in"] != "path":
        yield f"{ID_PREFIX} at a {parameter['in']} parameter; only ids in paths are checked, so remove it"
    if ADDS_PREFIX in parameter and ID_PREFIX not in parameter:
        yield f"{ADDS_PREFIX} without {ID_PREFIX}; write the prefix beside it"


def described(node: object) -> bool:
    """Return whether a property, a parameter or a schema has a description."""
    return isinstance(node, dict) and bool(node.get("description"))
