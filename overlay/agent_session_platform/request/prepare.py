"""A call as it is sent: its arguments checked once, its path, query and body written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Self, cast
from urllib.parse import quote, urlencode

import attrs

from .._api import UNSET, Operation, Request
from ..errors import InvalidArgumentError
from ..options import RequestOptions, header_names
from ..text import format_value
from .arguments import LIST_TYPES, check_argument, check_timezone
from .body import write_body, write_form
from .upload import Upload

QUERY_TYPES = (str, int, float, bool)

# Some servers choose the error format from the Accept header, and respond with 406 or an empty 200 to any other.
ACCEPT = "application/json, application/problem+json"
ACCEPT_FILE = "application/octet-stream, application/problem+json, */*;q=0.5"

NO_FILES: Mapping[str, Upload] = {}
NO_MEMBERS: Mapping[str, Any] = {}


@attrs.frozen(eq=False)
class PreparedRequest:
    """A request as it is sent, without base URL and credential.

    Attributes:
        operation: The operation that it is of.
        path: The path, quoted.
        query: The query arguments, checked.
        target: Path and query string.
        content: The body; None when there is none, or when it is a form.
        accept: The Accept header.
        media_type: The Content-Type header of `content`.
        extra_headers: Headers of the caller, by lower-case name.
        files: The files of a form.
        form: The other members of a form.
    """

    operation: Operation
    path: str
    query: Mapping[str, Any] = attrs.field(repr=False)
    target: str = attrs.field(repr=False)
    content: bytes | None = attrs.field(repr=False)
    accept: str
    media_type: str | None
    extra_headers: Mapping[str, str] = attrs.field(repr=header_names)
    files: Mapping[str, Upload] = NO_FILES
    form: Mapping[str, str | list[str]] = attrs.field(default=NO_MEMBERS, repr=False)

    @property
    def repeatable(self) -> bool:
        """True if it can be sent again; a file that cannot be rewound is gone after the first attempt."""
        return all(upload.repeatable for upload in self.files.values())

    def at_cursor(self, cursor: str | None) -> Self:
        """Return the request of another page of the same list."""
        query = {**self.query, "after": cursor}
        return attrs.evolve(self, query=query, target=make_target(self.path, query))


def prepare(request: Request[Any], options: RequestOptions) -> PreparedRequest:
    """Check the arguments of a call and write its request.

    Raises:
        InvalidArgumentError: An argument cannot be sent; the message names it.
    """
    operation = request.operation
    arguments = {"path": request.path, "query": request.query, "body": request.body or NO_MEMBERS}
    wildcards: list[str] = []
    for parameter in operation.parameters:
        if parameter.kind == "file":
            continue
        value = arguments[parameter.location].get(parameter.name, UNSET)
        # The most frequent arguments, such as an id, need no further check.
        if value is not UNSET and not (parameter.kind == "string" and value.__class__ is str):
            check_argument(parameter, value)
        if parameter.wildcard:
            wildcards.append(parameter.name)
    path = write_path(operation.path, request.path, wildcards)
    query = with_extra(request, options.extra_query) if options.extra_query else request.query
    files, form, content = NO_FILES, NO_MEMBERS, None
    if request.files:
        files = {name: Upload(name, source) for name, source in request.files.items() if source is not UNSET}
    if files:
        form = write_form(request.body, request.extra_body)
    elif request.body is not None or request.extra_body is not None:
        content = write_body(request.body, request.extra_body)
    return PreparedRequest(
        operation,
        path,
        query,
        make_target(path, query),
        content,
        ACCEPT_FILE if operation.streamed else ACCEPT,
        None if content is None else operation.media_type or "application/json",
        {name.lower(): value for name, value in options.extra_headers.items()} if options.extra_headers else NO_MEMBERS,
        files,
        form,
    )


def make_target(path: str, query: Mapping[str, Any]) -> str:
    """Return path and query string; a query argument that is None is not sent."""
    if not query:
        return path
    written = write_query(query)
    return f"{path}?{written}" if written else path


def with_extra(request: Request[Any], extra_query: Mapping[str, Any]) -> dict[str, Any]:
    """Add the caller's query parameters; one that the operation takes by name is refused."""
    named = {parameter.name for parameter in request.operation.parameters if parameter.location == "query"}
    if repeated := sorted(named & extra_query.keys()):
        raise InvalidArgumentError(f"extra_query has {repeated[0]}, which the operation takes by name")
    return {**request.query, **extra_query}


def write_path(template: str, values: Mapping[str, Any], wildcards: Collection[str] = ()) -> str:
    """Fill the placeholders of a path.

    A segment is never empty, `.` or `..`: a server would take the path for another one. The value of a wildcard may
    have several segments.

    Args:
        template: The path with its placeholders.
        values: The path arguments by name.
        wildcards: Names of the wildcards.

    Raises:
        InvalidArgumentError: A value cannot be part of a path.
    """
    path = template
    for name, value in values.items():
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise InvalidArgumentError(f"{name} must be a string, not {format_value(value)}")
        is_wildcard = name in wildcards
        segments = str(value).split("/") if is_wildcard else [str(value)]
        for index, segment in enumerate(segments):
            if segment in ("", ".", ".."):
                raise InvalidArgumentError(f"{name} must be {'a path' if is_wildcard else 'an id'}, not {value!r}")
            try:
                segments[index] = quote(segment, safe="")
            except UnicodeEncodeError:
                raise InvalidArgumentError(f"{name} has characters that cannot be written in a path") from None
        path = path.replace(f"{{{name}}}", "/".join(segments))
    return path


def write_query(values: Mapping[str, Any]) -> str:
    """Write a query string: None is left out, and a list repeats its name."""
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if value is None or value is UNSET:
            continue
        values_of_name = cast("Iterable[Any]", value) if isinstance(value, LIST_TYPES) else (value,)
        pairs.extend((name, _query_text(name, each)) for each in values_of_name)
    try:
        return urlencode(pairs)
    except UnicodeEncodeError:
        raise InvalidArgumentError("the query has half of a surrogate pair, which UTF-8 cannot write") from None


def _query_text(name: str, value: Any) -> str:
    if isinstance(value, datetime):
        check_timezone(name, value)
        return value.isoformat()
    if not isinstance(value, QUERY_TYPES):
        raise InvalidArgumentError(
            f"{name} must be a string, a number or a boolean in a query, not {format_value(value)}"
        )
    return str(value).lower() if isinstance(value, bool) else str(value)
