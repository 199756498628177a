"""The meta-schema of OpenAPI 3.1, closed, with our own keywords, and what each kind of object may have.

Of the published meta-schema a schema may be anything; here it has the keywords of JSON Schema 2020-12.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import attrs
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it has no types
from openapi_spec_validator.schemas import schema_v31

from codegen.contract.nodes import Node, parts

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
    return {"$schema": schema["$schema"], "$ref": "#/$defs/document", "$defs": kinds}


@attrs.define
class Form:
    """The keywords and members that the object at one place of a document may have.

    Attributes:
        kind: Its name in the specification of OpenAPI, such as `media type`; empty for a list and a plain value.
        or_reference: A `$ref` may stand instead of it.
        members: The schema of each keyword.
        patterns: The schemas of the keys that are not keywords, by the pattern of the key.
        items: The schema of each entry of a list.
        closed: Other keys are not allowed.
    """

    kind: str
    or_reference: bool = False
    members: dict[str, Any] = attrs.Factory(dict)
    patterns: dict[str, Any] = attrs.Factory(dict)
    items: Any = True
    closed: bool = False

    def member(self, name: str) -> Any:
        """Return the schema of a member; None if it may not be there."""
        if name in self.members:
            return self.members[name]
        matching = [rule for pattern, rule in self.patterns.items() if re.search(pattern, name)]
        return matching[0] if matching else None if self.closed else True


def form(rule: Node) -> Form:
    """Return the form of what a schema of the meta-schema describes."""
    return form_of(json.dumps(rule))


@cache
def form_of(rule: str) -> Form:
    """Return the form that a schema of the meta-schema, written as JSON, describes."""
    schema: Node = json.loads(rule)
    name = "schema" if "$dynamicRef" in schema else schema.get("$ref", "").rpartition("/")[2]
    found = Form(name.removesuffix("-or-reference").replace("-", " "), name == "schema" or "-or-" in name)
    collect(schema, found)
    return found


def collect(schema: Any, found: Form) -> None:
    """Add to a form what a schema and the schemas that it refers to or consists of say."""
    if not isinstance(schema, dict):
        return
    found.members = schema.get("properties", {}) | found.members
    found.patterns |= schema.get("patternProperties", {})
    found.items = schema.get("items", found.items)
    found.closed = found.closed or schema.get("unevaluatedProperties") is False
    if "additionalProperties" in schema:
        found.patterns[""] = schema["additionalProperties"]
    if "$dynamicRef" in schema:
        collect(metaschema()["$defs"]["schema"], found)
    if "$ref" in schema and not (found.or_reference and schema["$ref"].endswith("/reference")):
        target: Any = metaschema()
        for key in parts(schema["$ref"]):
            target = target[key]
        collect(target, found)
    for each in (*schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("dependentSchemas", {}).values()):
        collect(each, found)
    for key in ("then", "else"):
        collect(schema.get(key), found)


@cache
def keywords() -> dict[str, frozenset[str]]:
    """Return the keywords of each kind of object."""
    kinds = [name for name, each in metaschema()["$defs"].items() if isinstance(each, dict) and "properties" in each]
    forms = (form({"$ref": f"#/$defs/{name}"}) for name in kinds)
    return {each.kind: frozenset(each.members) for each in forms}
