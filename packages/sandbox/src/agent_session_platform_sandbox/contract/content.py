"""Content: a body in one of the media types that the contract declares for it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

import attrs
from jsonschema.protocols import Validator

from .document import Contract, Node
from .parameters import Parameter
from .shape import Shape


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


@attrs.frozen
class Content:
    """A body in one media type.

    Attributes:
        media_type: As the contract writes it; it may be a range, such as `image/*`.
        kind: How the body is written.
        shape: Its shape; of JSON lines that of one line.
        validator: Validator of its schema.
        examples: Examples of the whole body.
        fields: How the fields of a form are written.
    """

    media_type: str
    kind: Kind
    shape: Shape
    validator: Validator
    examples: tuple[Any, ...]
    fields: dict[str, Parameter]

    @property
    def is_range(self) -> bool:
        """True if the media type is a range."""
        return "*" in self.media_type

    def covers(self, media_type: str) -> bool:
        """Return whether a body of another media type is one of these."""
        own, other = essence(self.media_type), essence(media_type)
        return own in (other, "*/*") or (own.endswith("/*") and other.startswith(own[:-1]))


def read_contents(contract: Contract, node: Node) -> tuple[Content, ...]:
    """Return the contents of a request body or of a response."""
    return tuple(_content(contract, media_type, media) for media_type, media in node.get("content", {}).items())


def find_content(contents: Iterable[Content], media_type: str) -> Content | None:
    """Return the content for a media type: that type, a range with it, or JSON of any type for JSON."""
    covering = [each for each in contents if each.covers(media_type)]
    if not covering and kind_of(media_type) is Kind.JSON:
        covering = [each for each in contents if each.kind is Kind.JSON]
    return min(covering, key=lambda each: each.media_type.count("*"), default=None)


def _content(contract: Contract, media_type: str, media: Node) -> Content:
    schema: Any = media.get("schema", {})
    kind = kind_of(media_type)
    shape = Shape(contract, schema)
    is_range = media_type.startswith(("*/*", "application/*"))
    if kind is Kind.BYTES and is_range and shape.types and "string" not in shape.types:
        kind = Kind.JSON
    fields: dict[str, Parameter] = {}
    if kind is Kind.JSON_LINES and "array" in shape.types:
        shape = shape.items
    if kind in (Kind.FORM, Kind.MULTIPART):
        encodings: Node = media.get("encoding", {})
        fields = {name: Parameter.of_field(name, each, encodings.get(name)) for name, each in shape.members.items()}
    named: list[Node] = [contract.resolve(each) for each in media.get("examples", {}).values()]
    given = [media["example"]] if "example" in media else []
    examples = (*given, *(each["value"] for each in named if "value" in each))
    return Content(media_type, kind, shape, contract.validator(shape.schema), examples, fields)
