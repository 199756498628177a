"""The contract of this build: its operations with the schemas of their bodies, and its gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Final

from agent_session_platform import operations
from agent_session_platform.catalogue import PLACEHOLDER

from .json_values import is_array, is_object
from .nodes import Node, Nodes
from .schema import Gap, Schema, gaps_of, schema_at

METHODS: Final = ("get", "put", "post", "delete", "patch", "head", "options", "trace")

# A longer path is none of this API.
MOST_SEGMENTS: Final = 16


class Document(Nodes):
    """An OpenAPI document.

    Args:
        root: The parsed document; None for that of the generated package.
    """

    def __init__(self, root: Node | None = None) -> None:
        super().__init__(operations.contract() if root is None else root)
        self._schemas: dict[str, Schema] = {}

    def schema(self, place: str) -> Schema:
        """Return the schema at a JSON pointer, made once."""
        return schema_at(self, place, self._schemas)

    @cached_property
    def operations(self) -> Mapping[str, OperationPlace]:
        """The operations by id."""
        return {
            item[method]["operationId"]: OperationPlace(self, path, method)
            for path, item in self.root["paths"].items()
            for method in METHODS
            if method in item
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """The segments of the paths of the contract that are no placeholders."""
        return frozenset(
            segment for path in self.root["paths"] for segment in path.split("/") if not PLACEHOLDER.fullmatch(segment)
        )

    def template(self, path: str) -> str:
        """Return a path that the contract does not have with `{}` for each segment that is in no path of it."""
        return "/".join(each if each in self.words else "{}" for each in path.split("/")[:MOST_SEGMENTS])

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """All open gaps, in the order of the document."""
        return tuple(gaps_below(self.root, "#"))


class OperationPlace:
    """An operation of the contract.

    Attributes:
        place: Its JSON pointer.
        path: Its path with its placeholders.
        method: Its HTTP method, in small letters.
        node: What is written there.
    """

    def __init__(self, document: Document, path: str, method: str) -> None:
        self._document = document
        self.path = path
        self.method = method
        self.place = document.child(document.child("#/paths", path), method)
        self.node: Node = document.at(self.place)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The gaps of the operation itself."""
        return tuple(gaps_of(self.node, self.place))

    @property
    def is_secret(self) -> bool:
        """True if the whole request is a secret."""
        return bool(self.node.get("x-secret"))

    @cached_property
    def query(self) -> frozenset[str]:
        """The names of the query parameters."""
        places = [
            self._document.child(self._document.child(holder, "parameters"), index)
            for holder in (self.place, self.place.rpartition("/")[0])
            for index in range(len(self._document.at(holder).get("parameters", ())))
        ]
        nodes = [self._document.at(self._document.resolved(place)) for place in places]
        return frozenset(each["name"] for each in nodes if each["in"] == "query")

    @cached_property
    def body(self) -> Schema | None:
        """The schema of a request body in JSON; None if it takes none."""
        place = self._document.child(self.place, "requestBody")
        return self._content(place) if "requestBody" in self.node else None

    def declared(self, status: int) -> str | None:
        """Return the key of the response that has a status: `200`, `2XX` or `default`; None if there is none."""
        keys = (str(status), f"{status // 100}XX", "default")
        return next((key for key in keys if key in self.node["responses"]), None)

    def response(self, status: int, media_type: str) -> Schema | None:
        """Return the schema of the response with a status; None if it is not declared or has no JSON."""
        key = self.declared(status)
        if key is None:
            return None
        return self._content(self._document.child(self._document.child(self.place, "responses"), key), media_type)

    def _content(self, holder: str, media_type: str = "") -> Schema | None:
        place = self._document.child(self._document.resolved(holder), "content")
        content: Node = self._document.at(self._document.resolved(holder)).get("content", {})
        as_json = [each for each in content if each.partition(";")[0].endswith("json")]
        chosen = media_type if media_type in as_json else next(iter(as_json), None)
        if chosen is None or "schema" not in content[chosen]:
            return None
        return self._document.schema(self._document.child(self._document.child(place, chosen), "schema"))


def gaps_below(node: Any, place: str) -> Iterator[Gap]:
    """Yield the gaps of a node and of those below it."""
    if is_object(node):
        yield from gaps_of(node, place)
        for key, member in node.items():
            if key not in ("x-not-shown", "example", "examples"):
                yield from gaps_below(member, Document.child(place, key))
    elif is_array(node):
        for index, member in enumerate(node):
            yield from gaps_below(member, Document.child(place, index))


@cache
def load_document() -> Document:
    """Return the contract of this build, parsed once."""
    return Document()
