"""Files on their way out: checked before anything is sent, and read anew for each try."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import IO, Any, cast

from ..errors import InvalidArgumentError

# Name, content and nothing more: httpx guesses the type by the name.
Part = tuple[str, "bytes | Guarded"]

FALLBACK_NAME = "file"


class Upload:
    """One file of a form: a path, bytes, or a file that is open in binary mode.

    A file that is open is read from where it stands, and again from there at each try, if it can be.
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
        """Whether it can be read again for another try."""
        return not hasattr(self.source, "read") or self._start is not None

    def open(self, stack: ExitStack) -> Part:
        """The part of the form, read from the beginning; what is opened for it is closed with *stack*."""
        source: Any = self.source
        if isinstance(source, bytes):
            return FALLBACK_NAME, source
        try:
            if isinstance(source, str):
                return os.path.basename(source), Guarded(self.name, stack.enter_context(open(source, "rb")))
            if self._start is not None:
                source.seek(self._start)
        except OSError as error:
            raise unreadable(self.name, error) from error
        name = getattr(source, "name", None)
        return (os.path.basename(name) if isinstance(name, str) else FALLBACK_NAME), Guarded(self.name, source)


class Guarded:
    """A file whose errors are its own: without, one of reading would pass for one of the connection."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name = name
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Read as the file does; raises InvalidArgumentError when it cannot be read."""
        try:
            return self._file.read(size)
        except OSError as error:
            raise unreadable(self._name, error) from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def unreadable(name: str, error: OSError) -> InvalidArgumentError:
    """The error of a file that could be read before, and cannot any more."""
    return InvalidArgumentError(f"{name} cannot be read: {error.strerror or type(error).__name__}")


@contextmanager
def opened(uploads: Mapping[str, Upload]) -> Generator[dict[str, Part]]:
    """The parts of a form for one try."""
    with ExitStack() as stack:
        yield {name: upload.open(stack) for name, upload in uploads.items()}
