"""The contract of this build, and its schemas by JSON pointer: what a schema shows, and what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, Final

from agent_session_platform import Gap
from agent_session_platform.contract import Contract, Endpoint, Node, child, is_array, is_object, load

# A schema without any of these keywords shows nothing.
CONSTRAINTS: Final = ("type", "enum", "const", "properties", "items", "additionalProperties", "allOf", "anyOf", "oneOf")
COMPONENTS: Final = "#/components"
# The names that a file of observations may have. They cannot contain control characters or Markdown.
KEY: Final = re.compile(r"[A-Za-z0-9_./+*?{}:@$#=, -]{1,250}")


class Document(Contract):
    """An OpenAPI document whose schemas know their JSON pointers."""

    def __init__(self, document: Node) -> None:
        super().__init__(document)
        self._schemas: dict[str, Schema] = {}

    def schema(self, place: str) -> Schema:
        """Return the schema at a JSON pointer. The same pointer returns the same object."""
        if place not in self._schemas:
            self._schemas[place] = Schema(self, place)
        return self._schemas[place]

    def has(self, place: str) -> bool:
        """Return whether the document has a node at a JSON pointer."""
        try:
            self.node_at(place)
        except KeyError:
            return False
        return True

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of the contract's paths, and the names of its members, parameters and headers (in lower case)."""
        names = {"id", *(word for path in self.document.get("paths", ()) for word in path.split("/"))}
        pending: list[Any] = [self.document]
        while pending:
            node = pending.pop()
            if is_array(node):
                pending += node
            elif is_object(node):
                pending += node.values()
                names.update(members if is_object(members := node.get("properties")) else ())
                names.update(map(str.lower, headers) if is_object(headers := node.get("headers")) else ())
                names.update([node["name"]] if "in" in node and "name" in node else ())
        return frozenset(filter(KEY.fullmatch, names))

    @cached_property
    def open_gaps(self) -> tuple[Gap, ...]:
        """The gaps that no observation has closed, in the order of the document."""
        return tuple(gap for gap in self.gaps if gap.closed is None)

    def gaps_of(self, place: str) -> list[Gap]:
        """Return the open gaps at a JSON pointer."""
        return [gap for gap in self.open_gaps if gap.place == place]

    def body(self, endpoint: Endpoint) -> Schema | None:
        """Return the schema of a request body in JSON; None if the operation takes no such body."""
        return self._content(f"{endpoint.place}/requestBody") if "requestBody" in endpoint.node else None

    def response(self, endpoint: Endpoint, status: int, media_type: str) -> Schema | None:
        """Return the schema of the response with a status; None if it is not declared or has no JSON."""
        key = endpoint.declared(status)
        # `default` shows the form of an error, so it does not describe a success.
        is_shown = key is not None and (key != "default" or status >= 400)
        return self._content(f"{endpoint.place}/responses/{key}", media_type) if is_shown else None

    def _content(self, place: str, media_type: str = "") -> Schema | None:
        while "$ref" in (node := self.node_at(place)):
            place = node["$ref"]
        content: Node = node.get("content", {})
        as_json = [each for each in content if each.partition(";")[0].endswith("json") and "schema" in content[each]]
        chosen = media_type if media_type in as_json else next(iter(as_json), None)
        return self.schema(f"{child(f'{place}/content', chosen)}/schema") if chosen is not None else None


class Schema:
    """A schema, with its references followed.

    Args:
        document: The contract.
        place: The JSON pointer of the schema.

    Attributes:
        document: The contract.
        own_place: The JSON pointer where the schema is used.
        place: The JSON pointer where the schema is written; it differs from `own_place` if there is a reference.
        node: The schema; keywords beside the reference are merged into it.
        parts: The schemas that a value must match: the entries of `allOf`, the only variant beside null, and this one.
        gaps: The open gaps of all parts.
        values: The text values that the schema shows, whether the set is closed or not.
        required: The members that the schema requires, each with the place of the `required` list.
        is_closed: Whether only `values` are allowed.
        is_secret: Whether the value is a secret.
        is_unshown: Whether the schema shows nothing about the value.
    """

    def __init__(self, document: Document, place: str) -> None:
        self.document = document
        self.own_place = place
        places = [place]
        while target := document.node_at(places[-1]).get("$ref"):
            places.append(target)
        self.place = places[-1]
        self.node = document.resolve(document.node_at(place))
        own_gaps = [gap for each in places for gap in document.gaps_of(each)]
        self._variants = [*self._entries("anyOf"), *self._entries("oneOf")]
        shown = [each for each in self._variants if each.node.get("type") != "null"]
        below = [*self._entries("allOf"), *(shown if len(shown) == 1 else ())]
        self.parts: list[Schema] = [*(part for each in below for part in each.parts), self]
        nodes = [part.node for part in self.parts]
        values = [value for node in nodes for key in ("enum", "x-known-values") for value in node.get(key, ())]
        self.gaps: list[Gap] = [*(gap for each in below for gap in each.gaps), *own_gaps]
        self.values: list[str] = [each for each in values if isinstance(each, str) and KEY.fullmatch(each)]
        required = {name: part.place for part in self.parts for name in part.node.get("required", ())}
        self.required = {name: f"{place}/required" for name, place in required.items()}
        self.is_closed = any("enum" in node for node in nodes)
        self.is_secret = any(node.get("x-secret") for node in nodes)
        self.is_unshown = not any(keyword in node for node in nodes for keyword in CONSTRAINTS)

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that the schema allows; empty if it allows any type."""
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
        """The members that the schema shows, by name."""
        places = {name: f"{part.place}/properties" for part in self.parts for name in part.node.get("properties", {})}
        return {name: self.document.schema(child(place, name)) for name, place in places.items()}

    @cached_property
    def items(self) -> Schema | None:
        """The schema of the items of an array."""
        places = [f"{part.place}/items" for part in self.parts if "items" in part.node]
        return self.document.schema(places[-1]) if places else None

    @cached_property
    def is_set(self) -> bool:
        """True if the contract says that a text is one of a set of values, even if it shows no value of the set."""
        is_open = any(gap.id.endswith("-values") for gap in self.gaps)
        return bool(self.values) or (is_open and self.types <= {"string", "null"})

    @cached_property
    def is_free(self) -> bool:
        """True if users choose the names of members: any member is allowed, and no gap is about the members."""
        return not (self.is_unshown or self.properties or self.gaps)

    @property
    def shows_all(self) -> bool:
        """True if the schema shows something about its value, and about the items of lists one level below."""
        lists = [each.items for each in (self, *self.properties.values()) if each.items is not None]
        return not self.is_unshown and not any(each.is_unshown for each in lists)

    def as_reference(self) -> Node:
        """Return a reference to the schema; without a name, return the schema itself."""
        if "/paths/" in self.place:
            return self.node
        return {"$ref": self.place}

    def _entries(self, keyword: str) -> list[Schema]:
        count = len(self.node.get(keyword, ()))
        return [self.document.schema(f"{self.place}/{keyword}/{index}") for index in range(count)]


@cache
def load_document() -> Document:
    """Return the contract of this build, read once."""
    return Document(load().document)
