"""The state of a sandbox as JSON: written, held against what a state is, and read again."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final, cast

from ...request.credentials import NAMES as CREDENTIALS
from ..resources import RUNS
from ..shapes import FLAG, TEXT, TEXTS, Node, check, closed
from ..state.accounts import LEVELS, Account
from ..state.state import Organization, Record, State, User
from ..time.agenda import SINCE, runs_now
from ..time.clock import moment

VERSION = 1

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
    check_runs(state)
    return state


def check_runs(document: Document) -> None:
    """Raise ValueError for a thing that is to run by itself and cannot: time would stumble over it again and again."""
    kinds = {runs.family: runs for runs in RUNS}
    for collection in document["collections"]:
        runs = kinds.get(collection["name"][0])
        for key, fields in collection["records"].items():
            record = record_of(fields)
            if runs is None or not runs_now(record):
                continue
            try:
                next(runs.moments(record, moment({SINCE: document["now"], **record.memory}[SINCE])), None)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                place = "/".join([*collection["name"], key])
                reason = f"{type(error).__name__}: {error}"
                raise ValueError(f"the state.collections, {place}: it is enabled and cannot run: {reason}") from None


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
