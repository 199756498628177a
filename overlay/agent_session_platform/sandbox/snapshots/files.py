"""Files of states: read and written as a whole, never through a link, and used by one process at a time."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

# A state contains credentials.
MODE: Final = 0o600
# Windows does not have these, and no FIFOs either.
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
BINARY: Final = getattr(os, "O_BINARY", 0)


def read_file(path: Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: It cannot be read, or is a link, a directory or a device.
    """
    _refuse_irregular(path)
    with open(os.open(path, os.O_RDONLY | NO_LINK | NO_WAIT | BINARY), "rb") as file:
        return file.read()


def write_file(path: Path, text: str) -> None:
    """Write a file that only its owner may read, as a whole: whatever happens, there is either the old or the new one.

    Raises:
        OSError: It cannot be written, or is a link, a directory or a device; an older file stays as it was.
    """
    _refuse_irregular(path)
    # Nobody can prepare a file or a link of this name.
    temporary = path.with_name(f".{path.name[:64]}.{token_hex(8)}.part")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | BINARY, MODE)
        with open(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        # Replaces the name: what it was a link of, if somebody has just made it one, stays as it is.
        os.replace(temporary, path)  # a Path does the same
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_directory(path.parent)


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Keep other processes from using a file while the context lasts; the lock ends with the process.

    The lock is on another file beside it, because writing replaces the file itself.

    Raises:
        OSError: The lock cannot be made; a BlockingIOError if another process has it.
    """
    beside = path.with_name(f"{path.name}.lock")
    _refuse_irregular(beside)
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | NO_LINK | NO_WAIT, MODE)
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _refuse_irregular(path: Path) -> None:
    """Raise OSError for anything but a regular file, or none."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise OSError(0, "it is a symbolic link; name the file itself", str(path))
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(0, "it is a directory; name a file", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(0, "it is not a regular file", str(path))


def _sync_directory(path: Path) -> None:
    """Write the new name of a file to the disk, where the system can."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(0, "another process uses it") from error

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(0, "another process uses it") from None
