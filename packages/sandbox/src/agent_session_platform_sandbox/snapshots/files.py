"""Files of states: read and written as a whole, never through a link, and used by one process at a time."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from agent_session_platform.files import irregular_kind, lock, open_regular, write_whole


def read_file(path: Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: It cannot be read, or is a link, a directory or a device.
    """
    _refuse_irregular(path)
    with open(open_regular(path, os.O_RDONLY), "rb") as file:
        return file.read()


def write_file(path: Path, text: str) -> None:
    """Write a file that only its owner may read, as a whole: a state contains credentials.

    Raises:
        OSError: It cannot be written, or is a link, a directory or a device; an older file stays as it was.
    """
    _refuse_irregular(path)
    # Nobody can prepare a file or a link of this name.
    write_whole(path, path.with_name(f".{path.name[:40]}.{token_hex(8)}.part"), text.encode())


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Keep other processes from using a file while the context lasts; the lock ends with the process.

    The lock is on another file beside it, because writing replaces the file itself.

    Raises:
        OSError: The lock cannot be made; a BlockingIOError if another process has it.
    """
    beside = path.with_name(f"{path.name}.lock")
    _refuse_irregular(beside)
    descriptor = open_regular(beside, os.O_RDWR | os.O_CREAT)
    try:
        lock(descriptor, "another process uses it")
        yield
    finally:
        os.close(descriptor)


def _refuse_irregular(path: Path) -> None:
    """Raise OSError for anything but a regular file, or none."""
    try:
        kind = irregular_kind(path.lstat().st_mode)
    except FileNotFoundError:
        return
    if kind == "a symbolic link":
        raise OSError(0, "it is a symbolic link; name the file itself", str(path))
    if kind == "a directory":
        raise IsADirectoryError(0, "it is a directory; name a file", str(path))
    if kind is not None:
        raise OSError(0, "it is not a regular file", str(path))
