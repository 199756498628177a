"""The contract as the sandbox reads it: what each operation takes, returns and requires."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import Final
from urllib.parse import quote

import attrs
from agent_session_platform import Operation, operations
from agent_session_platform.contract import PLACEHOLDER, Endpoint, Node, load, schema_of

from .problems import PROBLEM, UnknownNameError, must, suggestion
from .validation import ANY, ARRAY, OBJECT, SandboxContract, Shape, load_contract

PATH: Final = "path"
QUERY: Final = "query"
HEADER: Final = "header"
BODY: Final = "body"
SECRET: Final = {"x-secret": True}

# The contract may declare these headers, but other parts of the contract define them.
OF_HTTP: Final = frozenset({"accept", "authorization", "content-type"})

ENTERPRISE: Final = "enterprise"
ORGANIZATION: Final = "organization"
KINDS: Final = tuple(load().credential_kinds)
LEVELS: Final = {ENTERPRISE: None, ORGANIZATION: None}
for _endpoint in load().endpoints.values():
    LEVELS.setdefault(_endpoint.node.get("x-permission-level", ORGANIZATION))


class Kind(Enum):
    """The formats of a body."""

    JSON = "JSON"
    MULTIPART = "a multipart form"
    TEXT = "text"
    BYTES = "bytes"


# A test checks that this list is equal to the SDK's list in `codegen/contract/content.py`.
TEXT_TYPES = ("xml", "yaml", "x-yaml", "csv", "javascript", "toml", "sql", "graphql")


@attrs.frozen
class Parameter:
    """A parameter of an operation, or a field of a multipart form.

    Attributes:
        name: Name of the parameter. The name of a header may be written in any case.
        location: `path`, `query` or `header`; `body` for a field of a form.
        shape: Shape of the value.
        is_json: True if the value is written as JSON, as an object in a form is.
        required: True if a request must have it.
        is_secret: True if the value is a secret.
    """

    name: str
    location: str
    shape: Shape
    is_json: bool
    required: bool = False
    is_secret: bool = False

    @classmethod
    def of_node(cls, contract: SandboxContract, node: Node) -> Parameter:
        """Return the parameter that a node of the contract describes."""
        name, location, shape = node["name"], node["in"], Shape(contract, schema_of(node))
        is_secret = "x-secret" in node or shape.is_secret
        return cls(name, location, shape, False, node.get("required", False), is_secret)

    @property
    def is_list(self) -> bool:
        """True if the value is an array."""
        return ARRAY in self.shape.types and not self.is_json

    @property
    def is_object(self) -> bool:
        """True if the value is an object."""
        return OBJECT in self.shape.types


@attrs.frozen
class Content:
    """A body in one media type.

    Attributes:
        media_type: The media type as the contract writes it; it may be a range, such as `image/*`.
        kind: The format of the body.
        shape: The shape of the body.
    """

    media_type: str
    kind: Kind
    shape: Shape

    @classmethod
    def of_node(cls, contract: SandboxContract, media_type: str, media: Node) -> Content:
        """Return the body that the contract describes for a media type."""
        kind, given = kind_of(media_type), contract.examples(media)
        schema = schema_of(media)
        if given:
            schema = {"allOf": [schema], "example": given[0]}
        shape = Shape(contract, schema)
        is_range = media_type.startswith(("*/*", "application/*"))
        if kind is Kind.BYTES and is_range and shape.types and "string" not in shape.types:
            kind = Kind.JSON
        return cls(media_type, kind, shape)

    @property
    def is_range(self) -> bool:
        """True if the media type is a range."""
        return "*" in self.media_type

    def field(self, name: str) -> Parameter:
        """Return a field of a form. A field that is an object is written as JSON."""
        shape = self.shape.member(name)
        return Parameter(name, BODY, shape, OBJECT in shape.types)

    def covers(self, media_type: str) -> bool:
        """Return whether another media type is equal to this media type, or is in its range."""
        return fnmatchcase(essence(media_type), essence(self.media_type))


def read_contents(contract: SandboxContract, node: Node) -> tuple[Content, ...]:
    """Return the contents of a request body or of a response."""
    return tuple(Content.of_node(contract, *each) for each in node.get("content", {}).items())


def find_content(contents: Iterable[Content], media_type: str) -> Content | None:
    """Return the content that fits a media type: the same type, a range that contains it, or for JSON any JSON type."""
    covering: list[Content] = []
    of_json: list[Content] = []
    for content in contents:
        if content.covers(media_type):
            covering.append(content)
        if content.kind is Kind.JSON and kind_of(media_type) is Kind.JSON:
            of_json.append(content)
    return min(covering or of_json, key=lambda content: content.media_type.count("*"), default=None)


def essence(media_type: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def kind_of(media_type: str) -> Kind:
    """Return the format of a body that has a media type."""
    whole = essence(media_type)
    family, _, name = whole.partition("/")
    if whole == "application/json" or name.endswith("+json"):
        return Kind.JSON
    if family == "multipart":
        return Kind.MULTIPART
    if family == "text" or name in TEXT_TYPES or name.endswith("+xml"):
        return Kind.TEXT
    return Kind.BYTES


is_kind: Final = must(f"be one of {', '.join(KINDS)}", KINDS.__contains__)
is_level: Final = must(f"be one of {', '.join(LEVELS)}", LEVELS.__contains__)


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
        """Return the requirement that the contract states. If the contract has no level, the path decides the level."""
        kinds: list[str] = []
        permissions: list[str] = []
        for entry in endpoint.node.get("security", ()):
            for kind, names in entry.items():
                kinds.append(kind)
                permissions += names
        level = ORGANIZATION
        if ENTERPRISE in endpoint.path.split("/"):
            level = ENTERPRISE
        level = endpoint.node.get("x-permission-level", level)
        return cls(tuple(kinds), tuple(dict.fromkeys(permissions)), level)


@attrs.frozen
class ResponseForm:
    """The form of the responses with one status.

    Attributes:
        contents: The media types; empty if the response has no body.
        headers: The required headers.
    """

    contents: tuple[Content, ...]
    headers: Mapping[str, Shape]

    @classmethod
    def of_node(cls, contract: SandboxContract, node: Node) -> ResponseForm:
        """Return the form of a response of the contract."""
        required: dict[str, Shape] = {}
        for name, header in node.get("headers", {}).items():
            resolved = contract.resolve(header)
            if resolved.get("required"):
                required[name] = Shape(contract, schema_of(resolved))
        return cls(read_contents(contract, node), required)


class Route:
    """One operation as the sandbox serves it.

    Attributes:
        contract: The contract.
        endpoint: The operation in the contract.
        operation_id: Id of the operation.
        method: The HTTP method, in capital letters.
        path: The path, with its placeholders.
        pattern: The path for starlette. Its path parameters are numbered, because their names may be any text.
        path_names: The names of the path parameters, in the order of the path.
        requirement: The credential that the contract requires.
        parameters: The parameters by location and name.
        body: The media types of the request body; empty if it has none.
        body_required: True if a request must have a body.
        success: The first status of a success in the contract; an exact status such as `201` counts before `2XX`.
        responses: The responses by status, such as `200`, `2XX` and `default`.
        contents: The media types of a successful response; empty if it has no body.
        with_code: True if problem details have an `error_code`.
    """

    def __init__(self, contract: SandboxContract, endpoint: Endpoint) -> None:
        responses = endpoint.responses
        # An Overlay adds an exact status such as `201` at the end, after `2XX`.
        statuses = sorted(responses, key=lambda status: (status[0], status.endswith("XX")))
        success = next((status for status in statuses if status[0] in "23"), "200")
        failure = next((responses[each] for each in ("default", "4XX", "422") if each in responses), Node())
        problem: Node = failure.get("content", {}).get(PROBLEM, {})
        pattern, path_names = endpoint.path, tuple(PLACEHOLDER.findall(endpoint.path))
        for index, name in enumerate(path_names):
            # A wildcard parameter matches several segments.
            suffix = ":path" if endpoint.parameter(PATH, name).get("x-wildcard") else ""
            pattern = pattern.replace(f"{{{name}}}", f"{{p{index}{suffix}}}")
        self.contract = contract
        self.endpoint = endpoint
        self.operation_id = endpoint.id
        self.method = endpoint.method
        self.path = endpoint.path
        # The encoding must be that of `server.path_as_sent`.
        self.pattern = quote(pattern, safe="/{}:%!$&'()*+;=@,")
        self.path_names = path_names
        self.requirement = Requirement.of(endpoint)
        self.parameters: dict[str, dict[str, Parameter]] = {PATH: {}, QUERY: {}, HEADER: {}}
        for node in endpoint.parameters:
            if node["in"] != HEADER or node["name"].lower() not in OF_HTTP:
                self.parameters[node["in"]][node["name"]] = Parameter.of_node(contract, node)
        self.body = read_contents(contract, endpoint.request_body)
        self.body_required: bool = endpoint.request_body.get("required", False)
        self.success = int(success.replace("XX", "00"))
        self.responses = {status: ResponseForm.of_node(contract, node) for status, node in responses.items()}
        succeeded = self.response(self.success)
        self.contents: tuple[Content, ...] = succeeded.contents if succeeded else ()
        self.with_code = "error_code" in contract.flatten(schema_of(problem)).get("properties", {})

    @cached_property
    def body_members(self) -> dict[str, Shape]:
        """The members that the contract shows of the request body, in any of its media types."""
        members: dict[str, Shape] = {}
        for content in self.body:
            members |= content.shape.members
        return members

    def is_secret(self, member: str) -> bool:
        """Return whether a member of the body is a secret."""
        return any(content.shape.member(member).is_secret for content in self.body)

    def shows(self, member: str) -> bool:
        """Return whether the contract shows a member of the body, or that the body does not have it."""
        return all(member in each.shape.members or not each.shape.is_open for each in self.body)

    @property
    def takes_object(self) -> bool:
        """True if the operation takes an object as its body, or takes no body."""
        for content in self.body:
            types = content.shape.types
            if content.kind in (Kind.JSON, Kind.MULTIPART) and (not types or (OBJECT in types and "null" not in types)):
                return True
        return not self.body

    @property
    def takes_no_object(self) -> bool:
        """True if the contract shows the body, and it is never an object."""
        return all(content.shape.types and OBJECT not in content.shape.types for content in self.body)

    def response(self, status: int) -> ResponseForm | None:
        """Return the form of the response with a status; None if the contract has no such response."""
        return self.responses.get(self.endpoint.declared(status) or "")


def routes(contract: SandboxContract) -> Iterator[Route]:
    """Yield a route for every operation of the contract."""
    return (Route(contract, endpoint) for endpoint in contract.endpoints.values())


@cache
def load_routes() -> tuple[Route, ...]:
    """Return the routes of the contract, which are made only once."""
    return tuple(routes(load_contract()))


class UnknownOperationError(UnknownNameError):
    """There is no operation of that name. The message suggests the closest one."""


def operation_named(name: str) -> Operation:
    """Return the operation with this name or id.

    Raises:
        UnknownOperationError: There is no such operation.
    """
    try:
        return operations[name]
    except KeyError:
        hint = (
            suggestion(name, (operation.name for operation in operations))
            or "; agent_session_platform.operations lists them"
        )
        raise UnknownOperationError(f"there is no operation {name!r}{hint}") from None


def request_shape(operation_id: str, contract: SandboxContract | None = None) -> Shape:
    """Return the shape of an operation's request body; the shape is secret if the operation has `x-secret`."""
    contract = contract or load_contract()
    endpoint = contract.endpoints[operation_id]
    if "x-secret" in endpoint.node:
        return contract.shape(SECRET)
    schemas = map(schema_of, endpoint.request_body.get("content", ANY).values())
    return contract.shape_of_any([*schemas])
