"""Write the targets of an Overlay's actions, and find the examples that an action makes wrong."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from agent_session_platform.contract import is_array, is_object

from .contract import Schema


def json_path(place: str, *keys: str) -> str:
    """Return a JSON pointer as a JSONPath (RFC 9535).

    Args:
        place: The pointer, such as `#/components/schemas/Session`.
        keys: Further members.
    """
    parts = [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[1:]]
    # Three digits are a status; an index of a list has fewer.
    steps = [each if each.isdecimal() and len(each) < 3 else literal(each) for each in (*parts, *keys)]
    return "$" + "".join(f"[{step}]" for step in steps)


def literal(text: str) -> str:
    """Return a text as a JSONPath literal, in single quotes."""
    escaped = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{escaped}'"


def lacks(schema: Schema, value: Any, required: Mapping[str, Collection[str]]) -> bool:
    """Return whether an example lacks a newly required member.

    Args:
        schema: The schema of the example.
        value: The example.
        required: The newly required members, by the place of the schema that requires them.
    """
    if is_array(value) and schema.items is not None:
        items = schema.items
        return any(lacks(items, item, required) for item in value)
    if not is_object(value):
        return False
    if any(name not in value for part in schema.parts for name in required.get(part.place, ())):
        return True
    shown = schema.properties
    return any(lacks(shown[name], member, required) for name, member in value.items() if name in shown)
