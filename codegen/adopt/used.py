"""Copy the part of a foreign document that its operations use, in the form of OpenAPI 3.1.

In the copy, each reference leads to a component schema; what another reference leads to stands in its place. What the
contract's checks refuse is left out of it, with a note, so whoever reads the copy need not check it again.
"""

from __future__ import annotations

import re
from functools import reduce
from pathlib import Path
from typing import Any

from codegen.adopt.foreign import Foreign, keys_of, list_of, object_of
from codegen.adopt.repair import Repair
from codegen.contract.contract import circle_findings, schema_findings
from codegen.contract.document import Document
from codegen.contract.naming import class_name
from codegen.contract.source import COMPONENT, DEEPEST, Node, Source, is_component, quote
from codegen.render.normalise import REFUSED
from codegen.render.runtime.contract import METHODS, child

# The names of components begin with it until they get their final ones. No name of the contract begins so.
PREFIX = "document."
# The members of these objects have names, and are no keywords.
NAMED = frozenset({"content", "headers", "patternProperties", "properties", "responses"})
# Below these stand any values.
VALUES = frozenset({"const", "default", "enum", "required"})
# These say nothing about a value.
UNREAD = frozenset({"$comment", "$defs", "$id", "$schema", "example", "examples", "externalDocs", "xml"})
OPERATION = frozenset({"deprecated", "description", "parameters", "requestBody", "responses", "summary"})
# What of an operation is not in the copy, but read.
BESIDE = frozenset({"operationId", "security", "tags"})
ACCESS = re.compile("x-.*(permission|level)")
BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
UNIX_TIME = re.compile(r"(?i)\bunix\b[^.]*\bseconds\b|\bseconds since (the )?(unix )?epoch\b")
# Names that FastAPI makes: of a page, and of the body of a form.
PAGE = re.compile(r"(?:Page|PaginatedResponse|Paginated|ListResponse)_(\w+?)_*")
FORM = re.compile(r"Body_(\w+?)_v\d\w*_(?:post|put|patch|delete)")
# What frameworks and their users write behind the name of a response.
SUFFIX = re.compile(r"(?<=[a-z0-9])(Response|Out|Output|Read|Dto|DTO|Schema|Model)$")


