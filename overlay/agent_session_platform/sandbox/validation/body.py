"""Validation of request bodies against the contract: JSON and multipart forms."""

from __future__ import annotations

from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, cast

from ..contract import Route
from ..problems import RefusedError, invalid, suggestion
from .json_parser import MAX_DEPTH, parse_json
from .query import Failure, failure_of


def read_body(route: Route, content: bytes, content_type: str) -> Any:
    """Return the body of a request, parsed and validated; None if it is empty.

    Raises:
        RefusedError: 400 if it cannot be parsed, 415 for another media type, 422 if it is not valid.
    """
    if not content:
        if route.body_required:
            raise invalid((["body"], "Field required", "missing"))
        return None
    if route.body is None:
        raise RefusedError(400, "this operation takes no body")
    media_type, charset = _media_type(content_type)
    if route.body_is_form:
        if media_type != "multipart/form-data":
            raise RefusedError(415, f"the body must be a form, not {media_type or 'without a Content-Type'}")
        return _read_form(content, content_type)
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise RefusedError(415, f"the body must be JSON, not {media_type or 'without a Content-Type'}")
    if charset not in ("utf-8", "utf8"):
        raise RefusedError(415, f"JSON is UTF-8, not {charset}; leave the charset out")
    try:
        body = parse_json(content, MAX_DEPTH)
    except ValueError as error:
        raise RefusedError(400, f"the body is not JSON: {error}") from None
    failures = [failure_of(error, ["body"]) for error in route.body.iter_errors(body)]
    failures += _unknown_members(route, body)
    if failures:
        raise invalid(*failures)
    return body


def _media_type(content_type: str) -> tuple[str, str]:
    """Return the media type and the charset of a Content-Type header, in lower case."""
    media_type, _, parameters = content_type.partition(";")
    charset = str(_message(content_type).get_param("charset", "utf-8")).lower() if parameters else "utf-8"
    return media_type.strip().lower(), charset


def _message(content_type: str, content: bytes = b"") -> EmailMessage:
    header = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1")
    return BytesParser(policy=HTTP).parsebytes(header + content)


def _read_form(content: bytes, content_type: str) -> dict[str, Any]:
    """Return the parts of a form: text, or the name and the bytes of a file."""
    message = _message(content_type, content)
    if not message.is_multipart() or message.defects:
        raise RefusedError(400, "the body is not a form: the boundary of its Content-Type does not separate its parts")
    form: dict[str, Any] = {}
    for part in message.iter_parts():
        name = str(part.get_param("name", "", "content-disposition"))
        data = part.get_payload(decode=True)
        payload = data if isinstance(data, bytes) else b""
        filename = part.get_filename()
        if name in form:
            raise invalid((["body", name], "given more than once; it takes one value", "multiple_values"))
        form[name] = payload.decode(errors="replace") if filename is None else {"name": filename, "content": payload}
    return form


def _unknown_members(route: Route, body: Any) -> list[Failure]:
    """Return a failure for each unknown member, if the description shows all members of the body."""
    known: dict[str, Any] = route.body_schema.get("properties", {})
    if not known or route.body_schema.get("additionalProperties") is True or not isinstance(body, dict):
        return []
    return [
        (["body", name], f"unknown field{suggestion(name, known)}", "extra_forbidden")
        for name in cast("dict[str, Any]", body)
        if name not in known
    ]
