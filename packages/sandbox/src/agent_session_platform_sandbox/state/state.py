"""The state of one sandbox: organizations, users, accounts, and records in named collections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import attrs

from ..problems import RefusedError
from ..time import Clock, Plan
from .accounts import Accounts
from .records import Organization, Record, User
from .script import Finish, Script

# Member of a record's memory: its next run is later than this time.
SINCE: Final = "since"


@attrs.frozen
class RecurringRuns:
    """The rule by which the enabled records of a resource run by themselves.

    Attributes:
        resource: First part of the names of their collections.
        times: Returns the times of a record's runs that are later than a time.
        run: Does one run of a record at the given time.
    """

    resource: str
    times: Callable[[Record, datetime], Iterator[datetime]]
    run: Callable[[State, Record, datetime], None]


class State:
    """The state of one sandbox. Two sandboxes share nothing.

    Args:
        now: The clock of the sandbox.
        runs: The resources whose records run by themselves.

    Attributes:
        script: What the assistant does after a message; None for what it does by default.
        finish: When a session without a script ends its work, and how; None: it does not.
        session_capacity: Open sessions that an organization may have; None for any number.
        capacity_retry_after: Retry-After of the refusal of one more, in seconds; None for no such header.
    """

    def __init__(self, now: Clock, runs: Iterable[RecurringRuns] = ()) -> None:
        self.now = now
        self.lock = now.lock
        self.runs = tuple(runs)
        self.organizations: dict[str, Organization] = {}
        self.users: dict[str, User] = {}
        self.accounts = Accounts()
        self.org_group_limits_enabled = True
        # Behaviour, like the handlers: snapshots do not have it.
        self.script: Script | None = None
        self.finish: Finish | None = None
        self.session_capacity: int | None = None
        self.capacity_retry_after: float | None = None
        self.files: dict[str, bytes] = {}
        self.by_name: dict[tuple[str, ...], dict[str, Record]] = {}
        # The last number of a record, and the last of each kind of id.
        self.number = 0
        self.ids: dict[str, int] = {}
        now.on_set(self._skip_runs)

    def collection(self, *name: str) -> dict[str, Record]:
        """Return the records of a collection by id, including deleted ones; create the collection if needed."""
        return self.by_name.setdefault(name, {})

    def collections(self, resource: str) -> Iterator[dict[str, Record]]:
        """Yield the collections of a resource in all organizations."""
        return (records for name, records in self.by_name.items() if name[0] == resource)

    def add(self, collection: dict[str, Record], key: str, fields: dict[str, Any]) -> Record:
        """Add a record to a collection, and return it."""
        record = collection[key] = Record(self._next_number(), fields)
        return record

    def create(self, collection: dict[str, Record], noun: str, fields: dict[str, Any]) -> Record:
        """Add a record with a new id, and return it.

        Args:
            collection: The records by id.
            noun: Name of the record: for `git_permission`, the member `git_permission_id` is `git-permission-1`.
            fields: The other members; they may also contain the id.
        """
        id_name = f"{noun}_id"
        members = {id_name: self.new_id(noun.replace("_", "-")), **fields}
        return self.add(collection, members[id_name], members)

    def add_part(self, of: Record, fields: dict[str, Any]) -> Record:
        """Add a part to a record, such as a message to a session, and return it."""
        record = Record(self._next_number(), fields)
        of.parts.append(record)
        return record

    def new_id(self, prefix: str) -> str:
        """Return the next id of its kind: `assistant-1`, `assistant-2`, ..."""
        self.ids[prefix] = number = self.ids.get(prefix, 0) + 1
        return f"{prefix}-{number}"

    def organization(self, org_id: str) -> Organization:
        """Return an organization by its id.

        Raises:
            RefusedError: 404 if there is none.
        """
        try:
            return self.organizations[org_id]
        except KeyError:
            raise RefusedError(404, f"no organization {org_id}") from None

    def clear(self) -> None:
        """Remove all state except the accounts."""
        self.organizations, self.users, self.files, self.by_name = {}, {}, {}, {}
        self.now.scheduler.clear()

    def seconds(self) -> int:
        """Return the current time as whole seconds since 1970."""
        return int(self.now().timestamp())

    def timestamp(self) -> str:
        """Return the current time as a date-time."""
        return self.now().astimezone(UTC).isoformat().replace("+00:00", "Z")

    def plan(self, runs: RecurringRuns, record: Record) -> None:
        """Plan the runs of a record from now on; call it again when its times have changed."""
        record.memory[SINCE] = self.now().isoformat()
        self._schedule(runs, record)

    def plan_all(self) -> None:
        """Plan all records after they were replaced, each from its last run."""
        self.now.scheduler.clear()
        now = self.now().isoformat()
        for runs, record in self._recurring():
            record.memory.setdefault(SINCE, now)
            self._schedule(runs, record)

    def _skip_runs(self) -> None:
        for runs, record in self._recurring():
            self.plan(runs, record)

    def _schedule(self, runs: RecurringRuns, record: Record) -> None:
        if not record.runs:
            self.now.scheduler.cancel(record.number)
            return

        def run(at: datetime) -> None:
            record.memory[SINCE] = at.isoformat()
            runs.run(self, record, at)

        times = runs.times(record, datetime.fromisoformat(record.memory[SINCE]))
        self.now.scheduler.plan(record.number, Plan(times, run, lambda: record.runs))

    def _recurring(self) -> Iterator[tuple[RecurringRuns, Record]]:
        for runs in self.runs:
            for records in self.collections(runs.resource):
                for record in records.values():
                    yield runs, record

    def _next_number(self) -> int:
        self.number += 1
        return self.number
