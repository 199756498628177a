"""Check that the contract is made of the objects of OpenAPI, by the published meta-schema and our own keywords."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

import attrs
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it has no types
from openapi_spec_validator.schemas import schema_v31

from codegen.contract.source import (
    LONGEST_VALUE,
    Finding,
    Node,
    child,
    closest,
    described,
    instead,
    listed,
    parts,
    quote,
)

VOCABULARIES = ("core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content")
TEXT: Node = {"type": "string"}
FLAG: Node = {"type": "boolean"}
DATE: Node = {"type": "string", "format": "date"}
OF_A_SCHEMA: Node = {
    "example": True,
    "discriminator": {"$ref": "#/$defs/discriminator"},
    "xml": {"$ref": "#/$defs/xml"},
    "externalDocs": {"$ref": "#/$defs/external-documentation"},
}


def one(*required: str, **members: Node) -> Node:
    """Return the schema of an object with these members and no others."""
    return {"type": "object", "properties": members, "required": [*required], "unevaluatedProperties": False}


def several(member: Node | bool) -> Node:
    """Return the schema of a list that is not empty."""
    return {"type": "array", "items": member, "minItems": 1}


OBJECTS = {
    "discriminator": one("propertyName", propertyName=TEXT, mapping={"$ref": "#/$defs/map-of-strings"}),
    "xml": one(name=TEXT, namespace=TEXT, prefix=TEXT, attribute=FLAG, wrapped=FLAG),
    "gap": one("id", "what", id=TEXT, what=TEXT, closed={"$ref": "#/$defs/observed"}),
    "observed": one("answers", "first", "last", answers={"type": "integer", "minimum": 1}, first=DATE, last=DATE),
    "rule": one("id", id=TEXT, text=TEXT),
    "vendor": one("word", "credential-prefix", **{"word": TEXT, "credential-prefix": TEXT}),
    "pagination": one(items=TEXT, end_cursor=TEXT, has_next_page=TEXT, total=TEXT, after=TEXT),
    "follow": one(id=TEXT, query={"type": "object"}),
    "wait": one(list=TEXT, gone={"type": "array", "items": TEXT}),
}
# Our own keywords, which CONTRIBUTING.md explains: the kind of object that may have it ("" is any), and its value.
EXTENSIONS: dict[str, tuple[str, Node]] = {
    "x-adds-prefix": ("parameter", FLAG),
    "x-credential-prefix": ("security-scheme", TEXT),
    "x-follow": ("operation", {"$ref": "#/$defs/follow"}),
    "x-id-prefix": ("parameter", {**TEXT, "minLength": 1}),
    "x-inferred": ("", TEXT),
    "x-known-values": ("schema", {**several(True), "uniqueItems": True}),
    "x-legacy": ("operation", {**TEXT, "pattern": "^/"}),
    "x-legacy-credentials": ("components", {"type": "array"}),
    "x-not-shown": ("", several({"$ref": "#/$defs/gap"})),
    "x-observed": ("", {"$ref": "#/$defs/observed"}),
    "x-pagination": ("operation", {"$ref": "#/$defs/pagination"}),
    "x-permission-level": ("operation", {"enum": ["enterprise", "organization"]}),
    "x-resource-id": ("schema", FLAG),
    "x-rules": ("", several({"$ref": "#/$defs/rule"})),
    "x-secret": ("", FLAG),
    "x-stability": ("operation", {"enum": ["beta"]}),
    "x-stated-path": ("operation", {**TEXT, "pattern": "^/"}),
    "x-successor": ("operation", TEXT),
    "x-vendor": ("info", {"$ref": "#/$defs/vendor"}),
    "x-vendor-word": ("", several(TEXT)),
    "x-wait": ("operation", {"$ref": "#/$defs/wait"}),
    "x-wildcard": ("parameter", FLAG),
}


@cache
def metaschema() -> Node:
    """Return the meta-schema."""
    schema: Node = json.loads(json.dumps(dict(schema_v31)))
    kinds = schema["$defs"]
    vocabularies = [REGISTRY.contents(f"https://json-schema.org/draft/2020-12/meta/{name}") for name in VOCABULARIES]
    for each in vocabularies:
        kinds |= each.get("$defs", {})
        kinds["schema"].setdefault("properties", {}).update(each["properties"])
    kinds["schema"] |= {"unevaluatedProperties": False, "$ref": "#/$defs/specification-extensions"}
    kinds["schema"]["properties"] |= OF_A_SCHEMA | {
        each: several({"$dynamicRef": "#meta"}) for each in ("allOf", "anyOf", "oneOf")
    }
    kinds["schema"]["properties"]["enum"] |= {"minItems": 1, "uniqueItems": True}
    kinds |= OBJECTS | {"document": {**schema, "required": ["openapi", "info", "paths"]}}
    kinds["operation"]["required"] = ["responses"]
    # What the published one has wrong: these take any value, and a server.
    kinds["link"]["properties"] |= {"parameters": {"type": "object"}, "server": {"$ref": "#/$defs/server"}}
    for name, (kind, value) in EXTENSIONS.items():
        extensible = [kinds[kind]] if kind else [each for each in kinds.values() if "unevaluatedProperties" in each]
        for each in extensible:
            each.setdefault("properties", {}).setdefault(name, value)
    for name in ("$id", "$schema", "$defs", "anyOf"):
        kinds["document"].pop(name)
    for name, each in kinds.items():
        each["$comment"] = name
        for inner, part in each.get("$defs", {}).items():
            part["$comment"] = f"{name}/$defs/{inner}"
    return {"$schema": schema["$schema"], "$ref": "#/$defs/document", "$defs": kinds}


# The section of `components` of each kind of object that may be written as a `$ref`.
SECTIONS = {
    "schema": "schemas",
    "response": "responses",
    "parameter": "parameters",
    "example": "examples",
    "request body": "requestBodies",
    "header": "headers",
    "security scheme": "securitySchemes",
    "link": "links",
    "callbacks": "callbacks",
    "path item": "pathItems",
}
# The keywords whose schemas describe the same value as the schema that has them.
SAME_VALUE = ("allOf", "anyOf", "oneOf")


@attrs.frozen
class Reference:
    """A `$ref`: where it points, and the kind of object that is expected there."""

    target: str
    kind: str


class Structure:
    """The objects of a document.

    Attributes:
        findings: Unknown, missing and wrongly written keywords; if there are none, wrong references.
        kinds: The kind of the object or reference at each JSON pointer, such as `media type`.
        nodes: Every object by its JSON pointer, in order; of the references only those to schemas.
        references: Every reference by the JSON pointer of the object that has `$ref`.
    """

    def __init__(self, document: Any) -> None:
        self.document = document
        self.kinds: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        self.references: dict[str, Reference] = {}
        # The first definition of the meta-schema by which each object is validated, by the identity of the object.
        self._definitions: dict[int, str] = {}
        found = [finding(each) for each in self._validator().iter_errors(document)]
        self._visit(document, "#")
        self.findings: list[Finding] = found or [*wrong_references(self), *circles(self)]

    def of(self, kind: str) -> Iterator[tuple[str, Node]]:
        """Yield the objects of a kind with their JSON pointers."""
        return ((place, node) for place, node in self.nodes.items() if self.kinds[place] == kind)

    def follow(self, place: str) -> tuple[str, Node]:
        """Return the object at *place* or, of a reference, the one it points to."""
        while place in self.references:
            place = self.references[place].target
        return place, self.nodes[place]

    def _validator(self) -> Any:
        """Return the validator of the meta-schema, which notes by which definition it validates each object."""
        usual: Any = Draft202012Validator.VALIDATORS

        def reference(validator: Any, target: str, instance: Any, schema: Node) -> Any:
            if isinstance(instance, dict):
                self._definitions.setdefault(id(instance), target.rpartition("/")[2])
            return usual["$ref"](validator, target, instance, schema)

        def reference_to_schema(validator: Any, target: str, instance: Any, schema: Node) -> Any:
            if isinstance(instance, dict):
                self._definitions.setdefault(id(instance), "schema")
            return usual["$dynamicRef"](validator, target, instance, schema)

        own = {"$ref": reference, "$dynamicRef": reference_to_schema, "unevaluatedProperties": unknown_keywords}
        cls = extend(Draft202012Validator, own)  # type: ignore[no-untyped-call]
        return cls(metaschema(), format_checker=FormatChecker(["date"]))

    def _visit(self, value: Any, place: str) -> None:
        """Note the objects at and below *place* that the meta-schema describes."""
        if isinstance(value, dict) and (name := self._definitions.get(id(value))):
            kind = spoken(name.removesuffix("-or-reference"))
            self.kinds[place] = kind
            if "$ref" in value and (kind == "schema" or name.endswith("-or-reference")):
                self.references[place] = Reference(value["$ref"], kind)
            if kind == "schema" or place not in self.references:
                self.nodes[place] = value
        members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, member in members:
            self._visit(member, child(place, key))


def unknown_keywords(validator: Any, allowed: bool, instance: Any, schema: Node) -> Iterator[ValidationError]:
    """Yield an error for each key of an object that the meta-schema does not know; its message is what to do."""
    names, patterns = keywords(schema["$comment"])
    for name in instance if isinstance(instance, dict) else ():
        # An extension of somebody else may stand anywhere, but not one that seems to be meant as one of ours.
        is_foreign = name.startswith("x-") and name not in EXTENSIONS and not closest(name, EXTENSIONS, 0.8)
        if name not in names and not is_foreign and not re.search(patterns, name):
            others = (each for each in ("operation", "response", "schema") if name in keywords(each)[0])
            holder = EXTENSIONS[name][0] if name in EXTENSIONS else next(others, "")
            way_out = f"it is one of `{holder}`: move it there, or check its indentation"
            meant = names | EXTENSIONS.keys() if name.startswith("x-") else names
            yield ValidationError(way_out if holder else instead(name, meant, "correct or remove it"), path=[name])


@cache
def keywords(definition: str) -> tuple[frozenset[str], str]:
    """Return the keywords of a definition of the meta-schema, and the pattern of the keys that are not keywords."""
    names: set[str] = set()
    patterns = ["(?!)"]
    waiting: list[Any] = [{"$ref": f"#/$defs/{definition}"}]
    while waiting:
        schema = waiting.pop()
        if not isinstance(schema, dict):
            continue
        names |= schema.get("properties", {}).keys()
        patterns += (each for each in schema.get("patternProperties", ()) if each != "^x-")
        if "$ref" in schema:
            target: Any = metaschema()
            for key in parts(schema["$ref"]):
                target = target[key]
            waiting.append(target)
        waiting += [*schema.get("allOf", ()), *schema.get("dependentSchemas", {}).values(), schema.get("then")]
    return frozenset(names), "|".join(patterns)


def spoken(definition: str) -> str:
    """Return the name of a definition of the meta-schema in words."""
    return definition.rpartition("/")[2].replace("-", " ")


def finding(error: ValidationError) -> Finding:
    """Return what the meta-schema refuses, with its place."""
    # Of several alternatives the first one says what is usual.
    error = error.context[0] if error.context else error
    place = "#"
    for key in error.absolute_path:
        place = child(place, key)
    if error.validator == "unevaluatedProperties":
        kind = spoken(cast("Node", error.schema)["$comment"])
        return Finding(place, f"{quote(error.path[-1])} is no keyword of `{kind}`; {error.message}")
    if "propertyNames" in error.absolute_schema_path:
        place = child(place, error.instance)
    return Finding(place, explain(error))


def explain(error: ValidationError) -> str:
    """Explain why a value does not match its schema, and what to do."""
    keyword, expected, value = str(error.validator), cast("Any", error.validator_value), cast("Any", error.instance)
    if keyword == "required":
        missing = listed(name for name in expected if name not in value)
        return f"{missing} is missing; add it"
    way_out = "correct it"
    if keyword == "type" and value is None:
        way_out = "write it, or check the indentation of the lines below"
    elif keyword == "type" and "string" in expected and not isinstance(value, dict | list):
        way_out = f'put it in quotes: `"{quote(value)[1:-1]}"`'
    elif keyword in ("enum", "const"):
        known = expected if keyword == "enum" else [expected]
        way_out = instead(str(value), map(str, known), f"write {listed(known)}")
    rule = json.dumps(expected)
    return f"{described(value)} breaks `{keyword}: {rule if len(rule) <= LONGEST_VALUE else '...'}`; {way_out}"


def wrong_references(structure: Structure) -> Iterator[Finding]:
    """Yield the references that point to nothing, or to the wrong kind of object."""
    for place, reference in structure.references.items():
        if reference.kind == "path item":
            text = "a path item is not found through `$ref`; write its operations here"
            yield Finding(child(place, "$ref"), text)
        elif structure.kinds.get(reference.target) != reference.kind:
            yield Finding(child(place, "$ref"), wrong_target(structure, reference))
    for place, node in structure.of("discriminator"):
        for value, target in node.get("mapping", {}).items():
            reference = Reference(target if "/" in target else f"#/components/schemas/{target}", "schema")
            if structure.kinds.get(reference.target) != "schema":
                yield Finding(child(f"{place}/mapping", value), wrong_target(structure, reference))


def wrong_target(structure: Structure, reference: Reference) -> str:
    """Explain why a reference is wrong, and what seems to be meant."""
    target, kind = reference.target, reference.kind
    section = f"#/components/{SECTIONS[kind]}"
    name = target.rpartition("/")[2].partition(".")[0]
    meant = closest(name, structure.document.get("components", {}).get(SECTIONS[kind], ()))
    way_out = f"did you mean {quote(child(section, meant))}?" if meant else f"define it below {quote(section)}"
    if not target.startswith("#"):
        return f"{quote(target)} is not in this file, which has the whole contract; {way_out}"
    found = structure.kinds.get(target)
    return f"{quote(target)} is {f'a {found}, and not a {kind}' if found else 'not defined'}; {way_out}"


def circles(structure: Structure) -> Iterator[Finding]:
    """Yield the references that lead back to their own object before any property or list member."""
    done: set[str] = set()

    def visit(place: str, path: tuple[str, ...]) -> Iterator[Finding]:
        if place in path:
            names = [*path[path.index(place) :], place]
            readable = " -> ".join(quote(each) for each in names if each in structure.references or each == place)
            at = next((each for each in names if each in structure.references), place)
            yield Finding(child(at, "$ref"), f"a circle of references: {readable}; write out one of them")
        elif place not in done:
            done.add(place)
            if place in structure.references:
                yield from visit(structure.references[place].target, (*path, place))
            for keyword in SAME_VALUE:
                members = structure.nodes.get(place, {}).get(keyword)
                for index, _ in enumerate(members if isinstance(members, list) else ()):
                    yield from visit(f"{place}/{keyword}/{index}", (*path, place))

    for place in structure.references:
        yield from visit(place, ())
