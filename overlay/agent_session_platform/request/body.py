"""The body of a request: JSON, text, bytes, or a form with the files to upload.

A form is checked before anything is sent, and opened anew for each attempt: see `open_form`.
"""

from __future__ import annotations

import errno
import io
import mimetypes
import os
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self, cast

import attrs

from .._api import UNSET, Model, Request
from ..errors import InvalidArgumentError
from ..text import JSON, format_value, media_type_of, plain_text, type_name
from ..validators import is_async_function
from .arguments import LIST_TYPES, encode_utf8, json_text, value_text

# A file of at most this many bytes is read when it is opened: nothing else tells its length for certain.
SMALL_FILE = 64 * 1024


@attrs.frozen
class FormPart:
    """A part of a form: a text, an object that is written as JSON, or a file.

    Attributes:
        name: The name of the member; for a file, the name of the argument.
        content: The text, or the JSON of the object. For a file, a function that opens the file for an attempt; in an
            opened form, the file: a FileReader, or an io.BytesIO.
        media_type: The Content-Type of the part; None for a text.
        filename: The name of the file; None for a text or an object.
        repeatable: Whether another attempt can read the file again.
    """

    name: str
    content: str | FileReader | io.BytesIO | Callable[[], Any] = attrs.field(repr=False)
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
                return part.content.error
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


def write_body(request: Request[Any]) -> Body:
    """Write the body of a request in the media type of its operation.

    Raises:
        InvalidArgumentError: The body cannot be written; the message names the place.
    """
    body: Any = request.body
    media_type = request.operation.media_type or JSON
    if media_type.startswith("multipart/"):
        return Body(form=make_form(join_members(request), request.files or {}))
    if media_type != JSON and not media_type_of(media_type).endswith(("/json", "+json")):
        return Body(plain_bytes(body), media_type)
    if request.extra_body is None and not request.members and not isinstance(body, Mapping):
        # A Model is no mapping: like an array, it is the whole body.
        return Body(json_bytes(body), media_type)
    if request.members and body is not None and body is not UNSET:
        refuse_members_beside_body(request)
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


def plain_bytes(body: Any) -> bytes:
    """Write a body that is text or bytes.

    Raises:
        InvalidArgumentError: It is neither, or UTF-8 cannot encode it.
    """
    if isinstance(body, str):
        return encode_utf8(body, "body")
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
        if members is None or members is UNSET:
            continue
        if not isinstance(members, Mapping):
            raise InvalidArgumentError(f"{argument} must be a mapping, not {type_name(members)}")
        for name, member in cast("Mapping[str, Any]", members).items():
            if member is UNSET:
                continue
            if name in joined:
                raise InvalidArgumentError(f"{argument} repeats {name}, which is given already")
            joined[name] = member
    return joined


def refuse_members_beside_body(request: Request[Any]) -> None:
    """Refuse keywords beside `body=`, which is the whole body."""
    for parameter in request.operation.parameters:
        if parameter.location == "body" and not parameter.name:
            name = min(request.members or ())
            raise InvalidArgumentError(f"body= is the whole body: put {name} into it, or leave out body=")


def json_bytes(value: Any) -> bytes:
    """Write a body as JSON.

    Raises:
        InvalidArgumentError: The body cannot be written as JSON in UTF-8.
    """
    return encode_utf8(json_text("the body", value), "the body")


def form_texts(name: str, value: Any) -> list[str]:
    """Write a member of a form: a list becomes several texts, and a nested value becomes JSON.

    Raises:
        InvalidArgumentError: The value cannot be written; the message has *name*.
    """
    if value is None:
        raise InvalidArgumentError(f"{name} must not be None: a form has no null; leave it out")
    items: Iterable[Any] = [value]
    if isinstance(value, LIST_TYPES):
        items = cast("Iterable[Any]", value)
    return [form_text(name, item) for item in items]


def form_text(name: str, item: Any) -> str:
    """Write one text of a form."""
    is_nested = item is None or isinstance(item, (Mapping, Model, *LIST_TYPES))
    write = json_text if is_nested else value_text
    text = write(name, item)
    # This call only checks the text, because its error names the member. The form is encoded later.
    encode_utf8(f"{name}{text}", repr(name))
    return text


def make_form(members: Mapping[str, Any], files: Mapping[str, Any]) -> Form:
    """Make a form; as in OpenAPI, a member that is an object becomes JSON, with the media type of JSON.

    Raises:
        InvalidArgumentError: The form cannot be written; the message names the member.
    """
    parts: list[FormPart] = []
    for name, value in members.items():
        # The name stands in a header of its part.
        if not str(name).isprintable():
            raise InvalidArgumentError(f"the name {format_value(name)} has characters that a form cannot carry")
        if isinstance(value, Mapping | Model):
            parts.append(FormPart(name, json_text(name, value), JSON))
        else:
            parts += [FormPart(name, text) for text in form_texts(name, value)]
    for name, upload in files.items():
        if upload is not UNSET:
            with reading(name):
                parts.append(parse_upload(name, upload))
    return Form(tuple(parts))


def parse_upload(name: str, upload: Any) -> FormPart:
    """Check a file to upload.

    Args:
        name: The argument.
        upload: A path, bytes, or a file that is open in binary mode; or (file name, content) or (file name, content,
            media type), where the content is bytes or an open file.

    Raises:
        InvalidArgumentError: There is no such file, or it cannot be read as bytes.
    """
    filename, file, media_type = unpack_upload(name, upload)
    if type(file) is io.BytesIO:
        # The bytes are not copied, and a library can state their length.
        file = file.getvalue()
    repeatable = True
    if isinstance(file, str | os.PathLike):
        file = regular_file(name, cast("str", file))
        open_file: Callable[[], Any] = partial(FileReader.open, file)
    elif isinstance(file, bytes | bytearray):
        open_file = partial(io.BytesIO, file)
    elif hasattr(file, "read"):
        check_file(name, file)
        repeatable = file.seekable()
        open_file = partial(FileReader, file)
    else:
        raise InvalidArgumentError(f"{name} must be a path, bytes or an open file, not {type_name(file)}")
    filename = filename or own_name(file)
    media_type = media_type or mimetypes.guess_type(filename)[0] or "application/octet-stream"
    if not (filename.isprintable() and media_type.isprintable() and media_type.isascii()):
        raise InvalidArgumentError(f"{name} has a file name or a media type with characters that cannot be sent")
    return FormPart(name, open_file, media_type, filename, repeatable)


def regular_file(name: str, path: str) -> Path:
    """Return the path of a file to upload.

    Raises:
        InvalidArgumentError: There is no such file, or it is not a regular one.
    """
    file = Path(os.fsdecode(path))
    if not file.exists():
        raise InvalidArgumentError(f"{name}: no such file: {str(file)!r}")
    if not file.is_file():
        raise InvalidArgumentError(f"{name}: not a regular file: {str(file)!r}; pass it open, or its bytes")
    # The current directory may change before the next attempt.
    return Path(os.path.abspath(file))


def own_name(file: Any) -> str:
    """Return the file name of a path or an open file; `file` for anything without a name."""
    name: Any = getattr(file, "name", None)
    if not isinstance(name, str):
        return "file"
    return os.path.basename(name) or "file"


def check_file(name: str, file: Any) -> None:
    """Refuse a file that does not read bytes.

    Raises:
        InvalidArgumentError: It reads text, or must be awaited.
    """
    if is_async_function(file.read):
        remedy = "pass what `await file.read()` returns, or the file behind it, such as `upload.file` of FastAPI"
        raise InvalidArgumentError(f"{name} must not be an asynchronous file: {remedy}")
    if not isinstance(file.read(0), bytes):
        raise InvalidArgumentError(f"{name} must be open in binary mode: open(path, 'rb')")


