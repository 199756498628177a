"""The temporary file of an export, which gets its final name when it is complete.

A process that is killed leaves its temporary file behind, and the next export of the same file removes it. A lock shows
whether the process still runs: the operating system releases it when the process ends, in whatever way.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from glob import escape, iglob
from typing import Final

from ..database import PRIVATE

if sys.platform != "win32":
    import fcntl

# Do not follow a link that somebody else made.
FLAGS: Final = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)

# The length of the random part, in characters. It is random, so that nobody can create a file of this name beforehand.
RANDOM: Final = 16

# The name of a file has at most 255 bytes on most file systems, with a random part and the suffix `.part`.
LONGEST_STEM: Final = 255 - len(f".{'0' * RANDOM}.part")


def create_temporary(target: str) -> tuple[str, int]:
    """Create the temporary file of an export, and remove those that killed processes have left.

    Args:
        target: The file of the export.

    Returns:
        The path of the new file, and its descriptor.

    Raises:
        OSError: The file cannot be created.
    """
    folder, name = os.path.split(target)
    stem = os.path.join(folder, os.fsencode(name)[:LONGEST_STEM].decode(errors="ignore"))
    for leftover in iglob(f"{escape(stem)}.{'[0-9a-f]' * RANDOM}.part"):
        remove_unused(leftover)
    while True:
        path = f"{stem}.{os.urandom(RANDOM // 2).hex()}.part"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | FLAGS, PRIVATE)
        except OSError as error:
            # Name the file of the caller, and not one that nobody knows.
            error.filename = target
            raise
        # A file system without locks is no reason to fail: then nothing is removed, either.
        with suppress(OSError):
            lock(descriptor)
        if os.path.lexists(path):
            return path, descriptor
        # Another export has removed the file before it was locked.
        os.close(descriptor)


def remove_unused(path: str) -> None:
    """Remove a temporary file, unless a process uses it."""
    with suppress(OSError):
        if sys.platform == "win32":
            # Windows removes no file that is open.
            os.unlink(path)
            return
        descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK | FLAGS)
        try:
            lock(descriptor)
            os.unlink(path)
        finally:
            os.close(descriptor)


def lock(descriptor: int) -> None:
    """Lock a file until it is closed. Windows needs no lock: it removes no file that is open.

    Raises:
        OSError: Another process has locked the file, or the file system has no locks.
    """
    if sys.platform != "win32":
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
