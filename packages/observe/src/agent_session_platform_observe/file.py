"""The file of observations: JSON, replaced as a whole, to which several processes add."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any, Final

from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import is_object
from agent_session_platform.files import lock, open_regular, random_beside, regular_mode, write_whole
from agent_session_platform.text import truncate

from .shape import DEPTH
from .tally import FREE, KEY, LEAST, MANY, NAMED, NEW, OTHERS, VALUES, Room, Tally

# Files of version 1 may have names that are values.
VERSION: Final = 2
KIND: Final = "agent-session-platform-observations"
LARGEST: Final = 4 * 1024 * 1024
# With sorted keys a file begins so, also one that was cut off.
BEGINNING: Final = f'{{"kind":"{KIND}"'.encode()
# How long other processes are waited for, and how often it is looked at: a hundred that end at once take some seconds.
WAITING_SECONDS: Final = 30.0
PAUSE_SECONDS: Final = 0.02

logger = logging.getLogger("agent_session_platform")


# What stands in a file, by name: an object of this kind, a count or a date. `*` is any name, and the empty one has
# those without which an object, for parts of which there was no room, says nothing.
COUNTS: Final = {"*": "count"}
NAMES: Final = {NAMED: "count", FREE: "count", OTHERS: {"*": {"": ("n",), "n": "count"}}}
DATES: Final = {"first": "date", "last": "date"}


def shape_rule(levels: int) -> Mapping[str, Any]:
    """Return the rule of a shape with so many levels below it."""
    rule: dict[str, Any] = {"": ("n", "types"), **dict.fromkeys(("n", NAMED, FREE, MANY), "count")}
    rule |= dict.fromkeys(("types", "formats", VALUES, NEW), COUNTS)
    if levels:
        below = shape_rule(levels - 1)
        rule |= {"members": {"*": below}, OTHERS: {"*": below}, "items": below}
    return rule


SHAPE: Final = shape_rule(DEPTH + 2)
SENT: Final = {"": ("bodies",), "bodies": COUNTS, "body": SHAPE}
RESPONSE: Final = {
    "": ("first", "last", "count"),
    **DATES,
    "count": "count",
    **dict.fromkeys(("media", "bodies"), COUNTS),
    "headers": NAMES,
    "body": SHAPE,
}
OPERATION: Final = {
    "": ("first", "last"),
    **DATES,
    "responses": {"*": RESPONSE},
    "request": {"accepted": SENT, "refused": SENT},
    "query": {"accepted": NAMES, "refused": NAMES},
    "order": {"pages": {"*": COUNTS}, "seams": {"*": COUNTS}},
    "credentials": {"*": COUNTS},
}


def checked(value: object, rule: Mapping[str, Any], place: str) -> Tally:
    """Return an object of a file as the rest of the package relies on it: anybody may have written it."""
    if not is_object(value):
        raise ValueError(f"`{place}` must be an object")
    result: Tally = {}
    for key, member in value.items():
        if not KEY.fullmatch(key) or not {key, "*"} & rule.keys():
            shown = key if KEY.fullmatch(key) else "a name"
            raise ValueError(f"`{place}` has {shown}, which no file of observations has there")
        kind = rule.get(key, rule.get("*"))
        if kind == "count":
            if isinstance(member, bool) or not isinstance(member, int) or member < 0:
                raise ValueError(f"`{key}` must be a whole number")
            result[key] = member
        elif kind == "date":
            try:
                result[key] = date.fromisoformat(str(member)).isoformat()
            except ValueError:
                raise ValueError(f"`{key}` must be a date, such as 2026-11-20") from None
        else:
            below = checked(member, kind, key)
            if all(name in below for name in kind.get("", ())):
                result[key] = below
    if result.get(NAMED, 0) < LEAST:
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
    room, found = Room(), dict[str, Tally]()
    for path in paths:
        try:
            add_file(Path(path), found, room)
        except (OSError, ValueError, TypeError, RecursionError) as error:
            why = getattr(error, "strerror", None) or truncate(str(error))
            way_out = "name a file that AgentPlatform(on_exchange=...) or AGENT_PLATFORM_OBSERVE has written"
            raise InvalidArgumentError(f"no file of observations: {truncate(str(path))!r} ({why}); {way_out}") from None
    return found


def add_file(path: Path, tally: Tally, room: Room) -> None:
    """Add the tallies in a file.

    Args:
        path: The file.
        tally: Where they are added.
        room: What bounds the entries, whoever wrote the file.

    Raises:
        OSError: It cannot be read.
        DamagedFileError: It is empty or was cut off.
        ValueError: It is something else, or of another version.
    """
    with open(open_regular(path, os.O_RDONLY), "rb") as file:
        content = file.read(LARGEST + 1)
    is_ours = content.startswith(BEGINNING) or BEGINNING.startswith(content)
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST} bytes")
    try:
        document: Any = json.loads(content)
    except (ValueError, RecursionError):
        # Its message may have a part of the text.
        error = DamagedFileError if is_ours else ValueError
        raise error("it is empty or was cut off" if is_ours else "it is not JSON") from None
    if not is_object(document) or document.get("kind") != KIND:
        raise ValueError(f"it has no `kind` {KIND!r}")
    if document.get("version") != VERSION:
        raise ValueError(f"its `version` is not {VERSION}: another version of the SDK wrote it")
    room.add(tally, checked(document.get("operations"), {"*": OPERATION}, "operations"))


def merge_into(path: Path, tally: Tally) -> None:
    """Add a tally to a file; one that was cut off is put aside, with a warning.

    Args:
        path: The file; a new one is for its owner only.
        tally: What to add.

    Raises:
        OSError: It cannot be written, or another process keeps it for too long.
        InvalidArgumentError: Something else is in the file. It stays as it is, because it may be of use to somebody.
    """
    with locked(path):
        room, found = Room(), Tally()
        try:
            add_file(path, found, room)
        except FileNotFoundError:
            pass
        except DamagedFileError as error:
            aside = random_beside(str(path), ".damaged")
            os.replace(path, aside)
            logger.warning(
                "the file of observations %s was damaged (%s); it is now %s, and a new one begins",
                path.name,
                error,
                os.path.basename(aside),
            )
        except (ValueError, TypeError, RecursionError) as error:
            raise InvalidArgumentError(
                f"{path.name} is no file of observations ({error}), and stays as it is; name another one"
            ) from None
        room.add(found, tally)
        document = {"kind": KIND, "version": VERSION, "operations": found}
        # Without spaces: with them a deep shape takes three times the room.
        content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        write_whole(path, content)


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
