"""The file beside the target that becomes the target when it is complete."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from ..errors import InvalidArgumentError
from ..files import NEW, lock, open_regular, random_beside, regular_mode, replace, write_whole
from ..text import truncate
from .version import STRONG_ETAG, Version, is_settled

CHUNK = 1024 * 1024
LONGEST_STATE = 8192


class PartFile:
    """The part of a file that has come, in the directory of the target; use it in a `with` block.

    Without `resume` it has a random name, and is removed unless it becomes the target. With it, it is `TARGET.part`,
    and `TARGET.part.json` has the version that it is a part of; both are kept for the next attempt.

    Args:
        target: What it becomes.
        mode: The permissions of the file that it replaces; None if there is none.
        source: A name of what is downloaded, where it is to be resumed; None otherwise.

    Attributes:
        size: How many bytes of it can be continued.
        version: The version that they are of; None if there are none.

    Raises:
        InvalidArgumentError: Something else than a file of this user has the name of the part.
        BlockingIOError: Another task or process writes the same part; only where it is to be resumed.
        OSError: It cannot be made.
    """

    def __init__(self, target: str, mode: int | None, source: str | None) -> None:
        self._target = target
        self._source = source
        self._path = random_beside(target, ".part") if source is None else f"{target}.part"
        self._state = f"{self._path}.json"
        self._is_part = True
        self.size = 0
        self.version: Version | None = None
        self._file = self._open()
        try:
            if source is not None:
                self._lock()
                self._load(source)
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(self._file.fileno(), mode)
        except BaseException:
            self._file.close()
            if source is None:
                os.unlink(self._path)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with suppress(OSError):
            # What a full disk refuses now is not there when it is resumed.
            self._file.close()
        with suppress(OSError):
            if self._is_part and not (self.version is not None and self._source and os.path.getsize(self._path)):
                os.unlink(self._path)
                if self._source is not None:
                    os.unlink(self._state)

    def chunks(self) -> Iterator[bytes]:
        """Read what can be continued; after it the file is at its end."""
        self._file.seek(0)
        while chunk := self._file.read(CHUNK):
            yield chunk

    def restart(self, version: Version | None) -> None:
        """Drop what is there; what is written from now on is of *version*, None if it cannot be continued."""
        self._file.seek(0)
        self._file.truncate()
        self.size, self.version = 0, version
        if self._source is None:
            return
        with suppress(FileNotFoundError):
            os.unlink(self._state)
        if version is not None:
            state = {"source": self._source, "validator": version.validator, "size": version.size}
            write_whole(self._state, random_beside(self._state, ".json"), json.dumps(state).encode())

    def write(self, chunk: bytes) -> None:
        """Append bytes."""
        self._file.write(chunk)

    def flush(self) -> None:
        """Write what is still in memory, to the disk: else, after a power failure, the target might be empty."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def finish(self) -> None:
        """Become the target, in one step; everything was flushed.

        Raises:
            InvalidArgumentError: Meanwhile something else than a regular file is there.
            OSError: It cannot be written.
        """
        regular_mode(self._target, "path")
        if os.name == "nt":
            # An open file cannot be renamed there.
            self._file.close()
        replace(self._path, self._target)
        self._is_part = False
        if self._source is not None:
            with suppress(FileNotFoundError):
                os.unlink(self._state)

    def _open(self) -> IO[bytes]:
        exists = False
        if self._source is not None:
            exists = regular_mode(self._path, "the part of path") is not None
            regular_mode(self._state, "the state of the part")
        return os.fdopen(open_regular(self._path, os.O_RDWR | (0 if exists else NEW), 0o666), "r+b")

    def _lock(self) -> None:
        """Keep other writers of the same part out."""
        found = os.fstat(self._file.fileno())
        if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
            raise InvalidArgumentError(f"{truncate(self._path)!r} is not a file of this user; remove it")
        lock(self._file.fileno(), "another download writes the same part")
        if not os.path.samestat(found, os.lstat(self._path)):
            raise BlockingIOError(f"{self._path} was just completed or removed by another download")

    def _load(self, source: str) -> None:
        """Read of which version the part is; without that nothing of it is used."""
        try:
            with os.fdopen(open_regular(self._state, os.O_RDONLY), "rb") as file:
                state = json.loads(file.read(LONGEST_STATE))
            validator, size = state["validator"], state["size"]
            is_valid = STRONG_ETAG.fullmatch(validator) or is_settled(validator, None)
            here = os.fstat(self._file.fileno()).st_size
            if state["source"] == source and is_valid and here and (size is None or here < size):
                self.size, self.version = here, Version(validator, size)
        except (ValueError, TypeError, KeyError, AttributeError, OSError):
            # A broken state: the file is fetched from its beginning.
            return
