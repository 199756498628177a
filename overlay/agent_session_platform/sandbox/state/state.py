"""What the sandbox remembers: organizations, users, and collections of records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from ..problems import RefusedError
from ..time.agenda import Agenda, Runs
from ..time.clock import Clock
from .accounts import Accounts
from .forgotten import Forgotten

DEFAULT_PERMISSIONS = frozenset({"UseAssistantSessions"})


@dataclass(slots=True)
class Organization:
    """An organization and its settings."""

    org_id: str
    platforms: list[str] = field(default_factory=lambda: ["Linux", "Windows"])
    automations_enabled: bool = True
    migrated_to_automations: bool = False
    default_session_tags: list[str] = field(default_factory=lambda: list[str]())


@dataclass(slots=True)
class User:
    """A user with direct role assignments, and the organizations and permissions that these give."""

    user_id: str
    email: str | None = None
    name: str | None = None
    organizations: frozenset[str] = frozenset()
    permissions: frozenset[str] = DEFAULT_PERMISSIONS


@dataclass(slots=True)
class Record:
    """One thing: its fields as the API shows them, its place in the order of creation, and what else it remembers."""

    number: int
    fields: dict[str, Any]
    deleted: bool = False
    memory: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    parts: list[Record] = field(default_factory=lambda: list[Record]())


class State:
    """All that one sandbox remembers; nothing is shared between two."""

    def __init__(self, now: Clock, runs: Iterable[Runs] = ()) -> None:
        self.now = now
        self.agenda = Agenda(self, runs)
        now.watch(self.agenda.due, self.agenda.skip)
        self.organizations: dict[str, Organization] = {}
        self.users: dict[str, User] = {}
        self.accounts = Accounts()
        self.org_group_limits_enabled = True
        self.files: dict[str, bytes] = {}
        self.by_name: dict[tuple[str, ...], dict[str, Record]] = {}
        # The last number of a record, and the last of each kind of id.
        self.number = 0
        self.forgotten = Forgotten()
        self.ids: dict[str, int] = {}

    def collection(self, *name: str) -> dict[str, Record]:
        """The records of a collection by id, deleted ones included; made when first asked for."""
        return self.by_name.setdefault(name, {})

    def collections(self, family: str) -> Iterator[dict[str, Record]]:
        """The collections of a family in all organizations."""
        return (records for name, records in self.by_name.items() if name[0] == family)

    def add(self, collection: dict[str, Record], key: str, fields: dict[str, Any]) -> Record:
        """Put a thing into *collection* under *key*."""
        record = collection[key] = Record(self._next_number(), fields)
        return record

    def part(self, of: Record, fields: dict[str, Any]) -> Record:
        """Add a part to a thing, such as a message to a session."""
        record = Record(self._next_number(), fields)
        of.parts.append(record)
        return record

    def new_id(self, prefix: str) -> str:
        """The next id of its kind: `assistant-1`, `assistant-2`, ..."""
        self.ids[prefix] = number = self.ids.get(prefix, 0) + 1
        return f"{prefix}-{number}"

    def forget(self) -> None:
        """Forget all things, however many, in no time; what is known of credentials stays."""
        self.forgotten.add(*self.agenda.forget(), self.organizations, self.users, self.files, self.by_name)
        self.organizations, self.users, self.files, self.by_name = {}, {}, {}, {}

    def _next_number(self) -> int:
        self.forgotten.let_go()
        self.number += 1
        return self.number

    def new_uuid(self, prefix: str) -> str:
        """A UUID that is the same in every run."""
        return str(uuid5(NAMESPACE_URL, self.new_id(prefix)))

    def organization(self, org_id: str) -> Organization:
        """The organization of that id; refuses with 404."""
        try:
            return self.organizations[org_id]
        except KeyError:
            raise RefusedError(404, f"no organization {org_id}") from None

    def catch_up(self) -> None:
        """Do what is due by now."""
        self.now.catch_up()

    def seconds(self) -> int:
        """The time now as whole seconds since 1970."""
        return int(self.now().timestamp())

    def timestamp(self) -> str:
        """The time now as a date-time."""
        return self.now().astimezone(UTC).isoformat().replace("+00:00", "Z")


def alive(collection: dict[str, Record]) -> list[Record]:
    """The records that are not deleted, in the order of creation."""
    return [record for record in collection.values() if not record.deleted]


def find(collection: dict[str, Record], key: str, what: str) -> Record:
    """The record of that id; refuses with 404 when there is none or it is deleted."""
    record = collection.get(key)
    if record is None or record.deleted:
        raise RefusedError(404, f"no {what} {key}")
    return record
