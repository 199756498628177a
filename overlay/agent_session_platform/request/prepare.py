"""Prepare a call: check its arguments once, and write its path, query, headers and body."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self, cast
from urllib.parse import unquote

import attrs

from .._api import ID_PREFIXES, UNSET, CallOptions, Operation, Parameter, Request, to_json
from ..catalogue import check_members, operations, pattern_of, with_prefix
from ..contract import PLACEHOLDER
from ..errors import InvalidArgumentError
from ..options import RequestOptions
from ..text import (
    JSON,
    MAX_VALUE_TEXT,
    format_value,
    has_dot_segments,
    percent_encode_path,
    plain_text,
    public_part,
)
from .arguments import check_argument, flat_texts, json_text, percent_encode, write_query
from .body import Body, json_bytes, write_body

ACCEPT = "application/json, application/problem+json"

# An empty mapping, for example for a call without query arguments; it is never changed.
EMPTY: Mapping[str, Any] = {}


class PreparedRequest(NamedTuple):
    """A request as it is sent, without base URL and credential.

    Attributes:
        request: The request of the facade: its arguments, and how to decode the response.
        options: The options of the call.
        operation: The operation that is called.
        path: The path, quoted.
        query: The query arguments, checked.
        target: Path and query string.
        body: The body; a form is opened for each attempt (`open_form`).
        accept: The Accept header.
        headers: Header parameters and headers of the caller, by lower-case name.
        styles: How the query arguments that are lists or mappings are written (`Parameter.style`).
    """

    request: Request[Any]
    options: RequestOptions
    operation: Operation
    path: str
    query: Mapping[str, Any]
    target: str
    body: Body
    accept: str
    headers: Mapping[str, str]
    styles: Mapping[str, str] = EMPTY

    def __repr__(self) -> str:
        return f"<PreparedRequest {self.operation}>"

    @property
    def repeatable(self) -> bool:
        """True if the request can be sent again; a file that cannot be rewound is used up by the first attempt."""
        return self.body.form is None or self.body.form.repeatable

    def at_cursor(self, cursor: str | None) -> Self:
        """Return the request of another page of the same list; the cursor is in the query, or in a JSON body."""
        name, parameter = self.operation.cursor, cursor_in_body(self.operation)
        if parameter is None:
            query = {**self.query, name: cursor}
            return self._replace(query=query, target=make_target(self.path, query, self.styles))
        content = self.body.content
        if cursor is None and content is None:
            return self
        members = {key: value for key, value in json.loads(content or b"{}").items() if key != name}
        value = cursor_argument(parameter, cursor)
        written = json_bytes(members if value is None else {**members, name: value})
        return self._replace(body=Body(written, self.operation.media_type or JSON))


def cursor_in_body(operation: Operation) -> Parameter | None:
    """Return the parameter of a cursor that is a member of the body; None if the cursor is a query argument.

    As for styles (see `arguments`), only `tests/codegen/shapes` has such a list today.
    """
    in_body = (parameter for parameter in operation.parameters if parameter.location == "body")
    return next((parameter for parameter in in_body if parameter.name == operation.cursor), None)


def cursor_argument(parameter: Parameter, cursor: str | None) -> str | int | None:
    """Return a cursor as the value of its parameter, which may be an integer."""
    return int(cursor) if cursor and parameter.kind == "integer" and cursor.isdecimal() else cursor


def cursor_of(request: Request[Any]) -> str | None:
    """Return the cursor of a request as text, whatever its type is; None is the beginning of the list."""
    arguments = request.query if cursor_in_body(request.operation) is None else members_of(request.body)
    after = arguments.get(request.operation.cursor)
    return None if after is UNSET or after is None else plain_text(to_json(after))


def prepare(request: Request[Any], options: RequestOptions) -> PreparedRequest:
    """Check the arguments of a call and write its request.

    Raises:
        InvalidArgumentError: An argument cannot be sent; the message names it.
    """
    operation, body = request.operation, request.body
    arguments: dict[str, Mapping[str, Any]] = {
        "path": request.path,
        "query": request.query,
        "header": request.headers or EMPTY,
        # A parameter without a name is the whole body.
        "body": {"": body, **members_of(body)},
    }
    path = operation.path
    headers: dict[str, str] = {}
    styles: dict[str, str] = {}
    for parameter in operation.parameters:
        value: Any = arguments[parameter.location].get(parameter.name, UNSET)
        if value is not UNSET and parameter.kind != "file":
            check_argument(parameter, value)
        if parameter.location == "path":
            path = fill_path(path, parameter, value)
        elif parameter.location == "header" and value is not UNSET and value is not None:
            headers[parameter.name.lower()] = header_text(parameter, value)
        elif parameter.location == "query" and parameter.style:
            styles[parameter.name] = parameter.style
    query = merge_query(request, options.extra_query or EMPTY)
    if request.members:
        check_members(operation, request.members)
    has_body = body is not UNSET or request.extra_body is not None or request.files is not None or bool(request.members)
    if operation.takes_members and not has_body and not operation.optional_body:
        raise InvalidArgumentError(f"{operation} needs a body: give its members as keywords, or all of it as body=")
    return PreparedRequest(
        request=request,
        options=options,
        operation=operation,
        path=path,
        query=query,
        target=make_target(path, query, styles),
        body=write_body(request) if has_body else Body(),
        accept=accept_header(operation),
        headers=merge_headers(headers, options.extra_headers or EMPTY),
        styles=styles,
    )


def members_of(body: object) -> Mapping[str, Any]:
    """Return the members of a body that is a mapping; an empty mapping for any other body."""
    return cast("Mapping[str, Any]", body) if isinstance(body, Mapping) else EMPTY


def complete_id(parameter: Parameter, value: str) -> str:
    """Return an id with its prefix; refuse an id with the prefix of another kind."""
    if not value or value.startswith(parameter.prefix):
        return value
    for prefix, kind in ID_PREFIXES.items():
        if value.startswith(prefix):
            rule = f"{parameter.argument_name} must be an id that begins with {parameter.prefix!r}"
            raise InvalidArgumentError(f"{rule}, not {format_value(value)}, which is an {kind}")
    return with_prefix(parameter, value)


def fill_path(path: str, parameter: Parameter, value: Any) -> str:
    """Write a path argument in the place of its placeholder.

    A segment is never empty, `.` or `..`: a server would take the path for another path. The value of a wildcard may
    have several segments; the members of an array are joined by commas.

    Raises:
        InvalidArgumentError: The value cannot be part of a path.
    """
    name = parameter.name
    kind, separator = ("a path", "/") if parameter.wildcard else ("an id", ",")
    if parameter.style == "json":
        texts = [json_text(name, value)]
    elif isinstance(value, str):
        texts = value.split("/") if parameter.wildcard else [complete_id(parameter, plain_text(value))]
    else:
        texts = flat_texts(name, value)
    if not texts or not {"", ".", ".."}.isdisjoint(texts):
        raise InvalidArgumentError(f"{name} must be {kind}, not {format_value(value)}")
    return path.replace(f"{{{name}}}", separator.join(percent_encode(name, text) for text in texts))


def path_ids(prepared: PreparedRequest, template: str) -> list[Any]:
    """Return the ids for *template*, which is the template of the request's path or of its parent path."""
    if prepared.request.path:
        return [prepared.request.path[name] for name in PLACEHOLDER.findall(template)]
    # A request of `AgentPlatform.request` has its ids in the path only.
    match = pattern_of(template).match(prepared.path)
    return [unquote(text) for text in match.groups()] if match else []


