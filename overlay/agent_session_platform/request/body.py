"""The body of a request: JSON, a form, text or bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode
from uuid import UUID

from .._api import UNSET, Model, Request, to_json
from ..errors import InvalidArgumentError
from ..text import type_name
from .arguments import LIST_TYPES, NO_MEMBERS, check_number, check_timezone
from .multipart import MultipartForm
from .upload import JsonPart, Upload

# json.dumps raises RecursionError for a body that is nested much deeper.
MAX_DEPTH = 200

Members = Mapping[str, Any] | None


class Body(NamedTuple):
    """The body of a request, which no repr shows.

    Attributes:
        content: The body; None when there is none, or when it is a form with files.
        media_type: The Content-Type header of `content`.
        files: The files of a form.
        form: The other members of a form with files.
    """

    content: bytes | None = None
    media_type: str | None = None
    files: Mapping[str, Upload | JsonPart] = NO_MEMBERS
    form: Mapping[str, str | list[str]] = NO_MEMBERS

    def __repr__(self) -> str:
        return "<Body>"


NO_BODY = Body()


def write_body(request: Request[Any]) -> Body:
    """Write the body of a request in the media type of its operation.

    Raises:
        InvalidArgumentError: It cannot be written; the message names the place.
    """
    body: Any = request.body
    media_type = request.operation.media_type or "application/json"
    if media_type.startswith("multipart/"):
        members = join_members(body, request.extra_body)
        objects: dict[str, object] = {
            name: value for name, value in members.items() if isinstance(value, Mapping | Model)
        }
        form = write_form({name: value for name, value in members.items() if name not in objects})
        files: dict[str, Upload | JsonPart] = {
            name: Upload(name, source) for name, source in (request.files or {}).items() if source is not UNSET
        }
        files |= {name: JsonPart(json_bytes(to_json(value))) for name, value in objects.items()}
        return Body(files=files, form=form) if files else write_multipart(form)
    if media_type == "application/x-www-form-urlencoded":
        form = write_form(join_members(body, request.extra_body))
        return Body(urlencode(form, doseq=True).encode(), media_type)
    if not is_json(media_type):
        return Body(write_content(body), media_type)
    if request.extra_body is not None or isinstance(body, Mapping):
        # A Model is no mapping: it is a whole body, as an array is.
        body = join_members(body, request.extra_body)
        if not body and request.operation.optional_body:
            return NO_BODY
    else:
        check_writable("body", body)
    return Body(json_bytes(to_json(body)), media_type)


def is_json(media_type: str) -> bool:
    """Return whether a body of this media type is JSON."""
    essence = media_type.partition(";")[0].strip().lower()
    return essence.endswith(("/json", "+json"))


def json_bytes(value: Any) -> bytes:
    """Write plain JSON types.

    Raises:
        InvalidArgumentError: JSON or UTF-8 cannot write a value.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise InvalidArgumentError("the body has half of a surrogate pair, which UTF-8 cannot write") from None
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"the body cannot be written as JSON ({type_name(error)})") from None


def write_content(body: Any) -> bytes:
    """Return a body that is text or bytes; text is written as UTF-8.

    Raises:
        InvalidArgumentError: It is neither, or UTF-8 cannot write it.
    """
    if isinstance(body, str):
        try:
            return body.encode()
        except UnicodeEncodeError:
            raise InvalidArgumentError("body has half of a surrogate pair, which UTF-8 cannot write") from None
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(cast("bytes", body))
    raise InvalidArgumentError(f"body must be text or bytes, not {type_name(body)}")


def write_multipart(form: Mapping[str, str | list[str]]) -> Body:
    """Write a form without files."""
    written = MultipartForm(form, {})
    return Body(written.read(), written.media_type)


def write_form(members: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """Write the members of a form as text: a list repeats its name, a nested value is JSON."""
    form: dict[str, str | list[str]] = {}
    for name, value in members.items():
        plain = to_json(value)
        form[name] = (
            [_form_text(name, each) for each in plain] if isinstance(plain, list) else _form_text(name, plain)  # pyright: ignore[reportUnknownVariableType]  # any JSON
        )
    return form


def _form_text(name: str, value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    try:
        f"{name}{text}".encode()
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"{name!r} has half of a surrogate pair, which UTF-8 cannot write") from None
    return text


def join_members(body: Any, extra_body: Members) -> dict[str, Any]:
    """Join the members that are given by name with those of `extra_body`; refuse what cannot be written."""
    body = None if body is UNSET else body
    for argument, value in (("body", body), ("extra_body", extra_body)):
        if not (value is None or isinstance(value, Mapping)):
            raise InvalidArgumentError(f"{argument} must be a mapping, not {type_name(value)}")
    given = cast("Mapping[str, Any]", body or {})
    members = {name: value for name, value in given.items() if value is not UNSET}
    if repeated := sorted(members.keys() & (extra_body or {}).keys()):
        raise InvalidArgumentError(f"extra_body repeats {repeated[0]}, which is given by name already")
    members.update(extra_body or {})
    for name, value in members.items():
        check_writable(name, value)
    return members


def check_writable(place: str, value: Any, depth: int = 0) -> None:
    """Refuse a value that JSON cannot write.

    Args:
        place: The place of the value in the body, for the message.
        value: The value.
        depth: How deep the value is nested in the body.

    Raises:
        InvalidArgumentError: The value, or one inside it, cannot be written.
    """
    if depth > MAX_DEPTH:
        raise InvalidArgumentError(f"the body is nested too deeply (in {place.partition('.')[0].partition('[')[0]})")
    if isinstance(value, Model):
        value = to_json(value)
    if isinstance(value, int | float):
        check_number(place, value)
    elif isinstance(value, datetime):
        check_timezone(place, value)
    elif isinstance(value, Mapping):
        for name, member in cast("Mapping[Any, Any]", value).items():  # type: ignore[redundant-cast]  # not for pyright
            if not isinstance(name, str):
                raise InvalidArgumentError(f"{place} has a key of type {type_name(name)}; those of JSON are text")
            check_writable(f"{place}.{name}", member, depth + 1)
    elif isinstance(value, LIST_TYPES):
        for index, member in enumerate(cast("Iterable[Any]", value)):
            check_writable(f"{place}[{index}]", member, depth + 1)
    elif not (value is None or isinstance(value, str | date | timedelta | UUID)):
        raise InvalidArgumentError(f"the body cannot be written as JSON: {place} is of type {type_name(value)}")
