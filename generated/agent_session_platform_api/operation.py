# Copied from codegen/render/runtime/ by codegen/render/generate.py: change that folder, not this file.
"""Describe operations, their requests and their responses as plain values, without any I/O or policy."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, Never, TypeAlias, TypeVar

import attrs

from .contract import Gap, Rule, load
from .encoding import UNSET

if TYPE_CHECKING:
    from typing_extensions import deprecated as deprecated

    Refused: TypeAlias = Never
else:
    # The type of keywords that a method does not take. A type checker refuses them, and at run time the client does,
    # with a message that says what to write instead.
    Refused = Any

    def deprecated(message: str) -> Any:
        """Mark a method for editors and type checkers only; `warn` warns at run time."""
        return lambda method: method


T_co = TypeVar("T_co", covariant=True)

QueryValue: TypeAlias = str | int | float | bool
"""A query parameter whose type the description does not show."""


class CallOptions:
    """Settings of a single call: pass an `agent_session_platform.RequestOptions`, which has all of them."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        # For frameworks that check the arguments of a method. The client checks the options itself.
        return handler.generate_schema(Any)


@attrs.frozen
class Parameter:
    """A parameter of an operation: where it is sent, and which values it accepts.

    Attributes:
        name: The name on the wire.
        location: `path`, `query`, `header` or `body`; a `body` without a name is the whole body.
        kind: A JSON type, `date-time`, `date`, `uuid`, `duration`, `file`, or empty if the parameter has several types
            or none.
        required: Whether the parameter must be given.
        nullable: Whether it accepts null.
        minimum: The least number that it accepts.
        maximum: The greatest number that it accepts.
        argument_name: The name of the argument of the method; another one than `name` where Python does not allow that.
        wildcard: Whether it is a path parameter that may have several segments.
        prefix: How ids of this kind begin; empty where that is not shown.
        adds_prefix: Whether the prefix is added to an id without it.
    """

    name: str
    location: str
    kind: str = ""
    required: bool = False
    nullable: bool = False
    minimum: float | None = None
    maximum: float | None = None
    wildcard: bool = False
    prefix: str = ""
    adds_prefix: bool = False
    argument_name: str = attrs.field(default=attrs.Factory(attrgetter("name"), takes_self=True))


def name_of(operation: Operation) -> str:
    """Return the name of the method of an operation; the id if its path belongs to no scope."""
    if not operation.scope:
        return operation.id
    return f"{operation.scope}.{operation.resource}.{operation.verb}"


@attrs.frozen(kw_only=True)
class Operation:
    """An operation of the API, with the facts that the description states.

    Attributes:
        id: The operationId of the contract.
        name: The name of its method, such as `organization.sessions.list`; the id if the path belongs to no scope.
        permission: The permission that it requires; None where that is not shown.
        level: `organization` or `enterprise`, where the permission must be held; None where that is not shown.
        credentials: The kinds of credential that it accepts.
        inferred: The reason why the operation is listed, if the description only implies that it exists.
        cursor: The argument of a paginated list that takes the cursor.
        media_type: The media type of the request body; None if the operation takes no body.
        optional_body: Whether the request body may be left out.
        takes_members: Whether the method takes members of the request body that the description does not show, as
            keywords.
        accept: The media types of the response; empty if the response is always JSON.
        streamed: Whether its response is a file, which is read as it comes.
        successor: The operation to use instead of a deprecated one.
        job: The method of the resource that polls this operation, `wait` or `follow_messages`; empty if there is no
            such method.
        shared_list: The id of the list that many waits read together, if the credential may read it; empty if there is
            no such list.
        states: What the states of the object that it reads mean, `done`, `waiting` and `failed`, each as values by
            field. The description names none; a private build may.
    """

    id: str
    method: str
    path: str
    scope: str
    resource: str
    verb: str
    summary: str = ""
    permission: str | None = None
    level: str | None = None
    credentials: tuple[str, ...] = ()
    paginated: bool = False
    cursor: str = "after"
    deprecated: bool = False
    beta: bool = False
    inferred: str | None = None
    media_type: str | None = None
    optional_body: bool = False
    takes_members: bool = False
    accept: str = ""
    streamed: bool = False
    successor: str | None = None
    job: str = ""
    shared_list: str = ""
    states: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict[str, Mapping[str, Any]], hash=False)
    parameters: tuple[Parameter, ...] = attrs.field(default=(), hash=False)
    name: str = attrs.field(init=False, eq=False, default=attrs.Factory(name_of, takes_self=True))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that hold for the operation; empty if the operation is not in the contract."""
        endpoint = load().endpoints.get(self.id)
        return endpoint.rules if endpoint else ()

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The facts about the operation that the description does not show; empty if it is not in the contract."""
        endpoint = load().endpoints.get(self.id)
        return endpoint.gaps if endpoint else ()

    def __str__(self) -> str:
        return self.name


def warn(operation: Operation) -> None:
    """Warn of a deprecated operation, at the line that calls its method."""
    instead = f"; use {operation.successor}" if operation.successor else ""
    warnings.warn(f"{operation} is deprecated{instead}", DeprecationWarning, stacklevel=3)


@attrs.define(eq=False, repr=False)
class Request(Generic[T_co]):
    """One call of an operation that returns a T. The arguments are not checked yet, and the repr does not show them.

    Attributes:
        operation: The operation to call.
        decode: Makes a T from the decoded JSON of a successful response; `decode_text` and `decode_nothing` stand for
            a response that is text or is not read.
        body: The members of the body by name, or a whole body of any other kind; UNSET for no body.
        extra_body: More members of the body.
        members: More members of the body, which were keywords; if the operation takes none, all of them are refused.
        files: The files of a form.
        headers: The header parameters.
        by_status: For some statuses, a function to use instead of `decode`.
        options: The settings of the call; None for the client's.
    """

    operation: Operation
    decode: Callable[[Any], T_co]
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Any = UNSET
    extra_body: Mapping[str, Any] | None = None
    files: Mapping[str, Any] | None = None
    headers: Mapping[str, Any] | None = None
    by_status: Mapping[int, Callable[[Any], T_co]] | None = None
    options: CallOptions | None = None
    members: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        return f"<Request of {self.operation}>"


# Headers in which servers and gateways send the id that their logs have; the first one found is used.
REQUEST_ID_HEADERS = (
    *("x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "x-amz-request-id", "x-amzn-trace-id"),
    *("x-cloud-trace-context", "x-trace-id", "cf-ray"),
)


@attrs.frozen
class ReceivedResponse:
    """The response that ended a call, without its body.

    Attributes:
        operation: The operation that was called.
        status: HTTP status code.
        headers: The headers by lower-case name; several headers of one name are joined by commas. Set-Cookie, the
            credential and the query of a Location are left out.
        attempts: How many attempts the call made, including the one with this response.
        elapsed: Seconds from the beginning of the call to this response, waits and earlier attempts included.
    """

    operation: Operation = attrs.field(repr=str)
    status: int
    headers: Mapping[str, str] = attrs.field(repr=lambda headers: repr(sorted(headers)), hash=False)
    attempts: int
    elapsed: float

    @property
    def request_id(self) -> str | None:
        """The id under which the server, or a gateway before it, logs the request; None if the response has no id."""
        return next((self.headers[name] for name in REQUEST_ID_HEADERS if self.headers.get(name)), None)
