"""The body of a request: JSON, text, bytes, or a form with the files to upload.

A form is checked before anything is sent, and opened anew for each attempt: see `open_form`.
"""

from __future__ import annotations

import io
import mimetypes
import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, cast

import attrs

from .._api import UNSET, Model, Request
from ..errors import InvalidArgumentError
from ..keywords import check_members, member_of_keyword
from ..text import JSON_TYPE, format_value, media_type_of, type_name
from ..validators import is_async_function
from .arguments import LIST_TYPES, value_text, write_json


@attrs.frozen
class FormPart:
    """A part of a form: a text, an object that is written as JSON, or a file.

    Attributes:
        name: The name of the member; for a file, the name of the argument.
        content: The text, or the JSON of the object. For a file, its path or an open file; in an opened form, a
            FileReader.
        media_type: The Content-Type of the part; None for a text.
        filename: The name of the file; None for a text or an object.
        repeatable: Whether another attempt can read the file again.
    """

    name: str
    content: str | Path | BinaryIO | FileReader = attrs.field(repr=False)
    media_type: str | None = None
    filename: str | None = None
    repeatable: bool = True


@attrs.frozen
class Form:
    """A form in multipart/form-data.

    Attributes:
        parts: The parts, in the order in which they are sent.
    """

    parts: tuple[FormPart, ...]

    @property
    def repeatable(self) -> bool:
        """True if all files can be read again for another attempt."""
        return all(part.repeatable for part in self.parts)

    @property
    def file_error(self) -> Exception | None:
        """What reading a file of an opened form has raised; None for nothing."""
        for part in self.parts:
            if isinstance(part.content, FileReader) and part.content.error is not None:
                # Without the frames of the HTTP library, which have the request.
                return part.content.error.with_traceback(part.content.traceback)
        return None


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


NO_BODY = Body()


def write_body(request: Request[Any]) -> Body:
    """Write the body of a request in the media type of its operation.

    Raises:
        InvalidArgumentError: The body is missing or cannot be written, or a keyword is probably a mistake; the message
            names it.
    """
    operation, body = request.operation, request.body
    if request.members:
        check_members(operation, request.members)
    has_members = bool(request.members) or request.extra_body is not None
    media_type = operation.media_type or JSON_TYPE
    if media_type.startswith("multipart/"):
        return Body(form=make_form(join_members(request), request.files or {}))
    if body is UNSET and not has_members:
        if operation.takes_members and not operation.optional_body:
            raise InvalidArgumentError(f"{operation} needs a body: give its members as keywords, or all of it as body=")
        return NO_BODY
    if media_type != JSON_TYPE and not media_type_of(media_type).endswith(("/json", "+json")):
        return Body(plain_bytes(body), media_type)
    if not has_members and not isinstance(body, Mapping):
        # A Model is no mapping: like an array, it is the whole body.
        return Body(write_json("the body", body), media_type)
    members = join_members(request)
    if not members and operation.optional_body:
        return NO_BODY
    try:
        return Body(write_json("the body", members), media_type)
    except InvalidArgumentError:
        # Write each member alone, so that the message can name the member that fails.
        for name, value in members.items():
            write_json(name, value)
        raise


def plain_bytes(body: Any) -> bytes:
    """Write a body that is text or bytes.

    Raises:
        InvalidArgumentError: It is neither, or UTF-8 cannot encode it.
    """
    if isinstance(body, str):
        return value_text("body", body).encode()
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    raise InvalidArgumentError(f"body must be text or bytes, not {type_name(body)}")


def join_members(request: Request[Any]) -> dict[str, Any]:
    """Join the members of a body: the members that are given by name, and the members of `extra_body`.

    Raises:
        InvalidArgumentError: A member is given twice, or together with a whole body.
    """
    joined: dict[str, Any] = {}
    arguments = {"body": request.body, "a keyword": request.members, "extra_body": request.extra_body}
    for argument, members in arguments.items():
        if not members:
            continue
        if not isinstance(members, Mapping):
            raise InvalidArgumentError(f"{argument} must be a mapping, not {type_name(members)}")
        for name, member in cast("Mapping[str, Any]", members).items():
            if member is UNSET:
                continue
            if argument == "a keyword":
                name = member_of_keyword(request.operation.id, name) or name
            if name in joined:
                raise InvalidArgumentError(f"{argument} repeats {name}, which is given already")
            joined[name] = member
    return joined


def make_form(members: Mapping[str, Any], files: Mapping[str, Any]) -> Form:
    """Make a form; as in OpenAPI, an object becomes JSON, and each item of a list a part of its own.

    Raises:
        InvalidArgumentError: The form cannot be written; the message names the member.
    """
    parts: list[FormPart] = []
    for name, value in members.items():
        # The name stands in a header of its part.
        if not name.isprintable():
            raise InvalidArgumentError(f"the name {format_value(name)} has characters that a form cannot carry")
        items: Iterable[Any] = [value]
        if isinstance(value, LIST_TYPES):
            items = cast("Iterable[Any]", value)
        parts += [make_part(name, item) for item in items]
    for name, upload in files.items():
        if upload is not UNSET:
            parts.append(parse_upload(name, upload))
    return Form(tuple(parts))


def make_part(name: str, value: Any) -> FormPart:
    """Make the part of one value.

    Raises:
        InvalidArgumentError: The value cannot be written; the message has *name*.
    """
    if value is None:
        raise InvalidArgumentError(f"{name} must not have None: a form has no null; leave it out")
    if isinstance(value, (Mapping, Model, *LIST_TYPES)):
        return FormPart(name, write_json(name, value).decode(), JSON_TYPE)
    return FormPart(name, value_text(name, value))


