"""The arguments of a call: checked before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from .._api import UNSET, CallOptions, Operation, Parameter, Request
from ..errors import InvalidArgumentError
from ..text import SHOWN_LENGTH, shown
from .upload import Upload
from .wire import write_body, write_form, write_path, write_query, zone_wanted

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a string"),
    "integer": ((int,), "an integer"),
    "number": ((int, float), "a number"),
    "boolean": ((bool,), "a boolean"),
    "array": ((list, tuple, set, frozenset), "a list"),
    "object": ((Mapping,), "a mapping"),
    "date-time": ((datetime, str), "a datetime or ISO 8601 text"),
}

CURRENT_CREDENTIALS = ("serviceUser", "personalAccessToken")

# Some servers choose the form of an error by what is accepted, and answer 406 or a silent 200 when it is not listed.
ACCEPT = "application/json, application/problem+json"
ACCEPT_FILE = "application/octet-stream, application/problem+json, */*;q=0.5"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request as it goes over the wire, without address and credential."""

    operation: Operation
    target: str
    content: bytes | None
    accept: str
    media_type: str | None
    extra_headers: Mapping[str, str]
    files: Mapping[str, Upload] = field(default_factory=lambda: dict[str, Upload]())
    form: Mapping[str, str | list[str]] = field(default_factory=lambda: dict[str, "str | list[str]"]())

    @property
    def repeatable(self) -> bool:
        """Whether it can be sent again: a file that cannot be rewound is gone after the first try."""
        return all(upload.repeatable for upload in self.files.values())


def prepare(request: Request[Any], options: CallOptions) -> Prepared:
    """Check the arguments of *request* and write it; raises InvalidArgumentError with the argument's name."""
    operation = request.operation
    files = {name: Upload(name, source) for name, source in (request.files or {}).items() if source is not UNSET}
    arguments: dict[str, Mapping[str, Any]] = {"path": request.path, "query": request.query, "body": request.body or {}}
    for parameter in operation.parameters:
        if parameter.kind == "file" and parameter.location == "body":
            continue
        given = arguments[parameter.location]
        check(parameter, given.get(parameter.name), parameter.name in given)
    wildcards = {parameter.name for parameter in operation.parameters if parameter.wildcard}
    path = write_path(operation.path, request.path, wildcards)
    query = write_query(with_extra(request, options.extra_query) if options.extra_query else request.query)
    form = write_form(request) if files else {}
    content = None if files else write_body(request)
    return Prepared(
        operation,
        f"{path}?{query}" if query else path,
        content,
        ACCEPT_FILE if operation.streamed else ACCEPT,
        None if content is None else operation.media_type or "application/json",
        {name.lower(): value for name, value in (options.extra_headers or {}).items()},
        files,
        form,
    )


def with_extra(request: Request[Any], extra_query: Mapping[str, Any]) -> dict[str, Any]:
    """The query arguments with what the contract does not know; a parameter that the operation takes is refused."""
    taken = {parameter.name for parameter in request.operation.parameters if parameter.location == "query"}
    if repeated := sorted(taken & extra_query.keys()):
        raise InvalidArgumentError(f"extra_query has {repeated[0]}, which the operation takes by name")
    return {**request.query, **extra_query}


def check(parameter: Parameter, value: Any, given: bool = True) -> None:
    """Check one value against what the contract says of its parameter."""
    name = parameter.name
    if value is UNSET or not given or (value is None and (parameter.nullable or parameter.location == "query")):
        return
    if parameter.kind:
        types, wanted = KINDS[parameter.kind]
        # For Python a bool is an int; for JSON it is not.
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            hint = f"; write [{shown(value)}]" if parameter.kind == "array" and isinstance(value, str) else ""
            raise InvalidArgumentError(f"{name} must be {wanted}, not {shown(value)}{hint}")
    if isinstance(value, datetime) and value.tzinfo is None:
        raise InvalidArgumentError(f"{name} {zone_wanted(value)}")
    if isinstance(value, int | float):
        check_range(parameter, value)


def check_range(parameter: Parameter, value: float) -> None:
    """Check a number against the bounds that the contract states."""
    low, high = parameter.minimum, parameter.maximum
    if (low is None or value >= low) and (high is None or value <= high):
        return
    bounds = f"at most {high}" if low is None else f"at least {low}" if high is None else f"between {low} and {high}"
    raise InvalidArgumentError(f"{parameter.name} must be {bounds}, not {shown(value)}")


def raw_request(
    method: str,
    path: str,
    query: Mapping[str, Any] | None,
    body: Mapping[str, Any] | None,
    find: Callable[[str, str], Operation | None] = lambda method, path: None,
) -> Request[Any]:
    """Make a request of which only method and path are given; raises InvalidArgumentError.

    *find* looks up the operation that it may be of, for what is known of its permission and credentials.
    """
    for argument, text in (("method", method), ("path", path)):
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"{argument} must be a string, not {shown(text)}")
    if not (query is None or isinstance(query, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]  # as above
        raise InvalidArgumentError(f"query must be a mapping, not {shown(query)}")
    if not method.isalpha() or not method.isascii():
        raise InvalidArgumentError(f"method must be an HTTP method such as 'GET', not {method[:SHOWN_LENGTH]!r}")
    if not path.startswith("/") or path.startswith("//"):
        raise InvalidArgumentError(f"path must begin with one slash and name no host, not {path[:SHOWN_LENGTH]!r}")
    if "?" in path or "#" in path:
        raise InvalidArgumentError("path must have no query and no fragment; pass query={...}")
    if any(unquote(segment) in (".", "..") for segment in path.split("/")) or not path.isprintable() or " " in path:
        raise InvalidArgumentError(f"path must be written out and quoted, not {path[:SHOWN_LENGTH]!r}")
    known = find(method, path)
    if known is not None:
        # Nothing is checked that the caller did not ask for, and the path stands already.
        operation = replace(known, path=path, parameters=(), paginated=False, streamed=False)
    else:
        operation = Operation(
            id=f"{method.upper()} {path}",
            method=method.upper(),
            path=path,
            scope="",
            resource="",
            verb="",
            # Part Authentication, rule 5: legacy keys work on v1 and v2 paths.
            credentials=CURRENT_CREDENTIALS if path.startswith("/v3") else (),
        )
    return Request(operation, _as_it_came, {}, query or {}, body)


def _as_it_came(payload: Any) -> Any:
    return payload
