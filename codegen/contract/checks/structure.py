"""Check that the contract is made of the objects of OpenAPI, by the published meta-schema and our own keywords."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, cast

import attrs
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it has no types
from openapi_spec_validator.schemas import schema_v31

from codegen.contract.source import Finding, Node, child, closest, described, instead, listed, parts, quote

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
WITHOUT_ARTICLE = {
    **{kind: f"`{kind}`" for kind in ("components", "info", "paths", "responses")},
    **{kind: f"`x-{kind}`" for kind in ("pagination", "follow", "wait", "vendor")},
}
TYPES = {
    "array": "a list",
    "boolean": "`true` or `false`",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
    "string": "text",
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
        findings: Unknown, missing and wrongly written keywords, and wrong references.
        kinds: The kind of the object or reference at each JSON pointer.
        nodes: Every object by its JSON pointer, in order; of the references only those to schemas.
        references: Every reference by the JSON pointer of the object that has `$ref`.
    """

    def __init__(self, document: Any) -> None:
        self.document = document
        self.findings: list[Finding] = []
        self.kinds: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        self.references: dict[str, Reference] = {}
        # Where misspelled keywords would be: what is missing there is not told again.
        self._meant: set[str] = set()
        self._visit(document, {"$ref": "#/$defs/document"}, "#")
        for error in validator().iter_errors(document):
            # Of the alternatives of `type`, an error of the one that is meant says more.
            context = [each for each in error.context or () if each.validator not in ("type", "required")]
            self._explain(max(context, key=lambda each: len(each.absolute_path), default=error))
        self.findings += [*wrong_references(self), *circles(self)]

    def of(self, kind: str) -> Iterator[tuple[str, Node]]:
        """Yield the objects of a kind with their JSON pointers."""
        return ((place, node) for place, node in self.nodes.items() if self.kinds[place] == kind)

    def follow(self, place: str) -> tuple[str, Node]:
        """Return the object at *place* or, of a reference, the one it points to."""
        while place in self.references:
            place = self.references[place].target
        return place, self.nodes[place]

    def is_meant(self, place: str) -> bool:
        """Return whether a place would be there if a misspelled keyword was right."""
        return any(f"{place}/".startswith(f"{each}/") for each in self._meant)

    def _visit(self, value: Any, rule: Any, place: str) -> None:
        if not isinstance(rule, dict) or isinstance(value, bool):
            return
        found = form(rule)
        if found.kind:
            self.kinds[place] = found.kind
        for index, member in enumerate(value if isinstance(value, list) else ()):
            self._visit(member, found.items, child(place, index))
        if not isinstance(value, dict):
            return
        if found.or_reference and isinstance(value.get("$ref"), str):
            self.references[place] = Reference(value["$ref"], found.kind)
            if found.kind == "path item":
                text = "a path item is not found through `$ref`; write its operations here"
                self.findings.append(Finding(child(place, "$ref"), text))
                return
            if found.kind != "schema":
                found = form({"$ref": "#/$defs/reference"})
        if found.kind and found.kind != "reference":
            self.nodes[place] = value
        for name, member in value.items():
            below = found.member(name)
            here = child(place, name)
            if name.startswith("x-") and (found.closed or name not in found.members):
                self._check_extension(name, found, self.kinds.get(place, ""), here)
            if below is None:
                self._report_key(name, found, place)
            elif name not in ("example", "examples", "default", "const", "enum") or found.kind != "schema":
                self._visit(member, below, here)

    def _check_extension(self, name: str, found: Form, kind: str, place: str) -> None:
        holder = EXTENSIONS[name][0] if name in EXTENSIONS else ""
        if holder and name not in found.members:
            text = f"`{name}` belongs to {a(holder)}, and not to {a(kind)}; move it there"
            self.findings.append(Finding(place, text))
        elif name not in EXTENSIONS and found.closed and (meant := closest(name, EXTENSIONS, 0.8)):
            self.findings.append(Finding(place, f"`{name}` is unknown; did you mean `{meant}`?"))

    def _report_key(self, name: str, found: Form, place: str) -> None:
        by_kind = keywords()
        owners = [each for each in ("operation", "response", "media type", "schema", *by_kind) if name in by_kind[each]]
        meant = None if owners else closest(name, found.members)
        text, way_out = (
            f"is not a keyword of {a(found.kind)}",
            "check its indentation, remove it, or begin it with `x-`",
        )
        if found.kind == "reference":
            text, way_out = "has no effect beside `$ref`", "remove it, or write it all out"
        elif owners:
            way_out = f"it belongs to {a(owners[0])}: move it there, or check its indentation"
        elif meant:
            self._meant.add(child(place, meant))
            way_out = f"did you mean `{meant}`?"
        self.findings.append(Finding(child(place, name), f"{quote(name)} {text}; {way_out}"))

    def _explain(self, error: ValidationError) -> None:
        """Report what the meta-schema refuses."""
        place = "#"
        for key in error.absolute_path:
            place = child(place, key)
        keyword, expected, value = str(error.validator), cast("Any", error.validator_value), cast("Any", error.instance)
        if "propertyNames" in error.absolute_schema_path:
            place = child(place, value)
        kind = a(self.kinds.get(place, "object"))
        last = parts(place)[-1] if place != "#" else "the document"
        # An index has at most two digits, and a status three.
        subject = "the entry" if last.isdecimal() and len(last) < 3 else quote(last)
        if keyword == "required":
            missing = [name for name in expected if name not in value and not self.is_meant(child(place, name))]
            # Of the statuses, those that are none are told already.
            if missing and last != "responses":
                self.findings.append(Finding(place, f"{kind} without {listed(missing)}; add it"))
            return
        if keyword == "oneOf":
            names = [name for each in expected for name in each.get("required", ())]
            if not any(self.is_meant(child(place, name)) for name in names):
                self.findings.append(
                    Finding(place, f"{kind} must have one of {listed(names)}, and no other; correct it")
                )
            return
        way_out = "correct it"
        if keyword == "type":
            text = f"{subject} must be {expected_type(expected)}, and is {described(value)}"
            if "string" in expected and not isinstance(value, dict | list | None):
                way_out = f'put it in quotes: `"{quote(value)[1:-1]}"`'
            elif value is None:
                way_out = "write it, or check the indentation of the lines below"
        elif keyword in ("enum", "const"):
            words = [expected] if keyword == "const" else expected
            text = f"{subject} is {described(value)}"
            way_out = f"write {listed(words)}"
            way_out = instead(value, map(str, words), way_out) if isinstance(value, str) else way_out
        else:
            text = f"{subject} is {described(value)}, which breaks `{keyword}: {expected}`"
        self.findings.append(Finding(place, f"{text}; {way_out}"))


