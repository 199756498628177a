"""The states of a sandbox that are kept under a name, compared, saved to a file and brought back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from ..shapes import parse
from ..state.state import State
from .differences import compare
from .documents import Document, checked, dump, load

# The snapshot that a reset brings back.
BEGINNING: Final = "beginning"


class UnknownSnapshotError(KeyError):
    """Nothing is kept under that name; the message has the names that there are."""

    def __str__(self) -> str:
        # A KeyError would show its message as a string in quotes.
        return str(self.args[0])


class Snapshots:
    """The snapshots of one sandbox."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._kept: dict[str, str] = {}

    @property
    def names(self) -> list[str]:
        """What is kept."""
        return list(self._kept)

    def take(self, name: str = "default") -> None:
        """Keep the state of now under *name*."""
        self._kept[name] = json.dumps(dump(self._state))

    def restore(self, name: str = "default") -> None:
        """Bring back what was kept under *name*, the time included; raises UnknownSnapshotError (a KeyError)."""
        load(self._state, self._named(name))

    def diff(self, name: str = "default") -> dict[str, list[str]]:
        """What has come (`added`), gone (`removed`) and become other (`changed`) since, as `collection/id`.

        Beside the things of the collections that is `organizations/{org_id}`, `users/{user_id}`, `credentials/{number}`
        (in the order in which they were made known: none is shown), `settings/{name}`, and `clock` where it does not
        tick by itself. Raises UnknownSnapshotError (a KeyError).
        """
        return compare(self._named(name), dump(self._state), ticks=self._state.now.ticks)

    def save(self, path: str | Path) -> None:
        """Write the state of now to a file."""
        # Beside it first: what breaks off on the way costs no state that was there.
        beside = Path(f"{path}.part")
        beside.write_text(json.dumps(dump(self._state), indent=1) + "\n", encoding="utf-8")
        beside.replace(path)

    def load(self, path: str | Path) -> None:
        """Bring back what was saved to a file; raises ValueError for one that is something else."""
        try:
            load(self._state, checked(parse(Path(path).read_bytes())))
        except ValueError as error:
            raise ValueError(f"{path} is no state of a sandbox: {error}") from None

    def document(self, name: str = "default") -> Document:
        """What is kept under *name*, but for the credentials, as JSON; raises UnknownSnapshotError (a KeyError)."""
        document = self._named(name)
        document.pop("accounts", None)
        return document

    def keep(self, name: str, document: Any) -> None:
        """Keep what `document` gave or `save` wrote as if it had been taken under *name*; raises ValueError.

        Where it has no credentials, those that are known when it is restored stay known.
        """
        self._kept[name] = json.dumps(checked(document))

    def _named(self, name: str) -> Document:
        if name not in self._kept:
            raise UnknownSnapshotError(f"no snapshot {name!r}; there are: {', '.join(self._kept) or 'none'}")
        document: Document = json.loads(self._kept[name])
        return document
