"""Write the parts of an Overlay's actions: the JSONPath of a target, and the schema of what was seen."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from agent_session_platform.contract import Node, is_array, is_object

from .contract import Document, Schema
from .shape import FORMAT, ITEMS, KNOWN, PLAIN, TYPE, Tally


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


def schema_of(tally: Tally, document: Document, at_least: int) -> Node:
    """Return a schema for the values that were seen.

    Args:
        tally: The tally of the values.
        document: The contract, which may show the items of a list.
        at_least: A member is called required only if this many objects were seen, and all of them had it.
    """
    types = tally.facts(TYPE)
    names = sorted(kind for kind in types if not (kind == "integer" and "number" in types))
    if not names or names == ["null"]:
        # A value that was always null shows no type.
        return {}
    node: Node = {"type": names[0] if len(names) == 1 else names}
    if "object" in names:
        if members := tally.members():
            node["properties"] = {name: schema_of(each, document, at_least) for name, each in sorted(members.items())}
        else:
            node["additionalProperties"] = True
        if always := tally.always(at_least):
            node["required"] = sorted(always)
    if "array" in names:
        node["items"] = fitting(tally.at(ITEMS), document) or schema_of(tally.at(ITEMS), document, at_least)
    formats = tally.facts(FORMAT)
    if len(formats) == 1 and not formats.keys() & {PLAIN, "local date-time"}:
        node["format"] = next(iter(formats))
    if values := tally.values():
        node["x-known-values"] = list(values)
    return node


def body_schema(declared: Schema | None, tally: Tally, document: Document, at_least: int) -> Node:
    """Return the schema of a body. If the contract shows the whole body, return a reference to its schema there.

    If the contract shows only the envelope of a page, the envelope is kept.
    """
    members = tally.members()
    if declared is None or declared.is_unshown or declared.properties.keys().isdisjoint(members):
        return fitting(tally, document) or schema_of(tally, document, at_least)
    if declared.shows_all:
        return declared.node if "/paths/" in declared.place else {"$ref": declared.place}
    envelope = [part for part in declared.parts[:-1] if part.properties and part.shows_all]
    kept = {name for part in envelope for name in part.properties}
    others = {KNOWN + name: each for name, each in members.items() if name not in kept}
    own = schema_of(Tally(tally.counts, others), document, at_least)
    return {"allOf": [*({"$ref": part.place} for part in envelope), own]}


def fitting(tally: Tally, document: Document) -> Node:
    """Return a reference to the smallest schema of the contract that shows all members of an object."""
    members, always = tally.members(), tally.always()
    schemas = [document.schema(f"#/components/schemas/{name}") for name in document.document["components"]["schemas"]]
    fits = sorted(
        (len(schema.properties), schema.place)
        for schema in schemas
        # With fewer members, a match may be chance.
        if (len(members) > 2 or len(schema.required) > 1)
        and members.keys() <= schema.properties.keys()
        and schema.required.keys() <= always
    )
    is_one = len(fits) == 1 or (len(fits) > 1 and fits[0][0] < fits[1][0])
    return {"$ref": fits[0][1]} if is_one and tally.facts(TYPE).keys() == {"object"} else {}


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
