"""The file of observations: JSON, replaced as a whole, to which several processes add."""

from __future__ import annotations

import errno
import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final

from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import is_object

from .contract import KEY
from .shape import FREE, LEAST, MANY, MISSING, NAMED, NEW, OTHERS, VALUES, Tally, add

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Files of earlier versions may have names that are values.
VERSION: Final = 3
KIND: Final = "agent-session-platform-observations"
LARGEST: Final = 4 * 1024 * 1024
# With sorted keys a file begins so, also one that was cut off.
BEGINNING: Final = f'{{"kind":"{KIND}"'.encode()
# How long other processes are waited for, and how often it is looked at: a hundred that end at once take some seconds.
WAITING_SECONDS: Final = 30.0
PAUSE_SECONDS: Final = 0.02

# What stands in a file, by kind: the members of an object, each with its own kind. `*` is any name.
GRAMMAR: Final[Mapping[str, Mapping[str, str]]] = {
    "operations": {"*": "operation"},
    "operation": {
        **dict.fromkeys(("first", "last"), "date"),
        "responses": "responses",
        "request": "requests",
        "query": "fates",
        "credentials": "tables",
    },
    "responses": {"*": "response"},
    "response": {
        **dict.fromkeys(("first", "last"), "date"),
        "count": "count",
        **dict.fromkeys(("media", "bodies"), "counts"),
        "headers": "names",
        "body": "shape",
    },
    "requests": dict.fromkeys(("accepted", "refused"), "sent"),
    "sent": {"bodies": "counts", "body": "shape"},
    "fates": dict.fromkeys(("accepted", "refused"), "names"),
    "names": {NAMED: "count", FREE: "count", OTHERS: "named"},
    "named": {"*": "name"},
    "name": {"n": "count"},
    "shape": {
        **dict.fromkeys(("n", NAMED, FREE, MANY), "count"),
        **dict.fromkeys(("types", "formats", MISSING, VALUES, NEW), "counts"),
        **dict.fromkeys(("members", OTHERS), "members"),
        "items": "shape",
    },
    "members": {"*": "shape"},
    "tables": {"*": "counts"},
    "counts": {"*": "count"},
}
# Without these an object says nothing.
NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "operation": ("first", "last"),
    "response": ("first", "last", "count"),
    "sent": ("bodies",),
    "name": ("n",),
    "shape": ("n", "types"),
}

logger = logging.getLogger("agent_session_platform")


def checked(value: object, kind: str = "operations", name: str = "operations") -> Any:
    """Return a value of a file as the rest of the package relies on it: anybody may have written it."""
    if kind == "count":
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ValueError(f"`{name}` must be a whole number")
        return value
    if kind == "date":
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            raise ValueError(f"`{name}` must be a date, such as 2026-11-20") from None
    if not is_object(value):
        raise ValueError(f"`{name}` must be an object")
    rule, result = GRAMMAR[kind], Tally()
    for key, member in value.items():
        if not KEY.fullmatch(key) or not {key, "*"} & rule.keys():
            shown = key if KEY.fullmatch(key) else "a name"
            raise ValueError(f"`{name}` has {shown}, which no file of observations has there")
        result[key] = checked(member, rule.get(key) or rule["*"], key)
    for key in NEEDED.get(kind, ()):
        if key not in result:
            raise ValueError(f"`{name}` has no {key}")
    if result.get(NAMED, 0) < LEAST and OTHERS in rule:
        result.pop(OTHERS, None)
    return result


class DamagedFileError(ValueError):
    """A file of observations that is not whole, such as after a computer was turned off."""


def read_observations(paths: Iterable[str | os.PathLike[str]]) -> dict[str, Tally]:
    """Read files of observations, and add them up.

    Args:
        paths: The files, such as those of several computers. Without any there are no observations.

    Returns:
        The tally of each operation by the operation's id, such as `list_organization_sessions`; of requests to a
        path that the contract does not have, by method and path. A tally has counts, dates and further tallies.

    Raises:
        InvalidArgumentError: One of them cannot be read, or is no file of observations; the message says why.
    """
    found: dict[str, Tally] = {}
    for path in paths:
        try:
            add(found, read_file(Path(path)))
        except (OSError, ValueError, TypeError, RecursionError) as error:
            why = getattr(error, "strerror", None) or error
            way_out = "name a file that AgentPlatform(on_exchange=...) or AGENT_PLATFORM_OBSERVE has written"
            raise InvalidArgumentError(f"no file of observations: {str(path)!r} ({why}); {way_out}") from None
    return found


def read_file(path: Path) -> Tally:
    """Return the tallies in a file.

    Raises:
        OSError: It cannot be read.
        DamagedFileError: It is empty or was cut off.
        ValueError: It is something else, or of another version.
    """
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST} bytes")
    try:
        document: Any = json.loads(content)
    except (ValueError, RecursionError):
        # Its message may have a part of the text.
        if content.startswith(BEGINNING) or BEGINNING.startswith(content):
            raise DamagedFileError("it is empty or was cut off") from None
        raise ValueError("it is not JSON") from None
    if not is_object(document) or document.get("kind") != KIND:
        raise ValueError(f"it has no `kind` {KIND!r}")
    if document.get("version") != VERSION:
        raise ValueError(f"its `version` is not {VERSION}: another version of the SDK wrote it")
    found: Tally = checked(document.get("operations"))
    return found


def merge_into(path: Path, tally: Tally) -> None:
    """Add a tally to a file; one that was cut off is put aside, with a warning.

    Args:
        path: The file; a new one is for its owner only.
        tally: What to add.

    Raises:
        OSError: It cannot be written, or another process keeps it for too long.
        InvalidArgumentError: The file is full, or has something else. It stays as it is.
    """
    with locked(path):
        found: Tally = {}
        try:
            found = read_file(path)
        except FileNotFoundError:
            pass
        except DamagedFileError as error:
            aside = path.with_name(f"{path.name}.{time.time_ns()}.damaged")
            os.replace(path, aside)
            text = "the file of observations %s was damaged (%s); it is now %s, and a new one begins"
            logger.warning(text, path.name, error, aside.name)
        except (ValueError, RecursionError) as error:
            raise InvalidArgumentError(
                f"{path.name} is no file of observations ({error}), and stays as it is; name another one"
            ) from None
        add(found, tally)
        document = {"kind": KIND, "version": VERSION, "operations": found}
        # Without spaces: with them a deep shape takes three times the room.
        content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        if len(content) > LARGEST:
            raise InvalidArgumentError(f"{path.name} is full, with {LARGEST} bytes; name another one")
        write_whole(path, content)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read: whatever happens, there is either the old or the new one."""
    descriptor, temporary = tempfile.mkstemp(".part", "observations.", path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Keep other processes out of a file, by a lock on another one beside it that stays.

    Raises:
        TimeoutError: Another process keeps it for WAITING_SECONDS.
    """
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + WAITING_SECONDS
        while not lock(descriptor):
            if time.monotonic() > until:
                raise TimeoutError(errno.ETIMEDOUT, "another process writes the observations")
            time.sleep(PAUSE_SECONDS)
        yield
    finally:
        os.close(descriptor)


def lock(descriptor: int) -> bool:
    """Keep others out of an open file until it is closed; return whether nobody else does."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
