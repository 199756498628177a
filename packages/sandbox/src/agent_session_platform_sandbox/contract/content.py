"""Content: what is sent in bodies and parameters, how it is written as text, and which values are valid."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cached_property
from typing import Any, Final

import attrs
from agent_session_platform.contract import Endpoint, Node, is_object, schema_of

from .schemas import ARRAY, OBJECT, SandboxContract, Shape

PATH: Final = "path"
QUERY: Final = "query"
HEADER: Final = "header"
COOKIE: Final = "cookie"
BODY: Final = "body"

# The contract may declare these headers, but other parts of it say what they are.
OF_HTTP: Final = frozenset({"accept", "authorization", "content-type"})
FORM, SIMPLE = "form", "simple"
# What restricts a text.
CONSTRAINTS: Final = frozenset(
    {"const", "enum", "format", "maxLength", "minLength", "pattern", "not", "if", "oneOf", "anyOf", "contentSchema"}
)


class Kind(Enum):
    """The ways in which a body is written."""

    JSON = "JSON"
    JSON_LINES = "JSON lines"
    FORM = "a form"
    MULTIPART = "a multipart form"
    TEXT = "text"
    BYTES = "bytes"


# The SDK has the same ones, which a test checks: `codegen/contract/content.py`.
LINE_TYPES = ("x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-seq")
TEXT_TYPES = ("xml", "yaml", "x-yaml", "csv", "javascript", "toml", "sql", "graphql")


@attrs.frozen(slots=False)
class Parameter:
    """A parameter of an operation, or a field of a form.

    Attributes:
        name: Its name; for a header in any case.
        location: `path`, `query`, `header` or `cookie`; `body` for a field of a form.
        shape: Shape of the value.
        required: True if a request must have it.
        style: How a value of several parts is written.
        explode: True if each part is written by itself.
        is_json: True if the value is written as JSON.
        id_prefix: How an id begins; None unless the contract says so.
        is_secret: True if the value is a secret.
        examples: Examples of the value.
    """

    name: str
    location: str
    shape: Shape
    required: bool
    style: str
    explode: bool
    is_json: bool
    id_prefix: str | None = None
    is_secret: bool = False
    examples: tuple[Any, ...] = ()

    @classmethod
    def of_node(cls, contract: SandboxContract, node: Node) -> Parameter:
        """Return a parameter of the contract."""
        location, schema = node["in"], schema_of(node)
        style = node.get("style", SIMPLE if location in (PATH, HEADER) else FORM)
        return cls(
            node["name"],
            location,
            Shape(contract, schema),
            required=node.get("required", False),
            style=style,
            explode=node.get("explode", style == FORM),
            is_json=any("json" in media_type for media_type in node.get("content", ())),
            id_prefix=node.get("x-id-prefix"),
            is_secret="x-secret" in node or (is_object(schema) and "x-secret" in contract.resolve(schema)),
            examples=(*contract.examples(node), *contract.examples(contract.flatten(schema))),
        )

    @classmethod
    def of_field(cls, name: str, shape: Shape, encoding: Node | None) -> Parameter:
        """Return a field of a form; an object is JSON, unless its encoding has a style."""
        written = encoding or {}
        is_json = "json" in written.get("contentType", "") or (OBJECT in shape.types and "style" not in written)
        style = written.get("style", FORM)
        return cls(name, BODY, shape, False, style, written.get("explode", style == FORM), is_json)

    @cached_property
    def is_any_text(self) -> bool:
        """True if any text is a valid value, so that there is nothing to convert or to validate."""
        flat = self.shape.contract.flatten(self.shape.schema)
        return not self.is_json and flat.get("type") == "string" and not CONSTRAINTS & flat.keys()

    @property
    def is_spread(self) -> bool:
        """True if each member of the object is a parameter of its own."""
        spreads = self.style == FORM and self.explode and self.location == QUERY
        return spreads and OBJECT in self.shape.types and not self.is_json

    @property
    def is_list(self) -> bool:
        """True if the value is an array."""
        return ARRAY in self.shape.types and not self.is_json


@attrs.frozen
class Content:
    """A body in one media type.

    Attributes:
        media_type: As the contract writes it; it may be a range, such as `image/*`.
        kind: How the body is written.
        shape: Its shape; of JSON lines that of one line.
        examples: Examples of the whole body.
        fields: How the fields of a form are written.
    """

    media_type: str
    kind: Kind
    shape: Shape
    examples: list[Any]
    fields: dict[str, Parameter]

    @property
    def is_range(self) -> bool:
        """True if the media type is a range."""
        return "*" in self.media_type

    def covers(self, media_type: str) -> bool:
        """Return whether a body of another media type is one of these."""
        own, other = essence(self.media_type), essence(media_type)
        return own in (other, "*/*") or (own.endswith("/*") and other.startswith(own[:-1]))


def read_parameters(contract: SandboxContract, endpoint: Endpoint) -> dict[str, dict[str, Parameter]]:
    """Return the parameters of an operation by location and name."""
    found: dict[str, dict[str, Parameter]] = {PATH: {}, QUERY: {}, HEADER: {}, COOKIE: {}}
    for node in endpoint.parameters:
        if node["in"] != HEADER or node["name"].lower() not in OF_HTTP:
            found[node["in"]][node["name"]] = Parameter.of_node(contract, node)
    return found


def read_contents(contract: SandboxContract, node: Node) -> tuple[Content, ...]:
    """Return the contents of a request body or of a response."""
    return tuple(_content(contract, media_type, media) for media_type, media in node.get("content", {}).items())


def find_content(contents: Iterable[Content], media_type: str) -> Content | None:
    """Return the content for a media type: that type, a range with it, or JSON of any type for JSON."""
    covering = [each for each in contents if each.covers(media_type)]
    if not covering and kind_of(media_type) is Kind.JSON:
        covering = [each for each in contents if each.kind is Kind.JSON]
    return min(covering, key=lambda each: each.media_type.count("*"), default=None)


def essence(media_type: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def kind_of(media_type: str) -> Kind:
    """Return the way in which a body of a media type is written."""
    whole = essence(media_type)
    family, _, name = whole.partition("/")
    if name in LINE_TYPES:
        return Kind.JSON_LINES
    if whole == "application/json" or name.endswith("+json"):
        return Kind.JSON
    if whole == "application/x-www-form-urlencoded":
        return Kind.FORM
    if family == "multipart":
        return Kind.MULTIPART
    return Kind.TEXT if family == "text" or name in TEXT_TYPES or name.endswith("+xml") else Kind.BYTES


def _content(contract: SandboxContract, media_type: str, media: Node) -> Content:
    kind, shape = kind_of(media_type), Shape(contract, schema_of(media))
    is_range = media_type.startswith(("*/*", "application/*"))
    if kind is Kind.BYTES and is_range and shape.types and "string" not in shape.types:
        kind = Kind.JSON
    fields: dict[str, Parameter] = {}
    if kind is Kind.JSON_LINES and ARRAY in shape.types:
        shape = shape.items
    if kind in (Kind.FORM, Kind.MULTIPART):
        encodings: Node = media.get("encoding", {})
        fields = {name: Parameter.of_field(name, each, encodings.get(name)) for name, each in shape.members.items()}
    return Content(media_type, kind, shape, contract.examples(media), fields)
