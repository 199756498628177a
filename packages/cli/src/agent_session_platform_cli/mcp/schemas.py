"""The JSON Schema of the arguments of a tool, from the contract."""

from __future__ import annotations

from typing import Any, Final

from agent_session_platform import Operation, Parameter
from agent_session_platform.contract import Contract, Node, is_object

from ..contract import OperationContract

# How many items a page has where the assistant names no number: it reads all that it gets.
PAGE: Final = 20

# What says how a value looks. Not the rest of OpenAPI and of our own: it would cost tokens and help no model.
KEPT: Final = frozenset(
    {
        *("type", "enum", "const", "format", "pattern", "default", "description", "required"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
        *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    }
)
ONE: Final = ("items", "additionalProperties", "not", "propertyNames", "contains")
SEVERAL: Final = ("oneOf", "anyOf", "allOf", "prefixItems")


def input_schema(operation: Operation, contract: OperationContract, *, names_organization: bool) -> Node:
    """Return the schema of the arguments of an operation.

    Its properties have the names of the arguments of the method, because clients refuse names such as `x[y]`.

    Args:
        operation: The operation.
        contract: What the contract says of it.
        names_organization: True if the organization of its scope is an argument: where no setting names it.
    """
    properties: Node = {}
    required: list[str] = []
    for each in taken(operation, names_organization=names_organization):
        name = argument_of(each)
        properties[name] = _described(each, contract)
        if operation.paginated and each.name == "first":
            properties[name]["default"] = PAGE
        # Of a body that is not shown, each member may be an argument instead.
        if each.required and not (name == "body" and operation.takes_members):
            required.append(name)
    more: Node | bool = False
    if operation.takes_members:
        more = {"description": "A member of the body that the contract does not name."}
        properties["extra_body"] = {
            "type": "object",
            "description": "Members of the body whose names are those of arguments, or resemble them.",
        }
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": more}


def taken(operation: Operation, *, names_organization: bool) -> list[Parameter]:
    """Return the parameters that a tool takes: not the organization of its scope where a setting names it."""
    path = [each for each in operation.parameters if each.location == "path"]
    given_elsewhere = [] if names_organization or operation.scope != "organization" else path[:1]
    return [each for each in operation.parameters if each not in given_elsewhere]


def argument_of(parameter: Parameter) -> str:
    """Return the name of the argument; that of a whole body is `body`."""
    return parameter.argument_name or "body"


def _described(parameter: Parameter, contract: OperationContract) -> Node:
    """Return the schema of one argument, with a description."""
    schema = inlined(contract.schema(parameter.name, parameter.location), contract.contract)
    facts = contract.facts(parameter.name, parameter.location)
    notes = [" ".join((facts.description or str(schema.get("description", ""))).split())]
    if facts.known:
        notes.append(f"Known values: {', '.join(map(str, facts.known))}.")
    if parameter.prefix:
        notes.append(f"It begins with {parameter.prefix}.")
    description = " ".join(filter(None, notes))
    return {**schema, **({"description": description} if description else {})}


def inlined(schema: Any, contract: Contract, within: frozenset[str] = frozenset()) -> Node:
    """Return a schema without references, and without the keywords that no model needs.

    Args:
        schema: The schema.
        contract: The contract that it belongs to.
        within: The references that lead here: what contains itself is any value there.
    """
    if not is_object(schema):
        return {}
    reference = str(schema.get("$ref", ""))
    if reference in within:
        return {}
    inner = within | {reference} if reference else within
    found = contract.resolve(schema)
    kept = {name: value for name, value in found.items() if name in KEPT}
    for name in ONE:
        value = found.get(name)
        if is_object(value):
            kept[name] = inlined(value, contract, inner)
        elif isinstance(value, bool):
            kept[name] = value
    for name in SEVERAL:
        if name in found:
            kept[name] = [inlined(each, contract, inner) for each in found[name]]
    if "properties" in found:
        kept["properties"] = {name: inlined(each, contract, inner) for name, each in found["properties"].items()}
    if isinstance(text := kept.get("description"), str):
        kept["description"] = " ".join(text.split())
    return kept
