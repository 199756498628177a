"""The file of observations: JSON, replaced as a whole, to which several processes add."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from ..errors import InvalidArgumentError
from ..files import lock, open_regular, random_beside, regular_mode, write_whole
from ..text import truncate
from .json_values import is_object
from .tally import Room, Tally, is_tally

VERSION: Final = 1
KIND: Final = "agent-session-platform-observations"
OPERATIONS: Final = "operations"
LARGEST: Final = 4 * 1024 * 1024
# How long another process is waited for, and how often it is looked at.
WAITING_SECONDS: Final = 2.0
PAUSE_SECONDS: Final = 0.02

logger = logging.getLogger("agent_session_platform")


def read_observations(paths: Iterable[str | os.PathLike[str]]) -> Tally:
    """Read files of observations, and add them up.

    Args:
        paths: The files.

    Returns:
        The tallies of the operations, by id.

    Raises:
        InvalidArgumentError: One of them cannot be read, or is no file of observations.
    """
    room, found = Room(), Tally()
    for path in paths:
        try:
            room.add(found, parsed_file(Path(path)))
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
            why = getattr(error, "strerror", None) or truncate(str(error))
            raise InvalidArgumentError(f"no file of observations: {truncate(str(path))!r} ({why})") from None
    return found


def parsed_file(path: Path) -> Tally:
    """Return the tallies in a file.

    Raises:
        OSError: It cannot be read.
        ValueError: It is damaged, or no such file.
    """
    with open(open_regular(path, os.O_RDONLY), "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST} bytes")
    document: Any = json.loads(content)
    if not is_object(document) or document.get("kind") != KIND or document.get("version") != VERSION:
        raise ValueError(f"it has no `kind` {KIND!r}, or another `version` than {VERSION}")
    operations: Any = document.get(OPERATIONS)
    if not (is_object(operations) and all(map(is_object, operations.values()))):
        raise ValueError("`operations` must be an object of objects")
    if not is_tally(operations):
        raise ValueError("`operations` has something else than counts and dates")
    # A copy within bounds, whoever wrote it.
    room, found = Room(), Tally()
    room.add(found, operations)
    return found


def merge_into(path: Path, tally: Tally) -> None:
    """Add a tally to a file; one that is damaged is put aside, with a warning.

    Args:
        path: The file; a new one is for its owner only.
        tally: What to add.

    Raises:
        OSError: It cannot be written, or another process keeps it for too long.
    """
    with locked(path):
        room, found = Room(), Tally()
        try:
            room.add(found, parsed_file(path))
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            aside = random_beside(str(path), ".damaged")
            os.replace(path, aside)
            logger.warning(
                "the file of observations was damaged (%s), and is now %s",
                type(error).__name__,
                os.path.basename(aside),
            )
            room, found = Room(), Tally()
        room.add(found, tally)
        document = {"kind": KIND, "version": VERSION, OPERATIONS: found}
        # Without spaces: with them a deep shape takes three times the room.
        content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        write_whole(path, random_beside(str(path), ".part"), content)


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Keep other processes out of a file, by a lock on another one beside it that stays.

    Raises:
        BlockingIOError: Another process keeps it for WAITING_SECONDS.
    """
    name = f"{path}.lock"
    regular_mode(name, "lock file")
    descriptor = open_regular(name, os.O_RDWR | os.O_CREAT)
    try:
        until = time.monotonic() + WAITING_SECONDS
        while True:
            with suppress(BlockingIOError):
                lock(descriptor, "another process writes the observations")
                break
            if time.monotonic() > until:
                lock(descriptor, "another process writes the observations")
            time.sleep(PAUSE_SECONDS)
        yield
    finally:
        os.close(descriptor)
