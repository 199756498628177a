"""The contract: the OpenAPI document that this package was generated from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, TypeAlias, TypeGuard, cast
from urllib.parse import unquote

import attrs

Node: TypeAlias = dict[str, Any]
"""An object of the document, such as an operation or a schema."""

METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})

PLACEHOLDER = re.compile(r"\{([^/{}]+)\}")
"""The placeholder of a parameter in a path."""

# Members that describe a whole schema. If `allOf` merges several schemas, these members of one of them do not describe
# the merged schema.
OF_THE_WHOLE = frozenset({"title", "description", "default", "example", "examples"})


@attrs.frozen
class Observed:
    """The evidence for a fact that a deployment has shown and the API's description does not show.

    Attributes:
        answers: The number of responses that showed it, at least 1.
        first: The date of the first response, as `2026-11-02`.
        last: The date of the last response.
    """

    answers: int
    first: str
    last: str


@attrs.frozen
class Documented:
    """The OpenAPI document of a deployment, which states a fact that the API's description does not show.

    Attributes:
        document: The name of the document's file.
        date: The date on which the document was read, as `2026-11-28`.
    """

    document: str
    date: str


@attrs.frozen
class Gap:
    """A fact that the API's description does not show.

    Attributes:
        id: The id that documents and tests cite.
        place: The place in the contract, as a JSON pointer.
        what: What is not shown.
        closed: The observations or the document with which an Overlay closed the gap, so that this build's contract
            has the fact. None if the gap is open.
    """

    id: str
    place: str
    what: str
    closed: Observed | Documented | None = None


@attrs.frozen
class Rule:
    """A behaviour that the API's description states: the id that documents and tests cite, and the text."""

    id: str
    text: str


