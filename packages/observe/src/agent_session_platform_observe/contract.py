"""The contract of this build with its schemas at their places: what it shows of a value, and what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Final

from agent_session_platform import Gap
from agent_session_platform.contract import (
    PLACEHOLDER,
    Contract,
    Endpoint,
    Node,
    child,
    gaps_at,
    is_array,
    is_object,
    load,
)

# A schema with none of these shows nothing.
CONSTRAINTS: Final = ("type", "enum", "const", "properties", "items", "additionalProperties", "allOf", "anyOf", "oneOf")
# The names that a file of observations may have: whoever writes one by hand changes no terminal and no Markdown.
KEY: Final = re.compile(r"[A-Za-z0-9_./+*{}:@$#=, -]{1,250}")
# A longer path is none of this API.
MOST_SEGMENTS: Final = 16


class Document(Contract):
    """An OpenAPI document, whose schemas know their places."""

    def __init__(self, document: Node) -> None:
        super().__init__(document)
        self._schemas: dict[str, Schema] = {}

    def schema(self, place: str) -> Schema:
        """Return the schema at a JSON pointer, made once."""
        if place not in self._schemas:
            self._schemas[place] = Schema(self, place)
        return self._schemas[place]

    @cached_property
    def words(self) -> frozenset[str]:
        """The segments of the paths of the contract that are no placeholders."""
        segments = {segment for path in self.document["paths"] for segment in path.split("/")}
        return frozenset(segment for segment in segments if not PLACEHOLDER.fullmatch(segment))

    def template(self, path: str) -> str:
        """Return a path that the contract does not have with `{}` for each segment that is in no path of it."""
        return "/".join(each if each in self.words else "{}" for each in path.split("/")[:MOST_SEGMENTS])

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The names of all members and, in small letters, of all headers that the contract shows anywhere."""
        names: set[str] = set()
        for node in objects_in(self.document):
            names.update(members if is_object(members := node.get("properties")) else ())
            names.update(map(str.lower, headers) if is_object(headers := node.get("headers")) else ())
        return frozenset(filter(KEY.fullmatch, names))

    @cached_property
    def open_gaps(self) -> tuple[Gap, ...]:
        """The gaps that no observation has closed, in the order of the document."""
        return tuple(gap for gap in self.gaps if gap.closed is None)

    def body(self, endpoint: Endpoint) -> Schema | None:
        """Return the schema of a request body in JSON; None if the operation takes none."""
        return self._content(child(endpoint.place, "requestBody")) if "requestBody" in endpoint.node else None

    def response(self, endpoint: Endpoint, status: int, media_type: str) -> Schema | None:
        """Return the schema of the response with a status; None if it is not declared or has no JSON."""
        key = endpoint.declared(status)
        return None if key is None else self._content(child(child(endpoint.place, "responses"), key), media_type)

    def _content(self, place: str, media_type: str = "") -> Schema | None:
        while "$ref" in (node := self.at(place)):
            place = node["$ref"]
        content: Node = node.get("content", {})
        as_json = [each for each in content if each.partition(";")[0].endswith("json")]
        chosen = media_type if media_type in as_json else next(iter(as_json), None)
        if chosen is None or "schema" not in content[chosen]:
            return None
        return self.schema(child(child(child(place, "content"), chosen), "schema"))


