"""What an operation is, and a request for one: plain values without any I/O or policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T_co = TypeVar("T_co", covariant=True)

QueryValue: TypeAlias = str | int | float | bool
"""A query parameter whose type the description does not show."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A fact that the API's description does not show: its id, its place in the contract and what is missing."""

    id: str
    place: str
    what: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A behaviour that the API's description states: its id and its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation: where it goes and what its value must be.

    `location` is path, query or body; `kind` is a JSON type, `date-time`, `file`, or empty where the type is not shown.
    A wildcard of a path may have several segments.
    """

    name: str
    location: str
    kind: str = ""
    required: bool = False
    nullable: bool = False
    minimum: float | None = None
    maximum: float | None = None
    wildcard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation of the API, with all that the description states about it.

    `permission` and `level` are None where they are not shown. `credentials` lists the kinds of credential that are
    accepted. `inferred` tells why an operation stands here that is implied and not stated. `successor` names the
    operation that a deprecated one is deprecated in favor of. A `streamed` one answers with a file.
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
        """The operation as it is called, `organization.sessions.list`; the id of one that is in no scope."""
        return f"{self.scope}.{self.resource}.{self.verb}" if self.scope else self.id

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Request(Generic[T_co]):
    """One call of an operation that answers with a T: the arguments as they were given, not yet checked."""

    operation: Operation
    decode: Callable[[Any], T_co]
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Mapping[str, Any] | None = None
    extra_body: Mapping[str, Any] | None = None
    files: Mapping[str, Any] | None = None

    def with_query(self, **changes: Any) -> Request[T_co]:
        """The same call with other query arguments."""
        query = {**self.query, **changes}
        return Request(self.operation, self.decode, self.path, query, self.body, self.extra_body, self.files)
