"""The state of a sandbox as JSON: kept under a name, compared, saved to a file and brought back."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from .accounts import Account
from .state import Organization, Record, State, User

VERSION = 1

# The snapshot that a reset brings back.
BEGINNING: Final = "beginning"

Document = dict[str, Any]


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
        """Bring back what was kept under *name*, the time included; raises KeyError when there is nothing."""
        load(self._state, self._named(name))

    def diff(self, name: str = "default") -> dict[str, list[str]]:
        """What has come (`added`), gone (`removed`) and become other (`changed`) since, as `collection/id`."""
        before, after = things(self._named(name)), things(dump(self._state))
        return {
            "added": sorted(after.keys() - before.keys()),
            "removed": sorted(before.keys() - after.keys()),
            "changed": sorted(key for key in before.keys() & after.keys() if before[key] != after[key]),
        }

    def save(self, path: str | Path) -> None:
        """Write the state of now to a file."""
        # Beside it first: what breaks off on the way costs no state that was there.
        beside = Path(f"{path}.part")
        beside.write_text(json.dumps(dump(self._state), indent=1) + "\n", encoding="utf-8")
        beside.replace(path)

    def load(self, path: str | Path) -> None:
        """Bring back what was saved to a file; raises ValueError for one that is something else."""
        document: Any = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(document, dict) or cast("Document", document).get("version") != VERSION:
            raise ValueError(f"{path} is no state of a sandbox of this version")
        load(self._state, cast("Document", document))

    def _named(self, name: str) -> Document:
        if name not in self._kept:
            raise KeyError(f"no snapshot {name!r}; there are: {', '.join(self._kept) or 'none'}")
        document: Document = json.loads(self._kept[name])
        return document


def dump(state: State) -> Document:
    """All that a sandbox remembers."""
    return {
        "version": VERSION,
        "now": state.now().isoformat(),
        "number": state.number,
        "ids": state.ids,
        "org_group_limits_enabled": state.org_group_limits_enabled,
        "organizations": [asdict(each) for each in state.organizations.values()],
        "users": [listed(asdict(each)) for each in state.users.values()],
        "accounts": {token: listed(asdict(each)) for token, each in state.accounts.by_token.items()},
        "files": {uuid: b64encode(content).decode() for uuid, content in state.files.items()},
        "collections": [
            {"name": name, "records": {key: asdict(record) for key, record in records.items()}}
            for name, records in state.by_name.items()
        ],
    }


def load(state: State, document: Document) -> None:
    """Remember that, and nothing else; raises ValueError for what is no state, and then forgets nothing."""
    try:
        now = datetime.fromisoformat(document["now"])
        number, ids, enabled = document["number"], dict(document["ids"]), document["org_group_limits_enabled"]
        organizations = {each["org_id"]: Organization(**each) for each in document["organizations"]}
        users = {each["user_id"]: User(**frozen(each)) for each in document["users"]}
        accounts = {token: Account(**frozen(each)) for token, each in document["accounts"].items()}
        files = {uuid: b64decode(content) for uuid, content in document["files"].items()}
        by_name = {
            tuple(collection["name"]): {key: record_of(each) for key, each in collection["records"].items()}
            for collection in document["collections"]
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no state of a sandbox: {type(error).__name__} {error}") from None
    state.forget()
    state.now.set(now)
    state.number, state.ids, state.org_group_limits_enabled = number, ids, enabled
    state.organizations, state.users, state.files, state.by_name = organizations, users, files, by_name
    state.accounts.by_token = accounts


def things(document: Document) -> dict[str, Any]:
    """Every thing of a state by where it is."""
    return {
        "/".join([*collection["name"], key]): record
        for collection in document["collections"]
        for key, record in collection["records"].items()
    }


def record_of(fields: Document) -> Record:
    """A record with its parts."""
    document: Document = {**fields, "parts": [record_of(part) for part in fields["parts"]]}
    return Record(**document)


def listed(fields: Document) -> Document:
    """The same with sets as sorted lists."""
    return {
        name: sorted(cast("frozenset[str]", value)) if isinstance(value, frozenset) else value
        for name, value in fields.items()
    }


def frozen(fields: Document) -> Document:
    """The same with lists as sets."""
    return {
        name: frozenset(cast("list[str]", value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }
