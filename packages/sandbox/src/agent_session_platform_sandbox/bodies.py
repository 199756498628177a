"""Bodies: parse JSON, text, forms and files, and check them against the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from email.message import Message
from typing import Any, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field, File, FormParser

from .contract import Content, Kind, Route, essence, find_content
from .parameters import Pair, UnreadableError, read_scalar, read_value
from .problems import NO_NAMES, RefusedError, invalid
from .validation import MAX_DEPTH, failures_of, parse_json

# Bodies of these kinds may be empty.
MAY_BE_EMPTY: Final = (Kind.TEXT, Kind.BYTES)


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
        return _read_multipart(declared, content_type, content)
    charset = str(_header("Content-Type", content_type).get_param("charset", "utf-8")).lower()
    if charset not in ("utf-8", "utf8"):
        raise RefusedError(415, f"{declared.kind.value} must be UTF-8, not {charset}; leave the charset out")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise RefusedError(400, f"the body is not {declared.kind.value}: it is not UTF-8") from None
    if declared.kind is Kind.JSON:
        return _valid(declared, _json(text))
    return _valid(declared, read_scalar(declared.shape, text))


def _header(name: str, value: str) -> Message:
    """Return a message with one header, which parses the parameters of the header."""
    message = Message()
    message[name] = value
    return message


def _read_multipart(declared: Content, content_type: str, content: bytes) -> dict[str, Any]:
    """Return the validated parts of a multipart form: the fields, and `name` and `content` of each file."""
    fields: list[Field] = []
    files: list[File] = []
    ends: list[bool] = []
    boundary = _header("Content-Type", content_type).get_boundary("")
    # A file stays in memory.
    config = {"MAX_MEMORY_FILE_SIZE": len(content)}
    try:
        parser = FormParser(
            "multipart/form-data", fields.append, files.append, lambda: ends.append(True), boundary, config=config
        )
        parser.write(content)
    except (FormParserError, UnicodeEncodeError) as error:
        raise RefusedError(400, f"the body is not a form: {error}") from None
    if not boundary or not ends:
        raise RefusedError(400, "the body is not a form: the boundary of its Content-Type does not separate its parts")
    pairs: list[Pair] = []
    for field in fields:
        name = _text(field.field_name)
        try:
            pairs.append((name, (field.value or b"").decode()))
        except UnicodeDecodeError:
            raise RefusedError(400, f"the field {name!r} of the form is not UTF-8") from None
    uploads: dict[str, list[dict[str, Any]]] = {}
    for file in files:
        name, filename = _text(file.field_name), _text(file.file_name)
        if filename in NO_NAMES:
            raise invalid((["body", name], f'a file must have a name, not {filename!r}: filename="..."', "value_error"))
        file.file_object.seek(0)
        uploads.setdefault(name, []).append({"name": filename, "content": file.file_object.read()})
    return _form(declared, pairs, uploads)


def _text(data: bytes | None) -> str:
    """Return the text of a header, which is UTF-8 in forms of today, and Latin-1 in others."""
    data = data or b""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _form(declared: Content, pairs: Iterable[Pair], files: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the fields and files of a form; refuse (422) an invalid form."""
    form: dict[str, Any] = {}
    sent: dict[str, list[str]] = {}
    for name, text in pairs:
        sent.setdefault(name, []).append(text)
    for name, texts in sent.items():
        try:
            form[name] = read_value(declared.field(name), texts)
        except UnreadableError as error:
            raise invalid((["body", name], *error.args)) from None
    uploaded: dict[str, Any] = {}
    for name, parts in files.items():
        # The contract's schema describes a file as text, so an empty text stands for each file.
        if declared.field(name).is_list:
            uploaded[name], form[name] = parts, [""] * len(parts)
        elif len(parts) > 1:
            raise invalid((["body", name], "given more than once; it takes one value", "multiple_values"))
        else:
            [uploaded[name]] = parts
            form[name] = ""
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
