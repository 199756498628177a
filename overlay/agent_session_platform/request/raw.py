"""A request of which only method and path are given: `AgentPlatform.request`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

import attrs

from .._api import UNSET, CallOptions, Operation, Request
from ..errors import InvalidArgumentError
from ..text import VALUE_LENGTH, type_name

CURRENT_CREDENTIALS = ("serviceUser", "personalAccessToken")

# What a path may have besides letters and digits (RFC 3986, section 3.3).
PATH_CHARACTERS = "/:@!$&'()*+,;=-._~%"


def raw_request(
    method: str,
    path: str,
    query: Mapping[str, Any] | None,
    body: Any,
    find: Callable[[str, str], Operation | None] = lambda method, path: None,
    options: CallOptions | None = None,
) -> Request[Any]:
    """Make a request by method and path.

    Args:
        method: HTTP method, in upper or lower case.
        path: Path below the base URL; begins with a slash. What is percent-encoded stays as it is.
        query: Query parameters.
        body: A JSON body, or text or bytes where the operation takes these; None for none.
        find: Looks up the operation that it may be of, for its permission and credentials.
        options: The settings of the call.

    Returns:
        The request; it decodes the JSON of the response, and no more.

    Raises:
        InvalidArgumentError: Method or path cannot be sent as they are.
    """
    for argument, text in (("method", method), ("path", path)):
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"{argument} must be a string, not {type_name(text)}")
    if not (query is None or isinstance(query, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]  # as above
        raise InvalidArgumentError(f"query must be a mapping, not {type_name(query)}")
    if not method.isalpha() or not method.isascii():
        raise InvalidArgumentError(f"method must be an HTTP method such as 'GET', not {format_path(method)}")
    path = quote_path(path)
    known = find(method, path)
    if known is not None:
        # The path is complete and its parameters are the caller's: only what is sent and accepted is still known.
        operation = attrs.evolve(known, path=path, parameters=(), paginated=False, accept="", streamed=False)
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
    return Request(operation, as_decoded, {}, query or {}, UNSET if body is None else body, options=options)


def quote_path(path: str) -> str:
    """Return a path percent-encoded, so that every HTTP library sends the same bytes.

    Raises:
        InvalidArgumentError: It is not complete, or a server would take it for another one.
    """
    if not path.startswith("/") or path.startswith("//"):
        raise InvalidArgumentError(f"path must begin with one slash and name no host, not {format_path(path)}")
    if "?" in path or "#" in path:
        raise InvalidArgumentError("path must have no query and no fragment; pass query={...}")
    if any(unquote(segment) in (".", "..") for segment in path.split("/")) or not path.isprintable() or " " in path:
        raise InvalidArgumentError(f"path must be written out and quoted, not {format_path(path)}")
    return re.sub("%(?![0-9A-Fa-f]{2})", "%25", quote(path, safe=PATH_CHARACTERS))


def format_path(path: str) -> str:
    """Return a refused path for a message, without a query, which may be signed, and without a password."""
    return repr(re.split(r"[?#]", path, maxsplit=1)[0].rpartition("@")[2][:VALUE_LENGTH])


def as_decoded(payload: Any) -> Any:
    """Return the decoded JSON as it is."""
    return payload
