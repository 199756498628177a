"""Snapshots: states of a sandbox as JSON, kept under names, compared, saved to files and restored."""

from __future__ import annotations

import errno
import json
import sys
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

import attrs
from agent_session_platform.contract import Node

from .clock import Clock, parse_datetime
from .fields import OBJECT
from .problems import UnknownNameError
from .state import Account, Organization, Record, State, User
from .validation import FLAG, TEXT, TEXTS, check_json, closed_object, load_contract, parse_json

if sys.platform == "win32":
    from msvcrt import LK_NBLCK, locking

    def take_lock(descriptor: int) -> None:
        """Lock an open file until it is closed; raise OSError if another process has the lock."""
        locking(descriptor, LK_NBLCK, 1)

else:
    from fcntl import LOCK_EX, LOCK_NB, flock

    def take_lock(descriptor: int) -> None:
        """Lock an open file until it is closed; raise OSError if another process has the lock."""
        flock(descriptor, LOCK_EX | LOCK_NB)


# The snapshot that a reset restores.
BEGINNING: Final = "beginning"
VERSION: Final = 1

SCHEDULE: Final[Node] = {"$ref": "#/components/schemas/Schedule"}
ARRAY: Final[Node] = {"type": "array"}
ORGANIZATION: Final = closed_object(
    ("org_id",),
    org_id=TEXT,
    platforms=TEXTS,
    automations_enabled=FLAG,
    migrated_to_automations=FLAG,
    default_session_tags=TEXTS,
)
# Greater numbers are not exact in other languages, and might have too many digits to be written.
COUNT: Final[Node] = {"type": "integer", "minimum": 0, "maximum": 2**53}
TEXT_OR_NULL: Final[Node] = {"type": ["string", "null"]}
TEXTS_OR_NULL: Final[Node] = {**TEXTS, "type": ["array", "null"]}
USER: Final = closed_object(
    ("user_id",), user_id=TEXT, email=TEXT_OR_NULL, name=TEXT_OR_NULL, organizations=TEXTS, permissions=TEXTS
)
ACCOUNT: Final = closed_object(("kind",), kind=TEXT, permissions=TEXTS_OR_NULL, organizations=TEXTS_OR_NULL, level=TEXT)
RECORD: Final = closed_object(
    ("number", "fields"),
    number={**COUNT, "minimum": 1},
    fields=OBJECT,
    deleted=FLAG,
    memory=OBJECT,
    parts={"type": "array", "items": {"$ref": "#/$defs/record"}},
)
COLLECTION: Final = closed_object(
    ("name", "records"),
    name={**TEXTS, "minItems": 1},
    records={"type": "object", "additionalProperties": {"$ref": "#/$defs/record"}},
)
STATE: Final[Node] = {
    **closed_object(
        ("version", "now", "number", "ids", "org_group_limits_enabled", "organizations", "users", "collections"),
        version={"const": VERSION},
        now=TEXT,
        number=COUNT,
        ids={"type": "object", "additionalProperties": COUNT},
        org_group_limits_enabled=FLAG,
        organizations={"type": "array", "items": ORGANIZATION},
        users={"type": "array", "items": USER},
        accounts=OBJECT,
        files={"type": "object", "additionalProperties": TEXT},
        collections={"type": "array", "items": COLLECTION},
    ),
    "$defs": {"record": RECORD},
}
# The contract of a build may say that ids are numbers.
ID: Final[Node] = {"type": ["string", "integer"]}
ASSIGNMENTS: Final[Node] = {"type": "array", "items": OBJECT}
# The members that the handlers of a resource read, without which they would fail. The clock checks what runs by itself.
READ: Final[dict[str, dict[str, Node]]] = {
    "sessions": {"session_id": ID, "org_id": TEXT, "status": {}, "is_archived": {}, "tags": {}},
    "members": {"user_id": ID, "email": TEXT_OR_NULL, "role_assignments": ASSIGNMENTS},
    "idp-members": {"user_id": TEXT, "email": TEXT_OR_NULL},
    "idp-groups": {"idp_group_name": TEXT, "role_assignments": ASSIGNMENTS},
    "roles": {"role_type": TEXT},
    "audit-logs": {"org_id": TEXT_OR_NULL},
    "searches": {"org_id": TEXT},
    "guardrail-violations": {"org_id": TEXT},
    "hypervisors": {"status": {}},
    "ip-ranges": {"range": TEXT},
    "git-repositories": {"name": TEXT},
    "git-permissions": {"git_permission_id": ID, "org_id": TEXT},
    "pr-reviews": {"status": TEXT},
    "schedules": dict.fromkeys(load_contract().flatten(SCHEDULE)["properties"], Node()),
    "automations": {"automation_id": ID, "org_id": TEXT, "enabled": FLAG, "created_at": TEXT, "updated_at": TEXT},
}


