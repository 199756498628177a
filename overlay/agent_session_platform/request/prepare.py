"""Prepare a call: check its arguments once, and write its path, query, headers and body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self, cast
from urllib.parse import unquote

import attrs

from .._api import UNSET, CallOptions, Model, Operation, Parameter, Request
from ..catalogue import operations
from ..contract import PLACEHOLDER
from ..errors import InvalidArgumentError
from ..options import RequestOptions, is_header_value, normal_headers
from ..paths import pattern_of
from ..text import format_value, has_dot_segments, percent_encode_path, type_name, without_secrets
from .arguments import check_argument, fill_path, value_text, value_texts, write_query
from .body import Body, write_body

# An empty mapping, for example for a call without query arguments; it is never changed.
NO_ARGUMENTS: Mapping[str, Any] = {}


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
        headers: Header parameters and headers of the caller, by lower-case name.
    """

    request: Request[Any]
    options: RequestOptions
    operation: Operation
    path: str
    query: Mapping[str, Any]
    target: str
    body: Body
    headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<PreparedRequest {self.operation}>"

    @property
    def repeatable(self) -> bool:
        """True if the request can be sent again; a file that cannot be rewound is used up by the first attempt."""
        return self.body.form is None or self.body.form.repeatable

    @property
    def cursor(self) -> str | None:
        """The cursor as text, whatever its type is; None is the beginning of the list."""
        name = self.operation.cursor
        after = self.query.get(name)
        if after is None or after is UNSET:
            return None
        return value_text(name, after)

    @property
    def asks_for_page(self) -> bool:
        """True if the caller passes a cursor, even None: the list is read page by page."""
        return self.cursor is not None or self.operation.cursor in (self.options.extra_query or {})

    def at_cursor(self, cursor: str | None) -> Self:
        """Return the request of another page of the same list."""
        query = {**self.query, self.operation.cursor: cursor}
        return self._replace(query=query, target=self.path + write_query(query))


def prepare(request: Request[Any], options: RequestOptions) -> PreparedRequest:
    """Check the arguments of a call and write its request.

    Raises:
        InvalidArgumentError: An argument cannot be sent; the message names it.
    """
    operation, body = request.operation, request.body
    arguments: dict[str, Mapping[str, Any]] = {
        "path": request.path,
        "query": request.query,
        "header": request.headers or NO_ARGUMENTS,
        # A parameter without a name is the whole body.
        "body": {"": body},
    }
    if isinstance(body, Mapping):
        arguments["body"] = {"": body, **cast("Mapping[str, Any]", body)}
    path = operation.path
    query = {**request.query}
    headers: dict[str, str] = {}
    if options.extra_query:
        add_extras("extra_query", query, options.extra_query)
    for parameter in operation.parameters:
        value: Any = arguments[parameter.location].get(parameter.name, UNSET)
        if value is UNSET:
            continue
        check_argument(parameter, value)
        match parameter.location:
            case "path":
                path = fill_path(path, parameter, value)
            case "query" if parameter.kind == "object" and value is not None:
                spread_object(query, parameter, value)
            case "header" if value is not None:
                headers[parameter.name.lower()] = header_value(parameter, value)
            case "body" if request.members and not parameter.name:
                name = min(request.members)
                raise InvalidArgumentError(f"body= is the whole body: put {name} into it, or leave out body=")
            case _:
                pass
    if options.extra_headers:
        add_extras("extra_headers", headers, normal_headers(options.extra_headers))
    target = path
    if query:
        target += write_query(query)
    return PreparedRequest(request, options, operation, path, query, target, write_body(request), headers)


def path_ids(prepared: PreparedRequest, template: str) -> list[Any]:
    """Return the ids for *template*, which is the template of the request's path or of its parent path."""
    if prepared.request.path:
        return [prepared.request.path[name] for name in PLACEHOLDER.findall(template)]
    # A request of `AgentPlatform.request` has its ids in the path only.
    match = pattern_of(template).match(prepared.path)
    if match is None:
        return []
    return [unquote(text) for text in match.groups()]


def spread_object(query: dict[str, Any], parameter: Parameter, value: Any) -> None:
    """Replace an object in a query by its members: each is a parameter of its own (OpenAPI, `form` and `explode`).

    Raises:
        InvalidArgumentError: A member has the name of another argument.
    """
    del query[parameter.name]
    members: Mapping[str, Any] = value
    if isinstance(value, Model):
        members = value.to_dict()
    add_extras(parameter.argument_name, query, members)


def add_extras(argument: str, own: dict[str, Any], extras: Mapping[str, Any]) -> None:
    """Add query parameters or headers; refuse a name that the request has already.

    Args:
        argument: The argument that has them.
        own: What the request has; it is changed.
        extras: What to add.
    """
    for name, value in extras.items():
        if name in own:
            raise InvalidArgumentError(f"{argument} has {name}, which the operation takes by name")
        own[name] = value


def header_value(parameter: Parameter, value: Any) -> str:
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
    if not isinstance(method, str) or not (method.isascii() and method.isalpha()):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgumentError("method must be an HTTP method such as 'GET'")
    if query is not None and not isinstance(query, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgumentError(f"query must be a mapping, not {type_name(query)}")
    operation = raw_operation(method, quote_path(path, redact), redact)
    if body is None:
        body = UNSET
    return Request(operation, lambda payload: payload, {}, query or {}, body, options=options)


def raw_operation(method: str, path: str, redact: Callable[[str], str]) -> Operation:
    """Return the operation of a method and a path, which the contract may not know.

    Its parameters are not checked: the path is complete, and the caller is responsible for the query.
    """
    known = operations.find(method, path)
    if known is not None:
        return attrs.evolve(known, path=path, parameters=(), paginated=False, accept="", streamed=False)
    method = method.upper()
    return Operation(id=redact(f"{method} {path}"), method=method, path=path, scope="", resource="", verb="")


def quote_path(path: str, redact: Callable[[str], str]) -> str:
    """Return a path percent-encoded, so that every HTTP library sends the same bytes.

    Raises:
        InvalidArgumentError: The path is not complete, or a server would take it for another path.
    """
    if not isinstance(path, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise InvalidArgumentError(f"path must be a string, not {type_name(path)}")
    # A query may be signed, and there may be a password.
    given = format_value(redact(without_secrets(path)))
    if not path.startswith("/") or path.startswith("//"):
        raise InvalidArgumentError(f"path must begin with one slash and name no host, not {given}")
    if "?" in path or "#" in path:
        raise InvalidArgumentError("path must have no query and no fragment; pass query={...}")
    if has_dot_segments(path) or not path.isprintable():
        raise InvalidArgumentError(f"path must be percent-encoded and have no dot segments, not {given}")
    return percent_encode_path(path)
