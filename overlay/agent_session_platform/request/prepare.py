"""A call as it is sent: its arguments checked once, its path, query and body written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import attrs

from .._api import UNSET, Operation, Request
from ..errors import InvalidArgumentError
from ..options import RequestOptions
from .arguments import check_argument
from .upload import Upload
from .wire import write_body, write_form, write_path, write_query

# Some servers choose the form of an error by what is accepted, and respond with 406 or an empty 200 to anything else.
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
    extra_headers: Mapping[str, str] = attrs.field(repr=sorted)
    files: Mapping[str, Upload] = NO_FILES
    form: Mapping[str, str | list[str]] = attrs.field(default=NO_MEMBERS, repr=False)

    @property
    def repeatable(self) -> bool:
        """Whether it can be sent again; a file that cannot be rewound is gone after the first attempt."""
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
        check_argument(parameter, arguments[parameter.location].get(parameter.name, UNSET))
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
