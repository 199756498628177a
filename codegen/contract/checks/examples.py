"""Check that examples, defaults and listed values are valid under the schemas that they stand beside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import quote as percent_encode

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from codegen.contract.checks.schemas import known_of_whole
from codegen.contract.checks.structure import Structure
from codegen.contract.nodes import LONGEST_VALUE, Finding, Node, child, closest, described, instead, listed, quote

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
            yield Finding(here, f"{subject(place)} {explain(error)}")
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


def subject(place: str) -> str:
    """Return what a value is for the beginning of a sentence."""
    keywords = {"default": "the default", "enum": "the value", "x-known-values": "the value", "const": "the value"}
    above, last = place.split("/")[-2:]
    return keywords.get(last) or keywords.get(above) or "the example"


def explain(error: ValidationError) -> str:
    """Explain why a value is not valid, and what to do."""
    keyword, expected, value = str(error.validator), cast("Any", error.validator_value), cast("Any", error.instance)
    way_out = "correct it, or the schema"
    if keyword == "type":
        types = [expected] if isinstance(expected, str) else list(expected)
        text = f"{described(value)} is not of the type {listed(types)}"
        if "string" in types and not isinstance(value, dict | list):
            way_out = "put it in quotes, or correct the schema"
    elif keyword == "enum":
        text = f"{quote(value)} is not in `enum`"
        if isinstance(value, str):
            way_out = instead(value, [str(each) for each in expected], f"write {listed(expected)}")
    elif keyword == "required":
        missing = [name for name in expected if name not in value]
        text, way_out = f"{listed(missing)} is missing", "add it, or remove it from `required`"
    elif keyword in ("anyOf", "oneOf"):
        several = "more than one" in error.message or "each of" in error.message
        text = f"{quote(value)} fits {'several alternatives' if several else 'none'}"
        if several:
            way_out = "give each alternative a member with a `const` of its own, or write `anyOf`"
    else:
        text = f"{quote(value)} breaks `{keyword}: {expected if len(str(expected)) <= LONGEST_VALUE else '...'}`"
    return f"does not match its schema: {text}; {way_out}"