def unpack_upload(name: str, upload: Any) -> tuple[str, Any, str]:
    """Return file name, content and media type of a file to upload; a name or a type that is not given is empty."""
    match upload:
        case (str(filename), content) if not isinstance(content, str | os.PathLike):
            return plain_text(filename), content, ""
        case (str(filename), content, str(media_type)) if not isinstance(content, str | os.PathLike):
            return plain_text(filename), content, plain_text(media_type)
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
        The form to send. It is closed when the response has been read, because a server may respond before it has
            read the whole form.

    Raises:
        InvalidArgumentError: A file cannot be opened or rewound; the message names the argument and the reason.
    """
    with ExitStack() as stack:
        parts: list[FormPart] = []
        for part in form.parts:
            if callable(part.content):
                with reading(part.name):
                    part = attrs.evolve(part, content=stack.enter_context(part.content()))
            parts.append(part)
        yield Form(tuple(parts))


class FileReader:
    """A file as an HTTP library reads it for one attempt: from its beginning, and again after `seek`.

    It has no `fileno`: a library would take the length of the file behind it, which is another one if the file is
    decompressed while it is read.

    Args:
        file: The file.
        is_owned: Whether the file was opened for this attempt, and is closed after it.

    Attributes:
        size: How many bytes the file has; None if it cannot be rewound.
    """

    def __init__(self, file: BinaryIO, *, is_owned: bool = False) -> None:
        self.size: int | None = None
        # What is read may be a copy in memory.
        self._opened = self._file = file
        self._is_owned = is_owned
        self._position = 0
        self._is_in_place = True
        self._error: Exception | None = None
        self._traceback: TracebackType | None = None
        if file.seekable():
            is_from_disk = isinstance(file, io.BufferedReader | io.BufferedRandom | io.FileIO)
            try:
                file.seek(0, os.SEEK_END)
                self.size = file.tell()
            except OSError:
                # The files in /proc have no end to go to.
                if not is_from_disk:
                    raise
                self.size = 0
            self.seek(0)
            if is_from_disk and self.size <= SMALL_FILE:
                self._keep()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file for one attempt."""
        return cls(path.open("rb"), is_owned=True)

    def _keep(self) -> None:
        """Read a small file now: a file of Linux in /proc or /sys has another length than it says.

        Raises:
            OSError: It cannot be read, or has no end.
        """
        self._file.seek(0)
        content = b""
        while len(content) <= SMALL_FILE:
            # A file without a buffer gives as much as it likes.
            piece = self._file.read(SMALL_FILE + 1 - len(content))
            if not piece:
                break
            content += piece
        if len(content) > SMALL_FILE:
            raise OSError(errno.EIO, f"it has more than the {self.size} bytes that it says; pass its content as bytes")
        self._file, self.size = io.BytesIO(content), len(content)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._is_owned:
            self._opened.close()

    @property
    def error(self) -> Exception | None:
        """What reading has raised, without the frames of the HTTP library, which have the request; None for nothing."""
        return self._error and self._error.with_traceback(self._traceback)

    def read(self, size: int = -1, /) -> bytes:
        """Read from the file."""
        try:
            if not self._is_in_place:
                self._file.seek(self._position)
                self._is_in_place = True
            content = self._file.read(self._bounded(size))
            if self.size is not None and not content and size and self._position < self.size:
                raise OSError(errno.EIO, f"it ended after {self._position} of {self.size} bytes while it was sent")
        except Exception as error:
            self._error, self._traceback = error, error.__traceback__
            raise
        self._position += len(content)
        return content

    def _bounded(self, size: int) -> int:
        """Return how much to read: what a file has gained is not sent, because its length was sent before."""
        if self.size is None:
            return size
        left = max(0, self.size - self._position)
        if size < 0:
            return left
        return min(size, left)

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
        self._is_in_place = False
        return self._position


@contextmanager
def reading(name: str) -> Generator[None]:
    """Raise InvalidArgumentError for any error of a file."""
    try:
        yield
    except InvalidArgumentError:
        raise
    except Exception as error:
        reason = type_name(error)
        if isinstance(error, OSError) and error.strerror:
            reason = error.strerror
        raise InvalidArgumentError(f"{name} cannot be read: {reason}") from error