class Schema:
    """A schema, with its references followed.

    Args:
        document: The contract.
        place: Its JSON pointer.

    Attributes:
        document: The contract.
        own_place: The JSON pointer where it is used.
        place: The JSON pointer where it is written: another one if there is a reference.
        node: What is written, also beside the reference.
    """

    def __init__(self, document: Document, place: str) -> None:
        self.document = document
        self.own_place = place
        places = [place]
        while target := document.at(places[-1]).get("$ref"):
            places.append(target)
        self.place = places[-1]
        self.node = document.resolve(document.at(place))
        self._gaps = [gap for each in places for gap in open_gaps(document.at(each), each)]

    @cached_property
    def _variants(self) -> list[Schema]:
        keywords = ("anyOf", "oneOf")
        return [self._at(keyword, index) for keyword in keywords for index in range(len(self.node.get(keyword, ())))]

    @cached_property
    def parts(self) -> tuple[Schema, ...]:
        """The schemas that all hold: the entries of `allOf`, one variant beside null, and the schema itself."""
        found = [part for index in range(len(self.node.get("allOf", ()))) for part in self._at("allOf", index).parts]
        shown = [each for each in self._variants if each.node.get("type") != "null"]
        return (*found, *(shown[0].parts if len(shown) == 1 else ()), self)

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that it allows; empty for any."""
        found: set[str] = set()
        for part in self.parts:
            given: str | list[str] = part.node.get("type", [])
            found.update([given] if isinstance(given, str) else given)
        for variant in self._variants:
            if not variant.types:
                return frozenset()
            found |= variant.types
        return frozenset(found | ({"integer"} if "number" in found else set()))

    @cached_property
    def properties(self) -> Mapping[str, Schema]:
        """The members that it shows."""
        return {name: part._at("properties", name) for part in self.parts for name in part.node.get("properties", {})}

    @cached_property
    def required(self) -> Mapping[str, str]:
        """The members that it requires, each with the place of the list that says so."""
        return {name: child(part.place, "required") for part in self.parts for name in part.node.get("required", ())}

    @cached_property
    def items(self) -> Schema | None:
        """The schema of the items of an array."""
        return next((part._at("items") for part in reversed(self.parts) if "items" in part.node), None)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The texts that it shows as values, whether these are all or not."""
        keywords = ("enum", "x-known-values")
        found = [each for part in self.parts for keyword in keywords for each in part.node.get(keyword, ())]
        return tuple(each for each in found if isinstance(each, str) and KEY.fullmatch(each))

    @cached_property
    def is_closed(self) -> bool:
        """True if there are no other values."""
        return any("enum" in part.node for part in self.parts)

    @cached_property
    def is_set(self) -> bool:
        """True if the contract says that a text is one of a set, of which it may show no value."""
        is_open = any(gap.id.endswith("-values") for gap in self.gaps)
        return bool(self.values) or (is_open and self.types <= {"string", "null"})

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """The open gaps of all parts."""
        return tuple(gap for part in self.parts for gap in part._gaps)

    @cached_property
    def is_secret(self) -> bool:
        """True if the value is a secret."""
        return any(part.node.get("x-secret") for part in self.parts)

    @cached_property
    def is_unshown(self) -> bool:
        """True if nothing is shown of the value."""
        return not any(keyword in part.node for part in self.parts for keyword in CONSTRAINTS)

    @cached_property
    def is_free(self) -> bool:
        """True if the names of members are the users' own: an object of any members, without a gap that asks which."""
        return not (self.is_unshown or self.properties or self._gaps)

    @cached_property
    def shows_all(self) -> bool:
        """True if nothing below it is unshown, as far as one object or list goes."""
        if self.is_unshown:
            return False
        if not self.properties:
            return self.items is None or self.items.shows_all
        return not any(each.items is not None and each.items.is_unshown for each in self.properties.values())

    def _at(self, *keys: str | int) -> Schema:
        place = self.place
        for key in keys:
            place = child(place, key)
        return self.document.schema(place)


def objects_in(node: Any) -> Iterator[Node]:
    """Yield each object at or below a node."""
    if is_object(node):
        yield node
    for member in node.values() if is_object(node) else node if is_array(node) else ():
        yield from objects_in(member)


def open_gaps(node: Node, place: str) -> Iterator[Gap]:
    """Yield the gaps of an object that no observation has closed."""
    return (gap for gap in gaps_at(node, place) if gap.closed is None)


def query_of(endpoint: Endpoint) -> frozenset[str]:
    """Return the names of the query parameters of an operation."""
    return frozenset(each["name"] for each in endpoint.parameters if each["in"] == "query")


@cache
def load_document() -> Document:
    """Return the contract of this build, read once."""
    return Document(load().document)
