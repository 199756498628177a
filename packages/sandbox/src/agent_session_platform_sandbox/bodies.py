"""Bodies: parse JSON, text, forms and files, and check them against the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Final
from urllib.parse import unquote_plus

from .contract import Content, Kind, Route, essence, find_content
from .parameters import Decode, Pair, UnreadableError, read_scalar, read_value, split_pairs
from .problems import RefusedError, invalid
from .validation import MAX_DEPTH, failures_of, parse_json

# Bodies of these kinds may be empty.
MAY_BE_EMPTY: Final = (Kind.TEXT, Kind.BYTES, Kind.FORM)


def read_body(route: Route, content: bytes, content_type: str) -> Any:
    """Return the body of a request, parsed and validated; None if there is none.

    Raises:
        RefusedError: 400 if the body cannot be parsed, 415 for another media type, 422 if the body is not valid.
    """
    if not content and not content_type and not route.body_required:
        return None
    media_type = essence(content_type)
    declared = find_content(route.body, media_type or "application/octet-stream")
    if not content and (not media_type or declared is None or declared.kind not in MAY_BE_EMPTY):
        if route.body_required:
            raise invalid((["body"], "Field required", "missing"))
        return None
    if not route.body:
        raise RefusedError(400, "this operation takes no body")
    if declared is None:
        accepted = " or ".join(each.media_type for each in route.body)
        raise RefusedError(415, f"the body must be {accepted}, not {media_type or 'without a Content-Type'}")
    if declared.kind is Kind.BYTES:
        return content
    if declared.kind is Kind.MULTIPART:
        return _read_multipart(declared, _mime_message(content_type, content))
    charset = str(_mime_message(content_type).get_param("charset", "utf-8")).lower()
    if charset not in ("utf-8", "utf8"):
        raise RefusedError(415, f"{declared.kind.value} must be UTF-8, not {charset}; leave the charset out")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise RefusedError(400, f"the body is not {declared.kind.value}: it is not UTF-8") from None
    match declared.kind:
        case Kind.FORM:
            return _form(declared, split_pairs(text), {}, unquote_plus)
        case Kind.JSON:
            return _valid(declared, _json(text))
        case _:
            return _valid(declared, read_scalar(declared.shape, text))


def _mime_message(content_type: str, content: bytes = b"") -> EmailMessage:
    """Return a body with its Content-Type as a MIME message."""
    header = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1")
    return BytesParser(policy=HTTP).parsebytes(header + content)


def _read_multipart(declared: Content, message: EmailMessage) -> dict[str, Any]:
    """Return the validated parts of a multipart form: the fields, and `name` and `content` of each file."""
    if not message.is_multipart() or message.defects:
        raise RefusedError(400, "the body is not a form: the boundary of its Content-Type does not separate its parts")
    pairs: list[Pair] = []
    files: dict[str, list[dict[str, Any]]] = {}
    for part in message.iter_parts():
        name, filename = str(part.get_param("name", "", "content-disposition")), part.get_filename()
        data = part.get_payload(decode=True)
        payload = data if isinstance(data, bytes) else b""
        if filename is None:
            pairs.append((name, payload.decode(errors="replace")))
        else:
            files.setdefault(name, []).append({"name": filename, "content": payload})
    return _form(declared, pairs, files, str)


def _form(
    declared: Content, pairs: Iterable[Pair], files: Mapping[str, list[dict[str, Any]]], decode: Decode
) -> dict[str, Any]:
    """Return the fields and files of a form; refuse (422) an invalid form."""
    form: dict[str, Any] = {}
    sent: dict[str, list[Pair]] = {}
    for name, text in pairs:
        sent.setdefault(name, []).append((name, text))
    for name, given in sent.items():
        try:
            form[name] = read_value(declared.field(name), given, decode)
        except UnreadableError as error:
            raise invalid((["body", name], *error.args)) from None
    uploaded: dict[str, Any] = {}
    for name, parts in files.items():
        if len(parts) > 1 and not declared.field(name).is_list:
            raise invalid((["body", name], "given more than once; it takes one value", "multiple_values"))
        uploaded[name] = parts if declared.field(name).is_list else parts[0]
        # The contract's schema describes a file as text, so an empty text stands for each file.
        form[name] = [""] * len(parts) if declared.field(name).is_list else ""
    _valid(declared, form)
    return form | uploaded


def _valid(declared: Content, value: Any) -> Any:
    if failures := failures_of(declared.shape, value, ["body"]):
        raise invalid(*failures)
    return value


def _json(text: str) -> Any:
    try:
        return parse_json(text, MAX_DEPTH)
    except ValueError as error:
        raise RefusedError(400, f"the body is not JSON: {error}") from None
