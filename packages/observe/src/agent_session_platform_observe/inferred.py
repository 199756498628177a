"""The schema of a shape, for a place of which the contract shows nothing."""

from __future__ import annotations

from typing import Any, Final

from .contract import Document, Schema
from .formats import PLAIN
from .shape import COUNT, FORMATS, ITEM, MEMBERS, TYPE
from .tally import FREE, NEW, OTHERS, VALUES, Tally

Node = dict[str, Any]

COMPONENTS: Final = "#/components/schemas/"
FORMAT_NAMES: Final = ("date-time", "date", "uuid", "uri", "unix-seconds", "unix-milliseconds", "unix-microseconds")
# An object with fewer members may be like a schema by chance, unless that requires so many.
LEAST_COMMON: Final = 3
LEAST_REQUIRED: Final = 2


def schema_of(shape: Tally, document: Document, at_least: int) -> Node:
    """Return the schema of what was seen: of a schema of the contract a reference, if one fits.

    Args:
        shape: The shape.
        document: The contract.
        at_least: How many objects there must be before a member that all have is called required.
    """
    types: dict[str, int] = shape.get(TYPE, {})
    names = sorted(kind for kind in types if kind != "other" and not (kind == "integer" and "number" in types))
    node: Node = {"type": names[0] if len(names) == 1 else names} if names else {}
    if not names or names == ["null"]:
        # Of what was null each time, nothing is known.
        return {}
    if "object" in names:
        members = members_of(shape)
        known = fitting(shape, members, document)
        if known is not None:
            return known if "null" not in names else {"anyOf": [known, {"type": "null"}]}
        if members and FREE not in shape:
            node["properties"] = {name: schema_of(each, document, at_least) for name, each in sorted(members.items())}
            always = sorted(name for name, each in members.items() if each[COUNT] >= types["object"] >= at_least)
            node |= {"required": always} if always else {}
        else:
            node["additionalProperties"] = True
    if "array" in names:
        node["items"] = schema_of(shape[ITEM], document, at_least) if ITEM in shape else {}
    return node | format_of(shape) | known_values(shape)


def body_schema(declared: Schema | None, shape: Tally, document: Document, at_least: int) -> Node:
    """Return the schema of a body: a reference to the one of the contract, where that shows all of it.

    A page of which the contract shows only the envelope keeps it.
    """
    if declared is None or declared.is_unshown or not shape.get(MEMBERS):
        return schema_of(shape, document, at_least)
    if declared.shows_all:
        return {"$ref": declared.place} if "/paths/" not in declared.place else declared.node
    envelope = [part for part in declared.parts if part.place.count("/") == COMPONENTS.count("/") and part.shows_all]
    envelope = [part for part in envelope if part is not declared and "properties" in part.node]
    kept = {name for part in envelope for name in part.node["properties"]}
    rest = {key: value for key, value in members_of(shape).items() if key not in kept}
    properties = {name: schema_of(each, document, at_least) for name, each in sorted(rest.items())}
    own: Node = {"type": "object", "required": sorted(declared.required.keys() & rest.keys()), "properties": properties}
    if not own["required"]:
        del own["required"]
    return {"allOf": [*({"$ref": part.place} for part in envelope), own]} if envelope else own


def members_of(shape: Tally) -> dict[str, Tally]:
    """Return the shapes of all members of an object, whether the contract shows them or not."""
    return {**shape.get(MEMBERS, {}), **shape.get(OTHERS, {})}


def format_of(shape: Tally) -> Node:
    """Return the format of a text or a number, if all had the same one of those that OpenAPI or this module names."""
    formats: dict[str, int] = shape.get(FORMATS, {})
    name = next(iter(formats), PLAIN)
    return {"format": name} if len(formats) == 1 and name in FORMAT_NAMES else {}


def known_values(shape: Tally) -> Node:
    """Return the values of a set that nothing says to be closed."""
    values = sorted({*shape.get(NEW, ()), *shape.get(VALUES, ())})
    return {"x-known-values": values} if values else {}


def fitting(shape: Tally, members: dict[str, Tally], document: Document) -> Node | None:
    """Return a reference to the schema that shows all members of an object; None if none or several do."""
    names = set(members)
    found: list[tuple[int, str]] = []
    for name in document.document["components"]["schemas"]:
        schema = document.schema(f"{COMPONENTS}{name}")
        is_telling = len(names) >= LEAST_COMMON or len(schema.required) >= LEAST_REQUIRED
        if is_telling and names <= set(schema.properties) and fits(schema, shape, members):
            found.append((len(schema.properties), f"{COMPONENTS}{name}"))
    found.sort()
    if len(found) == 1 or (len(found) > 1 and found[0][0] < found[1][0]):
        return {"$ref": found[0][1]}
    return None


def fits(schema: Schema, shape: Tally, members: dict[str, Tally]) -> bool:
    """Return whether a schema allows all objects of a shape, and shows what is in their lists."""
    objects = shape[TYPE]["object"]
    if any(name not in members or members[name][COUNT] < objects for name in schema.required) or not schema.shows_all:
        return False
    for name, member in members.items():
        shown = schema.properties[name]
        if shown.types and not shown.types.issuperset(member.get(TYPE, ())):
            return False
        if ITEM in member and shown.items is not None and shown.items.properties:
            below = members_of(member[ITEM])
            if not below.keys() <= shown.items.properties.keys():
                return False
    return True
