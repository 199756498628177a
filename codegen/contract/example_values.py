"""Make example values from schemas: for a schema without an example, and for an example that lacks a member."""

from __future__ import annotations

from typing import Any

from codegen.contract.operations import types_of
from codegen.contract.source import Node
from codegen.render.runtime.contract import Contract

BY_FORMAT = {
    "binary": "the bytes of a file",
    "date": "2026-11-20",
    "date-time": "2026-11-20T09:00:00Z",
    "duration": "P1D",
    "email": "ada@example.com",
    "uri": "https://example.com",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
TEXT = "text"
BY_TYPE: dict[str, Any] = {"integer": 1, "number": 1.5, "boolean": True, "null": None}
# A schema may contain itself.
DEEPEST = 6


def example_of(contract: Contract, schema: Any, depth: int = 0) -> Any:
    """Return an example value of a schema: a value that it states, or one that is made from its type.

    Args:
        contract: The contract that has the schema.
        schema: The schema.
        depth: How many schemas are around it.
    """
    flat = contract.flatten(schema)
    for keyword in ("examples", "enum", "x-known-values"):
        if flat.get(keyword):
            return flat[keyword][0]
    for keyword in ("example", "const", "default"):
        if keyword in flat:
            return flat[keyword]
    alternatives = flat.get("oneOf") or flat.get("anyOf")
    if alternatives and depth < DEEPEST:
        return example_of(contract, alternatives[0], depth + 1)
    return value_of_type(contract, flat, depth)


def value_of_type(contract: Contract, flat: Node, depth: int) -> Any:
    """Return a value of the type of a schema that states no value."""
    kind = next(iter(types_of(flat)), "object")
    if kind == "array":
        if not flat.get("minItems") or depth >= DEEPEST:
            return []
        return [example_of(contract, flat.get("items", {}), depth + 1)] * flat["minItems"]
    if kind == "object":
        return fill_required(contract, flat, {}, depth)
    if kind == "string":
        text = BY_FORMAT.get(flat.get("format", ""), TEXT)
        return text.ljust(flat.get("minLength", 0), "x")[: flat.get("maxLength")]
    value = BY_TYPE[kind]
    if kind in ("integer", "number"):
        least = max(value, flat.get("minimum", value), flat.get("exclusiveMinimum", value - 1) + 1)
        return min(least, flat.get("maximum", least))
    return value


def fill_required(contract: Contract, schema: Any, example: Any, depth: int = 0) -> Any:
    """Return an example with the required members that it lacks, also in the objects within it.

    Args:
        contract: The contract that has the schema.
        schema: The schema of the example.
        example: The example.
        depth: How many schemas are around it.
    """
    if depth > DEEPEST:
        return example
    flat = contract.flatten(schema)
    if isinstance(example, list) and "items" in flat:
        return [fill_required(contract, flat["items"], entry, depth + 1) for entry in example]
    properties = flat.get("properties", {})
    if not isinstance(example, dict) or not isinstance(properties, dict):
        return example
    filled: Node = {}
    for name, member in example.items():
        filled[name] = fill_required(contract, properties.get(name, {}), member, depth + 1)
    for name in flat.get("required", ()):
        if name not in filled and name in properties:
            filled[name] = example_of(contract, properties[name], depth + 1)
    return filled


def fill_examples(document: Node) -> None:
    """Fill the examples of all component schemas of a document, which is changed in place."""
    contract = Contract(document)
    schemas = document.get("components", {}).get("schemas", {})
    for schema in schemas.values():
        if "example" in schema:
            schema["example"] = fill_required(contract, schema, schema["example"])
        if "examples" in schema:
            schema["examples"] = [fill_required(contract, schema, example) for example in schema["examples"]]
