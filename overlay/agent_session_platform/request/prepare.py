"""A call as it is sent: its arguments checked once, its path, query and body written."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast
from urllib.parse import quote

from .._api import UNSET, Operation, Request
from ..errors import InvalidArgumentError
from ..options import RequestOptions
from ..text import format_value
from .arguments import NO_MEMBERS, check_argument
from .values import path_texts, with_prefix, write_query

if TYPE_CHECKING:
    from .upload import JsonPart, Upload

ACCEPT = "application/json, application/problem+json"

# RFC 3986, section 2.3: what need not be quoted. Most ids have nothing else, and quoting takes longer than looking.
is_unreserved = re.compile(r"[A-Za-z0-9._~-]+").fullmatch

NO_STYLES: Mapping[str, str] = {}


class PreparedRequest(NamedTuple):
    """A request as it is sent, without base URL and credential.

    Attributes:
        operation: The operation that it is of.
        path: The path, quoted.
        query: The query arguments, checked.
        target: Path and query string.
        content: The body; None when there is none, or when it is a form with files.
        accept: The Accept header.
        media_type: The Content-Type header of `content`.
        headers: Header parameters, cookies and headers of the caller, by lower-case name.
        files: The files of a form.
        form: The other members of a form with files.
        redirects: Whether a redirect is an outcome, which whoever sent the request follows, and not an error.
        styles: How the query arguments that are lists or mappings are written (`Parameter.style`).
    """

    operation: Operation
    path: str
    query: Mapping[str, Any]
    target: str
    content: bytes | None
    accept: str
    media_type: str | None
    headers: Mapping[str, str]
    files: Mapping[str, Upload | JsonPart] = NO_MEMBERS
    form: Mapping[str, str | list[str]] = NO_MEMBERS
    styles: Mapping[str, str] = NO_STYLES
    redirects: bool = False

    def __repr__(self) -> str:
        return f"<PreparedRequest {self.operation}>"

    @property
    def repeatable(self) -> bool:
        """True if it can be sent again; a file that cannot be rewound is gone after the first attempt."""
        return all(upload.repeatable for upload in self.files.values())

    def at_cursor(self, cursor: str | None) -> Self:
        """Return the request of another page of the same list; the cursor is in the query, or in a JSON body."""
        name = self.operation.cursor
        if self.content is not None and name not in self.query:
            members = {key: value for key, value in json.loads(self.content).items() if key != name}
            members |= {} if cursor is None else {name: cursor}
            # Imported with the first body, because it would add to the start-up of every program.
            from .body import json_bytes

            return self._replace(content=json_bytes(members))
        query = {**self.query, name: cursor}
        return self._replace(query=query, target=make_target(self.path, query, self.styles))


def prepare(request: Request[Any], options: RequestOptions) -> PreparedRequest:
    """Check the arguments of a call and write its request.

    Raises:
        InvalidArgumentError: An argument cannot be sent; the message names it.
    """
    operation = request.operation
    arguments = {"path": request.path, "query": request.query, "body": body_members(request.body)}
    if request.headers or request.cookies:
        arguments |= {"header": request.headers or NO_MEMBERS, "cookie": request.cookies or NO_MEMBERS}
    wildcards: list[str] = []
    styles: dict[str, str] = {}
    path_arguments = request.path
    for parameter in operation.parameters:
        if parameter.kind == "file":
            continue
        name = parameter.name
        value: Any = request.body
        if name:
            value = arguments.get(parameter.location, NO_MEMBERS).get(name, UNSET)
        # The most frequent arguments, such as an id, need no further check.
        if value is not UNSET and not (parameter.kind == "string" and value.__class__ is str):
            check_argument(parameter, value)
        if parameter.wildcard:
            wildcards.append(name)
        if parameter.style:
            styles[name] = parameter.style
        if parameter.prefix and isinstance(value, str) and not value.startswith(parameter.prefix):
            path_arguments = {**path_arguments, name: with_prefix(parameter, value)}
    path = write_path(operation.path, path_arguments, wildcards)
    query = with_extra(request, options.extra_query) if options.extra_query else request.query
    content, media_type, files, form = None, None, NO_MEMBERS, NO_MEMBERS
    if request.body is not UNSET or request.extra_body is not None or request.files is not None:
        # Imported with the first body, because it would add to the start-up of every program.
        from .body import write_body

        content, media_type, files, form = write_body(request)
    headers = NO_MEMBERS
    if options.extra_headers or request.headers or request.cookies:
        from .headers import write_headers

        headers = write_headers(request, styles, options.extra_headers or NO_MEMBERS)
    return PreparedRequest(
        operation,
        path,
        query,
        make_target(path, query, styles),
        content,
        accept_header(operation),
        media_type,
        headers,
        files,
        form,
        styles,
    )


def body_members(body: object) -> Mapping[str, Any]:
    """Return the members of a body that is a mapping; none of any other body."""
    return cast("Mapping[str, Any]", body) if body is not UNSET and isinstance(body, Mapping) else NO_MEMBERS


def accept_header(operation: Operation) -> str:
    """Return the Accept header: some servers choose the error format from it, and respond with 406 to any other."""
    if not operation.accept:
        return ACCEPT
    return f"{operation.accept}, application/problem+json{', */*;q=0.5' if operation.streamed else ''}"


def write_path(template: str, values: Mapping[str, Any], wildcards: Collection[str] = ()) -> str:
    """Fill the placeholders of a path.

    A segment is never empty, `.` or `..`: a server would take the path for another one. The value of a wildcard may
    have several segments; the members of an array are joined by commas.

    Args:
        template: The path with its placeholders.
        values: The path arguments by name.
        wildcards: Names of the wildcards.

    Raises:
        InvalidArgumentError: A value cannot be part of a path.
    """
    path = template
    for name, value in values.items():
        # Most ids are like this.
        if value.__class__ is str and is_unreserved(value) and value not in (".", ".."):
            path = path.replace(f"{{{name}}}", value)
            continue
        texts, separator = [value], ","
        if name in wildcards and isinstance(value, str):
            texts, separator = value.split("/"), "/"
        elif value.__class__ is not str:
            texts = path_texts(name, value)
        for text in texts:
            if text in ("", ".", ".."):
                kind = "a path" if separator == "/" else "an id"
                raise InvalidArgumentError(f"{name} must be {kind}, not {format_value(value)}")
        try:
            written = separator.join([text if is_unreserved(text) else quote(text, safe="") for text in texts])
            path = path.replace(f"{{{name}}}", written)
        except UnicodeEncodeError:
            raise InvalidArgumentError(f"{name} has characters that cannot be written in a path") from None
    return path


def make_target(path: str, query: Mapping[str, Any], styles: Mapping[str, str] = NO_STYLES) -> str:
    """Return path and query string; a query argument that is None is not sent."""
    if not query:
        return path
    written = write_query(query, styles)
    return f"{path}?{written}" if written else path


def with_extra(request: Request[Any], extra_query: Mapping[str, Any]) -> dict[str, Any]:
    """Add the caller's query parameters; one that the operation takes by name is refused."""
    named = {parameter.name for parameter in request.operation.parameters if parameter.location == "query"}
    if repeated := sorted(named & extra_query.keys()):
        raise InvalidArgumentError(f"extra_query has {repeated[0]}, which the operation takes by name")
    return {**request.query, **extra_query}
