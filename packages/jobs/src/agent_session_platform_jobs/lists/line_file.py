"""A file of lines that grows by whole pages: what a crash left behind them is cut off."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from io import FileIO

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.files import NEW, lock, open_regular, regular_mode
from agent_session_platform.text import truncate


@attrs.frozen
class End:
    """Where the file ends, as the state knows it.

    Attributes:
        size: The size of the file in bytes.
        tail: How many bytes the last page that added any has added.
        digest: The digest of those bytes.
    """

    size: int = 0
    tail: int = 0
    digest: str = ""


class LineFile:
    """A file to which lines are appended.

    Args:
        path: A regular file, or a new one.
        mode: The permissions of the file; None: only the owner may read a new one.

    Attributes:
        end: Where it ends.
    """

    def __init__(self, path: str, mode: int | None = None) -> None:
        self._path = path
        self._mode = mode
        self._opened: FileIO | None = None
        self.end = End()

    def open(self, end: End | None) -> None:
        """Open the file, and cut off what it has beyond its end.

        Args:
            end: Where it ends; None if it must be new or empty.

        Raises:
            InvalidArgumentError: It is no regular file, was changed, or has lines that no state knows.
            BlockingIOError: Another export writes it.
            OSError: It cannot be opened or cut.
        """
        path, self.end = self._path, end or End()
        exists = regular_mode(path, "path") is not None
        if not exists and end is not None and end.size:
            raise InvalidArgumentError(
                f"path: {truncate(path)!r} is missing, but the state says that {end.size} bytes of it are written; "
                "put it back, or remove the state to export everything again"
            )
        self._opened = FileIO(open_regular(path, os.O_RDWR | (0 if exists else NEW)), "r+")
        lock(self._file.fileno(), "another export writes the same file; wait until it has ended, or name another file")
        if self._mode is not None and hasattr(os, "fchmod"):
            os.fchmod(self._file.fileno(), self._mode)
        self._check(is_new=end is None)

    @property
    def _file(self) -> FileIO:
        assert self._opened is not None, "the file was not opened"
        return self._opened

    def _check(self, *, is_new: bool) -> None:
        size = os.fstat(self._file.fileno()).st_size
        name = truncate(self._path)
        if is_new and size:
            raise InvalidArgumentError(
                f"path: {name!r} exists, and the state does not know its lines; name another file, or remove this one"
            )
        self._file.seek(max(self.end.size - self.end.tail, 0))
        tail = self._file.read(self.end.tail) if self.end.tail else b""
        if size < self.end.size or (self.end.tail and _digest(tail) != self.end.digest):
            raise InvalidArgumentError(
                f"path: {name!r} was changed by something else: its first {self.end.size} bytes are not those that the "
                "state knows; put the file back as it was, or remove it and the state to export everything again"
            )
        self._file.truncate(self.end.size)
        self._file.seek(self.end.size)

    def append(self, lines: Sequence[bytes]) -> None:
        """Append lines and write them to the disk.

        Raises:
            OSError: They cannot be written; `cut` removes what was.
        """
        content = b"".join(lines)
        if not content:
            return
        left = memoryview(content)
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())
        self.end = End(self.end.size + len(content), len(content), _digest(content))

    def cut(self, end: End) -> None:
        """Cut the file to an end that it had before, if the system allows it now; else the next run does it."""
        self.end = end
        with suppress(OSError):
            self._file.truncate(end.size)
            self._file.seek(end.size)

    def close(self) -> None:
        """Close the file."""
        if self._opened is not None:
            self._opened.close()


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()
