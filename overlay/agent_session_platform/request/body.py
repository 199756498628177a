"""The body of a request: JSON, text, bytes, or a form with the files to upload.

A form is checked before anything is sent, and opened anew for each attempt: see `open_form`.
"""

from __future__ import annotations

import io
import mimetypes
import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast
from urllib.parse import urlencode
from uuid import UUID

import attrs

from .._api import UNSET, Model, Request, to_json
from ..errors import InvalidArgumentError
from ..text import JSON, media_type_of, type_name
from .arguments import LIST_TYPES, encode_utf8, json_text

FALLBACK_NAME = "file"


@attrs.frozen
class FilePart:
    """A part of a form: a file, or an object that is written as JSON.

    Attributes:
        name: The name of the member; for a file, the name of the argument.
        file: The JSON of an object. Or a file: before the form is opened, a path, bytes, or an open file of the caller;
            in an opened form, a file to read to its end.
        media_type: The Content-Type of the part.
        filename: The name of the file; None for an object.
        start: The position from which each attempt reads an open file of the caller; None if the file cannot be
            rewound.
    """

    name: str
    file: str | Path | bytes | BinaryIO = attrs.field(repr=False)
    media_type: str
    filename: str | None = None
    start: int | None = None


@attrs.frozen
class Form:
    """A form in multipart/form-data.

    Attributes:
        fields: Name and text of each member that is text.
        parts: The other members.
    """

    fields: tuple[tuple[str, str], ...] = attrs.field(repr=False)
    parts: tuple[FilePart, ...] = ()

    @property
    def repeatable(self) -> bool:
        """True if all files can be read again for another attempt."""
        return all(part.start is not None or not hasattr(part.file, "read") for part in self.parts)


class Body(NamedTuple):
    """The body of a request.

    Attributes:
        content: The body; None if there is no body, or if the body is a form in multipart/form-data.
        media_type: The Content-Type header of `content`.
        form: The form, whose files are not opened yet.
    """

    content: bytes | None = None
    media_type: str | None = None
    form: Form | None = None


def write_body(request: Request[Any]) -> Body:
    """Write the body of a request in the media type of its operation.

    Raises:
        InvalidArgumentError: The body cannot be written; the message names the place.
    """
    body: Any = request.body
    media_type = request.operation.media_type or JSON
    if media_type.startswith("multipart/"):
        return Body(form=make_form(join_members(request), request.files or {}))
    if media_type == "application/x-www-form-urlencoded":
        return Body(urlencode(form_fields(join_members(request))).encode(), media_type)
    if not media_type_of(media_type).endswith(("/json", "+json")):
        return Body(text_bytes(body), media_type)
    if request.extra_body is None and not request.members and not isinstance(body, Mapping):
        # A Model is no mapping: like an array, it is the whole body.
        return Body(json_bytes(body), media_type)
    members = join_members(request)
    if not members and request.operation.optional_body:
        return Body()
    try:
        return Body(json_bytes(members), media_type)
    except InvalidArgumentError:
        # Write each member alone, so that the message can name the member that fails.
        for name, value in members.items():
            json_text(name, value)
        raise


def join_members(request: Request[Any]) -> dict[str, Any]:
    """Join the members of a body: the members that are given by name, and the members of `extra_body`.

    Raises:
        InvalidArgumentError: A member is given twice, or together with a whole body.
    """
    joined: dict[str, Any] = {}
    body = None if request.body is UNSET else request.body
    is_whole = any(parameter.location == "body" and not parameter.name for parameter in request.operation.parameters)
    if is_whole and body is not None and request.members:
        raise InvalidArgumentError(f"body= is the whole body: put {min(request.members)} into it, or leave out body=")
    for argument, value in (("body", body), ("a keyword", request.members), ("extra_body", request.extra_body)):
        if not (value is None or isinstance(value, Mapping)):
            raise InvalidArgumentError(f"{argument} must be a mapping, not {type_name(value)}")
        mapping = cast("Mapping[str, Any]", value or {})
        members = {name: member for name, member in mapping.items() if member is not UNSET}
        if repeated := sorted(members.keys() & joined.keys()):
            raise InvalidArgumentError(f"{argument} repeats {repeated[0]}, which is given already")
        joined |= members
    return joined


def json_bytes(value: Any) -> bytes:
    """Write a body as JSON.

    Raises:
        InvalidArgumentError: The body cannot be written as JSON in UTF-8.
    """
    return encode_utf8(json_text("the body", value), "the body")


def text_bytes(body: Any) -> bytes:
    """Return a body that is text or bytes; text is written as UTF-8.

    Raises:
        InvalidArgumentError: The body is neither text nor bytes, or UTF-8 cannot encode it.
    """
    if isinstance(body, str):
        return encode_utf8(body, "body")
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(cast("bytes", body))
    raise InvalidArgumentError(f"body must be text or bytes, not {type_name(body)}")


