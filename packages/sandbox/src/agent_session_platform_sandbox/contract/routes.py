"""Routes: what each operation takes, returns and requires."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache, cached_property
from typing import Any, Final
from urllib.parse import quote

import attrs
from agent_session_platform import Catalogue, Operation
from agent_session_platform.contract import PLACEHOLDER, Endpoint, Node, is_object, load, schema_of

from ..problems import UnknownNameError, suggestion
from .schemas import ARRAY, OBJECT, SandboxContract, Shape, load_contract

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


ENTERPRISE: Final = "enterprise"
ORGANIZATION: Final = "organization"
KINDS: Final = tuple(load().credential_kinds)
SHOWN_LEVELS: Final = [each.node.get("x-permission-level", ORGANIZATION) for each in load().endpoints.values()]
LEVELS: Final = tuple(dict.fromkeys([ENTERPRISE, ORGANIZATION, *SHOWN_LEVELS]))


def check_known(what: str, value: str, known: Iterable[str]) -> None:
    """Raise ValueError if *value* is not one of the known ones; *what* names it in the message."""
    if value not in known:
        hint = suggestion(value, known) or f"; known: {', '.join(known)}"
        raise ValueError(f"{what}: there is no {value!r}{hint}")


def is_kind(instance: object, attribute: object, value: str) -> None:
    """Validate the kind of a credential."""
    check_known("kind", value, KINDS)


def is_level(instance: object, attribute: object, value: str) -> None:
    """Validate a permission level."""
    check_known("level", value, LEVELS)


@attrs.frozen
class Requirement:
    """The credential that an operation requires.

    Attributes:
        kinds: Accepted kinds of credentials; empty accepts any.
        permissions: Permissions that must all be held; may be empty.
        level: `enterprise` or `organization`.
    """

    kinds: tuple[str, ...] = attrs.field(validator=attrs.validators.deep_iterable(is_kind))
    permissions: tuple[str, ...]
    level: str = attrs.field(validator=is_level)

    @classmethod
    def of(cls, endpoint: Endpoint) -> Requirement:
        """Return the requirement in the contract; if it has no level, use that of the path."""
        security: list[dict[str, list[str]]] = endpoint.node.get("security", [])
        scope = ENTERPRISE if ENTERPRISE in endpoint.path.split("/") else ORGANIZATION
        return cls(
            kinds=tuple(kind for entry in security for kind in entry),
            permissions=tuple(dict.fromkeys(name for entry in security for names in entry.values() for name in names)),
            level=endpoint.node.get("x-permission-level", scope),
        )


class UnknownOperationError(UnknownNameError):
    """There is no operation of that name. The message suggests the closest one."""


@attrs.frozen
class ResponseForm:
    """The form of the responses with one status.

    Attributes:
        contents: The media types; empty if the response has no body.
        headers: The required headers.
    """

    contents: tuple[Content, ...]
    headers: Mapping[str, Shape]


@attrs.frozen(kw_only=True)
class Route:
    """One operation as the sandbox serves it.

    Attributes:
        endpoint: The operation in the contract.
        pattern: The path as starlette writes it, with numbers for the path parameters, whose names may be any text.
        path_names: The names of the path parameters, in the order of the path.
        parameters: The parameters by location and name.
        body: The media types of the request body; empty if it has none.
        success: The status of a success: the first in the contract, one like `201` before `2XX`.
        responses: The responses by status, such as `200`, `2XX` and `default`.
        is_secret: True if the whole request is a secret.
        pagination: The names that the list has in place of the usual ones (`x-pagination`).
        validation_form: True if failures of validation have the form of schedules.
        with_code: True if problem details have an `error_code`.
    """

    endpoint: Endpoint
    operation_id: str
    method: str
    path: str
    pattern: str
    path_names: tuple[str, ...]
    requirement: Requirement
    parameters: Mapping[str, Mapping[str, Parameter]]
    body: tuple[Content, ...]
    body_required: bool
    success: int
    responses: Mapping[str, ResponseForm]
    is_secret: bool
    pagination: Mapping[str, str] | None
    validation_form: bool
    with_code: bool

    @property
    def contents(self) -> tuple[Content, ...]:
        """The media types of a success; empty if it has no body."""
        form = self.response(self.success)
        return form.contents if form else ()

    @property
    def takes_object(self) -> bool:
        """True if the body is an object, or there is none."""
        types = [each.shape.types for each in self.body if each.kind in (Kind.JSON, Kind.FORM, Kind.MULTIPART)]
        return not self.body or any(not each or (OBJECT in each and "null" not in each) for each in types)

    def response(self, status: int) -> ResponseForm | None:
        """Return the form of the response with a status; None if the contract has none."""
        key = self.endpoint.declared(status)
        return None if key is None else self.responses[key]


def routes(contract: SandboxContract) -> Iterator[Route]:
    """Yield a route for every operation of the contract."""
    return (_route(contract, endpoint) for endpoint in contract.endpoints.values())


@cache
def load_routes() -> tuple[Route, ...]:
    """Return the routes of the contract, made once."""
    return tuple(routes(load_contract()))


def operation_named(name: str) -> Operation:
    """Return the operation with this name or id.

    Raises:
        UnknownOperationError: There is no such operation.
    """
    try:
        return Catalogue()[name]
    except KeyError:
        known = [operation.name for operation in Catalogue()]
        hint = suggestion(name, known) or "; agent_session_platform.operations lists them"
        raise UnknownOperationError(f"there is no operation {name!r}{hint}") from None


@cache
def request_shape(operation_id: str) -> Shape:
    """Return the shape of an operation's request body; it is secret if the whole operation has `x-secret`."""
    contract = load_contract()
    endpoint = contract.endpoints[operation_id]
    if "x-secret" in endpoint.node:
        return Shape(contract, {"x-secret": True})
    schemas = [schema_of(media) for media in endpoint.request_body.get("content", {}).values()]
    return Shape(contract, schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else {})