def make_target(path: str, query: Mapping[str, Any], styles: Mapping[str, str]) -> str:
    """Return path and query string; a query argument that is None is not sent."""
    written = write_query(query, styles)
    return f"{path}?{written}" if written else path


def merge_query(request: Request[Any], extra_query: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the caller's query parameters; refuse a parameter that the operation takes by name."""
    own_names = {parameter.name for parameter in request.operation.parameters if parameter.location == "query"}
    if repeated := sorted(own_names & extra_query.keys()):
        raise InvalidArgumentError(f"extra_query has {repeated[0]}, which the operation takes by name")
    return {**request.query, **extra_query}


def accept_header(operation: Operation) -> str:
    """Return the Accept header: some servers choose the error format by it, and respond with 406 if no format fits."""
    if not operation.accept:
        return ACCEPT
    return f"{operation.accept}, application/problem+json{', */*;q=0.5' if operation.streamed else ''}"


def header_text(parameter: Parameter, value: Any) -> str:
    """Write the value of a header parameter; refuse a value that a header cannot carry, without showing it."""
    name = parameter.name
    text = json_text(name, value) if parameter.style == "json" else ",".join(flat_texts(name, value))
    if not (text.isascii() and text.isprintable()):
        raise InvalidArgumentError(f"{name} has characters that a header cannot carry")
    return text.strip()


def merge_headers(headers: Mapping[str, str], extra_headers: Mapping[str, str]) -> dict[str, str]:
    """Add the caller's headers, by lower-case name; refuse a header that the operation takes by name."""
    own = {name.lower(): value.strip() for name, value in extra_headers.items()}
    if repeated := sorted(headers.keys() & own.keys()):
        raise InvalidArgumentError(f"extra_headers has {repeated[0]}, which the operation takes by name")
    return {**headers, **own}


def raw_request(
    method: str,
    path: str,
    query: Mapping[str, Any] | None,
    body: Any,
    options: CallOptions | None,
    redact: Callable[[str], str],
) -> Request[Any]:
    """Make the request of `AgentPlatform.request` from its method and path.

    Args:
        method: HTTP method, in upper or lower case.
        path: Path below the base URL; begins with a slash. Percent-encoded characters stay as they are.
        query: Query parameters.
        body: A JSON body, or text or bytes where the operation takes these; None for no body.
        options: The settings of the call.
        redact: Takes the credential out of the text that names the request in messages.

    Returns:
        The request. It only decodes the JSON of the response, and makes no model.

    Raises:
        InvalidArgumentError: Method or path cannot be sent as they are.
    """
    for name, value in (("method", method), ("path", path)):
        if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"{name} must be a string, not {format_value(value)}")
    if query is not None and not isinstance(query, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgumentError(f"query must be a mapping, not {format_value(query)}")
    if not method.isalpha() or not method.isascii():
        raise InvalidArgumentError(f"method must be an HTTP method such as 'GET', not {format_path(method)}")
    path = quote_path(path)
    operation = operations.find(method, path)
    if operation is not None:
        # The path is complete, and the caller is responsible for the parameters: the contract does not check them.
        operation = attrs.evolve(operation, path=path, parameters=(), paginated=False, accept="", streamed=False)
    else:
        # Legacy keys work on v1 and v2 paths (rule 5 in the part Authentication of the API's description).
        kinds = [kind for known in operations if known.path.startswith("/v3") for kind in known.credentials]
        operation = Operation(
            id=redact(f"{method.upper()} {path}"),
            method=method.upper(),
            path=path,
            scope="",
            resource="",
            verb="",
            credentials=tuple(dict.fromkeys(kinds)) if path.startswith("/v3") else (),
        )
    body = UNSET if body is None else body
    return Request(operation, lambda payload: payload, {}, query or {}, body, options=options)


def quote_path(path: str) -> str:
    """Return a path percent-encoded, so that every HTTP library sends the same bytes.

    Raises:
        InvalidArgumentError: The path is not complete, or a server would take it for another path.
    """
    if not path.startswith("/") or path.startswith("//"):
        raise InvalidArgumentError(f"path must begin with one slash and name no host, not {format_path(path)}")
    if "?" in path or "#" in path:
        raise InvalidArgumentError("path must have no query and no fragment; pass query={...}")
    if has_dot_segments(path) or not path.isprintable() or " " in path:
        raise InvalidArgumentError(f"path must be percent-encoded and have no dot segments, not {format_path(path)}")
    return percent_encode_path(path)


def format_path(path: str) -> str:
    """Return a refused path for a message, without a query, which may be signed, and without a password."""
    return repr(public_part(path)[:MAX_VALUE_TEXT])
