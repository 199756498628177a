"""Files that are whole or not there: never opened through a link, written to the disk, and used by one at a time."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, Final

from .errors import InvalidArgumentError
from .text import format_value, truncate

if TYPE_CHECKING:
    from pathlib import Path

# The mode of a file that only its owner may read.
PRIVATE: Final = 0o600

# No system has all of these. A FIFO would be waited for, and Windows would translate line ends.
NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
NEW: Final = os.O_CREAT | os.O_EXCL

# With its suffix, a random name must be no longer than systems allow.
LONGEST_STEM: Final = 40

IRREGULAR_KINDS: Final = {stat.S_IFDIR: "a directory", stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a FIFO"}


def irregular_kind(mode: int) -> str | None:
    """Return what a path is by its mode if not a regular file, such as `a directory`; None for a regular file."""
    return None if stat.S_ISREG(mode) else IRREGULAR_KINDS.get(stat.S_IFMT(mode), "a device or a socket")


def check_target(path: Any) -> tuple[str, int | None]:
    """Return a path as text, and the permissions of the file there; None if there is none.

    Raises:
        InvalidArgumentError: It is not a path, or something else than a regular file is there. A symbolic link is
            refused as well: whoever made it would choose what is replaced.
        OSError: It cannot be looked up.
    """
    try:
        target = os.fsdecode(path)
    except TypeError:
        raise InvalidArgumentError(f"path must be a path, not {format_value(path)}") from None
    if not target:
        raise InvalidArgumentError("path must be the path of a file, and not empty")
    return target, regular_mode(target, "path")


def regular_mode(target: str, name: str) -> int | None:
    """Return the permissions of a regular file; None if nothing is there, InvalidArgumentError for anything else."""
    try:
        found = os.lstat(target)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise InvalidArgumentError(f"{name} must be a path, not {format_value(target)} ({error})") from None
    kind = irregular_kind(found.st_mode)
    if kind is not None:
        raise InvalidArgumentError(f"{name} must be a regular file or a new one, but {truncate(target)!r} is {kind}")
    return stat.S_IMODE(found.st_mode) & 0o777


def random_beside(path: str, suffix: str) -> str:
    """Return a name in the same directory that nobody can prepare a file or a link of."""
    directory, name = os.path.split(path)
    return os.path.join(directory, f"{name[:LONGEST_STEM]}.{os.urandom(8).hex()}{suffix}")


def open_regular(path: str | Path, flags: int, mode: int = PRIVATE) -> int:
    """Open a regular file, never through a link and without waiting; return its descriptor.

    Args:
        path: The file.
        flags: Flags of `os.open`; with NEW, there must be nothing of this name.
        mode: The permissions of a file that is made.

    Raises:
        OSError: It cannot be opened, or is not a regular file.
    """
    descriptor = os.open(path, flags | NO_FOLLOW | NO_WAIT, mode)
    try:
        # What was looked up before it was opened may have been replaced in between.
        kind = irregular_kind(os.fstat(descriptor).st_mode)
        if kind is not None:
            raise OSError(errno.EINVAL, f"it is {kind}, and not a regular file", str(path))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file that only its owner may read: whatever happens, there is either the old or the new one.

    Args:
        path: The file; a link of this name is replaced, and not followed.
        content: What to write.

    Raises:
        OSError: It cannot be written; an older file stays as it was.
    """
    temporary = random_beside(str(path), ".part")
    with new_file(temporary) as file:
        file.write(content)
        put_in_place(file, temporary, path)


@contextmanager
def new_file(path: str | Path, mode: int = PRIVATE) -> Generator[IO[bytes]]:
    """Open a new file, which is removed at the end unless it was given another name; see `open_regular`."""
    descriptor = open_regular(path, os.O_WRONLY | NEW, mode)
    try:
        with open(descriptor, "wb") as file:
            yield file
    finally:
        with suppress(OSError):
            os.unlink(path)


def put_in_place(file: IO[bytes], temporary: str | Path, path: str | Path) -> None:
    """Write a new file to the disk, close it and give it its name; see `replace`."""
    file.flush()
    os.fsync(file.fileno())
    file.close()
    replace(temporary, path)


def replace(temporary: str | Path, path: str | Path) -> None:
    """Give a file, which is on the disk, its name in one step, and write the name to the disk where the system can.

    Raises:
        OSError: It cannot be renamed; an older file stays as it was.
    """
    os.replace(temporary, path)
    with suppress(OSError):
        directory = os.open(os.path.dirname(path) or os.curdir, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int, taken: str) -> None:
        """Keep others out of an open file until it is closed; BlockingIOError with this message if one has it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(errno.EAGAIN, taken) from error

else:
    import fcntl

    def lock(descriptor: int, taken: str) -> None:
        """Keep others out of an open file until it is closed; BlockingIOError with this message if one has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, taken) from None
