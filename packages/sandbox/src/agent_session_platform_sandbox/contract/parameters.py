"""Parameters: where a value is sent, how it is written as text, and which values are valid."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

import attrs
from jsonschema.protocols import Validator

from .document import Contract, Node
from .json_values import is_object
from .shape import ARRAY, OBJECT, Shape

PATH: Final = "path"
QUERY: Final = "query"
HEADER: Final = "header"
COOKIE: Final = "cookie"
BODY: Final = "body"

# The contract may declare these headers, but other parts of it say what they are.
OF_HTTP: Final = frozenset({"accept", "authorization", "content-type"})
FORM, SIMPLE, DEEP = "form", "simple", "deepObject"
# What restricts a text.
CONSTRAINTS: Final = frozenset(
    {"const", "enum", "format", "maxLength", "minLength", "pattern", "not", "if", "oneOf", "anyOf", "contentSchema"}
)


@attrs.frozen(slots=False)
class Parameter:
    """A parameter of an operation, or a field of a form.

    Attributes:
        name: Its name; for a header in any case.
        location: `path`, `query`, `header` or `cookie`; `body` for a field of a form.
        required: True if a request must have it.
        style: How a value of several parts is written.
        explode: True if each part is written by itself.
        is_json: True if the value is written as JSON.
        shape: Shape of the value.
        validator: Validator of its schema.
        id_prefix: How an id begins; None unless the contract says so.
        is_secret: True if the value is a secret.
    """

    name: str
    location: str
    required: bool
    style: str
    explode: bool
    is_json: bool
    shape: Shape
    validator: Validator
    id_prefix: str | None = None
    is_secret: bool = False

    @classmethod
    def of_field(cls, name: str, shape: Shape, encoding: Node | None) -> Parameter:
        """Return a field of a form; an object is JSON, unless its encoding has a style."""
        written = encoding or {}
        is_json = "json" in written.get("contentType", "") or (OBJECT in shape.types and "style" not in written)
        style = written.get("style", FORM)
        explode = written.get("explode", style == FORM)
        validator = shape.contract.validator(shape.schema)
        return cls(name, BODY, False, style, explode, is_json, shape, validator)

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


def read_parameters(contract: Contract, nodes: Iterable[Node]) -> dict[str, dict[str, Parameter]]:
    """Return the parameters of an operation by location and name; a later one replaces an earlier one."""
    found: dict[str, dict[str, Parameter]] = {PATH: {}, QUERY: {}, HEADER: {}, COOKIE: {}}
    for node in nodes:
        name, location = node["name"], node["in"]
        if location == HEADER and name.lower() in OF_HTTP:
            continue
        media_type, content = next(iter(node.get("content", {}).items()), ("", Node()))
        schema: Any = node.get("schema", content.get("schema", {}))
        style = node.get("style", SIMPLE if location in (PATH, HEADER) else FORM)
        found[location][name] = Parameter(
            name,
            location,
            required=node.get("required", False),
            style=style,
            explode=node.get("explode", style == FORM),
            is_json="json" in media_type,
            shape=Shape(contract, schema),
            validator=contract.validator(schema),
            id_prefix=node.get("x-id-prefix"),
            is_secret="x-secret" in node or (is_object(schema) and "x-secret" in contract.resolve(schema)),
        )
    return found
