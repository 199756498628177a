"""The state of a sandbox as JSON: kept under a name, compared, saved to a file and brought back."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from ..credentials import NAMES as CREDENTIALS
from .accounts import LEVELS, Account
from .clock import moment
from .differences import compare
from .shapes import FLAG, TEXT, TEXTS, Node, check, closed, parse
from .state import Organization, Record, State, User

VERSION = 1

# The snapshot that a reset brings back.
BEGINNING: Final = "beginning"

Document = dict[str, Any]

OBJECT: Final[Node] = {"type": "object"}
COUNT: Final[Node] = {"type": "integer", "minimum": 0}
MAYBE_TEXT: Final[Node] = {"type": ["string", "null"]}
MAYBE_TEXTS: Final[Node] = {"type": ["array", "null"], "items": TEXT}
RECORDS: Final[Node] = {"$ref": "#/$defs/record"}
ACCOUNT: Final = closed(
    ("kind",),
    kind={"enum": [*CREDENTIALS]},
    permissions=MAYBE_TEXTS,
    organizations=MAYBE_TEXTS,
    level={"enum": [*LEVELS]},
)
ORGANIZATION: Final = closed(
    ("org_id",),
    org_id=TEXT,
    platforms=TEXTS,
    automations_enabled=FLAG,
    migrated_to_automations=FLAG,
    default_session_tags=TEXTS,
)
STATE: Final[Node] = {
    **closed(
        ("version", "now", "number", "ids", "org_group_limits_enabled", "organizations", "users", "collections"),
        version={"enum": [VERSION]},
        now=TEXT,
        number=COUNT,
        ids={"type": "object", "additionalProperties": COUNT},
        org_group_limits_enabled=FLAG,
        organizations={"type": "array", "items": ORGANIZATION},
        users={
            "type": "array",
            "items": closed(
                ("user_id",), user_id=TEXT, email=MAYBE_TEXT, name=MAYBE_TEXT, organizations=TEXTS, permissions=TEXTS
            ),
        },
        accounts=OBJECT,
        files={"type": "object", "additionalProperties": TEXT},
        collections={
            "type": "array",
            "items": closed(
                ("name", "records"),
                name={"type": "array", "items": TEXT, "minItems": 1},
                records={"type": "object", "additionalProperties": RECORDS},
            ),
        },
    ),
    "$defs": {
        "record": closed(
            ("number", "fields", "parts"),
            number=COUNT,
            fields=OBJECT,
            deleted=FLAG,
            memory=OBJECT,
            parts={"type": "array", "items": RECORDS},
        )
    },
}


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


def checked(document: Any) -> Document:
    """A document that a person or another program gave; raises ValueError, which shows no credential."""
    check(STATE, document, "the state")
    state = cast("Document", document)
    for number, account in enumerate(state.get("accounts", {}).values(), start=1):
        check(ACCOUNT, account, f"the state.accounts[{number}]", hidden=True)
    try:
        moment(state["now"])
    except ValueError as error:
        raise ValueError(f"the state.now: {error}: {state['now']!r}") from None
    for uuid, content in state.get("files", {}).items():
        try:
            b64decode(content, validate=True)
        except ValueError:
            raise ValueError(f"the state.files.{uuid}: must be Base64") from None
    return state


def dump(state: State) -> Document:
    """All that a sandbox remembers."""
    return {
        "version": VERSION,
        "now": state.now().isoformat(),
        "number": state.number,
        "ids": dict(state.ids),
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
        # A document that anybody may see has none.
        accounts = {token: Account(**frozen(each)) for token, each in document.get("accounts", {}).items()}
        files = {uuid: b64decode(content) for uuid, content in document.get("files", {}).items()}
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
    if "accounts" in document:
        state.forgotten.add(state.accounts.by_token)
        state.accounts.by_token = accounts


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
