"""Prepare a call: check its arguments once, and write its path, query, headers and body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self, cast
from urllib.parse import unquote

import attrs

from .._api import ID_PREFIXES, UNSET, CallOptions, Model, Operation, Parameter, Request, to_json
from ..catalogue import check_members, operations, pattern_of, with_prefix
from ..contract import PLACEHOLDER
from ..errors import InvalidArgumentError
from ..headers import ACCEPT, is_header_value, merge_headers
from ..options import RequestOptions
from ..text import (
    MAX_VALUE_TEXT,
    format_value,
    has_dot_segments,
    percent_encode_path,
    plain_text,
    public_part,
)
from .arguments import check_argument, percent_encode, value_text, value_texts, write_query
from .body import Body, write_body

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

    def __repr__(self) -> str:
        return f"<PreparedRequest {self.operation}>"

    @property
    def repeatable(self) -> bool:
        """True if the request can be sent again; a file that cannot be rewound is used up by the first attempt."""
        return self.body.form is None or self.body.form.repeatable

    def at_cursor(self, cursor: str | None) -> Self:
        """Return the request of another page of the same list."""
        query = {**self.query, self.operation.cursor: cursor}
        return self._replace(query=query, target=make_target(self.path, query))


def cursor_of(request: Request[Any]) -> str | None:
    """Return the cursor of a request as text, whatever its type is; None is the beginning of the list."""
    after = request.query.get(request.operation.cursor)
    if after is None or after is UNSET:
        return None
    return plain_text(to_json(after))


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
        "body": {"": body},
    }
    if isinstance(body, Mapping):
        arguments["body"] = {"": body, **cast("Mapping[str, Any]", body)}
    path, query, headers = operation.path, {**request.query}, dict[str, str]()
    for parameter in operation.parameters:
        value: Any = arguments[parameter.location].get(parameter.name, UNSET)
        if value is not UNSET and parameter.kind != "file":
            check_argument(parameter, value)
        if parameter.location == "path":
            path = fill_path(path, parameter, value)
        elif value is UNSET or value is None:
            continue
        elif parameter.location == "header":
            headers[parameter.name.lower()] = header_text(parameter, value)
        elif parameter.location == "query" and parameter.kind == "object":
            spread_object(query, parameter, value)
    if options.extra_query:
        add_to_query(query, operation, options.extra_query)
    if options.extra_headers:
        headers = merge_headers(headers, options.extra_headers)
    return PreparedRequest(
        request=request,
        options=options,
        operation=operation,
        path=path,
        query=query,
        target=make_target(path, query),
        body=prepare_body(request),
        accept=accept_header(operation),
        headers=headers,
    )


def prepare_body(request: Request[Any]) -> Body:
    """Write the body of a request; refuse members that are probably mistakes, and a body that is missing."""
    operation = request.operation
    if request.members:
        check_members(operation, request.members)
    has_members = bool(request.members) or request.extra_body is not None or request.files is not None
    if has_members or request.body is not UNSET:
        return write_body(request)
    if operation.takes_members and not operation.optional_body:
        raise InvalidArgumentError(f"{operation} needs a body: give its members as keywords, or all of it as body=")
    return Body()


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
    have several segments.

    Raises:
        InvalidArgumentError: The value cannot be part of a path.
    """
    name = parameter.name
    text = value_text(name, value)
    if parameter.wildcard:
        kind, separator, segments = "a path", "/", text.split("/")
    else:
        text = complete_id(parameter, text)
        kind, separator, segments = "an id", "", [text]
    if not {"", ".", ".."}.isdisjoint(segments):
        raise InvalidArgumentError(f"{name} must be {kind}, not {format_value(value)}")
    return path.replace(f"{{{name}}}", percent_encode(name, text, safe=separator))


def path_ids(prepared: PreparedRequest, template: str) -> list[Any]:
    """Return the ids for *template*, which is the template of the request's path or of its parent path."""
    if prepared.request.path:
        return [prepared.request.path[name] for name in PLACEHOLDER.findall(template)]
    # A request of `AgentPlatform.request` has its ids in the path only.
    match = pattern_of(template).match(prepared.path)
    if match is None:
        return []
    return [unquote(text) for text in match.groups()]


def make_target(path: str, query: Mapping[str, Any]) -> str:
    """Return path and query string; a query argument that is None is not sent."""
    if query and (written := write_query(query)):
        return f"{path}?{written}"
    return path


def spread_object(query: dict[str, Any], parameter: Parameter, value: Any) -> None:
    """Replace an object in a query by its members: each is a parameter of its own (OpenAPI, `form` and `explode`).

    Raises:
        InvalidArgumentError: A member has the name of another argument.
    """
    del query[parameter.name]
    members: Mapping[str, Any] = value
    if isinstance(value, Model):
        members = value.to_dict()
    for name, member in members.items():
        if name in query:
            raise InvalidArgumentError(f"{parameter.argument_name} has {name}, which the query has already")
        query[name] = member


def add_to_query(query: dict[str, Any], operation: Operation, extra_query: Mapping[str, Any]) -> None:
    """Add the caller's query parameters; refuse a parameter that the operation takes by name."""
    own_names = {*query}
    for parameter in operation.parameters:
        if parameter.location == "query":
            own_names.add(parameter.name)
    if repeated := sorted(own_names & extra_query.keys()):
        raise InvalidArgumentError(f"extra_query has {repeated[0]}, which the operation takes by name")
    query.update(extra_query)


def accept_header(operation: Operation) -> str:
    """Return the Accept header: some servers choose the error format by it, and respond with 406 if no format fits."""
    if not operation.accept:
        return ACCEPT
    accepted = f"{operation.accept}, application/problem+json"
    if operation.streamed:
        accepted += ", */*;q=0.5"
    return accepted


def header_text(parameter: Parameter, value: Any) -> str:
    """Write the value of a header parameter; refuse a value that a header cannot carry, without showing it."""
    text = ",".join(value_texts(parameter.name, value))
    if not is_header_value(text):
        raise InvalidArgumentError(f"{parameter.name} has characters that a header cannot carry")
    return text.strip()


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
    check_text("method", method)
    check_text("path", path)
    if query is not None and not isinstance(query, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgumentError(f"query must be a mapping, not {format_value(query)}")
    if not method.isalpha() or not method.isascii():
        raise InvalidArgumentError(f"method must be an HTTP method such as 'GET', not {format_path(method)}")
    operation = raw_operation(method, quote_path(path), redact)
    if body is None:
        body = UNSET
    return Request(operation, lambda payload: payload, {}, query or {}, body, options=options)


def check_text(name: str, value: Any) -> None:
    """Refuse an argument that is not text."""
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{name} must be a string, not {format_value(value)}")


def raw_operation(method: str, path: str, redact: Callable[[str], str]) -> Operation:
    """Return the operation of a method and a path, which the contract may not know.

    Its parameters are not checked: the path is complete, and the caller is responsible for the query.
    """
    known = operations.find(method, path)
    if known is not None:
        return attrs.evolve(known, path=path, parameters=(), paginated=False, accept="", streamed=False)
    credentials: dict[str, None] = {}
    # Legacy keys work on v1 and v2 paths (rule 5 in the part Authentication of the API's description).
    if path.startswith("/v3"):
        for operation in operations:
            if operation.path.startswith("/v3"):
                credentials.update(dict.fromkeys(operation.credentials))
    return Operation(
        id=redact(f"{method.upper()} {path}"),
        method=method.upper(),
        path=path,
        scope="",
        resource="",
        verb="",
        credentials=tuple(credentials),
    )


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
