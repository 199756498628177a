"""Bodies: parse JSON, text, forms and files, and check them against the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from email.message import Message
from typing import Any, Final

import attrs
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser

from .contract import Content, Kind, Route, essence, find_content
from .parameters import Pair, UnreadableError, read_scalar, read_value
from .problems import NO_NAMES, RefusedError, invalid
from .validation import MAX_DEPTH, failures_of, parse_json

# Bodies of these kinds may be empty.
MAY_BE_EMPTY: Final = (Kind.TEXT, Kind.BYTES)
# What the parser of multipart forms tells a `PartReader`.
CALLBACKS: Final = ("on_part_begin", "on_header_field", "on_header_value", "on_header_end", "on_part_data", "on_end")


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


@attrs.define
class Part:
    """One part of a multipart form.

    Attributes:
        headers: The headers, by their names in lower case.
        content: The content, as it was sent.
    """

    headers: dict[str, str] = attrs.field(factory=lambda: dict[str, str]())
    content: bytearray = attrs.field(factory=bytearray)


class PartReader:
    """The parts that the parser of a multipart form finds.

    Attributes:
        parts: The parts.
        is_complete: True if the boundary behind the last part was read.
    """

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.is_complete = False
        self._name = bytearray()
        self._value = bytearray()

    def on_part_begin(self) -> None:
        """Begin a part."""
        self.parts.append(Part())

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        """Read a piece of the name of a header."""
        self._name += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        """Read a piece of the value of a header."""
        self._value += data[start:end]

    def on_header_end(self) -> None:
        """Add a header to the part."""
        self.parts[-1].headers[_text(self._name).lower()] = _text(self._value)
        self._name.clear()
        self._value.clear()

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Add a piece of the content to the part."""
        self.parts[-1].content += data[start:end]

    def on_end(self) -> None:
        """Take note of the last boundary."""
        self.is_complete = True


def _text(data: bytearray) -> str:
    """Return the text of a header, which is UTF-8 in forms of today, and Latin-1 in others."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _split_parts(content_type: str, content: bytes) -> list[Part]:
    """Return the parts of a multipart form; refuse (400) a form that is not complete."""
    boundary = _header("Content-Type", content_type).get_boundary("")
    reader = PartReader()
    reason = "the boundary of its Content-Type does not separate its parts"
    try:
        callbacks: Any = {name: getattr(reader, name) for name in CALLBACKS}
        MultipartParser(boundary, callbacks).write(content)
    except (FormParserError, UnicodeEncodeError) as error:
        reason = str(error)
        reader.is_complete = False
    if not boundary or not reader.is_complete:
        raise RefusedError(400, f"the body is not a form: {reason}")
    return reader.parts


def _read_multipart(declared: Content, content_type: str, content: bytes) -> dict[str, Any]:
    """Return the validated parts of a multipart form: the fields, and `name` and `content` of each file."""
    pairs: list[Pair] = []
    files: dict[str, list[dict[str, Any]]] = {}
    for part in _split_parts(content_type, content):
        disposition = _header("Content-Disposition", part.headers.get("content-disposition", ""))
        name = disposition.get_param("name", header="content-disposition")
        if not isinstance(name, str):
            raise RefusedError(400, 'a part of the form has no name: Content-Disposition: form-data; name="..."')
        filename = disposition.get_filename()
        if filename is None:
            pairs.append((name, _field_text(name, part)))
        elif filename in NO_NAMES:
            raise invalid((["body", name], f'a file must have a name, not {filename!r}: filename="..."', "value_error"))
        else:
            files.setdefault(name, []).append({"name": filename, "content": bytes(part.content)})
    return _form(declared, pairs, files)


def _field_text(name: str, part: Part) -> str:
    try:
        return part.content.decode()
    except UnicodeDecodeError:
        raise RefusedError(400, f"the field {name!r} of the form is not UTF-8") from None


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