def _route(contract: SandboxContract, endpoint: Endpoint) -> Route:
    node, responses = endpoint.node, endpoint.responses
    # A status that an Overlay adds stands behind the class that it is one of.
    exact_first = sorted(responses, key=lambda status: status.endswith("XX"))
    status = next((status for first in "23" for status in exact_first if status.startswith(first)), "200")
    failure = next((responses[each] for each in ("default", "4XX", "422") if each in responses), Node())
    problem: Node = failure.get("content", {}).get("application/problem+json", {})
    return Route(
        endpoint=endpoint,
        operation_id=endpoint.id,
        method=endpoint.method,
        path=endpoint.path,
        pattern=_pattern(endpoint.path, {each["name"] for each in endpoint.parameters if each.get("x-wildcard")}),
        path_names=tuple(PLACEHOLDER.findall(endpoint.path)),
        requirement=Requirement.of(endpoint),
        parameters=read_parameters(contract, endpoint),
        body=read_contents(contract, endpoint.request_body),
        body_required=endpoint.request_body.get("required", False),
        success=int(status.replace("XX", "00")),
        responses={status: _response(contract, response) for status, response in responses.items()},
        is_secret="x-secret" in node,
        pagination=node.get("x-pagination"),
        validation_form="application/json" in failure.get("content", {}),
        with_code="error_code" in contract.flatten(schema_of(problem)).get("properties", {}),
    )


def _pattern(path: str, wildcards: set[str]) -> str:
    """Return the path as starlette writes it: a wildcard matches several segments."""
    for index, name in enumerate(PLACEHOLDER.findall(path)):
        path = path.replace(f"{{{name}}}", f"{{p{index}{':path' if name in wildcards else ''}}}")
    # As the path of a request is written, see `http.requests`.
    return quote(path, safe="/{}:%!$&'()*+;=@,")


def _response(contract: SandboxContract, node: Node) -> ResponseForm:
    headers = {name: contract.resolve(header) for name, header in node.get("headers", {}).items()}
    required = {name: Shape(contract, schema_of(each)) for name, each in headers.items() if each.get("required")}
    return ResponseForm(read_contents(contract, node), required)
