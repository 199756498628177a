"""Write an example of a schema that has none."""

from __future__ import annotations

from typing import Any

from codegen.contract.operations import types_of
from codegen.contract.source import Node
from codegen.render.runtime.contract import Contract

DEEPEST = 6
BY_FORMAT = {
    "binary": "the bytes of a file",
    "date": "2026-11-28",
    "date-time": "2026-11-28T09:00:00Z",
    "duration": "P1D",
    "email": "ada@example.com",
    "uri": "https://example.com",
    "uuid": "0b1e9d52-4f0c-4f7e-9d0c-3a1f8a5d2c11",
}
BY_TYPE: Node = {"array": [], "boolean": True, "null": None, "object": {}, "string": "text"}


def sample(contract: Contract, schema: Any, depth: int = 0) -> Any:
    """Return a value that a schema allows, with the members that it requires.

    Args:
        contract: The contract that has the schema.
        schema: The schema.
        depth: How many schemas are around it.
    """
    flat = contract.flatten(schema)
    for keyword in ("examples", "enum", "x-known-values"):
        if flat.get(keyword):
            return flat[keyword][0]
    for keyword in ("const", "default"):
        if keyword in flat:
            return flat[keyword]
    for keyword in ("oneOf", "anyOf"):
        if keyword in flat and depth < DEEPEST:
            return sample(contract, flat[keyword][0], depth + 1)
    members: Node = flat.get("properties", {})
    if members:
        found: Node = {}
        for name in flat.get("required", ()):
            if name in members and depth < DEEPEST:
                found[name] = sample(contract, members[name], depth + 1)
        return found
    types = types_of(flat)
    if not types:
        return {}
    if types[0] in ("integer", "number"):
        return max(flat.get("minimum", 1), flat.get("exclusiveMinimum", 0) + 1)
    if types[0] == "string" and flat.get("format") in BY_FORMAT:
        return BY_FORMAT[flat["format"]]
    if types[0] == "array" and flat.get("minItems"):
        return [sample(contract, flat.get("items", {}), depth + 1)] * flat["minItems"]
    return BY_TYPE[types[0]]
