"""Check whether the SDK can send the operations of the contract, and whether names, references and examples are right.

The form of the contract is checked in `document`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any
from urllib.parse import quote as percent_encode

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from codegen.contract.document import Document
from codegen.contract.operations import OperationFacts, item_members, shown_members
from codegen.contract.source import ContractError, Finding, Node, Source, closest, instead, quote
from codegen.contract.structure import explain
from codegen.contract.vendor_word import credential_prefixes
from codegen.render.runtime.contract import METHODS, PLACEHOLDER, child

# The formats that a misspelled format is compared with.
FORMATS = ("binary", "byte", "date", "date-time", "duration", "email", "int32", "int64", "time", "uri", "uuid")
# The end of the JSON pointer of a schema that describes the same value as the schema above it.
PART = re.compile(r"/(allOf|anyOf|oneOf)/\d+$|/(not|if|then|else)$")
# `multipleOf` is not checked: as a binary fraction, 0.07 is not a multiple of 0.01.
VALIDATOR: Any = extend(Draft202012Validator, {"multipleOf": None})  # type: ignore[no-untyped-call]
# The URI by which the validator finds the document.
URI = "urn:contract"


class Contract(Document):
    """The contract at *path*.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Attributes:
        operations: The facts of each operation, by its id.

    Raises:
        ContractError: Something in the contract is wrong, or the SDK cannot send or read an operation. The message has
            one line for each finding, with its place.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        super().__init__(path, source)
        # With a circle of references, the other checks would never end.
        self.source.refuse(circle_findings(self))
        self.source.refuse([*declaration_findings(self), *schema_findings(self)])
        facts: list[OperationFacts] = []
        refused: list[str] = []
        paths = self.document["paths"].items()
        for route, method in [(route, key) for route, item in paths for key in item if key in METHODS]:
            try:
                facts.append(OperationFacts(self, route, method))
            except ContractError as error:
                refused.append(str(self.source.located(error, child(child("#/paths", route), method))))
        if refused:
            raise ContractError("\n".join(refused))
        self.source.refuse([*name_findings(facts), *job_findings(self, facts)])
        self.source.refuse(example_findings(self))
        self.operations = {each.id: each for each in facts}


def circle_findings(document: Document) -> Iterator[Finding]:
    """Yield the schemas that contain themselves directly, without a property or a list between."""
    references = {place: {"$ref": target} for place, target in document.references.items()}
    for place, node in (references | dict(document.of("schema"))).items():
        try:
            property_names(document, node)
        except RecursionError:
            way_out = "write out one of the references, or remove the `oneOf` of a base with a discriminator"
            yield Finding(place, f"a circle of references: the object contains itself; {way_out}")


def declaration_findings(document: Document) -> Iterator[Finding]:
    """Yield a finding for each id of a gap or a rule that is used twice, and for each rule without a text."""
    for place, node in document.of("rule"):
        yield from unknown(place, node["id"], document.rules, "a rule with a text")
    prefixes = credential_prefixes(document.document)
    yield from repeated(prefixes, "credential prefix", "tell the kinds apart, or merge them")
    for place, node in (*document.of("operation"), *document.of("path item")):
        nodes = [document.resolve(each) for each in node.get("parameters", ())]
        names = [f"{each['in']} {each['name'].lower() if each['in'] == 'header' else each['name']}" for each in nodes]
        places = [f"{place}/parameters/{index}" for index in range(len(names))]
        yield from repeated(zip(places, names, strict=True), "parameter", "merge them")
    for kind in ("gap", "rule"):
        # A rule without a text only refers to a rule that has one.
        stated = [(place, node) for place, node in document.of(kind) if kind == "gap" or "text" in node]
        ids = [(f"{place}/id", node["id"]) for place, node in stated]
        yield from repeated(ids, kind, "an id is used once: change one")


def name_findings(operations: list[OperationFacts]) -> Iterator[Finding]:
    """Yield operations of the same name, and path parameters and successors that do not exist."""
    way_out = "change one operationId: its words that are not in scope and tag make the name"
    names = [str(each.name) for each in operations]
    ids = {f"{each.place}/operationId": each.id for each in operations}
    yield from repeated(zip(ids, names, strict=True), "method", way_out)
    yield from repeated(ids.items(), "operationId", way_out)
    for each in operations:
        in_path = PLACEHOLDER.findall(each.arguments["path"])
        declared = [parameter["name"] for parameter in each.parameters if parameter["in"] == "path"]
        if sorted(in_path) != sorted(declared):
            text = f"the path has the parameters {', '.join(in_path)}, and declared are {', '.join(declared) or 'none'}"
            way_out = "name each once in the path, and once in `parameters` with `in: path`"
            yield Finding(each.place, f"{text}; {way_out}")
        if "x-successor" in each.node:
            yield from unknown(f"{each.place}/x-successor", each.node["x-successor"], names, "a method of an operation")


