"""Validation of request bodies against the contract, in any media type."""

from __future__ import annotations

from typing import Any

from ..contract import Content, Kind, Route, find_content
from ..problems import RefusedError, invalid
from .failures import failures_of
from .forms import parse_message, read_form, read_multipart
from .json_parser import MAX_DEPTH, parse_json
from .styles import read_scalar

# A body of these kinds may be empty.
MAY_BE_EMPTY = (Kind.TEXT, Kind.BYTES, Kind.FORM)


def read_body(route: Route, content: bytes, content_type: str) -> Any:
    """Return the body of a request, parsed and validated; None if there is none.

    Raises:
        RefusedError: 400 if it cannot be parsed, 415 for another media type, 422 if it is not valid.
    """
    if not content and not content_type and not route.body_required:
        return None
    media_type, charset = _media_type(content_type)
    declared = find_content(route.body, media_type or "application/octet-stream")
    if not content and (not media_type or declared is None or declared.kind not in MAY_BE_EMPTY):
        if route.body_required:
            raise invalid((["body"], "Field required", "missing"))
        return None
    if not route.body:
        raise RefusedError(400, "this operation takes no body")
    if declared is None:
        raise RefusedError(
            415, f"the body must be {_accepted(route.body)}, not {media_type or 'without a Content-Type'}"
        )
    match declared.kind:
        case Kind.BYTES:
            return content
        case Kind.FORM:
            return read_form(declared, content)
        case Kind.MULTIPART:
            return read_multipart(declared, content, content_type)
        case Kind.TEXT:
            return _valid(declared, read_scalar(declared.shape, _decode(content, charset)))
        case Kind.JSON_LINES:
            return [_valid(declared, _json(line, charset)) for line in content.splitlines() if line.strip()]
        case Kind.JSON:
            return _valid(declared, _json(content, charset))


def _valid(declared: Content, value: Any) -> Any:
    if failures := failures_of(declared.shape, value, ["body"]):
        raise invalid(*failures)
    return value


def _json(content: bytes, charset: str) -> Any:
    if charset not in ("utf-8", "utf8"):
        raise RefusedError(415, f"JSON is UTF-8, not {charset}; leave the charset out")
    try:
        return parse_json(content, MAX_DEPTH)
    except ValueError as error:
        raise RefusedError(400, f"the body is not JSON: {error}") from None


def _decode(content: bytes, charset: str) -> str:
    try:
        return content.decode(charset)
    except LookupError:
        raise RefusedError(415, f"there is no charset {charset}") from None
    except UnicodeDecodeError:
        raise RefusedError(400, f"the body is not {charset}") from None


def _accepted(contents: tuple[Content, ...]) -> str:
    """Return the media types of a body for a person."""
    named = {Kind.JSON: "JSON", Kind.MULTIPART: "a form"}
    return " or ".join(dict.fromkeys(named.get(each.kind, each.media_type) for each in contents))


def _media_type(content_type: str) -> tuple[str, str]:
    """Return the media type and the charset of a Content-Type header, in lower case."""
    media_type, _, parameters = content_type.partition(";")
    charset = str(parse_message(content_type).get_param("charset", "utf-8")).lower() if parameters else "utf-8"
    return media_type.strip().lower(), charset
