"""The contract: a document whose operations the SDK can send, and what is wrong in it besides its form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any
from urllib.parse import quote as percent_encode

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from codegen.contract.document import Document
from codegen.contract.naming import words
from codegen.contract.operations import ENVELOPE, NEEDED, PLACEHOLDER, OperationFacts, shown_members
from codegen.contract.source import ContractError, Finding, Node, Source, child, closest, instead, quote
from codegen.contract.structure import explain

# Formats that are often misspelled, and some that look like them.
FORMATS = ("binary", "byte", "date", "date-time", "duration", "email", "int32", "int64", "time", "uri", "uuid")
# The name under which the validator finds the document.
URI = "urn:contract"
# The end of the JSON pointer of a schema that describes the same value as the one above it.
PART = re.compile(r"/(allOf|anyOf|oneOf)/\d+$|/(not|if|then|else)$")


class Contract(Document):
    """The contract at *path*.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Attributes:
        operations: The facts of each operation, by its id.

    Raises:
        ContractError: Something in it is wrong, or an operation cannot be sent or read by the SDK; the message has one
            line for each finding, with its place.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        super().__init__(path, source)
        facts: list[OperationFacts] = []
        refused: list[str] = []
        for template, method, item in self.routes():
            try:
                facts.append(OperationFacts(self, template, method, item))
            except ContractError as error:
                refused.append(str(self.source.located(error, child(child("#/paths", template), method))))
        found = [*declaration_findings(self), *schema_findings(self)]
        if not refused:
            found += [*name_findings(facts), *link_findings(self, facts)]
            found += [finding for each in facts for finding in list_findings(self, each, facts)]
        if refused or found:
            raise ContractError("\n".join([*map(self.source.describe, found), *refused]))
        if examples := list(example_findings(self)):
            raise self.source.error(examples)
        self.operations = {each.node["operationId"]: each for each in facts}


def declaration_findings(document: Document) -> Iterator[Finding]:
    """Yield ids of gaps and rules that are used twice, and what is named and declared nowhere."""
    declared = document.document.get("components", {}).get("securitySchemes", {})
    for place, node in document.structure.of("security requirement"):
        for kind in node:
            if kind not in declared:
                way_out = instead(kind, declared, "declare it below `#/components/securitySchemes`")
                yield Finding(child(place, kind), f"the kind of credential {quote(kind)} is not declared; {way_out}")
    first: dict[tuple[str, str], str] = {}
    for place, node in (*document.structure.of("gap"), *document.structure.of("rule")):
        kind = document.structure.kinds[place]
        if kind == "rule" and node["id"] not in document.rules:
            way_out = instead(node["id"], document.rules, "add `text`")
            yield Finding(place, f"the rule {quote(node['id'])} has no text anywhere; {way_out}")
        # A rule without a text only cites another one.
        elif (kind == "gap" or "text" in node) and first.setdefault((kind, node["id"]), place) != place:
            text = f"the {kind} {quote(node['id'])} is also at {first[kind, node['id']]}"
            yield Finding(f"{place}/id", f"{text}; an id is used once: change one")


def name_findings(operations: list[OperationFacts]) -> Iterator[Finding]:
    """Yield operations of the same name, and path parameters and successors that name nothing."""
    first: dict[str, str] = {}
    names = [str(each.name) for each in operations]
    for each in operations:
        for kind, value in (("operationId", each.node["operationId"]), ("method name", str(each.name))):
            if first.setdefault(f"{kind} {value}", each.place) != each.place:
                text = f"the {kind} {quote(value)} is also that of {first[f'{kind} {value}']}; change one operationId"
                yield Finding(
                    f"{each.place}/operationId", f"{text}: its words that are not in scope and tag make the name"
                )
        in_path = [found[1:-1] for found in PLACEHOLDER.findall(each.arguments["path"])]
        declared = [parameter["name"] for parameter in each.parameter_nodes if parameter["in"] == "path"]
        if sorted(in_path) != sorted(declared):
            text = f"the path has the parameters {', '.join(in_path)}, and declared are {', '.join(declared)}"
            way_out = "name each once in the path, and once in `parameters` with `in: path`"
            yield Finding(each.place, f"{text}; {way_out}")
        successor = each.node.get("x-successor")
        if successor is not None and successor not in names:
            way_out = instead(successor, names, "write the method, such as `organization.automations.create`")
            yield Finding(f"{each.place}/x-successor", f"no operation has the method {quote(successor)}; {way_out}")