class Used:
    """The copy.

    Args:
        foreign: The document, which gets the notes.

    Attributes:
        paths: The path items.
        schemas: The component schemas.
        beside: What else is read of an operation, by path and method.
        places: The place in the document of each component.
    """

    def __init__(self, foreign: Foreign) -> None:
        self._foreign = foreign
        self._is_3_0 = foreign.version.startswith("3.0")
        self._names: dict[str, str] = {}
        self._inlined: list[str] = []
        self.beside: dict[tuple[str, str], Node] = {}
        self.places: dict[str, str] = {}
        self.paths: Node = self._copy(object_of(foreign.document.get("paths")), "#/paths", is_named=True)
        for path, item in list(self.paths.items()):
            if path.startswith("/") and isinstance(item, dict):
                self._prepare(path, item)
                continue
            foreign.note(child("#/paths", path), "no path with an object of operations; left out")
            del self.paths[path]
        self.schemas: Node = {}
        while len(self.schemas) < len(self.places):
            for name, place in list(self.places.items())[len(self.schemas) :]:
                self.schemas[name] = self._component(name, place)
        if "webhooks" in foreign.document:
            foreign.note("#/webhooks", "`webhooks` are not read; left out")
        document = {
            "openapi": "3.1.0",
            "info": {"title": foreign.name, "version": "1"},
            "paths": self.paths,
            "components": {"schemas": self.schemas},
        }
        Repair(document, foreign, self.origin).run(check)

    def origin(self, place: str) -> str:
        """Return the place in the document of a place in the copy."""
        keys = keys_of(place)
        if len(keys) > 2 and keys[2] in self.places:
            return reduce(child, keys[3:], self.places[keys[2]])
        return place

    def _prepare(self, path: str, item: Node) -> None:
        """Keep what is read of the operations of a path, and note the rest."""
        above = child("#/paths", path)
        for method in METHODS & item.keys():
            operation = item[method]
            place = child(above, method)
            beside: Node = {}
            if not isinstance(operation, dict):
                self._foreign.note(place, f"{quote(operation)} is no operation; left out")
                del item[method]
                continue
            for key in operation.keys() - OPERATION:
                beside[key] = operation.pop(key)
                if not (key in BESIDE or ACCESS.match(key)):
                    self._foreign.note(child(place, key), f"`{key}` is not read; left out")
            self.beside[path, method] = beside
            # The checks ask for these.
            operation |= {"operationId": "any", "tags": ["any"]}
            responses = operation.setdefault("responses", {})
            for status, response in object_of(responses).items():
                object_of(response).setdefault("description", f"The response with the status {status}.")
        item.pop("servers", None)

    def _copy(self, value: Any, place: str, *, is_named: bool = False) -> Any:
        """Return a part of the document as the copy has it.

        Args:
            value: The part.
            place: Its place in the document.
            is_named: Whether the keys of the object are names.
        """
        if isinstance(value, list):
            return [self._copy(entry, child(place, index)) for index, entry in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if place.count("/") > DEEPEST:
            self._foreign.note(place, "nested too deeply; it may be anything")
            return {}
        if is_named:
            found: Node = {}
            for key, member in value.items():
                found[key] = self._copy({} if member is True else member, child(place, key))
            return found
        if "$ref" in value:
            return self._reference(value, place)
        return self._as_3_1(self._keywords(value, place))

    def _keywords(self, value: Node, place: str) -> Node:
        found: Node = {}
        for key, member in value.items():
            here = child(place, key)
            if key in VALUES:
                found[key] = member
            elif key == "discriminator":
                found[key] = self._discriminator(object_of(member))
            elif key in REFUSED or (key.startswith("x-") and not ACCESS.match(key)):
                self._foreign.note(here, f"`{key}` is not read; left out")
            elif key not in UNREAD:
                found[key] = self._copy(member, here, is_named=key in NAMED)
        return found

    def _reference(self, value: Node, place: str) -> Node:
        """Return what stands for a reference."""
        try:
            target, node = self._followed(value["$ref"])
        except LookupError as error:
            self._foreign.note(child(place, "$ref"), f"{quote(value['$ref'])} {error.args[0]}; it may be anything")
            return {}
        if not is_component(target):
            self._inlined.append(target)
            inlined: Node = self._copy(node, target)
            self._inlined.pop()
            return inlined
        found: Node = {"$ref": f"{COMPONENT}{self._name(target)}"}
        if isinstance(value.get("description"), str):
            found["description"] = value["description"]
        is_nullable = value.get("nullable") is True or node.get("nullable") is True
        return add_null(found) if self._is_3_0 and is_nullable else found

    def _followed(self, reference: Any) -> tuple[str, Node]:
        """Return the place to which a chain of references leads, and the object there.

        Raises:
            LookupError: There is no such place in the document.
        """
        passed: list[Any] = list(self._inlined)
        while True:
            if not isinstance(reference, str) or not reference.startswith("#"):
                raise LookupError("is in another file, which is not read")
            reference = reduce(child, keys_of(reference), "#")
            if reference in passed:
                raise LookupError("refers to itself")
            passed.append(reference)
            try:
                node = self._foreign.reader.node_at(reference)
            except (LookupError, TypeError, ValueError):
                raise LookupError("is not in the document") from None
            if not isinstance(node, dict):
                raise LookupError(f"is {quote(node)}, and not an object")
            if "$ref" not in node:
                return reference, node
            reference = node["$ref"]

    def _name(self, target: str) -> str:
        """Return the name in the copy of the component at a place of the document."""
        if target not in self._names:
            name = f"{PREFIX}{clean_name(keys_of(target)[-1]) or 'Schema'}"
            while name in self.places:
                name += "_"
            self._names[target] = name
            self.places[name] = target
        return self._names[target]

    def _component(self, name: str, place: str) -> Node:
        node = dict(self._foreign.reader.node_at(place))
        if self._is_3_0:
            # The references to it allow null.
            node.pop("nullable", None)
        found: Node = self._copy(node, place)
        found.setdefault("description", f"{name.removeprefix(PREFIX)}.")
        if "example" in node:
            found["examples"] = [node["example"]]
        return found

    def _discriminator(self, written: Node) -> Node:
        found: Node = {}
        for value, target in object_of(written.get("mapping")).items():
            reference = str(target)
            if "#" not in reference:
                reference = f"{COMPONENT}{reference}"
            with_name = self._reference({"$ref": reference}, "#")
            if "$ref" in with_name:
                found[value] = with_name["$ref"]
        return {**written, "mapping": found}

    def _as_3_1(self, found: Node) -> Node:
        """Return an object with what OpenAPI 3.0 and frameworks write in another way."""
        for exclusive, bound in BOUNDS.items():
            if isinstance(found.get(exclusive), bool) and found.pop(exclusive) and bound in found:
                found[exclusive] = found.pop(bound)
        title = found.pop("title", "")
        if title and isinstance(title, str):
            found.setdefault("description", f"{title}.")
        is_number = "integer" in (found.get("type"), *list_of(found.get("type")))
        if is_number and UNIX_TIME.search(str(found.get("description"))):
            found["format"] = "unix-time"
        is_nullable = self._is_3_0 and found.pop("nullable", False) is True
        found = single_alternative(found)
        return add_null(found) if is_nullable else found


def check(source: Source) -> None:
    """Check what is independent of the contract.

    Raises:
        ContractError: Something is wrong.
    """
    document = Document(Path(source.name), source)
    source.refuse(circle_findings(document))
    source.refuse(schema_findings(document))


def add_null(schema: Node) -> Node:
    """Return a schema that allows null, too."""
    if {"$ref", "allOf", "anyOf", "oneOf"} & schema.keys():
        inner = {key: value for key, value in schema.items() if key != "description"}
        found: Node = {"anyOf": [inner, {"type": "null"}]}
        if "description" in schema:
            found["description"] = schema["description"]
        return found
    if not isinstance(schema.get("type"), str):
        return schema
    found = {**schema, "type": [schema["type"], "null"]}
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        found["enum"] = [*schema["enum"], None]
    return found


def single_alternative(schema: Node) -> Node:
    """Return a schema without a union of one alternative and null, as some tools write it."""
    for key in ("allOf", "anyOf", "oneOf"):
        parts = list_of(schema.get(key))
        others = [part for part in parts if part != {"type": "null"}]
        if len(others) != 1 or not isinstance(others[0], dict) or {"properties", "type"} & schema.keys():
            continue
        rest = {name: value for name, value in schema.items() if name != key}
        merged = {**others[0], **rest}
        if len(parts) == 1:
            return merged
        if "type" in others[0]:
            return add_null(merged)
    return schema


def clean_name(text: str) -> str:
    """Return the name of a component without what frameworks add, such as the names of modules."""
    page = PAGE.fullmatch(text)
    if page:
        return f"{SUFFIX.sub('', clean_name(page[1]))}Page"
    form = FORM.fullmatch(text)
    if form:
        return f"{class_name(form[1])}Body"
    last = re.split(r"__|\.", text.strip("_"))[-1]
    if re.fullmatch(r"[A-Z][A-Za-z0-9]*", last):
        return last
    return class_name(last)
