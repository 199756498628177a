"""Merge a schema with the parts of its `allOf`, so that its members are in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codegen.contract.nodes import Node

ANNOTATIONS = frozenset({"description", "title", "example", "examples", "deprecated", "readOnly", "writeOnly"})
"""Keywords that say something about a schema, and nothing about its values."""

# Keywords of a part that do not hold for the whole.
OWN = ANNOTATIONS | {"discriminator", "$defs"}


def flatten(schema: Any, resolve: Callable[[Any], Any], seen: tuple[int, ...] = ()) -> Node:
    """Return the schema with its reference followed and its `allOf` merged; a part that contains itself is left out.

    Of two parts that describe the same member, both hold. The alternatives of a schema that has members of its own only
    add members that need not be there.
    """
    schema = resolve(schema)
    if not isinstance(schema, dict) or id(schema.get("allOf")) in seen:
        return {}
    seen = (*seen, id(schema["allOf"])) if "allOf" in schema else seen
    merged: Node = {key: value for key, value in schema.items() if key != "allOf"}
    for part in reversed(schema.get("allOf", ())):
        merged = join(flatten(part, resolve, seen), merged)
    alternatives = [each for key in ("oneOf", "anyOf") for each in merged.get(key, ())]
    if "properties" in merged and alternatives:
        for each in alternatives:
            added = flatten(each, resolve, seen).get("properties", {})
            merged["properties"] = {**added, **merged["properties"]}
        merged = {key: value for key, value in merged.items() if key not in ("oneOf", "anyOf")}
    return merged


def join(part: Node, whole: Node) -> Node:
    """Return the schema for which both hold; the keywords of *whole* win."""
    joined = {**{key: value for key, value in part.items() if key not in OWN}, **whole}
    properties = dict(part.get("properties", {}))
    for name, schema in whole.get("properties", {}).items():
        properties[name] = {"allOf": [properties[name], schema]} if name in properties else schema
    if properties:
        joined["properties"] = properties
    if required := [*part.get("required", ()), *whole.get("required", ())]:
        joined["required"] = list(dict.fromkeys(required))
    return joined
