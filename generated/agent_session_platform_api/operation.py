# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""Describe operations, and requests for them, as plain values without any I/O or policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import attrs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T_co = TypeVar("T_co", covariant=True)

QueryValue: TypeAlias = str | int | float | bool
"""A query parameter whose type the description does not show."""


@attrs.frozen
class Gap:
    """A fact that the API's description does not show.

    Attributes:
        id: The id that documents and tests cite.
        place: The place in the contract, as a JSON pointer.
        what: What is not shown.
    """

    id: str
    place: str
    what: str


@attrs.frozen
class Rule:
    """A behaviour that the API's description states: the id that documents and tests cite, and the text."""

    id: str
    text: str


@attrs.frozen
class Parameter:
    """A parameter of an operation: where it is sent, and which values it accepts.

    Attributes:
        name: The name on the wire.
        location: `path`, `query` or `body`.
        kind: A JSON type, `date-time`, `file`, or empty where the type is not shown.
        required: It must be given.
        nullable: It accepts null.
        minimum: The least number that it accepts.
        maximum: The greatest number that it accepts.
        wildcard: A path parameter that may have several segments.
    """

    name: str
    location: str
    kind: str = ""
    required: bool = False
    nullable: bool = False
    minimum: float | None = None
    maximum: float | None = None
    wildcard: bool = False


@attrs.frozen(kw_only=True)
class Operation:
    """An operation of the API, with the facts that the description states.

    Attributes:
        id: The operationId of the contract.
        permission: The permission that it requires; None where that is not shown.
        level: `organization` or `enterprise`, where the permission must be held; None where that is not shown.
        credentials: The kinds of credential that it accepts.
        inferred: The reason why it is listed, where the description implies it without stating it.
        media_type: The media type of the request body; None if it has none.
        streamed: It returns a file.
        successor: The operation to use instead of a deprecated one.
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
    deprecated: bool = False
    beta: bool = False
    inferred: str | None = None
    media_type: str | None = None
    streamed: bool = False
    successor: str | None = None
    parameters: tuple[Parameter, ...] = ()
    rules: tuple[Rule, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def name(self) -> str:
        """The name of its method, `organization.sessions.list`; the id where the path is in no scope."""
        return f"{self.scope}.{self.resource}.{self.verb}" if self.scope else self.id

    def __str__(self) -> str:
        return self.name


@attrs.frozen
class Request(Generic[T_co]):
    """One call of an operation that returns a T: its arguments, not yet checked.

    Attributes:
        operation: The operation to call.
        decode: Makes a T from the decoded JSON of a successful response.
    """

    operation: Operation
    decode: Callable[[Any], T_co]
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Mapping[str, Any] | None = None
    extra_body: Mapping[str, Any] | None = None
    files: Mapping[str, Any] | None = None
