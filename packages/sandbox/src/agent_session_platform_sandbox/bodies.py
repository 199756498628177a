"""Bodies: JSON, text, forms and files, held against the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Final
from urllib.parse import unquote_plus

from .contract import Content, Kind, Parameter, Route, essence, find_content
from .parameters import Decode, Pair, UnreadableError, find_parameter, read_scalar, read_value, split_pairs
from .problems import RefusedError, invalid
from .validation import MAX_DEPTH, Failure, failures_of, parse_json

# Bodies of these kinds may be empty.
MAY_BE_EMPTY: Final = (Kind.TEXT, Kind.BYTES, Kind.FORM)
# For a person; of other kinds the media type says enough.
NAMES: Final = {Kind.JSON: "JSON", Kind.MULTIPART: "a form"}


def read_body(route: Route, content: bytes, content_type: str) -> Any:
    """Return the body of a request, parsed and validated; None if there is none.

    Raises:
        RefusedError: 400 if it cannot be parsed, 415 for another media type, 422 if it is not valid.
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
        accepted = " or ".join(dict.fromkeys(NAMES.get(each.kind, each.media_type) for each in route.body))
        raise RefusedError(415, f"the body must be {accepted}, not {media_type or 'without a Content-Type'}")
    charset = str(_mime_message(content_type).get_param("charset", "utf-8")).lower()
    match declared.kind:
        case Kind.BYTES:
            return content
        case Kind.FORM:
            return _read_form(declared, content)
        case Kind.MULTIPART:
            return _read_multipart(declared, _mime_message(content_type, content))
        case Kind.TEXT:
            return _valid(declared, read_scalar(declared.shape, _decode(content, charset)))
        case Kind.JSON_LINES:
            return [_valid(declared, _json(line, charset)) for line in content.splitlines() if line.strip()]
        case Kind.JSON:
            return _valid(declared, _json(content, charset))


def _mime_message(content_type: str, content: bytes = b"") -> EmailMessage:
    """Return a body with its Content-Type as a MIME message."""
    header = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1")
    return BytesParser(policy=HTTP).parsebytes(header + content)


def _read_form(declared: Content, content: bytes) -> dict[str, Any]:
    """Return the fields of a URL-encoded form, validated."""
    try:
        return _form(declared, split_pairs(content.decode()), {}, unquote_plus)
    except UnicodeDecodeError:
        raise RefusedError(400, "the body is not a form: it is not UTF-8") from None


def _read_multipart(declared: Content, message: EmailMessage) -> dict[str, Any]:
    """Return the parts of a multipart form, validated: fields, and the `name` and the `content` of each file."""
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
    failures: list[Failure] = []
    form: dict[str, Any] = {}
    sent: dict[str, list[Pair]] = {}
    for name, text in pairs:
        field = find_parameter(declared.fields, name)
        sent.setdefault(name if field is None else field.name, []).append((name, text))
    for name, given in sent.items():
        field = declared.fields.get(name) or Parameter.of_field(name, declared.shape.member(name), {})
        try:
            form[name] = read_value(field, given, decode)
        except UnreadableError as error:
            failures.append((["body", name], *error.args))
    for name, uploaded in files.items():
        if name in declared.fields and declared.fields[name].is_list:
            form[name] = uploaded
        elif len(uploaded) == 1 and name not in form:
            form[name] = uploaded[0]
        else:
            failures.append((["body", name], "given more than once; it takes one value", "multiple_values"))
    unread = {loc[1] for loc, _, _ in failures}
    invalid_fields = failures_of(declared.shape, form, ["body"], unchecked=files)
    failures += [failure for failure in invalid_fields if unread.isdisjoint(failure[0][1:2])]
    if failures:
        raise invalid(*failures)
    return form


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
