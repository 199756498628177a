"""Files to upload: checked before anything is sent, and read from the beginning for each attempt."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import IO, Any, TypeAlias, cast

import attrs

from ..errors import InvalidArgumentError

# File name and content, from whose name the HTTP library derives the media type; or content and media type.
Part: TypeAlias = "tuple[str, bytes | ReadableFile] | tuple[None, bytes, str]"

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
            self.source = path = os.fspath(cast("str | os.PathLike[str]", source))
            if not os.path.isfile(path):
                raise InvalidArgumentError(f"{name}: no such file: {path!r}")
        elif isinstance(source, bytes | bytearray):
            self.source = bytes(source)
        elif not hasattr(source, "read"):
            raise InvalidArgumentError(f"{name} must be a path, bytes or an open file, not {type(source).__name__}")
        elif not isinstance(source.read(0), bytes):
            raise InvalidArgumentError(f"{name} must be open in binary mode: open(path, 'rb')")
        elif hasattr(source, "seekable") and source.seekable():
            self._start = source.tell()

    @property
    def repeatable(self) -> bool:
        """True if it can be read again for another attempt."""
        return not hasattr(self.source, "read") or self._start is not None

    def open(self, stack: ExitStack) -> Part:
        """Open the file and return its part of the form; *stack* closes it."""
        source: Any = self.source
        if isinstance(source, bytes):
            return FALLBACK_NAME, source
        try:
            if isinstance(source, str):
                return os.path.basename(source), ReadableFile(self.name, stack.enter_context(open(source, "rb")))
            if self._start is not None:
                source.seek(self._start)
        except OSError as error:
            raise unreadable(self.name, error) from error
        name = getattr(source, "name", None)
        return (os.path.basename(name) if isinstance(name, str) else FALLBACK_NAME), ReadableFile(self.name, source)


@attrs.frozen
class JsonPart:
    """One member of a form that is an object: OpenAPI writes it as JSON, with that media type."""

    content: bytes
    repeatable: bool = True

    def open(self, stack: ExitStack) -> Part:
        """Return the part of the form, which has no file name."""
        return None, self.content, "application/json"


class ReadableFile:
    """A file whose read errors are InvalidArgumentErrors: an OSError would pass for one of the connection."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name = name
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Read as the file does; raise InvalidArgumentError if it cannot be read."""
        try:
            return self._file.read(size)
        except OSError as error:
            raise unreadable(self._name, error) from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def unreadable(name: str, error: OSError) -> InvalidArgumentError:
    """Make the error of a file that cannot be read any more."""
    return InvalidArgumentError(f"{name} cannot be read: {error.strerror or type(error).__name__}")


@contextmanager
def open_files(uploads: Mapping[str, Upload | JsonPart]) -> Generator[dict[str, Part]]:
    """Open the files of a form for one attempt."""
    with ExitStack() as stack:
        yield {name: upload.open(stack) for name, upload in uploads.items()}
