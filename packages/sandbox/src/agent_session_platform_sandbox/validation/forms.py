"""Forms: URL-encoded ones, and multipart ones with files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, TypeAlias
from urllib.parse import unquote_plus

from ..contract import Content, Parameter
from ..problems import RefusedError, invalid
from .failures import Failure, failures_of
from .parameters import find_parameter, split_pairs
from .styles import Decode, Pair, UnreadableError, read_value

File: TypeAlias = dict[str, Any]
"""A file of a form: its `name` and its `content`, as bytes."""


def read_form(content: Content, body: bytes) -> dict[str, Any]:
    """Return the fields of a URL-encoded form, validated.

    Raises:
        RefusedError: 400 if it is not UTF-8, 422 if it is not valid.
    """
    try:
        pairs = list(split_pairs(body.decode()))
    except UnicodeDecodeError:
        raise RefusedError(400, "the body is not a form: it is not UTF-8") from None
    return _checked(content, pairs, {}, unquote_plus)


def read_multipart(content: Content, body: bytes, content_type: str) -> dict[str, Any]:
    """Return the parts of a multipart form, validated: fields, and the name and the bytes of each file.

    Raises:
        RefusedError: 400 if it is not a form, 422 if it is not valid.
    """
    message = parse_message(content_type, body)
    if not message.is_multipart() or message.defects:
        raise RefusedError(400, "the body is not a form: the boundary of its Content-Type does not separate its parts")
    pairs: list[Pair] = []
    files: dict[str, list[File]] = {}
    for part in message.iter_parts():
        name = str(part.get_param("name", "", "content-disposition"))
        data = part.get_payload(decode=True)
        payload = data if isinstance(data, bytes) else b""
        filename = part.get_filename()
        if filename is None:
            pairs.append((name, payload.decode(errors="replace")))
        else:
            files.setdefault(name, []).append({"name": filename, "content": payload})
    return _checked(content, pairs, files, str)


def parse_message(content_type: str, content: bytes = b"") -> EmailMessage:
    """Return a body with its Content-Type as a MIME message."""
    header = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1")
    return BytesParser(policy=HTTP).parsebytes(header + content)


def _checked(
    content: Content, pairs: Iterable[Pair], files: Mapping[str, list[File]], decode: Decode
) -> dict[str, Any]:
    """Return the fields and files of a form; refuse (422) an invalid form."""
    failures: list[Failure] = []
    form: dict[str, Any] = {}
    sent: dict[str, list[Pair]] = {}
    for name, text in pairs:
        field = find_parameter(content.fields, name)
        sent.setdefault(name if field is None else field.name, []).append((name, text))
    for name, given in sent.items():
        field = content.fields.get(name) or Parameter.of_field(name, content.shape.member(name), None)
        try:
            form[name] = read_value(field, given, decode)
        except UnreadableError as error:
            message, kind = error.args
            failures.append((["body", name], message, kind))
    for name, uploaded in files.items():
        field = content.fields.get(name)
        if field is not None and field.is_list:
            form[name] = uploaded
        elif len(uploaded) == 1 and name not in form:
            form[name] = uploaded[0]
        else:
            failures.append((["body", name], "given more than once; it takes one value", "multiple_values"))
    unread = {loc[1] for loc, _, _ in failures}
    invalid_fields = failures_of(content.shape, form, ["body"], unchecked=files)
    failures += [failure for failure in invalid_fields if unread.isdisjoint(failure[0][1:2])]
    if failures:
        raise invalid(*failures)
    return form
