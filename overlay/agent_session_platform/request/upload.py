"""Files to upload: checked before anything is sent, and read from the beginning for each attempt."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar, cast

import attrs

from ..errors import InvalidArgumentError
from .multipart import MultipartForm, Part

T = TypeVar("T")

FALLBACK_NAME = "file"


class Upload:
    """One file of a form: a path, bytes, or a file that is open in binary mode.

    An open file is read from its current position, and from the same position again for each attempt, if it can seek.

    Raises:
        InvalidArgumentError: There is no such file, or it cannot be read as bytes.
    """

    def __init__(self, name: str, source: Any) -> None:
        self.name = name
        self.source: Any = source
        self._start: int | None = None
        if isinstance(source, str | os.PathLike):
            self.source = path = os.fsdecode(cast("str | os.PathLike[str]", source))
            if not os.path.isfile(path):
                raise InvalidArgumentError(f"{name}: no such file: {path!r}")
        elif isinstance(source, bytes | bytearray):
            self.source = bytes(source)
        elif not hasattr(source, "read"):
            raise InvalidArgumentError(f"{name} must be a path, bytes or an open file, not {type(source).__name__}")
        elif not isinstance(guarded(name, lambda: source.read(0)), bytes):
            raise InvalidArgumentError(f"{name} must be open in binary mode: open(path, 'rb')")
        elif hasattr(source, "seekable") and guarded(name, source.seekable):
            self._start = guarded(name, source.tell)

    @property
    def repeatable(self) -> bool:
        """True if it can be read again for another attempt."""
        return not hasattr(self.source, "read") or self._start is not None

    def open(self, stack: ExitStack) -> Part:
        """Open the file and return its part of the form; *stack* closes it."""
        source: Any = self.source
        if isinstance(source, bytes):
            return Part(source, FALLBACK_NAME)
        return guarded(self.name, lambda: self._open(source, stack))

    def _open(self, source: Any, stack: ExitStack) -> Part:
        if isinstance(source, str):
            file = stack.enter_context(open(source, "rb"))  # noqa: SIM115  # the stack closes it
            return Part(ReadableFile(self.name, file, os.fstat(file.fileno()).st_size), os.path.basename(source))
        length = None
        if self._start is not None:
            length = max(0, source.seek(0, os.SEEK_END) - self._start)
            source.seek(self._start)
        name = getattr(source, "name", None)
        filename = os.path.basename(name) if isinstance(name, str) else FALLBACK_NAME
        return Part(ReadableFile(self.name, source, length), filename)


@attrs.frozen
class JsonPart:
    """One member of a form that is an object: OpenAPI writes it as JSON, with that media type."""

    content: bytes = attrs.field(repr=False)
    repeatable: bool = True

    def open(self, stack: ExitStack) -> Part:
        """Return the part of the form, which has no file name."""
        return Part(self.content, media_type="application/json")


class ReadableFile:
    """A file for a form, which announces its length and then reads it.

    What keeps it from being sent as a whole is an InvalidArgumentError, which is also kept: an HTTP library may take it
    for an error of the connection.

    Args:
        name: The argument, for messages.
        file: The file, at the position to begin at.
        length: Its length from there; None if that is not known before it is read.

    Attributes:
        length: As above.
        failure: Why it could not be sent as a whole; None while it could.
    """

    def __init__(self, name: str, file: Any, length: int | None) -> None:
        self._name = name
        self._file = file
        self.length = length
        self._sent = 0
        self.failure: InvalidArgumentError | None = None

    def read(self, size: int = -1) -> bytes:
        """Read as the file does; raise InvalidArgumentError if it cannot be read, or has not the length that it had."""
        try:
            chunk: object = guarded(self._name, lambda: self._file.read(size))
            if not isinstance(chunk, bytes | bytearray):
                raise InvalidArgumentError(f"{self._name} cannot be read: not bytes but {type(chunk).__name__}")
            self._sent += len(chunk)
            if self.length is not None and (self._sent > self.length or (not chunk and self._sent < self.length)):
                raise InvalidArgumentError(
                    f"{self._name} changed while it was sent: it had {self.length} bytes, and is "
                    f"{'longer' if self._sent > self.length else 'shorter'} now"
                )
        except InvalidArgumentError as error:
            self.failure = error
            raise
        return bytes(chunk)


def guarded(name: str, use: Callable[[], T]) -> T:
    """Return what a use of a file returns; raise InvalidArgumentError for whatever it raises."""
    try:
        return use()
    except Exception as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
        raise InvalidArgumentError(f"{name} cannot be read: {reason}") from error


@contextmanager
def open_form(
    members: Mapping[str, str | list[str]], uploads: Mapping[str, Upload | JsonPart]
) -> Generator[MultipartForm]:
    """Open the files of a form for one attempt; of an attempt that fails by a file its error is raised."""
    with ExitStack() as stack:
        parts = {name: upload.open(stack) for name, upload in uploads.items()}
        try:
            yield MultipartForm(members, parts)
        except Exception:
            files = (part.content for part in parts.values() if isinstance(part.content, ReadableFile))
            failure = next((file.failure for file in files if file.failure is not None), None)
            if failure is None:
                raise
            raise failure from failure.__cause__