def form_fields(members: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Write the members of a form as text: a list repeats its name, a nested value is JSON."""
    fields: list[tuple[str, str]] = []
    for name, value in members.items():
        for item in cast("Iterable[Any]", value) if isinstance(value, LIST_TYPES) else [value]:
            text = str(to_json(item)) if isinstance(item, str | date | timedelta | UUID) else json_text(name, item)
            # This call only checks the text, because its error names the member. The form is encoded later.
            encode_utf8(f"{name}{text}", repr(name))
            fields.append((name, text))
    return fields


def make_form(members: Mapping[str, Any], files: Mapping[str, Any]) -> Form:
    """Make a form; as in OpenAPI, a member that is an object becomes JSON, with the media type of JSON."""
    objects: dict[str, Any] = {name: value for name, value in members.items() if isinstance(value, Mapping | Model)}
    fields = form_fields({name: value for name, value in members.items() if name not in objects})
    uploads = [check_upload(name, source) for name, source in files.items() if source is not UNSET]
    written = [FilePart(name, json_text(name, value), JSON) for name, value in objects.items()]
    return Form(tuple(fields), (*uploads, *written))


def check_upload(name: str, upload: Any) -> FilePart:
    """Check a file to upload.

    Args:
        name: The argument.
        upload: A path, bytes, or a file that is open in binary mode; or (file name, content) or (file name, content,
            media type), where the content is bytes or an open file.

    Raises:
        InvalidArgumentError: There is no such file, or it cannot be read as bytes.
    """
    filename, file, media_type = unpack_upload(name, upload)
    start = None
    if isinstance(file, str | os.PathLike):
        file = Path(os.fsdecode(cast("str", file)))
        if not file.is_file():
            raise InvalidArgumentError(f"{name}: no such file: {str(file)!r}")
    elif hasattr(file, "read"):
        with reading(name):
            if not isinstance(file.read(0), bytes):
                raise InvalidArgumentError(f"{name} must be open in binary mode: open(path, 'rb')")
            start = file.tell() if file.seekable() else None
    elif not isinstance(file, bytes | bytearray):
        raise InvalidArgumentError(f"{name} must be a path, bytes or an open file, not {type_name(file)}")
    own_name: Any = getattr(file, "name", None)
    filename = filename or os.path.basename(own_name if isinstance(own_name, str) else "") or FALLBACK_NAME
    media_type = media_type or mimetypes.guess_type(filename)[0] or "application/octet-stream"
    if not (filename.isprintable() and media_type.isprintable() and media_type.isascii()):
        raise InvalidArgumentError(f"{name} has a file name or a media type with characters that cannot be sent")
    return FilePart(name, cast("Path | bytes | BinaryIO", file), media_type, filename, start)


def unpack_upload(name: str, upload: Any) -> tuple[str, Any, str]:
    """Return file name, content and media type of a file to upload; a name or a type that is not given is empty."""
    match upload:
        case (str(filename), content) if not isinstance(content, str | os.PathLike):
            return filename, content, ""
        case (str(filename), content, str(media_type)) if not isinstance(content, str | os.PathLike):
            return filename, content, media_type
        case tuple():
            forms = "(file name, content) or (file name, content, media type)"
            raise InvalidArgumentError(f"{name} must be {forms}, with bytes or an open file as content")
        case _:
            return "", upload, ""


@contextmanager
def open_form(form: Form) -> Generator[Form]:
    """Open the files of a form for one attempt, and close the files that were opened here.

    Args:
        form: The form of a prepared request.

    Returns:
        The form to send: the file of a part is JSON, or a file to read to its end, which may be rewound and closed.

    Raises:
        InvalidArgumentError: A file cannot be opened or rewound; the message names the argument and the reason.
    """
    with ExitStack() as stack:
        parts: list[FilePart] = []
        for part in form.parts:
            with reading(part.name):
                parts.append(attrs.evolve(part, file=open_part(part, stack)))
        yield attrs.evolve(form, parts=tuple(parts))


def open_part(part: FilePart, stack: ExitStack) -> str | BinaryIO:
    """Return the part as an attempt sends it; *stack* closes the files that are opened here."""
    file, start = part.file, part.start
    if isinstance(file, str):
        return file
    if isinstance(file, bytes | bytearray):
        return io.BytesIO(file)
    if isinstance(file, Path):
        return stack.enter_context(file.open("rb"))
    if type(file) is io.BytesIO:
        # Make a new BytesIO: it shares the memory if it begins at 0, and aiohttp can state its length.
        return io.BytesIO(file.getvalue()[start:])
    if start is not None:
        file.seek(start)
    return cast("BinaryIO", CallersFile(file, start))


class CallersFile(io.RawIOBase):
    """An open file of the caller, wrapped for an HTTP library: it begins at 0, and closing it does not close the file.

    httpx rewinds every file to 0, and aiohttp closes it.

    Args:
        file: The file.
        start: The position at which the file begins; None if it cannot be rewound.
    """

    def __init__(self, file: BinaryIO, start: int | None) -> None:
        self._file = file
        self._start = start

    def read(self, size: int = -1, /) -> bytes:
        """Read from the file."""
        return self._file.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a position, in bytes from *start*."""
        if self._start is None:
            raise io.UnsupportedOperation("seek")
        return self._file.seek(offset if whence else self._start + offset, whence) - self._start

    def fileno(self) -> int:
        """Return the descriptor if the file is sent whole: an HTTP library takes the length of the file from it."""
        if self._start != 0:
            raise io.UnsupportedOperation("fileno")
        return self._file.fileno()


@contextmanager
def reading(name: str) -> Generator[None]:
    """Raise InvalidArgumentError for any error of a file."""
    try:
        yield
    except InvalidArgumentError:
        raise
    except Exception as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or type_name(error)
        raise InvalidArgumentError(f"{name} cannot be read: {reason}") from error
