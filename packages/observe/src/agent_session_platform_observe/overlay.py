"""Write an Overlay (Overlay Specification 1.0.0): actions, schemas of what was seen, and YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
from agent_session_platform.contract import Node, child, is_array, is_object

from .contract import Document, Schema
from .shape import NAMED, NEW, OTHERS, PLAIN, VALUES, Tally, members_of

COMPONENTS: Final = "#/components/schemas/"
# The members that are required anew with their schemas, by the place of the schema that requires them.
Required = Mapping[str, Mapping[str, Node]]
# By format or type.
SAMPLES: Final[Mapping[str, Any]] = {
    "date-time": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "uuid": "00000000-0000-0000-0000-000000000000",
    "uri": "https://example.com",
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "array": [],
    "null": None,
}
PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# JSON may have these characters as they are, and YAML may not, or reads them as the end of a line.
UNPRINTABLE: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# What YAML reads as something else than a text, such as `null` or `on`.
RESERVED: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


@attrs.frozen
class ProposedAction:
    """One action: one fact, which a person may delete.

    Attributes:
        target: The JSONPath of the object or list to change.
        description: What was seen, for whoever reads it.
        update: What is merged into it; None to remove it.
        contradicts: Why it contradicts the contract; empty if it does not.
    """

    target: str
    description: str
    update: Any = None
    contradicts: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the action as the specification has it."""
        why = {"x-contradicts": self.contradicts} if self.contradicts else {}
        change = {"remove": True} if self.update is None else {"update": self.update}
        return {"target": self.target, "description": self.description, **why, **change}


def json_path(place: str, *keys: str) -> str:
    """Return a JSON pointer as a JSONPath (RFC 9535).

    Args:
        place: The pointer, such as `#/components/schemas/Session`.
        keys: Further members.
    """
    parts = [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[1:]]
    # A status has three digits, and no list of the contract so many entries.
    steps = [each if each.isdecimal() and len(each) < 3 else literal(each) for each in (*parts, *keys)]
    return "$" + "".join(f"[{step}]" for step in steps)


def literal(text: str) -> str:
    """Return a text in single quotes, as a JSONPath has it."""
    escaped = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{escaped}'"


def to_yaml(title: str, version: str, actions: list[ProposedAction]) -> str:
    """Return an Overlay document as YAML: scalars as JSON writes them, so that nothing is read as something else."""
    document = {
        "overlay": "1.0.0",
        "info": {"title": title, "version": version},
        "actions": [action.to_dict() for action in actions],
    }
    return "\n".join(lines(document)) + "\n"


def lines(value: Any, indent: str = "") -> Iterator[str]:
    """Yield the lines of a value in block style."""
    if is_object(value) and value:
        for key, member in value.items():
            name = key if PLAIN_KEY.fullmatch(key) and key.lower() not in RESERVED else scalar(key)
            if isinstance(member, dict | list) and member:
                yield f"{indent}{name}:"
                yield from lines(member, indent + "  ")
            else:
                yield f"{indent}{name}: {scalar(member)}"
    elif is_array(value) and value:
        for entry in value:
            first, *rest = lines(entry, indent + "  ")
            yield f"{indent}- {first.strip()}"
            yield from rest
    else:
        yield f"{indent}{scalar(value)}"


def scalar(value: Any) -> str:
    """Return a value in one line of YAML."""
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def schema_of(shape: Tally, at_least: int) -> Node:
    """Return the schema of what was seen.

    Args:
        shape: The shape.
        at_least: How many objects there must be before a member that all have is called required.
    """
    types: dict[str, int] = shape.get("types", {})
    names = sorted(kind for kind in types if not (kind == "integer" and "number" in types))
    if not names or names == ["null"]:
        # Of what was null each time, nothing is known.
        return {}
    node: Node = {"type": names[0] if len(names) == 1 else names}
    if "object" in names:
        members, others = members_of(shape), shape.get(OTHERS, {})
        if members:
            node["properties"] = {name: schema_of(member, at_least) for name, member in sorted(members.items())}
        else:
            node["additionalProperties"] = True
        objects = {name: shape.get(NAMED, 0) if name in others else types["object"] for name in members}
        always = sorted(name for name, member in members.items() if member["n"] >= objects[name] >= at_least)
        node |= {"required": always} if always else {}
    if "array" in names:
        node["items"] = schema_of(shape.get("items", {}), at_least)
    formats: dict[str, int] = shape.get("formats", {})
    if len(formats) == 1 and not formats.keys() & {PLAIN, "local date-time"}:
        node["format"] = next(iter(formats))
    values = known_values(shape)
    return node | ({"x-known-values": values} if values else {})


