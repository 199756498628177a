"""The file of observations: JSON to which several processes add, each by replacing the whole file."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import is_object

from .contract import KEY
from .shape import Tally

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# A file of an earlier version is refused, because its names may be values.
VERSION: Final = 4
KIND: Final = "agent-session-platform-observations"
LARGEST: Final = 4 * 1024 * 1024
STATUS: Final = re.compile(r"[1-9][0-9]{2}")


def read_observations(paths: Iterable[str | os.PathLike[str]]) -> dict[str, Tally]:
    """Read files of observations, and add them up.

    Args:
        paths: The files, for example from several computers. Without a file, there are no observations.

    Returns:
        A tally for each operation, by its id, such as `list_organization_sessions`. Requests to a path that the
        contract does not have are under their method and path. Below each tally are the tallies of the statuses.

    Raises:
        InvalidArgumentError: A file cannot be read, or is no file of observations; the message says why.
    """
    if isinstance(paths, str | os.PathLike):
        raise InvalidArgumentError(f"paths must be a list of files, such as [{os.fsdecode(paths)!r}]")
    found = Tally()
    for path in paths:
        try:
            found.add(read_file(Path(path)))
        except (OSError, ValueError, RecursionError) as error:
            why = getattr(error, "strerror", None) or error
            way_out = "name a file that AgentPlatform(on_exchange=...) or AGENT_PLATFORM_OBSERVE has written"
            raise InvalidArgumentError(f"no file of observations: {str(path)!r} ({why}); {way_out}") from None
    found.settle()
    return found.below


def read_file(path: Path) -> Tally:
    """Return the tally in a file; an empty tally if the file is empty.

    Raises:
        OSError: The file cannot be read.
        ValueError: The file is something else, or of another version.
    """
    content = path.read_bytes()
    if not content:
        return Tally()
    try:
        document: Any = json.loads(content)
    except ValueError:
        # The message of this error may contain a part of the text.
        raise ValueError("it is not JSON, or was cut off") from None
    if not is_object(document) or (document.get("kind"), document.get("version")) != (KIND, VERSION):
        raise ValueError(f"it is not a file of kind {KIND!r}, version {VERSION}")
    found = to_tally(document.get("operations"), "operations")
    for operation in found.below.values():
        for status, tally in operation.below.items():
            counts = tally.counts
            is_complete = counts["count"] and counts["first"] and counts["last"]
            if not is_complete or not STATUS.fullmatch(status):
                raise ValueError("below an operation there may only be statuses with `count`, `first` and `last`")
        # This raises ValueError if a date is invalid, or if there is no status.
        operation.dates()
    return found


def to_tally(value: object, name: str) -> Tally:
    """Check the JSON of a file, because anybody may have written it, and return it as a tally."""
    if not is_object(value):
        raise ValueError(f"`{name}` must be an object")
    found = Tally()
    for key, member in value.items():
        if not KEY.fullmatch(key):
            raise ValueError(f"`{name}` has a member with a name that no file of observations has")
        if isinstance(member, int) and not isinstance(member, bool) and member >= 0:
            found.counts[key] = member
        elif is_object(member):
            found.below[key] = to_tally(member, key)
        else:
            raise ValueError(f"`{key}` must be a whole number or an object")
    return found


def merge_into(path: Path, tally: Tally) -> None:
    """Add a tally to a file.

    Args:
        path: The file. If it is new, only its owner may read it.
        tally: What to add.

    Raises:
        OSError: The file cannot be written, or another process locks it for too long.
        InvalidArgumentError: The file is full, or is no file of observations. It stays as it is.
    """
    with locked(path):
        try:
            found = read_file(path)
        except FileNotFoundError:
            found = Tally()
        except (ValueError, RecursionError) as error:
            text = f"{path.name} is no file of observations ({error}), and stays as it is; name another one"
            raise InvalidArgumentError(text) from None
        found.add(tally)
        found.settle()
        document = {"kind": KIND, "version": VERSION, "operations": found.to_dict()}
        # The JSON has no spaces, because with spaces a deep tally takes three times as many bytes.
        content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        if len(content) > LARGEST:
            raise InvalidArgumentError(f"{path.name} is full, with {LARGEST} bytes; name another one")
        write_whole(path, content)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read. Whatever happens, the path has either the old or the new file."""
    part = path.with_name(f"{path.name}.part")
    try:
        with open(part, "wb", opener=for_owner) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Lock a file against other processes and threads. The lock is on a second file beside it, which is not deleted."""
    with open(path.with_name(f"{path.name}.lock"), "ab", opener=for_owner) as file:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def for_owner(path: str, flags: int) -> int:
    """Open a file. If the file is new, only its owner may read it."""
    return os.open(path, flags, 0o600)
