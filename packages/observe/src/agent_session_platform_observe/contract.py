"""The contract of this build, and its schemas by JSON pointer: what a schema shows, and what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Final

from agent_session_platform import Gap
from agent_session_platform.contract import Contract, Endpoint, Node, child, is_array, is_object, load

# A schema without any of these keywords shows nothing.
CONSTRAINTS: Final = (
    *("type", "enum", "const", "items"),
    *("properties", "additionalProperties"),
    *("allOf", "anyOf", "oneOf"),
)
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
        names = {"id"}
        for path in self.document.get("paths", ()):
            names.update(path.split("/"))
        pending: list[Any] = [self.document]
        while pending:
            node = pending.pop()
            if is_array(node):
                pending += node
            elif is_object(node):
                pending += node.values()
                names.update(names_at(node))
        return frozenset(filter(KEY.fullmatch, names))

    @cached_property
    def open_gaps(self) -> tuple[Gap, ...]:
        """The gaps that no observation has closed, in the order of the document."""
        return tuple(filter(lambda gap: gap.closed is None, self.gaps))

    def gaps_of(self, place: str) -> list[Gap]:
        """Return the open gaps at a JSON pointer."""
        return [gap for gap in self.open_gaps if gap.place == place]

    def body(self, endpoint: Endpoint) -> Schema | None:
        """Return the schema of a request body in JSON; None if the operation takes no such body."""
        if "requestBody" not in endpoint.node:
            return None
        return self._content(f"{endpoint.place}/requestBody")

    def response(self, endpoint: Endpoint, status: int, media_type: str) -> Schema | None:
        """Return the schema of the response with a status; None if it is not declared or has no JSON."""
        key = endpoint.declared(status)
        # `default` shows the form of an error, so it does not describe a success.
        if key is None or (key == "default" and status < 400):
            return None
        return self._content(f"{endpoint.place}/responses/{key}", media_type)

    def _content(self, place: str, media_type: str = "") -> Schema | None:
        node = self.node_at(place)
        while "$ref" in node:
            place = node["$ref"]
            node = self.node_at(place)
        content: Node = node.get("content", {})
        as_json: list[str] = []
        for name, media in content.items():
            if name.partition(";")[0].endswith("json") and "schema" in media:
                as_json.append(name)
        if not as_json:
            return None
        if media_type not in as_json:
            media_type = as_json[0]
        return self.schema(f"{child(f'{place}/content', media_type)}/schema")


def names_at(node: Node) -> Iterator[str]:
    """Yield the names that a node of the contract gives to members, headers (in lower case) and parameters."""
    members = node.get("properties")
    if is_object(members):
        yield from members
    headers = node.get("headers")
    if is_object(headers):
        yield from map(str.lower, headers)
    if "in" in node and "name" in node:
        yield node["name"]


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
        node = document.node_at(place)
        while "$ref" in node:
            places.append(node["$ref"])
            node = document.node_at(node["$ref"])
        self.place = places[-1]
        self.node = document.resolve(document.node_at(place))
        self.gaps: list[Gap] = []
        self.parts: list[Schema] = []
        self._variants = [*self._entries("anyOf"), *self._entries("oneOf")]
        shown = [variant for variant in self._variants if variant.node.get("type") != "null"]
        below = self._entries("allOf")
        if len(shown) == 1:
            below += shown
        for part in below:
            self.parts += part.parts
            self.gaps += part.gaps
        self.parts.append(self)
        for followed in places:
            self.gaps += document.gaps_of(followed)
        self.required: dict[str, str] = {}
        self.values: list[str] = []
        self.is_closed = False
        self.is_secret = False
        self.is_unshown = True
        for part in self.parts:
            self._take(part)

    def _take(self, part: Schema) -> None:
        """Take the facts of one part."""
        node = part.node
        for name in node.get("required", ()):
            self.required[name] = f"{part.place}/required"
        for value in (*node.get("enum", ()), *node.get("x-known-values", ())):
            if isinstance(value, str) and KEY.fullmatch(value):
                self.values.append(value)
        self.is_closed |= "enum" in node
        self.is_secret |= bool(node.get("x-secret"))
        self.is_unshown &= node.keys().isdisjoint(CONSTRAINTS)

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that the schema allows; empty if it allows any type."""
        found: set[str] = set()
        for part in self.parts:
            given: str | list[str] = part.node.get("type", [])
            if isinstance(given, str):
                given = [given]
            found.update(given)
        for variant in self._variants:
            if not variant.types:
                return frozenset()
            found |= variant.types
        if "number" in found:
            found.add("integer")
        return frozenset(found)

    @cached_property
    def properties(self) -> Mapping[str, Schema]:
        """The members that the schema shows, by name."""
        found: dict[str, Schema] = {}
        for part in self.parts:
            for name in part.node.get("properties", ()):
                found[name] = self.document.schema(child(f"{part.place}/properties", name))
        return found

    @cached_property
    def items(self) -> Schema | None:
        """The schema of the items of an array."""
        for part in reversed(self.parts):
            if "items" in part.node:
                return self.document.schema(f"{part.place}/items")
        return None

    @cached_property
    def is_set(self) -> bool:
        """True if the contract says that a text is one of a set of values, even if it shows no value of the set."""
        if self.values:
            return True
        is_text = self.types <= {"string", "null"}
        return is_text and any(gap.id.endswith("-values") for gap in self.gaps)

    @cached_property
    def is_free(self) -> bool:
        """True if users choose the names of members: any member is allowed, and no gap is about the members."""
        return not (self.is_unshown or self.properties or self.gaps)

    @property
    def shows_all(self) -> bool:
        """True if the schema shows something about its value, and about the items of lists one level below."""
        for schema in (self, *self.properties.values()):
            if schema.items is not None and schema.items.is_unshown:
                return False
        return not self.is_unshown

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