def parse_upload(name: str, upload: Any) -> FormPart:
    """Check a file to upload.

    Args:
        name: The argument.
        upload: A path, bytes, or a file that is open in binary mode; or (file name, content) or (file name, content,
            media type), where the content is bytes or an open file.

    Raises:
        InvalidArgumentError: There is no such file, or it cannot be read as bytes.
    """
    filename, media_type = "", ""
    repeatable = True
    match upload:
        case str() | os.PathLike():
            file: Any = regular_file(name, cast("str", upload))
        case (str(filename), content):
            file = binary_file(name, content)
        case (str(filename), content, str(media_type)):
            file = binary_file(name, content)
        case _:
            file = binary_file(name, upload)
    if not isinstance(file, Path):
        repeatable = file.seekable()
    filename = value_text(name, filename) or own_name(file)
    media_type = value_text(name, media_type) or mimetypes.guess_type(filename)[0] or "application/octet-stream"
    if not filename.isprintable() or not media_type.isprintable():
        raise InvalidArgumentError(f"{name} has a file name or a media type with characters that cannot be sent")
    return FormPart(name, file, media_type, filename, repeatable)


def regular_file(name: str, path: str) -> Path:
    """Return the absolute path of a file to upload: the current directory may change before the next attempt.

    Raises:
        InvalidArgumentError: There is no such file, or it may have no end, as a pipe.
    """
    file = Path(os.path.abspath(os.fsdecode(path)))
    if not file.is_file():
        raise InvalidArgumentError(f"{name}: no such file: {os.fsdecode(path)!r}; pass anything else open")
    return file


def binary_file(name: str, content: Any) -> BinaryIO:
    """Return the file of an upload.

    Raises:
        InvalidArgumentError: It is neither bytes nor an open file that reads bytes.
    """
    if isinstance(content, bytes | bytearray):
        return io.BytesIO(content)
    if not hasattr(content, "read"):
        wanted = "a path, bytes, an open file, or (file name, bytes or open file, media type)"
        raise InvalidArgumentError(f"{name} must be {wanted}, not {type_name(content)}")
    if is_async_function(content.read):
        raise InvalidArgumentError(f"{name} must not be an asynchronous file: pass what `await file.read()` returns")
    if not isinstance(content.read(0), bytes):
        raise InvalidArgumentError(f"{name} must be open in binary mode: open(path, 'rb')")
    return cast("BinaryIO", content)


def own_name(file: Any) -> str:
    """Return the file name of a path or an open file; `file` for anything without a name."""
    name: Any = getattr(file, "name", None)
    if not isinstance(name, str):
        return "file"
    return os.path.basename(name) or "file"


@contextmanager
def open_form(form: Form) -> Generator[Form]:
    """Open the files of a form for one attempt, and close the files that were opened here.

    Args:
        form: The form of a prepared request.

    Returns:
        The form to send. It is closed when the response has been read, because a server may respond before it has
            read the whole form.

    Raises:
        InvalidArgumentError: A file cannot be opened or rewound; the message names the argument and the reason.
    """
    with ExitStack() as stack:
        parts: list[FormPart] = []
        for part in form.parts:
            content: Any = part.content
            if not isinstance(content, str):
                try:
                    if isinstance(content, Path):
                        content = stack.enter_context(content.open("rb"))
                    content = FileReader(content)
                except Exception as error:
                    raise InvalidArgumentError(f"{part.name} cannot be read: {error}") from error
            parts.append(attrs.evolve(part, content=content))
        yield Form(tuple(parts))


class FileReader:
    """A file as an HTTP library reads it for one attempt: from its beginning, and again after `seek`.

    It has no `fileno`, because a library would take the size of the file behind it: for a file that is decompressed
    while it is read, that is the size of the compressed file.

    Args:
        file: The file.

    Attributes:
        size: How many bytes the file has; None if it cannot be rewound.
        error: What reading has raised; None for nothing.
        traceback: Where it was raised.

    Raises:
        OSError: The file has another length than it says.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.size: int | None = None
        self.error: Exception | None = None
        self.traceback: TracebackType | None = None
        self._file = file
        self._position = 0
        if file.seekable():
            file.seek(0, os.SEEK_END)
            self.size = file.tell()
            # A file of Linux in /proc has no length.
            if self.size == 0 and file.read(1):
                raise OSError("it has more than the 0 bytes that it says; pass its content as bytes")

    def read(self, size: int = -1, /) -> bytes:
        """Read from the file."""
        try:
            if self.size is None:
                return self._file.read(size)
            left = self.size - self._position
            if not 0 <= size <= left:
                # What a file has gained is not sent, because its length was sent before.
                size = left
            self._file.seek(self._position)
            content = self._file.read(size)
            self._position += len(content)
            if size and not content:
                raise OSError(f"it ended after {self._position} of {self.size} bytes while it was sent")
            return content
        except Exception as error:
            self.error = error
            self.traceback = error.__traceback__
            raise

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a position: the file itself goes there when it is read, because that may be slow.

        Raises:
            io.UnsupportedOperation: The file cannot be rewound.
        """
        if self.size is None:
            raise io.UnsupportedOperation("seek")
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}[whence]
        self._position = start + offset
        return self._position