def job_findings(document: Document, operations: list[OperationFacts]) -> Iterator[Finding]:
    """Yield the names in `x-follow` and `x-wait` that the operation does not have."""
    for each in operations:
        follow, wait = each.node.get("x-follow"), each.node.get("x-wait")
        if follow is not None:
            place = f"{each.place}/x-follow"
            query = [parameter["name"] for parameter in each.parameters if parameter["in"] == "query"]
            yield from unknown(place, each.name.verb.partition("_")[0], ["list"], "a list, which can be followed")
            for name in follow.get("query", ()):
                yield from unknown(f"{place}/query", name, query, "a query parameter of the operation")
            if "id" in follow:
                yield from unknown(f"{place}/id", follow["id"], item_members(document, each), "a member of an item")
        if wait is not None:
            place, members = f"{each.place}/x-wait", shown_members(document, each)
            method = each.arguments["method"] if members else "an object that is not shown"
            yield from unknown(place, method, ["GET"], "a GET of an object whose members are shown")
            for name in wait.get("gone", ()):
                yield from unknown(f"{place}/gone", name, members, "a member of the object")
            for state, values in wait.get("states", {}).items():
                for name in values:
                    yield from unknown(f"{place}/states/{state}", name, members, "a member of the object")
            same_scope = [listing for listing in operations if listing.name.scope == each.name.scope]
            lists = [listing.node["operationId"] for listing in same_scope if item_members(document, listing)]
            for name in [wait["list"]] if "list" in wait else []:
                yield from unknown(f"{place}/list", name, lists, "a list of the same scope whose items are shown")


def repeated(named: Iterable[tuple[str, str]], what: str, way_out: str) -> Iterator[Finding]:
    """Yield a finding for each name that an earlier place has already."""
    first: dict[str, str] = {}
    for place, name in named:
        if name in first:
            yield Finding(place, f"the {what} {quote(name)} is also at {first[name]}; {way_out}")
        first.setdefault(name, place)


def unknown(place: str, name: str, known: Iterable[str], what: str) -> Iterator[Finding]:
    """Yield a finding if a name is not known.

    Args:
        place: Where the name is written.
        name: The name.
        known: The names that are allowed there.
        what: A description of the allowed names, for the message.
    """
    if name not in known:
        yield Finding(place, f"{quote(name)} is not {what}; {instead(name, known, 'correct it')}")


def schema_findings(document: Document) -> Iterator[Finding]:
    """Yield misspelled formats, and required members and discriminators that are not properties."""
    for place, node in document.of("schema"):
        written = node.get("format", FORMATS[0])
        if written not in FORMATS and (meant := closest(written, FORMATS, 0.75)):
            yield Finding(f"{place}/format", f"the format {quote(written)} is unknown; did you mean `{meant}`?")
        whole = document.flatten(node)
        if not (PART.search(place) or whole.get("additionalProperties") or "patternProperties" in whole):
            names = property_names(document, whole)
            for name in whole.get("required", ()):
                yield from unknown(f"{place}/required", name, names, "a property, but required")
        name = node.get("discriminator", {}).get("propertyName")
        for alternative in [*node.get("oneOf", ()), *node.get("anyOf", ())] if name is not None else ():
            if document.flatten(alternative).get("type") != "null":
                names = property_names(document, alternative)
                yield from unknown(f"{place}/discriminator/propertyName", name, names, "a property of each alternative")


def property_names(document: Document, schema: Node) -> set[str]:
    """Return the names of the properties of a schema, including those of its alternatives and conditions."""
    flat = document.flatten(schema)
    names = {*flat.get("properties", ())}
    alternatives = [each for keyword in ("oneOf", "anyOf") for each in flat.get(keyword, ())]
    for each in (*alternatives, *(flat[keyword] for keyword in ("not", "if", "then", "else") if keyword in flat)):
        names |= property_names(document, each)
    return names


def example_findings(document: Document) -> Iterator[Finding]:
    """Yield the values that their schemas refuse."""
    registry: Registry[Any] = Registry().with_resource(URI, DRAFT202012.create_resource(document.document))
    for schema, place, value in values(document):
        reference = {"$ref": f"{URI}{percent_encode(schema, safe='#/%')}"}
        formats = Draft202012Validator.FORMAT_CHECKER
        validator = VALIDATOR(reference, registry=registry, format_checker=formats)
        # The validator follows this reference into the document. The references inside are relative to the document.
        if error := best_match(validator.iter_errors(value)):
            yield Finding(reduce(child, error.absolute_path, place), explain(error))


def values(document: Document) -> Iterator[tuple[str, str, Any]]:
    """Yield each value that is written in a schema, such as an example.

    Before each value come two JSON pointers: that of the schema, and that of the value.
    """
    for place, node in document.of("schema"):
        yield from ((place, f"{place}/{name}", node[name]) for name in ("default", "example", "const") if name in node)
        for name in ("examples", "enum", "x-known-values"):
            yield from ((place, f"{place}/{name}/{index}", value) for index, value in enumerate(node.get(name, ())))