class Contract:
    """An OpenAPI document, whose references are followed on demand.

    Do not change what its methods return, because this may be a part of the document.

    Args:
        document: The parsed document.
    """

    def __init__(self, document: Node) -> None:
        self.document = document

    @cached_property
    def endpoints(self) -> Mapping[str, Endpoint]:
        """The operations by id, in the order of the document."""
        found: dict[str, Endpoint] = {}
        for path, item in self.document["paths"].items():
            for method in filter(METHODS.__contains__, self.resolve(item)):
                endpoint = Endpoint(self, path, method)
                found[endpoint.id] = endpoint
        return found

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """Every fact that the API's description does not show, in the order of the document."""
        return tuple(gaps_below(self.document, "#"))

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """The rules by id; a rule that holds for several operations has its text at one of them."""
        found: dict[str, Rule] = {}
        for _, node in _below(self.document, "#"):
            for rule in node.get("x-rules", ()):
                if "text" in rule:
                    found[rule["id"]] = Rule(rule["id"], rule["text"])
        return found

    @cached_property
    def credential_kinds(self) -> Mapping[str, str]:
        """The kinds of credential, also legacy ones, each with the prefix of its tokens; an unknown prefix is empty."""
        components: Node = self.document.get("components", {})
        found: dict[str, str] = {}
        for kind, node in components.get("securitySchemes", {}).items():
            found[kind] = node.get("x-credential-prefix", "")
        for each in components.get("x-legacy-credentials", ()):
            found[each["name"]] = each["prefix"]
        return found

    def node_at(self, place: str) -> Any:
        """Return the node at a JSON pointer, such as `#/components/schemas/Session`."""
        node: Any = self.document
        for part in unquote(place).split("/")[1:]:
            if is_array(node):
                node = node[int(part)]
            else:
                node = node[part.replace("~1", "/").replace("~0", "~")]
        return node

    def resolve(self, node: Any) -> Node:
        """Return a node with its reference followed; members beside the reference override it."""
        if not is_object(node) or "$ref" not in node:
            return cast("Node", node)
        target: Any = self.resolve(self.node_at(node["$ref"]))
        if is_object(target):
            target = target | node
            del target["$ref"]
        return cast("Node", target)

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged; variants stay as they are."""
        resolved: Any = self.resolve(schema)
        if not is_object(resolved):
            # A schema can also be `true` or `false`.
            return {"not": {}} if resolved is False else {}
        if "allOf" not in resolved:
            return resolved
        own = {**resolved}
        parts = own.pop("allOf")
        merged: Node = {}
        properties: Node = {}
        required: dict[str, None] = {}
        for part in [*map(self.flatten, parts), own]:
            for name, member in part.get("properties", {}).items():
                first = properties.setdefault(name, member)
                if first != member:
                    properties[name] = {"allOf": [first, member]}
            required |= dict.fromkeys(part.get("required", ()))
            enum = [each for each in part.get("enum", ()) if each in merged.get("enum", (each,))]
            for keyword, value in part.items():
                if part is own or len(parts) == 1 or keyword not in OF_THE_WHOLE:
                    merged[keyword] = value
            if enum:
                merged["enum"] = enum
        for keyword, members in (("properties", properties), ("required", [*required])):
            merged.pop(keyword, None)
            if members:
                merged[keyword] = members
        return merged

    def examples(self, node: Node) -> list[Any]:
        """Return the examples of a schema, a parameter or a media type."""
        given: Any = node.get("examples", [])
        if is_object(given):
            given = [each["value"] for each in map(self.resolve, given.values()) if "value" in each]
        if "example" in node:
            return [node["example"], *given]
        return [*given]


class Endpoint:
    """An operation as the contract describes it.

    Attributes:
        contract: The contract.
        id: The operationId.
        method: The HTTP method, in capital letters.
        path: The path, with its placeholders.
        place: The place in the contract, as a JSON pointer.
        node: The object at this place, with its extensions (`x-…`).
    """

    def __init__(self, contract: Contract, path: str, method: str) -> None:
        self.contract = contract
        self.method = method.upper()
        self.path = path
        self.place = child(child("#/paths", path), method)
        self._item = contract.resolve(contract.document["paths"][path])
        self.node: Node = self._item[method]
        self.id: str = self.node["operationId"]

    @cached_property
    def parameters(self) -> tuple[Node, ...]:
        """The parameters, with references followed. The operation's own parameters replace parameters of its path."""
        found: dict[tuple[str, str], Node] = {}
        for each in (*self._item.get("parameters", ()), *self.node.get("parameters", ())):
            parameter = self.contract.resolve(each)
            found[parameter["in"], parameter["name"]] = parameter
        return tuple(found.values())

    def parameter(self, location: str, name: str) -> Node:
        """Return a parameter; an empty object if the operation does not have it."""
        for each in self.parameters:
            if (each["in"], each["name"]) == (location, name):
                return each
        return {}

    @cached_property
    def request_body(self) -> Node:
        """The request body, with its reference followed; empty if the operation takes no body."""
        return self.contract.resolve(self.node.get("requestBody", {}))

    @cached_property
    def responses(self) -> Mapping[str, Node]:
        """The responses by status, such as `200`, `2XX` and `default`, with references followed."""
        return {str(status): self.contract.resolve(each) for status, each in self.node["responses"].items()}

    def declared(self, status: int) -> str | None:
        """Return the key of the response with a status: `200`, `2XX` or `default`, in this order; else None."""
        keys = (str(status), f"{status // 100}XX", "default")
        return next(filter(self.responses.__contains__, keys), None)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """The facts about the operation that the API's description does not show."""
        return tuple(gaps_below(self.node, self.place))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that hold for the operation."""
        return tuple(self.contract.rules[each["id"]] for each in self.node.get("x-rules", ()))


@cache
def load() -> Contract:
    """Return the contract of this build, read once."""
    package = files(__name__.rpartition(".")[0])
    return Contract(json.loads(package.joinpath("contract.json").read_text(encoding="utf-8")))


def schema_of(node: Node) -> Any:
    """Return the schema of a parameter, a header or a media type; if it has content, the schema of the content."""
    media: Node = next(iter(node.get("content", {}).values()), node)
    return media.get("schema", {})


def gaps_at(node: Node, place: str) -> Iterator[Gap]:
    """Yield the gaps of one node, whose JSON pointer is *place*."""
    for each in node.get("x-not-shown", ()):
        yield Gap(each["id"], place, each["what"], _evidence(each.get("closed")))


def _evidence(closed: Node | None) -> Observed | Documented | None:
    """Return with what a gap was closed; None if it is open."""
    if not closed:
        return None
    return Documented(**closed) if "document" in closed else Observed(**closed)


def gaps_below(node: Any, place: str) -> Iterator[Gap]:
    """Yield the gaps at or below a node, whose JSON pointer is *place*."""
    for there, each in _below(node, place):
        yield from gaps_at(each, there)


def child(place: str, key: object) -> str:
    """Return the JSON pointer of the member *key* of the node at *place*."""
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1').replace('%', '%25')}"


def is_object(value: object) -> TypeGuard[Node]:
    """Return whether a value is a JSON object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Return whether a value is a JSON array."""
    return isinstance(value, list)


def _below(node: Any, place: str) -> Iterator[tuple[str, Node]]:
    """Yield each object at or below a node, with its JSON pointer; examples are skipped, because they are payloads."""
    children: Iterable[tuple[Any, Any]] = enumerate(node) if is_array(node) else ()
    if is_object(node):
        yield place, node
        children = node.items()
    for key, value in children:
        if key not in ("example", "examples"):
            yield from _below(value, child(place, key))