@cache
def validator() -> Any:
    """Return the validator of the meta-schema; unknown keywords are found by the walk, which knows what is meant."""
    cls = extend(Draft202012Validator, {"unevaluatedProperties": lambda *_: ()})  # type: ignore[no-untyped-call]
    return cls(metaschema(), format_checker=FormatChecker(["date"]))


def a(kind: str) -> str:
    """Return the kind of an object with its article."""
    kind = kind.replace("-", " ")
    return WITHOUT_ARTICLE.get(kind) or (f"an {kind}" if kind[:1] in "aeio" else f"a {kind}")


def expected_type(expected: str | list[str]) -> str:
    """Return one or several types of JSON in words."""
    return " or ".join(TYPES[each] for each in ([expected] if isinstance(expected, str) else expected))


def wrong_references(structure: Structure) -> Iterator[Finding]:
    """Yield the references that point to nothing, or to the wrong kind of object."""
    wrong: dict[str, list[str]] = {}
    for place, reference in structure.references.items():
        section = f"#/components/{SECTIONS[reference.kind]}"
        if structure.kinds.get(reference.target) != reference.kind and not structure.is_meant(reference.target):
            is_lost = reference.target.startswith(f"{section}/") and not list(below(structure, section))
            wrong.setdefault(section if is_lost else place, []).append(place)
    for cause, (place, *others) in wrong.items():
        text = (
            f"there is no {quote(cause)}, to which {len(others) + 1} references point; add it, or check its indentation"
        )
        yield Finding(child(place, "$ref"), text if others else wrong_target(structure, structure.references[place]))
    for place, node in structure.of("discriminator"):
        for value, target in node.get("mapping", {}).items():
            reference = Reference(target if "/" in target else f"#/components/schemas/{target}", "schema")
            if structure.kinds.get(reference.target) != "schema":
                yield Finding(child(f"{place}/mapping", value), wrong_target(structure, reference))


def below(structure: Structure, section: str) -> Iterable[str]:
    """Yield the names of the components in a section."""
    return (place.rpartition("/")[2] for place in structure.kinds if place.rpartition("/")[0] == section)


def wrong_target(structure: Structure, reference: Reference) -> str:
    """Explain why a reference is wrong, and what seems to be meant."""
    target, kind = reference.target, reference.kind
    section = f"#/components/{SECTIONS[kind]}"
    # A quote that is not closed adds the next words; another file may have the name of what it holds.
    name = re.sub(r"\.(ya?ml|json)$", "", target.rpartition("/")[2].rpartition("#")[2]).partition(" ")[0]
    names = list(below(structure, section))
    meant = name if name in names else closest(name, names)
    way_out = f"did you mean {quote(child(section, meant))}?" if meant else f"define it below {quote(section)}"
    if not target.startswith("#"):
        return f"{quote(target)} is not in this file, which has the whole contract; {way_out}"
    found = structure.kinds.get(target)
    return f"{quote(target)} is {f'{a(found)}, and not {a(kind)}' if found else 'not defined'}; {way_out}"


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