def dump(state: State) -> Node:
    """Return a copy of the state as JSON."""
    collections: list[Node] = []
    for name, records in state.by_name.items():
        kept = {key: attrs.asdict(record) for key, record in records.items()}
        collections.append({"name": name, "records": kept})
    files: Node = {}
    for place, content in state.files.items():
        files[place] = b64encode(content).decode()
    return {
        "version": VERSION,
        "now": state.now().isoformat(),
        "number": state.number,
        "ids": dict(state.ids),
        "org_group_limits_enabled": state.org_group_limits_enabled,
        "organizations": [*map(as_json, state.organizations.values())],
        "users": [*map(as_json, state.users.values())],
        "accounts": {token: as_json(account) for token, account in state.accounts.by_token.items()},
        "files": files,
        "collections": collections,
    }


def as_json(instance: attrs.AttrsInstance) -> Node:
    """Return an instance as JSON, with sets as sorted lists."""
    return attrs.asdict(instance, value_serializer=_sorted)


def _sorted(instance: type, attribute: object, value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(cast("frozenset[str]", value))
    return value


def load(state: State, document: Node) -> None:
    """Replace the state by the state in a valid document; the credentials stay if the document has no credentials."""
    with state.lock:
        state.clear()
        state.now.set(parse_datetime(document["now"]))
        state.number = document["number"]
        state.ids = dict(document["ids"])
        state.org_group_limits_enabled = document["org_group_limits_enabled"]
        for each in document["organizations"]:
            state.organizations[each["org_id"]] = Organization(**each)
        for each in document["users"]:
            state.users[each["user_id"]] = User(**each)
        for place, content in document.get("files", {}).items():
            state.files[place] = b64decode(content, validate=True)
        for collection in document["collections"]:
            records = state.collection(*collection["name"])
            for key, each in collection["records"].items():
                records[key] = _record(each)
        if "accounts" in document:
            state.accounts.by_token = {}
            for token, account in document["accounts"].items():
                state.accounts.add(token, Account(**account))
        state.plan_all()


def _record(fields: Node) -> Record:
    record = Record(**fields)
    record.parts = [Record(**part) for part in fields.get("parts", ())]
    return record


def _check_records(document: Node) -> None:
    """Raise ValueError if records lack what handlers read, or have numbers that later records would get, too."""
    numbers: set[int] = set()
    names: set[tuple[str, ...]] = set()
    for collection in document["collections"]:
        name = tuple(collection["name"])
        if name in names:
            raise ValueError(f"there are two collections {'/'.join(name)}")
        names.add(name)
        needed = READ.get(name[0], {})
        schema = {"type": "object", "properties": needed, "required": [*needed]}
        for key, record in collection["records"].items():
            place = "/".join([*name, key])
            check_json(schema, record["fields"], place)
            if name[0] == "sessions" and (*name[1:], key) != (
                record["fields"]["org_id"],
                str(record["fields"]["session_id"]),
            ):
                raise ValueError(f"{place}: its org_id and its session_id must be those of its place")
            for part in [record, *record.get("parts", ())]:
                if part["number"] in numbers or part["number"] > document["number"]:
                    raise ValueError(f"{place}: number {part['number']} is in use, or greater than that of the state")
                numbers.add(part["number"])


def _items(document: Node) -> Node:
    """Return the items of a state that are compared, by their names."""
    items = {"clock": document["now"], "settings/org_group_limits_enabled": document["org_group_limits_enabled"]}
    for each in document["organizations"]:
        items[f"organizations/{each['org_id']}"] = each
    for each in document["users"]:
        items[f"users/{each['user_id']}"] = each
    for collection in document["collections"]:
        name = "/".join(collection["name"])
        for key, record in collection["records"].items():
            items[f"{name}/{key}"] = record
    return items


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
        `settings/{name}`, and `clock` if the clock does not tick. Credentials are not compared.

        Raises:
            UnknownSnapshotError: There is no such snapshot (a KeyError).
        """
        with self._state.lock:
            old, new = _items(self._named(name)), _items(dump(self._state))
            if self._state.now.ticks:
                new["clock"] = old["clock"]
        both = old.keys() & new.keys()
        return {
            "added": sorted(new.keys() - both),
            "removed": sorted(old.keys() - both),
            "changed": [key for key in sorted(both) if old[key] != new[key]],
        }

    def save(self, path: str | Path) -> None:
        """Write the current state to a file that only its owner may read, because it contains the credentials.

        Raises:
            OSError: The file cannot be written, or is a link or a directory. An older file then stays as it was.
        """
        with self._state.lock:
            content = json.dumps(dump(self._state), indent=1)
        path = Path(path)
        _refuse_irregular(path)
        # The file is replaced in one step: whatever happens, there is either the old file or the new one.
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.") as directory:
            new = Path(directory, path.name)
            new.touch(0o600)
            new.write_text(content, encoding="utf-8")
            new.replace(path)

    def load(self, path: str | Path) -> None:
        """Restore the state that was saved to a file.

        Raises:
            OSError: The file cannot be read, or is a link or a directory.
            ValueError: The file does not have the state of a sandbox.
        """
        _refuse_irregular(Path(path))
        document = parse_json(Path(path).read_bytes(), max_values=sys.maxsize)
        self._check(document)
        load(self._state, document)

    def document(self, name: str = "default") -> Node:
        """Return a snapshot as JSON, without the credentials.

        Raises:
            UnknownSnapshotError: There is no such snapshot (a KeyError).
        """
        document = self._named(name)
        document.pop("accounts", None)
        return document

    def keep(self, name: str, document: Any) -> None:
        """Keep JSON as a snapshot: a result of the method `document`, or the content of a saved file.

        If the JSON has no credentials, restoring it does not change the credentials of the sandbox.

        Raises:
            ValueError: The JSON is not the state of a sandbox.
        """
        self._check(document)
        self._kept[name] = json.dumps(document)

    def _check(self, document: Any) -> None:
        """Raise ValueError if JSON that a person or another program wrote is not a state."""
        check_json(STATE, document, "the state")
        try:
            for account in document.get("accounts", {}).values():
                # The place would show the credential.
                check_json(ACCOUNT, account, "an account")
            _check_records(document)
            load(State(Clock(), self._state.runs), document)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"the state cannot be loaded: {type(error).__name__}: {error}") from None

    def _named(self, name: str) -> Node:
        if name not in self._kept:
            raise UnknownSnapshotError(f"no snapshot {name!r}; known: {', '.join(self._kept) or 'none'}")
        document: Node = json.loads(self._kept[name])
        return document


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Keep other processes from using a file while the context lasts; the lock ends with the process.

    The lock is on a second file, `NAME.lock`, because writing replaces the file itself.

    Raises:
        OSError: The lock cannot be made; a BlockingIOError if another process has it.
    """
    beside = path.with_name(f"{path.name}.lock")
    _refuse_irregular(beside)
    with beside.open("ab") as file:
        try:
            take_lock(file.fileno())
        except OSError as error:
            advice = "another sandbox uses the file; stop that sandbox first, or name another file"
            raise BlockingIOError(errno.EAGAIN, advice) from error
        yield


def _refuse_irregular(path: Path) -> None:
    """Raise OSError if something exists at the path that is not a regular file."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise OSError(errno.EINVAL, "it is not a regular file; name another one", str(path))
