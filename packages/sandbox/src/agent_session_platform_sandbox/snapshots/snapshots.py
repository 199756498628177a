"""The snapshots of a sandbox, and files of states: written as a whole, never through a link, for one process."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from agent_session_platform.files import irregular_kind, lock, open_regular, write_whole

from ..problems import UnknownNameError
from ..state import State
from ..validation import parse_json
from .documents import Document, checked, compare, dump, load

# The snapshot that a reset restores.
BEGINNING: Final = "beginning"


class UnknownSnapshotError(UnknownNameError):
    """There is no snapshot of that name. The message lists the names."""


class Snapshots:
    """The snapshots of one sandbox by name."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._kept: dict[str, str] = {}

    @property
    def names(self) -> list[str]:
        """The names of the snapshots."""
        return list(self._kept)

    def take(self, name: str = "default") -> None:
        """Keep the current state under a name."""
        with self._state.lock:
            self._kept[name] = json.dumps(dump(self._state))

    def restore(self, name: str = "default") -> None:
        """Restore the state that was kept under a name, including the time.

        Raises:
            UnknownSnapshotError: There is no such snapshot (a KeyError).
        """
        load(self._state, self._named(name))

    def diff(self, name: str = "default") -> dict[str, list[str]]:
        """Return the names of the items that were `added`, `removed` and `changed` since a snapshot was taken.

        Records are named `collection/id`; further names are `organizations/{org_id}`, `users/{user_id}`,
        `credentials/{number}` (in the order of addition, because a credential is never shown), `settings/{name}`, and
        `clock` if it does not tick.

        Raises:
            UnknownSnapshotError: There is no such snapshot (a KeyError).
        """
        with self._state.lock:
            return compare(self._named(name), dump(self._state), ticks=self._state.now.ticks)

    def save(self, path: str | Path) -> None:
        """Write the current state to a file that only its owner may read, because it contains the credentials.

        Raises:
            OSError: The file cannot be written, or is a link or a directory; an older one stays as it was.
        """
        with self._state.lock:
            document = dump(self._state)
        _refuse_irregular(Path(path))
        write_whole(path, (json.dumps(document, indent=1) + "\n").encode())

    def load(self, path: str | Path) -> None:
        """Restore the state that was saved to a file.

        Raises:
            OSError: The file cannot be read, or is a link or a directory.
            ValueError: It is not a state of a sandbox.
        """
        _refuse_irregular(Path(path))
        with open(open_regular(path, os.O_RDONLY), "rb") as file:
            content = file.read()
        try:
            load(self._state, checked(parse_json(content, max_values=sys.maxsize), self._state))
        except ValueError as error:
            raise ValueError(f"{path} is not a state of a sandbox: {error}") from None

    def document(self, name: str = "default") -> Document:
        """Return a snapshot as JSON, without the credentials.

        Raises:
            UnknownSnapshotError: There is no such snapshot (a KeyError).
        """
        document = self._named(name)
        document.pop("accounts", None)
        return document

    def keep(self, name: str, document: Any) -> None:
        """Keep JSON of `document` or of a saved file as a snapshot.

        If it has no credentials, restoring it keeps those that are known then.

        Raises:
            ValueError: It is not a state of a sandbox.
        """
        self._kept[name] = json.dumps(checked(document, self._state))

    def _named(self, name: str) -> Document:
        if name not in self._kept:
            raise UnknownSnapshotError(f"no snapshot {name!r}; known: {', '.join(self._kept) or 'none'}")
        document: Document = json.loads(self._kept[name])
        return document


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
    if kind is not None:
        raise OSError(0, f"it is {kind}; name a regular file", str(path))
