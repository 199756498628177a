"""Check the schemas: their keywords fit their types and each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from codegen.contract.checks.members import Members
from codegen.contract.checks.structure import Structure
from codegen.contract.checks.wording import described
from codegen.contract.finding import Finding, closest, instead, listed, quote
from codegen.contract.nodes import Node, child

# The types to which a keyword applies; the others ignore it.
APPLIES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("properties", "required", "additionalProperties", "patternProperties"), ("object",)),
    **dict.fromkeys(("minProperties", "maxProperties", "propertyNames", "dependentRequired"), ("object",)),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"), ("array",)),
    **dict.fromkeys(("minLength", "maxLength", "pattern"), ("string",)),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), ("integer", "number")
    ),
}
BOUNDS = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
# The formats of JSON Schema and of the registry of OpenAPI.
FORMATS = (
    *("binary", "byte", "date", "date-time", "decimal", "double", "duration", "email", "float", "hostname"),
    *("idn-email", "int8", "int16", "int32", "int64", "ipv4", "ipv6", "iri", "json-pointer", "password", "regex"),
    *("time", "uint8", "uint16", "uint32", "uint64", "uri", "uri-reference", "uri-template", "uuid"),
)
PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}


def schema_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about schemas."""
    members = Members(structure)
    for place, node in structure.of("schema"):
        types = types_of(node)
        yield from keywords(place, node, types)
        yield from values(place, node, types)
        yield from bounds(place, node)
        yield from patterns(place, node)
        yield from required(members, place, node)
        yield from discriminator(structure, members, place, node)


def types_of(node: Node) -> list[str]:
    """Return the types that a schema names itself."""
    written = node.get("type", [])
    return [written] if isinstance(written, str) else written


def keywords(place: str, node: Node, types: list[str]) -> Iterator[Finding]:
    """Yield the keywords that have no effect on the types of a schema."""
    for keyword, applies in APPLIES.items():
        if keyword in node and types and not set(applies) & set(types):
            text = f"`{keyword}` has no effect on the type {listed(types)}, but on {listed(applies)}"
            yield Finding(f"{place}/{keyword}", f"{text}; correct the type, or remove `{keyword}`")
    if len(set(types)) < len(types):
        yield Finding(f"{place}/type", "a type is there twice; remove one")
    if "array" in types and not {"items", "prefixItems", "$ref", "allOf"} & node.keys():
        yield Finding(place, "an array without `items`; add the schema of its members, or `items: {}` for anything")
    written = node.get("format")
    if written in FORMATS and types and not {*formatted(written)} & {*types}:
        text = f"the format {quote(written)} has no effect on the type {listed(types)}"
        yield Finding(f"{place}/format", f"{text}, but on {listed(formatted(written))}; correct one of them")
    if written not in (None, *FORMATS) and (meant := closest(written, FORMATS, 0.75)):
        yield Finding(f"{place}/format", f"the format {quote(written)} is unknown; did you mean `{meant}`?")


def formatted(written: str) -> tuple[str, ...]:
    """Return the types that may have a known format."""
    if written == "decimal":
        return "string", "number"
    return ("integer", "number") if re.fullmatch(r"u?int\d+|float|double", written) else ("string",)


def values(place: str, node: Node, types: list[str]) -> Iterator[Finding]:
    """Yield the values of `enum` and `const` that no value of the type can have, or that are repeated."""
    first: dict[str, int] = {}
    for index, value in enumerate(node.get("enum", ())):
        here = f"{place}/enum/{index}"
        if first.setdefault(json.dumps(value, sort_keys=True), index) != index:
            yield Finding(here, f"the value {quote(value)} is there twice; remove one")
        if not fits(value, types):
            yield Finding(here, f"{described(value)} is not of the type {listed(types)}; {requote(value, types)}")
    if "const" in node and not fits(node["const"], types):
        text = f"{described(node['const'])} is not of the type {listed(types)}; {requote(node['const'], types)}"
        yield Finding(f"{place}/const", text)


def fits(value: Any, types: list[str]) -> bool:
    """Return whether a value has one of the types; any value fits no types."""
    return not types or any(
        isinstance(value, PYTHON_TYPES[each]) and (each == "boolean" or not isinstance(value, bool)) for each in types
    )


def requote(value: object, types: list[str]) -> str:
    """Return what to do about a value of the wrong type."""
    if "string" in types and not isinstance(value, dict | list):
        return f'put it in quotes: `"{quote(value)[1:-1]}"`, or correct the type'
    return "correct the value or the type"


def bounds(place: str, node: Node) -> Iterator[Finding]:
    """Yield the bounds that no value can keep."""
    for least, most in BOUNDS:
        if least in node and most in node and node[least] > node[most]:
            text = f"`{least}` {node[least]} is greater than `{most}` {node[most]}; exchange or correct them"
            yield Finding(f"{place}/{least}", text)
    if node.get("multipleOf", 1) <= 0:
        yield Finding(f"{place}/multipleOf", f"`multipleOf` is {node['multipleOf']}; write a number above 0")


def patterns(place: str, node: Node) -> Iterator[Finding]:
    """Yield the patterns that are not regular expressions."""
    written = [(f"{place}/pattern", node["pattern"])] if "pattern" in node else []
    written += [(child(f"{place}/patternProperties", each), each) for each in node.get("patternProperties", ())]
    for here, pattern in written:
        try:
            # Python has no \p{...}, and names groups in another way.
            re.compile(re.sub(r"\\[pP]\{\w+\}", "x", pattern).replace("(?<", "(?P<").replace("(?P<=", "(?<="))
        except re.error as error:
            yield Finding(here, f"{quote(pattern)} is no regular expression ({error}); correct it")


def required(members: Members, place: str, node: Node) -> Iterator[Finding]:
    """Yield the required properties that the object does not have."""
    names = node.get("required", [])
    if not names:
        return
    known = members.of_whole(place)
    for index, name in enumerate(names):
        here = f"{place}/required/{index}"
        if name in names[:index]:
            yield Finding(here, f"{quote(name)} is there twice; remove one")
        elif known is not None and name not in known.names and (not known.open or closest(name, known.names)):
            way_out = instead(name, known.names, "add it to `properties`, or remove it here")
            yield Finding(here, f"{quote(name)} is required and not a property; {way_out}")


def discriminator(structure: Structure, members: Members, place: str, node: Node) -> Iterator[Finding]:
    """Yield a discriminator that is not a property of the alternatives."""
    if "discriminator" not in node:
        return
    name = node["discriminator"]["propertyName"]
    for keyword in ("oneOf", "anyOf"):
        for index, _ in enumerate(node.get(keyword, ())):
            each = structure.follow(f"{place}/{keyword}/{index}")
            known = members.of_whole(each[0]) if each and "null" not in types_of(each[1]) else None
            if known is not None and name not in known.names:
                way_out = instead(name, known.names, f"add it to {quote(each[0] if each else place)}")
                text = f"the discriminator {quote(name)} is not a property of each alternative; {way_out}"
                yield Finding(f"{place}/discriminator/propertyName", text)
                return
