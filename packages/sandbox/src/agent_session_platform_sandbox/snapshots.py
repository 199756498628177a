"""Snapshots: states of a sandbox as JSON, kept under names, compared, saved to files and restored."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

import attrs

from .clock import check_time, parse_datetime
from .contract import KINDS, LEVELS
from .problems import UnknownNameError
from .state import SINCE, Account, Organization, Record, State, User
from .validation import FLAG, TEXT, TEXTS, Node, check, closed_object, excerpt, parse_json

if sys.platform == "win32":
    import msvcrt

    def take_lock(descriptor: int) -> None:
        """Keep others out of an open file until it is closed; OSError if one has it."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def take_lock(descriptor: int) -> None:
        """Keep others out of an open file until it is closed; OSError if one has it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


VERSION = 1

Document = dict[str, Any]
Key = tuple[str, ...]

# Places of a comparison.
CREDENTIALS: Final = "credentials"
CLOCK: Final = ("clock",)

OBJECT: Final[Node] = {"type": "object"}
# Greater numbers are not exact in other languages, and might have too many digits to be written.
COUNT: Final[Node] = {"type": "integer", "minimum": 0, "maximum": 2**53}
MAYBE_TEXT: Final[Node] = {"type": ["string", "null"]}
MAYBE_TEXTS: Final[Node] = {"type": ["array", "null"], "items": TEXT}
RECORD: Final[Node] = {"$ref": "#/$defs/record"}
ACCOUNT: Final = closed_object(
    ("kind",),
    kind={"enum": [*KINDS]},
    permissions=MAYBE_TEXTS,
    organizations=MAYBE_TEXTS,
    level={"enum": [*LEVELS]},
)
ORGANIZATION: Final = closed_object(
    ("org_id",),
    org_id=TEXT,
    platforms=TEXTS,
    automations_enabled=FLAG,
    migrated_to_automations=FLAG,
    default_session_tags=TEXTS,
)
USER: Final = closed_object(
    ("user_id",), user_id=TEXT, email=MAYBE_TEXT, name=MAYBE_TEXT, organizations=TEXTS, permissions=TEXTS
)
STATE: Final[Node] = {
    **closed_object(
        ("version", "now", "number", "ids", "org_group_limits_enabled", "organizations", "users", "collections"),
        version={"enum": [VERSION]},
        now=TEXT,
        number=COUNT,
        ids={"type": "object", "additionalProperties": COUNT},
        org_group_limits_enabled=FLAG,
        organizations={"type": "array", "items": ORGANIZATION},
        users={"type": "array", "items": USER},
        accounts=OBJECT,
        files={"type": "object", "additionalProperties": TEXT},
        collections={
            "type": "array",
            "items": closed_object(
                ("name", "records"),
                name={"type": "array", "items": TEXT, "minItems": 1},
                records={"type": "object", "additionalProperties": RECORD},
            ),
        },
    ),
    "$defs": {
        "record": closed_object(
            ("number", "fields", "parts"),
            number=COUNT,
            fields=OBJECT,
            deleted=FLAG,
            memory=OBJECT,
            parts={"type": "array", "items": RECORD},
        )
    },
}


def checked(document: Any, state: State) -> Document:
    """Check a document that a person or another program wrote, and return it.

    Args:
        document: The parsed JSON.
        state: The state into which it may be loaded; its `runs` check the records that run by themselves.

    Raises:
        ValueError: It is not a state. The message names the place, and shows no credential.
    """
    version: Any = cast("Document", document).get("version", VERSION) if isinstance(document, dict) else VERSION
    if isinstance(version, int | str) and version != VERSION:
        raise ValueError(
            f"the state.version: it was written by another version of the sandbox, {excerpt(version)}; "
            f"this one reads {VERSION}"
        )
    check(STATE, document, "the state")
    valid = cast("Document", document)
    for number, account in enumerate(valid.get("accounts", {}).values(), start=1):
        check(ACCOUNT, account, f"the state.accounts[{number}]", hidden=True)
    try:
        check_time(parse_datetime(valid["now"]))
    except ValueError as error:
        raise ValueError(f"the state.now: {error}: {valid['now']!r}") from None
    for uuid, content in valid.get("files", {}).items():
        try:
            b64decode(content, validate=True)
        except ValueError:
            raise ValueError(f"the state.files.{uuid}: must be Base64") from None
    _check_runs(valid, state)
    return valid


def _check_runs(document: Document, state: State) -> None:
    """Raise ValueError for an enabled record that cannot run, because it would make every move of the clock fail."""
    by_resource = {runs.resource: runs for runs in state.runs}
    for collection in document["collections"]:
        runs = by_resource.get(collection["name"][0])
        for key, fields in collection["records"].items():
            record = _record(fields)
            if runs is None or not record.runs:
                continue
            try:
                since = check_time(parse_datetime({SINCE: document["now"], **record.memory}[SINCE]))
                next(runs.times(record, since), None)
            except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
                place = "/".join([*collection["name"], key])
                reason = f"{type(error).__name__}: {error}"
                raise ValueError(f"the state.collections, {place}: it is enabled and cannot run: {reason}") from None


def dump(state: State) -> Document:
    """Return a copy of the state as JSON."""
    return {
        "version": VERSION,
        "now": state.now().isoformat(),
        "number": state.number,
        "ids": dict(state.ids),
        "org_group_limits_enabled": state.org_group_limits_enabled,
        "organizations": [_plain(each) for each in state.organizations.values()],
        "users": [_plain(each) for each in state.users.values()],
        "accounts": {token: _plain(each) for token, each in state.accounts.by_token.items()},
        "files": {uuid: b64encode(content).decode() for uuid, content in state.files.items()},
        "collections": [
            {"name": name, "records": {key: attrs.asdict(record) for key, record in records.items()}}
            for name, records in state.by_name.items()
        ],
    }


def load(state: State, document: Document) -> None:
    """Replace the state by a document; the credentials stay if the document has none.

    Raises:
        ValueError: It is not a state; nothing is changed then.
    """
    try:
        now = parse_datetime(document["now"])
        number, ids, enabled = document["number"], dict(document["ids"]), document["org_group_limits_enabled"]
        organizations = {each["org_id"]: Organization(**each) for each in document["organizations"]}
        users = {each["user_id"]: User(**each) for each in document["users"]}
        accounts = {token: Account(**each) for token, each in document.get("accounts", {}).items()}
        files = {uuid: b64decode(content) for uuid, content in document.get("files", {}).items()}
        by_name = {
            tuple(collection["name"]): {key: _record(each) for key, each in collection["records"].items()}
            for collection in document["collections"]
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a state of a sandbox: {type(error).__name__} {error}") from None
    with state.lock:
        state.clear()
        state.now.set(now)
        state.number, state.ids, state.org_group_limits_enabled = number, ids, enabled
        state.organizations, state.users, state.files, state.by_name = organizations, users, files, by_name
        if "accounts" in document:
            state.accounts.by_token = accounts
        state.plan_all()


def _record(fields: Document) -> Record:
    document: Document = {**fields, "parts": [_record(part) for part in fields["parts"]]}
    return Record(**document)


def _plain(instance: attrs.AttrsInstance) -> Document:
    """Return an instance as JSON, with sets as sorted lists."""
    return {
        name: sorted(cast("frozenset[str]", value)) if isinstance(value, frozenset) else value
        for name, value in attrs.asdict(instance).items()
    }


def compare(before: Document, after: Document, *, ticks: bool) -> dict[str, list[str]]:
    """Return the names of the items that were added, removed and changed between two states; no value is shown.

    Args:
        before: The earlier state.
        after: The later state.
        ticks: True if the clock ticks; it is then not compared.
    """
    # Credentials appear as numbers.
    tokens = dict.fromkeys([*before.get("accounts", {}), *after.get("accounts", {})])
    numbers = {token: str(number) for number, token in enumerate(tokens, start=1)}
    # A document that was read over HTTP has no credentials.
    with_credentials = "accounts" in before and "accounts" in after

    def compared(key: Key) -> bool:
        return not (ticks and key == CLOCK) and (with_credentials or key[0] != CREDENTIALS)

    old = {key: item for key, item in _items(before) if compared(key)}
    new = {key: item for key, item in _items(after) if compared(key)}

    def named(keys: set[Key]) -> list[str]:
        return sorted("/".join((CREDENTIALS, numbers[key[1]]) if key[0] == CREDENTIALS else key) for key in keys)

    return {
        "added": named(new.keys() - old.keys()),
        "removed": named(old.keys() - new.keys()),
        "changed": named({key for key in old.keys() & new.keys() if old[key] != new[key]}),
    }


def _items(document: Document) -> Iterator[tuple[Key, Any]]:
    """Yield each item of a state with its place."""
    yield CLOCK, document["now"]
    yield ("settings", "org_group_limits_enabled"), document["org_group_limits_enabled"]
    for organization in document["organizations"]:
        yield ("organizations", organization["org_id"]), organization
    for user in document["users"]:
        yield ("users", user["user_id"]), user
    for token, account in document.get("accounts", {}).items():
        yield (CREDENTIALS, token), account
    for collection in document["collections"]:
        for key, record in collection["records"].items():
            yield (*collection["name"], key), record


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
        path = Path(path)
        _refuse_irregular(path)
        # In one step: whatever happens, there is either the old file or the new one.
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=path.name, suffix=".part", delete=False) as file:
            try:
                json.dump(document, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
                file.close()
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise

    def load(self, path: str | Path) -> None:
        """Restore the state that was saved to a file.

        Raises:
            OSError: The file cannot be read, or is a link or a directory.
            ValueError: It is not a state of a sandbox.
        """
        _refuse_irregular(Path(path))
        content = Path(path).read_bytes()
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
    with beside.open("ab") as file:
        try:
            take_lock(file.fileno())
        except OSError as error:
            raise BlockingIOError(errno.EAGAIN, "another process uses it") from error
        yield


def _refuse_irregular(path: Path) -> None:
    """Raise OSError for anything but a regular file, or none."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise OSError(errno.EINVAL, "it is not a regular file; name another one", str(path))