def known_values(shape: Tally) -> list[str]:
    """Return the values of a set that nothing says to be closed."""
    return sorted({*shape.get(NEW, ()), *shape.get(VALUES, ())})


def body_schema(declared: Schema | None, shape: Tally, document: Document, at_least: int) -> Node:
    """Return the schema of a body: a reference to the one of the contract, where that shows all of it.

    A page of which the contract shows only the envelope keeps it.
    """
    if declared is None or declared.is_unshown or not shape.get("members"):
        return fitting(shape, document) or schema_of(shape, at_least)
    if declared.shows_all:
        return declared.node if "/paths/" in declared.place else {"$ref": declared.place}
    envelope = [part for part in declared.parts[:-1] if is_component(part) and part.properties and part.shows_all]
    kept = {name for part in envelope for name in part.properties}
    rest = {name: member for name, member in members_of(shape).items() if name not in kept}
    own: Node = {"type": "object"}
    if required := sorted(declared.required.keys() & rest.keys()):
        own["required"] = required
    own["properties"] = {name: schema_of(member, at_least) for name, member in sorted(rest.items())}
    return {"allOf": [*({"$ref": part.place} for part in envelope), own]} if envelope else own


def is_component(schema: Schema) -> bool:
    """Return whether a schema has a name."""
    return schema.place.startswith(COMPONENTS) and "/" not in schema.place.removeprefix(COMPONENTS)


def fitting(shape: Tally, document: Document) -> Node:
    """Return a reference to the smallest schema of the contract that shows all members of an object."""
    members = members_of(shape)
    always = {name for name, member in members.items() if member["n"] == shape["n"]}
    schemas = [document.schema(f"{COMPONENTS}{name}") for name in document.document["components"]["schemas"]]
    fits = sorted(
        (len(schema.properties), schema.place)
        for schema in schemas
        # Fewer members may be alike by chance.
        if (len(members) > 2 or len(schema.required) > 1)
        and members.keys() <= schema.properties.keys()
        and schema.required.keys() <= always
    )
    is_one = len(fits) == 1 or (len(fits) > 1 and fits[0][0] < fits[1][0])
    return {"$ref": fits[0][1]} if is_one and shape["types"].keys() == {"object"} else {}


def completed_examples(required: Required, document: Document) -> Iterator[ProposedAction]:
    """Yield an action for each example that lacks a member which the Overlay requires.

    Args:
        required: What the Overlay requires.
        document: The contract.
    """
    for name in document.document["components"]["schemas"] if required else ():
        schema = document.schema(f"{COMPONENTS}{name}")
        for index, example in enumerate(schema.node.get("examples", ())):
            yield from completed(schema, example, f"{COMPONENTS}{name}/examples/{index}", required)


def completed(schema: Schema, value: Any, place: str, required: Required) -> Iterator[ProposedAction]:
    """Yield the actions that complete a value, and those below it."""
    if is_array(value) and schema.items is not None:
        for index, item in enumerate(value):
            yield from completed(schema.items, item, child(place, index), required)
    if not is_object(value):
        return
    needed = {name: node for part in schema.parts for name, node in required.get(part.place, {}).items()}
    if missing := {name: sample(needed[name], schema.document, required) for name in needed if name not in value}:
        text = f"An example with {', '.join(missing)}; the values are invented, and none was seen."
        yield ProposedAction(json_path(place), text, missing)
    for name, member in value.items():
        if name in schema.properties:
            yield from completed(schema.properties[name], member, child(place, name), required)


def sample(node: Node, document: Document, required: Required) -> Any:
    """Return a value that follows a schema, also with what is required anew."""
    schema = document.flatten(node)
    given: str | list[str] = schema.get("type", "null")
    kind = given if isinstance(given, str) else given[0]
    if kind == "object":
        shown: Node = {name: schema["properties"].get(name, {}) for name in schema.get("required", ())}
        members = {**shown, **required.get(node.get("$ref", ""), {})}
        return {name: sample(member, document, required) for name, member in members.items()}
    values = [*schema.get("examples", ()), *schema.get("enum", ()), *schema.get("x-known-values", ())]
    return values[0] if values else SAMPLES.get(schema.get("format", kind), SAMPLES[kind])
