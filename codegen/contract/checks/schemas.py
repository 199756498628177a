"""Check schemas and examples: what the meta-schema cannot say, because it looks at one keyword at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote as percent_encode

import attrs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from codegen.contract.checks.structure import SAME_VALUE, Structure, explain
from codegen.contract.source import Finding, Node, child, closest, instead, quote

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


# The name under which the validator finds the document.
URI = "urn:contract"


def example_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the values that their schemas refuse; the structure must have no findings."""
    registry: Registry[Any] = Registry().with_resource(URI, DRAFT202012.create_resource(structure.document))
    for schema, place, value in values(structure):
        validator = Draft202012Validator(
            {"$ref": f"{URI}{percent_encode(schema, safe='#/')}"},
            registry=registry,
            format_checker=Draft202012Validator.FORMAT_CHECKER,
        )
        # References inside the document are relative to it, once the first one leads there.
        if error := best_match(validator.iter_errors(value)):
            here = place
            for part in error.absolute_path:
                here = child(here, part)
            yield Finding(here, explain(error))
        names = known_of_whole(structure, schema).names if isinstance(value, dict) else {}
        for name in value if names else ():
            meant = closest(name, [each for each in names if each not in value], 0.8)
            if meant and name not in names:
                yield Finding(child(place, name), f"{quote(name)} is not a property; did you mean `{meant}`?")


def values(structure: Structure) -> Iterator[tuple[str, str, Any]]:
    """Yield each value that is written in the document, after the JSON pointers of its schema and of itself."""
    for place, node in structure.of("schema"):
        yield from ((place, f"{place}/{name}", node[name]) for name in ("default", "example", "const") if name in node)
        for name in ("examples", "enum", "x-known-values"):
            yield from ((place, f"{place}/{name}/{index}", value) for index, value in enumerate(node.get(name, ())))
    for kind in ("parameter", "header", "media type"):
        for place, node in structure.of(kind):
            if "schema" in node:
                yield from ((f"{place}/schema", here, value) for here, value in beside(structure, place, node))


def beside(structure: Structure, place: str, node: Node) -> Iterator[tuple[str, Any]]:
    """Yield the examples beside a schema: their JSON pointers and values."""
    if "example" in node:
        yield f"{place}/example", node["example"]
    for name in node.get("examples", ()):
        target, found = structure.follow(child(f"{place}/examples", name))
        if "value" in found:
            yield f"{target}/value", found["value"]
