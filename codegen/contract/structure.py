"""Check the form of a document by the meta-schema that OpenAPI publishes, with our own keywords."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, reduce
from typing import Any, cast

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it has no types
from openapi_spec_validator.schemas import schema_v31
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from codegen.contract.source import LONGEST_VALUE, Finding, Node, closest, instead, join_names, quote
from codegen.render.runtime.contract import METHODS, child

# The URI of the meta-schema.
URI = "urn:meta-schema"
VOCABULARIES = ("core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content")
TEXT: Node = {"type": "string", "pattern": r"\S", "remedy": "write a text, in quotes"}
PATH: Node = {"type": "string", "pattern": "^/"}
FLAG: Node = {"type": "boolean"}
# JSON Schema also allows `true` and `false` as schemas. They have no description, and no type in Python.
NO_BOOLEAN: Node = {
    "type": "object",
    "remedy": "write `{}` with a description for any value, or remove what may have no value",
}
DATE: Node = {"type": "string", "format": "date"}

# The values of some members of an object, at least one value each.
VALUES: Node = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"type": "array", "minItems": 1},
    "remedy": "write values by member, such as `status: [ready]`",
}


def closed_object(*required: str, **members: Node) -> Node:
    """Return the schema of an object with these members and no others."""
    return {"type": "object", "properties": members, "required": [*required], "unevaluatedProperties": False}


def filled_list(member: Node | bool) -> Node:
    """Return the schema of a list that is not empty."""
    return {"type": "array", "items": member, "minItems": 1}


# The schemas of objects that OpenAPI does not have or describes loosely, and of the objects of an Overlay.
OBJECTS = {
    "discriminator": closed_object("propertyName", propertyName=TEXT, mapping={"$ref": "#/$defs/map-of-strings"}),
    "xml": closed_object(name=TEXT, namespace=TEXT, prefix=TEXT, attribute=FLAG, wrapped=FLAG),
    "gap": closed_object("id", "what", id=TEXT, what=TEXT, closed={"$ref": "#/$defs/evidence"}),
    # With `document`, a gap is closed by a document; otherwise by observations.
    "evidence": {
        "if": {"type": "object", "required": ["document"]},
        "then": {"$ref": "#/$defs/documented"},
        "else": {"$ref": "#/$defs/observed"},
    },
    "documented": closed_object("document", "date", document=TEXT, date=DATE),
    "observed": closed_object(
        "answers", "first", "last", answers={"type": "integer", "minimum": 1}, first=DATE, last=DATE
    ),
    "rule": closed_object("id", id=TEXT, text=TEXT),
    "vendor": closed_object("word", "credential-prefix", **{"word": TEXT, "credential-prefix": TEXT}),
    "pagination": closed_object(items=TEXT, end_cursor=TEXT, has_next_page=TEXT, total=TEXT, after=TEXT),
    "follow": closed_object(id=TEXT, query={"type": "object"}),
    "wait": closed_object(
        list=TEXT, gone={"type": "array", "items": TEXT}, states={"$ref": "#/$defs/states", "minProperties": 1}
    ),
    "states": closed_object(done=VALUES, waiting=VALUES, failed=VALUES),
    "turn": closed_object("text", text=TEXT, result_schema=TEXT),
    "overlay": closed_object(
        *("overlay", "info", "actions"),
        overlay={**TEXT, "pattern": r"^1\.[01]\.\d+$", "remedy": "write `overlay: 1.0.0` or `overlay: 1.1.0`"},
        info={"$ref": "#/$defs/overlay-info"},
        extends=TEXT,
        actions=filled_list({"$ref": "#/$defs/action"}),
    ),
    "overlay-info": closed_object("title", "version", title=TEXT, version=TEXT, description=TEXT),
    "action": closed_object("target", target=TEXT, description=TEXT, update={}, remove=FLAG, **{"x-contradicts": TEXT}),
}
# Our own keywords. For each keyword: the kind of object that may have it ("" is any kind), and the schema of its value.
EXTENSIONS: dict[str, tuple[str, Node]] = {
    "x-adds-prefix": ("parameter", FLAG),
    "x-columns": ("schema", {**filled_list(TEXT), "uniqueItems": True}),
    "x-credential-prefix": ("security-scheme", TEXT),
    "x-follow": ("operation", {"$ref": "#/$defs/follow"}),
    "x-id-prefix": ("parameter", TEXT),
    "x-inferred": ("", TEXT),
    "x-known-values": ("schema", {**filled_list(True), "uniqueItems": True}),
    "x-legacy": ("operation", PATH),
    "x-legacy-credentials": ("components", {"type": "array"}),
    "x-not-shown": ("", filled_list({"$ref": "#/$defs/gap"})),
    "x-observed": ("", {"$ref": "#/$defs/observed"}),
    "x-pagination": ("operation", {"$ref": "#/$defs/pagination"}),
    "x-permission-level": ("operation", {"enum": ["enterprise", "organization"]}),
    "x-resource-id": ("schema", FLAG),
    "x-rules": ("", filled_list({"$ref": "#/$defs/rule"})),
    "x-secret": ("", FLAG),
    "x-stability": ("operation", {"enum": ["beta"]}),
    "x-stated-path": ("operation", PATH),
    "x-successor": ("operation", TEXT),
    "x-vendor": ("info", {"$ref": "#/$defs/vendor"}),
    "x-vendor-word": ("", filled_list(TEXT)),
    "x-turn": ("operation", {"$ref": "#/$defs/turn"}),
    "x-wait": ("operation", {"$ref": "#/$defs/wait"}),
    "x-wildcard": ("parameter", FLAG),
}
MEDIA_TYPE = {
    "pattern": r"^(application|audio|font|image|message|model|multipart|text|video|\*)/[\w.+*-]+( *;.*)?$",
    "remedy": "it is not a media type; write one such as `application/json`",
}
OPERATION_ID = {
    "type": "string",
    "pattern": "^[A-Za-z_][A-Za-z0-9_.-]*$",
    "remedy": "begin with a letter, and use letters, digits and `_`",
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
    kinds["schema"]["properties"] |= {
        "example": True,
        "discriminator": {"$ref": "#/$defs/discriminator"},
        "xml": {"$ref": "#/$defs/xml"},
        "externalDocs": {"$ref": "#/$defs/external-documentation"},
        **{name: filled_list({"$dynamicRef": "#meta", **NO_BOOLEAN}) for name in ("allOf", "anyOf", "oneOf")},
    }
    kinds["schema"]["properties"]["enum"] |= {"minItems": 1, "uniqueItems": True}
    begins = "it begins with `openapi: 3.1.0`, then `info` and `paths`"
    kinds |= OBJECTS | {"document": {**schema, "required": ["openapi", "info", "paths"], "remedy": begins}}
    kinds["schema"]["properties"]["properties"] |= {"propertyNames": {**TEXT, "remedy": "give the member a name"}}
    kinds["schema"]["properties"]["properties"]["additionalProperties"] |= NO_BOOLEAN
    for name in ("parameter", "header", "media-type"):
        kinds[name]["properties"]["schema"] |= NO_BOOLEAN
    kinds["components"]["properties"]["schemas"]["additionalProperties"] |= NO_BOOLEAN
    kinds["schema"]["properties"]["pattern"] |= {"remedy": "correct it, as Python's `re` reads it"}
    kinds["operation"]["required"] = ["responses"]
    kinds["operation"]["properties"] |= {"operationId": OPERATION_ID, "tags": filled_list({"type": "string"})}
    kinds["content"]["propertyNames"] = MEDIA_TYPE
    one_each = "the SDK sends one credential: write an entry for each"
    kinds["security-requirement"] |= {"maxProperties": 1, "remedy": one_each}
    # A path item must not be a reference. It must not name servers either, because the SDK uses one address.
    named = {f"^({'|'.join(sorted(METHODS))})$": {"required": ["operationId", "tags"]}}
    path_item = {"$ref": "#/$defs/path-item", "patternProperties": named}
    kinds["paths"] |= {"patternProperties": {"^/": path_item}, "minProperties": 1}
    for name in ("path-item", "operation"):
        kinds[name]["properties"].pop("servers")
    no_cookie = "the SDK sends no cookies: make it a header or a query parameter, or remove it"
    kinds["parameter"]["properties"]["in"]["allOf"] = [{"not": {"const": "cookie"}, "remedy": no_cookie}]
    responses = kinds["responses"]["patternProperties"]
    responses["^[1245](?:[0-9]{2}|XX)$"] = responses.pop("^[1-5](?:[0-9]{2}|XX)$")
    responses["^3"] = {"not": {}, "remedy": "the SDK cannot use a 3xx response: remove it"}
    # The published meta-schema is wrong about links: a link may have a server, and parameters with any values.
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
    return {"$schema": schema["$schema"], "$defs": kinds}


@cache
def registry() -> Registry[Any]:
    """Return the registry that has the meta-schema. It is crawled once, because a lookup of an anchor would do so."""
    found: Registry[Any] = Registry().with_resource(URI, DRAFT202012.create_resource(metaschema()))
    return found.crawl()


def form_findings(document: Any, definition: str, noted: dict[int, str]) -> list[Finding]:
    """Return a finding for each place of a document that breaks the meta-schema.

    Args:
        document: The document.
        definition: The definition of the meta-schema for the document: `document` or `overlay`.
        noted: A mapping that this function fills: for each object, by its `id()`, the first definition that checks it.
    """
    usual: Any = Draft202012Validator.VALIDATORS

    def reference(validator: Any, target: str, instance: Any, schema: Node) -> Any:
        if isinstance(instance, dict):
            noted.setdefault(id(instance), target.rpartition("/")[2].replace("#meta", "schema"))
        return usual["$ref"](validator, target, instance, schema)

    own = {"$ref": reference, "$dynamicRef": reference, "unevaluatedProperties": unknown_keywords}
    cls = extend(Draft202012Validator, own)  # type: ignore[no-untyped-call]
    schema = {"$ref": f"{URI}#/$defs/{definition}"}
    validator = cls(schema, registry=registry(), format_checker=FormatChecker(["date", "regex"]))
    return list(dict.fromkeys(finding(error) for error in validator.iter_errors(document)))


def unknown_keywords(validator: Any, allowed: bool, instance: Any, schema: Node) -> Iterator[ValidationError]:
    """Yield an error for each key of an object that the meta-schema does not know. Its message says what to do."""
    names, patterns = keywords(schema["$comment"])
    for name in instance if isinstance(instance, dict) else ():
        # Extensions of others are allowed everywhere, unless an extension looks like a misspelled keyword of ours.
        is_foreign = name.startswith("x-") and name not in EXTENSIONS and not closest(name, EXTENSIONS, 0.8)
        if name not in names and not is_foreign and not re.search(patterns, name):
            meant = names | EXTENSIONS.keys() if name.startswith("x-") else names
            way_out = "it belongs to another object" if name in meant else "correct or remove it"
            way_out = 'write `type: [..., "null"]`' if name == "nullable" else way_out
            yield ValidationError(instead(name, meant - {name}, way_out), path=[name])


@cache
def keywords(definition: str) -> tuple[frozenset[str], str]:
    """Return the keywords of a definition of the meta-schema, and the pattern of its other keys."""
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
            for key in schema["$ref"].split("/")[1:]:
                target = target[key]
            waiting.append(target)
        waiting += [*schema.get("allOf", ()), *schema.get("dependentSchemas", {}).values(), schema.get("then")]
    return frozenset(names), "|".join(patterns)


def spoken(definition: str) -> str:
    """Return the name of a definition of the meta-schema in words."""
    return definition.rpartition("/")[2].replace("-", " ")


def finding(error: ValidationError) -> Finding:
    """Return an error of the meta-schema as a finding, with its place."""
    # If several alternatives were refused, report the first one, because it is the usual form.
    error = error.context[0] if error.context else error
    place = reduce(child, error.absolute_path, "#")
    if error.validator == "unevaluatedProperties":
        kind = spoken(cast("Node", error.schema)["$comment"])
        return Finding(place, f"{quote(error.path[-1])} is no keyword of `{kind}`; {error.message}")
    if "propertyNames" in error.absolute_schema_path:
        place = child(place, error.instance)
    return Finding(place, explain(error))


def explain(error: ValidationError) -> str:
    """Explain why a value does not match its schema, and what to do."""
    keyword, expected, value = str(error.validator), cast("Any", error.validator_value), cast("Any", error.instance)
    if error.schema is False:
        return f"{quote(value)} is a value where the schema `false` allows none; remove one of them"
    if keyword == "required":
        return f"{join_names(name for name in expected if name not in value)} is missing; add it"
    way_out = "correct it"
    if remedy := cast("Node", error.schema).get("remedy"):
        way_out = remedy
    elif keyword == "type" and "string" in expected and not isinstance(value, dict | list):
        way_out = f'put it in quotes: `"{quote(value)[1:-1]}"`'
    elif keyword in ("enum", "const"):
        known = expected if keyword == "enum" else [expected]
        way_out = instead(str(value), map(str, known), f"write {join_names(known)}")
    rule = json.dumps(expected)
    shown = f"the text {quote(value)}" if isinstance(value, str) else quote(value)
    return f"{shown} breaks `{keyword}: {rule if len(rule) <= LONGEST_VALUE else '...'}`; {way_out}"
