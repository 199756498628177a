"""Check the schemas: what the meta-schema cannot say, because it looks at one keyword at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from codegen.contract.checks.structure import SAME_VALUE, Structure
from codegen.contract.nodes import Finding, Node, child, closest, instead, quote

BOUNDS = ("imum", "Length", "Items", "Properties")
# The formats that are often misspelled.
FORMATS = ("binary", "byte", "date", "date-time", "double", "duration", "email", "float", "int32", "int64")
FORMATS_TOO = ("hostname", "ipv4", "ipv6", "password", "time", "uint32", "uint64", "uri", "uri-reference", "uuid")
# The end of the JSON pointer of a schema that describes the same value as the one above it.
PART = re.compile(r"/(allOf|anyOf|oneOf)/\d+$|/(not|if|then|else)$")


@attrs.frozen
class Known:
    """The properties of an object: the JSON pointer of each, and whether others are allowed explicitly."""

    names: dict[str, str]
    open: bool


def known_of_whole(structure: Structure, place: str) -> Known:
    """Return the properties of the object that the schema at *place* describes or is a part of."""
    while PART.search(place):
        place = PART.sub("", place)
    return known(structure, place)


def known(structure: Structure, place: str) -> Known:
    """Return the properties of a schema and of all its parts."""
    names: dict[str, str] = {}
    is_open = False
    seen: set[str] = set()
    waiting = [place]
    while waiting:
        here = waiting.pop()
        node = structure.nodes.get(here)
        if here in seen or node is None:
            continue
        seen.add(here)
        if here in structure.references:
            waiting.append(structure.references[here].target)
        names |= {name: child(f"{here}/properties", name) for name in node.get("properties", ())}
        is_open = is_open or node.get("additionalProperties", False) is not False or "patternProperties" in node
        waiting += [
            f"{here}/{keyword}/{index}" for keyword in SAME_VALUE for index, _ in enumerate(node.get(keyword, ()))
        ]
        waiting += [f"{here}/{keyword}" for keyword in ("not", "if", "then", "else")]
    return Known(names, is_open)


def types_of(node: Node) -> list[str]:
    """Return the types that a schema names itself."""
    written = node.get("type", [])
    return [written] if isinstance(written, str) else written


def schema_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about schemas."""
    for place, node in structure.of("schema"):
        types = types_of(node)
        if "array" in types and not {"items", "prefixItems", "$ref", "allOf"} & node.keys():
            text = "an array without `items`; add the schema of its members, or `items: {}` for anything"
            yield Finding(place, text)
        written = node.get("format", FORMATS[0])
        if written not in (*FORMATS, *FORMATS_TOO) and (meant := closest(written, (*FORMATS, *FORMATS_TOO), 0.75)):
            yield Finding(f"{place}/format", f"the format {quote(written)} is unknown; did you mean `{meant}`?")
        for bound in BOUNDS:
            least, most = node.get(f"min{bound}"), node.get(f"max{bound}")
            if least is not None and most is not None and least > most:
                text = f"`min{bound}` {least} is greater than `max{bound}` {most}; exchange or correct them"
                yield Finding(f"{place}/min{bound}", text)
        yield from patterns(place, node)
        yield from required(structure, place, node)
        yield from discriminator(structure, place, node)


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


def required(structure: Structure, place: str, node: Node) -> Iterator[Finding]:
    """Yield the required properties that the object does not have."""
    if not node.get("required"):
        return
    found = known_of_whole(structure, place)
    for index, name in enumerate(node["required"]):
        if name not in found.names and (not found.open or closest(name, found.names)):
            way_out = instead(name, found.names, "add it to `properties`, or remove it here")
            yield Finding(f"{place}/required/{index}", f"{quote(name)} is required and not a property; {way_out}")


def discriminator(structure: Structure, place: str, node: Node) -> Iterator[Finding]:
    """Yield a discriminator that is not a property of the alternatives."""
    name = node.get("discriminator", {}).get("propertyName")
    places = [
        f"{place}/{keyword}/{index}" for keyword in ("oneOf", "anyOf") for index, _ in enumerate(node.get(keyword, ()))
    ]
    for each in places if name is not None else ():
        target, alternative = structure.follow(each)
        names = known_of_whole(structure, target).names
        if "null" not in types_of(alternative) and name not in names:
            text = f"the discriminator {quote(name)} is not a property of each alternative"
            way_out = instead(name, names, f"add it to {quote(target)}")
            yield Finding(f"{place}/discriminator/propertyName", f"{text}; {way_out}")
            return