def link_findings(document: Document, operations: list[OperationFacts]) -> Iterator[Finding]:
    """Yield the links that lead to no operation, or with arguments that it does not take."""
    by_id = {each.node["operationId"]: each for each in operations}
    for place, node in document.structure.of("link"):
        operation_id = node.get("operationId")
        if operation_id is None:
            continue
        if operation_id not in by_id:
            way_out = instead(operation_id, by_id, "write the operationId of an operation of this file")
            yield Finding(f"{place}/operationId", f"no operation {quote(operation_id)}; {way_out}")
            continue
        parameters = by_id[operation_id].parameter_nodes
        names = [name for each in parameters for name in (each["name"], f"{each['in']}.{each['name']}")]
        for name in node.get("parameters", {}):
            if name not in names:
                way_out = instead(name, names, "name a parameter of the operation")
                yield Finding(f"{place}/parameters", f"the operation has no parameter {quote(name)}; {way_out}")


def list_findings(document: Document, operation: OperationFacts, operations: list[OperationFacts]) -> Iterator[Finding]:
    """Yield what is named in `x-pagination`, `x-follow` and `x-wait`, and is not there."""
    node, members = operation.node, shown_members(document, operation)
    verb = words(node["operationId"])[0]
    query = [each["name"] for each in operation.parameter_nodes if each["in"] == "query"]

    def missing(place: str, name: str, known: Iterable[str], what: str) -> Iterator[Finding]:
        if name not in known:
            way_out = instead(name, known, f"name {what}")
            yield Finding(f"{operation.place}/{place}", f"{quote(name)} is not {what}; {way_out}")

    if "x-pagination" in node:
        written = node["x-pagination"]
        for entry in ENVELOPE:
            if entry in written or entry in NEEDED:
                yield from missing(
                    f"x-pagination/{entry}", written.get(entry, entry), members, "a member of the response"
                )
        takers = [*query, *operation.members.properties]
        yield from missing("x-pagination/after", written.get("after", "after"), takers, "an argument of the operation")
        items = document.flatten(members.get(written.get("items", "items"), {}))
        if items and items.get("type") != "array":
            yield Finding(f"{operation.place}/x-pagination/items", "it is no array; name the list, or correct its type")
    if "x-follow" in node:
        if verb != "list":
            text = "only a GET whose operationId begins with `list` can be followed; remove `x-follow`"
            yield Finding(f"{operation.place}/x-follow", text)
        for name in node["x-follow"].get("query", {}):
            yield from missing(f"x-follow/query/{name}", name, query, "a query parameter of the operation")
        if "id" in node["x-follow"]:
            item = item_members(document, operation)
            yield from missing("x-follow/id", node["x-follow"]["id"], item, "a member of an item")
    if "x-wait" in node:
        if operation.arguments["method"] != "GET" or not members:
            text = "only a GET of an object whose members are shown can be waited for; remove `x-wait`"
            yield Finding(f"{operation.place}/x-wait", text)
        for name in node["x-wait"].get("gone", ()):
            yield from missing("x-wait/gone", name, members, "a member of the object")
        if "list" in node["x-wait"]:
            listings = [
                each.node["operationId"]
                for each in operations
                if each.name.scope == operation.name.scope and item_members(document, each)
            ]
            what = "a list of such objects, of the same scope and with members that are shown"
            yield from missing("x-wait/list", node["x-wait"]["list"], listings, what)


