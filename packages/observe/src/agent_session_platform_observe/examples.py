"""The examples of the contract, completed: they must follow a schema that requires more members."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from agent_session_platform.contract import child, is_array, is_object

from .contract import Document, Schema
from .overlay_text import ProposedAction, json_path

SAMPLES: Final[Mapping[str, Any]] = {
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "array": [],
    "object": {},
}

# The members that are required anew with their types, by the place of their schema.
Required = Mapping[str, Mapping[str, Collection[str]]]


def completed_examples(required: Required, document: Document) -> Iterator[ProposedAction]:
    """Yield an action for each example that lacks a member which the Overlay requires.

    Args:
        required: What the Overlay requires.
        document: The contract.
    """
    if not required:
        return
    for name in document.document["components"]["schemas"]:
        place = f"#/components/schemas/{name}"
        schema = document.schema(place)
        for index, example in enumerate(schema.node.get("examples", ())):
            yield from completed(schema, example, f"{place}/examples/{index}", required, document)


def completed(
    schema: Schema, value: Any, place: str, required: Required, document: Document
) -> Iterator[ProposedAction]:
    """Yield the actions that complete a value, and those below it."""
    if is_array(value) and schema.items is not None:
        for index, item in enumerate(value):
            yield from completed(schema.items, item, child(place, index), required, document)
    if not is_object(value):
        return
    if missing := missing_members(schema, value, required):
        update = {name: sample(schema.properties[name], kinds, required) for name, kinds in missing.items()}
        text = f"An example with {', '.join(missing)}; the values are invented, and none was seen."
        yield ProposedAction(json_path(place), text, update)
    for name, member in value.items():
        if name in schema.properties:
            yield from completed(schema.properties[name], member, child(place, name), required, document)


def missing_members(schema: Schema, value: Mapping[str, Any], required: Required) -> dict[str, Collection[str]]:
    """Return the members that an object lacks, with their types."""
    return {
        name: kinds
        for part in schema.parts
        for name, kinds in required.get(part.place, {}).items()
        if name not in value
    }


def sample(schema: Schema, kinds: Collection[str], required: Required) -> Any:
    """Return a value that follows a schema and, where that shows no type, is of one of those that were seen."""
    value: Any = next(iter(schema.node.get("examples", schema.values)), None)
    if value is None:
        value = next((SAMPLES[kind] for kind in SAMPLES if kind in (schema.types or kinds)), None)
    if is_object(value):
        missing = missing_members(schema, value, required)
        return {**value, **{name: sample(schema.properties[name], each, required) for name, each in missing.items()}}
    return value