def item_members(document: Document, operation: OperationFacts) -> Node:
    """Return the members of an item of a list; empty where they are not shown."""
    name = operation.pagination.items if operation.pagination is not None else "items"
    items = document.flatten(shown_members(document, operation).get(name, {})).get("items", {})
    members: Node = document.flatten(items).get("properties", {})
    return members


def schema_findings(document: Document) -> Iterator[Finding]:
    """Yield misspelled formats, and required properties and discriminators that the object does not have."""
    for place, node in document.structure.of("schema"):
        written = node.get("format", FORMATS[0])
        if written not in FORMATS and (meant := closest(written, FORMATS, 0.75)):
            yield Finding(f"{place}/format", f"the format {quote(written)} is unknown; did you mean `{meant}`?")
        yield from required_findings(document, place, node)
        name = node.get("discriminator", {}).get("propertyName")
        for alternative in [*node.get("oneOf", ()), *node.get("anyOf", ())] if name is not None else ():
            names = property_names(document, alternative)
            if document.flatten(alternative).get("type") != "null" and name not in names:
                text = f"the discriminator {quote(name)} is not a property of each alternative"
                way_out = instead(name, names, "add it to all of them")
                yield Finding(f"{place}/discriminator/propertyName", f"{text}; {way_out}")
                break


def required_findings(document: Document, place: str, node: Node) -> Iterator[Finding]:
    """Yield the required properties that an object does not have."""
    if not node.get("required"):
        return
    whole_place = place
    while PART.search(whole_place):
        whole_place = PART.sub("", whole_place)
    whole = document.structure.nodes[whole_place]
    names, flat = property_names(document, whole), document.flatten(whole)
    is_open = flat.get("additionalProperties", False) is not False or "patternProperties" in flat
    for index, name in enumerate(node["required"]):
        if name not in names and (not is_open or closest(name, names)):
            way_out = instead(name, names, "add it to `properties`, or remove it here")
            yield Finding(f"{place}/required/{index}", f"{quote(name)} is required and not a property; {way_out}")


def property_names(document: Document, schema: Node) -> set[str]:
    """Return the names of the properties of a schema, its alternatives and conditions included."""
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
        validator = Draft202012Validator(
            {"$ref": f"{URI}{percent_encode(schema, safe='#/')}"},
            registry=registry,
            format_checker=Draft202012Validator.FORMAT_CHECKER,
        )
        # References inside the document are relative to it, once the first one leads there.
        if error := best_match(validator.iter_errors(value)):
            yield Finding(reduce(child, error.absolute_path, place), explain(error))
        names = property_names(document, document.structure.nodes[schema]) if isinstance(value, dict) else set()
        for name in value if names else ():
            meant = closest(name, [each for each in names if each not in value], 0.8)
            if meant and name not in names:
                yield Finding(child(place, name), f"{quote(name)} is not a property; did you mean `{meant}`?")


def values(document: Document) -> Iterator[tuple[str, str, Any]]:
    """Yield each value that is written in the document, after the JSON pointers of its schema and of itself."""
    for place, node in document.structure.of("schema"):
        yield from ((place, f"{place}/{name}", node[name]) for name in ("default", "example", "const") if name in node)
        for name in ("examples", "enum", "x-known-values"):
            yield from ((place, f"{place}/{name}/{index}", value) for index, value in enumerate(node.get(name, ())))
    for kind in ("parameter", "header", "media type"):
        for place, node in document.structure.of(kind):
            if "schema" in node and "example" in node:
                yield f"{place}/schema", f"{place}/example", node["example"]
            for name in node.get("examples", ()) if "schema" in node else ():
                target, found = document.structure.follow(child(f"{place}/examples", name))
                if "value" in found:
                    yield f"{place}/schema", f"{target}/value", found["value"]
