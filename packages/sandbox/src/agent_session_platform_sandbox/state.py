"""The state of one sandbox: organizations, users, accounts, records in named collections, and the script of a test."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial, wraps
from inspect import isfunction
from itertools import chain
from typing import Any, Final, TypeGuard, TypeVar, cast

import attrs
from agent_session_platform import InvalidArgumentError

from .clock import Clock, Plan
from .contract import ENTERPRISE, Requirement, is_kind, is_level
from .fields import text_set
from .fitting import uuid_of
from .problems import RefusedError, is_text, must
from .redaction import redact_tokens
from .script import Script, Turn
from .validation import Shape

DEFAULT_PERMISSIONS: Final = frozenset({"UseAssistantSessions"})
# Key in the memory of a record that runs: the next run is the first one after this time.
SINCE: Final = "since"
# Key in the memory of a record whose value is not an object: the value is there, and not in the fields.
VALUE: Final = "value"
# Key in the memory of a session that is shown as it was: its `fields`, each `until` a time in seconds since 1970.
VIEWS: Final = "views"
# The collection of the organizations, which a build may create, change and delete.
ORGANIZATIONS: Final = "organizations"
# Types of ids that are numbers.
NUMBERS: Final = frozenset({"integer", "number", "null"})
CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}
# A credential is sent in a header. Redaction would replace an empty one everywhere.
TOKEN: Final = re.compile(r"[!-~]+")


def is_list_of_text(value: object) -> TypeGuard[list[str]]:
    """Return whether a value is a list of text."""
    return isinstance(value, list) and all(map(is_text, cast("list[object]", value)))


def _organizations(values: Iterable[str]) -> frozenset[str]:
    return text_set("organizations", values)


def _permissions(values: Iterable[str]) -> frozenset[str]:
    return text_set("permissions", values)


is_id: Final = must("be text that is not empty", lambda value: is_text(value) and value != "")
is_flag: Final = must("be True or False", lambda value: isinstance(value, bool))
is_texts: Final = must("be a list of text", is_list_of_text)


@attrs.define
class Organization:
    """An organization and its settings.

    Raises:
        InvalidArgumentError: A setting is of another type.
    """

    org_id: str = attrs.field(validator=is_id)
    platforms: list[str] = attrs.field(factory=lambda: ["Linux", "Windows"], validator=is_texts)
    automations_enabled: bool = attrs.field(default=True, validator=is_flag)
    migrated_to_automations: bool = attrs.field(default=False, validator=is_flag)
    default_session_tags: list[str] = attrs.field(factory=lambda: list[str](), validator=is_texts)


@attrs.define
class User:
    """A user with direct role assignments.

    Attributes:
        user_id: Id of the user.
        email: Address, or None.
        name: Name, or None.
        organizations: Organizations of the role assignments.
        permissions: Permissions of the role assignments.

    Raises:
        InvalidArgumentError: A value is of another type.
    """

    user_id: str = attrs.field(validator=is_id)
    email: str | None = attrs.field(default=None, validator=must("be text or None", is_text))
    name: str | None = attrs.field(default=None, validator=must("be text or None", is_text))
    organizations: frozenset[str] = attrs.field(default=frozenset(), converter=_organizations)
    permissions: frozenset[str] = attrs.field(default=DEFAULT_PERMISSIONS, converter=_permissions)


@attrs.define
class Record:
    """A thing that the API creates, such as a session.

    Attributes:
        number: Position in the order of creation.
        fields: The members that the API shows.
        deleted: True if it was deleted; deleted records stay in the state.
        memory: Data of the sandbox that the API does not show.
        parts: Records inside this one, such as the messages of a session.
    """

    number: int
    fields: dict[str, Any]
    deleted: bool = False
    memory: dict[str, Any] = attrs.field(factory=lambda: dict[str, Any]())
    parts: list[Record] = attrs.field(factory=lambda: list[Record]())

    @property
    def value(self) -> Any:
        """The record as the API shows it: its members, or the value that was sent if that is not an object."""
        return self.memory.get(VALUE, self.fields)

    @property
    def runs(self) -> bool:
        """True if the record may run by itself: it is enabled and not deleted."""
        return not self.deleted and self.fields.get("enabled") is True


def alive(collection: dict[str, Record]) -> list[Record]:
    """Return the records that are not deleted, in the order of creation."""
    return [record for record in collection.values() if not record.deleted]


def _written_id(text: str, number: int, shapes: Iterable[Shape]) -> Any:
    """Return an id as the contract writes it."""
    for shape in shapes:
        if shape.mark("format") == "uuid":
            return uuid_of(text)
        if shape.types and shape.types <= NUMBERS:
            return number
    return text


def find(collection: dict[str, Record], key: object, what: str) -> Record:
    """Return a record by its id.

    Raises:
        RefusedError: 404 if there is no such record, or it is deleted; *what* names the kind of record in the message.
    """
    record = collection.get(str(key))
    if record is None or record.deleted:
        raise RefusedError(404, f"no {what} {key}")
    return record


C = TypeVar("C", bound=type)


def synchronized(cls: C) -> C:
    """Make each public method of a class hold the lock of `self.state`, which is a `State`."""

    def locked(method: Any) -> Any:
        @wraps(method)
        def call(self: Any, /, *arguments: Any, **settings: Any) -> Any:
            with self.state.lock:
                return method(self, *arguments, **settings)

        return call

    for name, member in [*vars(cls).items()]:
        if isfunction(member) and not name.startswith("_"):
            setattr(cls, name, locked(member))
    return cls


@attrs.frozen
class Account:
    """The holder of a credential.

    Permissions at enterprise level apply in every organization (gap permission-levels).

    Attributes:
        kind: Kind of the credential.
        permissions: Granted permissions; None grants all.
        organizations: Organizations that the account belongs to; None for all.
        level: `enterprise` or `organization`.
    """

    kind: str = attrs.field(default="serviceUser", validator=is_kind)
    permissions: frozenset[str] | None = attrs.field(default=None, converter=attrs.converters.optional(_permissions))
    organizations: frozenset[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(_organizations)
    )
    level: str = attrs.field(default=ENTERPRISE, validator=is_level)

    def holds(self, permission: str) -> bool:
        """Return whether the permission is granted."""
        return self.permissions is None or permission in self.permissions

    def belongs_to(self, org_id: str) -> bool:
        """Return whether the account belongs to the organization."""
        return self.organizations is None or org_id in self.organizations

    @property
    def has_enterprise_level(self) -> bool:
        """True if the permissions apply at enterprise level."""
        return self.level == ENTERPRISE and self.organizations is None


class Accounts:
    """The accounts by their credentials."""

    def __init__(self) -> None:
        self.by_token: dict[str, Account] = {}

    def add(self, token: str, account: Account) -> None:
        """Add a credential.

        Raises:
            InvalidArgumentError: The text cannot be a credential.
        """
        if not is_text(token) or not TOKEN.fullmatch(token):
            # The value is left out, because it may be a real credential with a line break behind it.
            raise InvalidArgumentError("a credential must be text of visible ASCII characters, without spaces")
        # The dict is replaced as a whole, because another thread may be iterating over it.
        self.by_token = {**self.by_token, token: account}

    def redact(self, value: Any) -> Any:
        """Return a copy of JSON without any of the known credentials."""
        return redact_tokens(self.by_token, value)

    def authenticate(self, header: str | None) -> Account:
        """Return the account of an Authorization header.

        Raises:
            RefusedError: 401 without a known credential (rule auth-credential-invalid).
        """
        if not header:
            raise RefusedError(401, "no credential: send Authorization: Bearer <ACCESS_TOKEN>", headers=CHALLENGE)
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or token not in self.by_token:
            raise RefusedError(401, "the credential is not valid", headers=CHALLENGE)
        return self.by_token[token]

    def unrestricted(self, header: str | None) -> Account:
        """Return an account that may do everything. It has the kind of the credential if the credential is known."""
        try:
            return Account(self.authenticate(header).kind)
        except RefusedError:
            return Account()


def authorize(account: Account, requirement: Requirement, org_id: str | None) -> None:
    """Check that an account meets the requirement of an operation.

    Args:
        account: Holder of the credential.
        requirement: The credential that the operation requires.
        org_id: The organization in the path, if there is one.

    Raises:
        RefusedError: 403 if the account does not meet the requirement (rule auth-permission-missing).
    """
    if requirement.kinds and account.kind not in requirement.kinds:
        accepted = " or ".join(requirement.kinds)
        raise RefusedError(403, f"a credential of kind {account.kind} is not accepted here, only {accepted}")
    for permission in requirement.permissions:
        if not account.holds(permission):
            raise RefusedError(403, f"the credential lacks {permission}")
    if requirement.level == ENTERPRISE and not account.has_enterprise_level:
        permissions = " and ".join(requirement.permissions) or "a credential"
        belongs_to = ", ".join(sorted(account.organizations or ())) or "organizations only"
        detail = f"the operation requires {permissions} at enterprise level; the credential belongs to {belongs_to}"
        raise RefusedError(403, detail)
    if org_id is not None:
        check_organization(account, org_id)


def check_organization(account: Account, org_id: str) -> None:
    """Refuse (403) an account that does not belong to the organization."""
    if not account.belongs_to(org_id):
        raise RefusedError(403, f"the credential does not belong to {org_id}")


@attrs.frozen
class RecurringRuns:
    """How the enabled records of a resource run by themselves.

    Attributes:
        resource: First part of the names of the resource's collections.
        times: A function that returns the times of a record's runs after a given time.
        run: A function that does one run of a record at a given time.
        owner: A function that returns the id of what a record belongs to; None if it belongs to nothing.
    """

    resource: str
    times: Callable[[Record, datetime], Iterator[datetime]]
    run: Callable[[State, Record, datetime], None]
    owner: Callable[[Record], str] | None = None


class State:
    """The state of one sandbox. Two sandboxes share nothing.

    Args:
        now: The clock of the sandbox.
        runs: The resources whose records run by themselves.

    Attributes:
        script: What the assistant does after a message; None for what it does by default.
        finish: The turn with which a session without a script finishes; None if it does not.
        session_capacity: Open sessions that an organization may have; None for any number.
        capacity_retry_after: Seconds in the Retry-After header when one more session is refused; None for no header.
    """

    def __init__(self, now: Clock, runs: Iterable[RecurringRuns] = ()) -> None:
        self.now = now
        self.lock = now.lock
        self.runs = tuple(runs)
        self.organizations: dict[str, Organization] = {}
        self.users: dict[str, User] = {}
        self.accounts = Accounts()
        self.org_group_limits_enabled = True
        # Snapshots do not contain these attributes: they are behaviour, as handlers are, and not state.
        self.script: Script | None = None
        self.finish: Turn | None = None
        self.session_capacity: int | None = None
        self.capacity_retry_after: float | None = None
        self.files: dict[str, bytes] = {}
        self.by_name: dict[tuple[str, ...], dict[str, Record]] = {}
        # The records that belong to something by the id of that, and by their numbers. They are found with the plans.
        self.owned: dict[str, dict[int, Record]] = {}
        # The number of the latest record, and the number of the latest id of each kind.
        self.number = 0
        self.ids: dict[str, int] = {}
        # What the contract calls the statuses of a session, and how it writes the ids of each kind.
        self.words: Mapping[str, str] = {}
        self.id_shapes: Mapping[str, Sequence[Shape]] = {}
        # The items of lists in the form of the contract, by their shape and their JSON.
        self.fitted: dict[tuple[Shape, str], Any] = {}
        now.on_set = partial(self.plan_all, skip=True)

    def collection(self, *name: str) -> dict[str, Record]:
        """Return the records of a collection by id, including deleted ones; create the collection if needed."""
        return self.by_name.setdefault(name, {})

    def organization_records(self) -> list[Record]:
        """Return the organizations as records; those that a request has created or changed are in a collection."""
        kept = self.by_name.get((ORGANIZATIONS,), {})
        records: list[Record] = []
        for number, org_id in enumerate(self.organizations, start=-len(self.organizations)):
            if org_id not in kept:
                records.append(Record(number, {"org_id": org_id}))
        return [*records, *alive(kept)]

    def keep_organizations(self) -> None:
        """Let the collection of organizations have all of them, so that requests can change and delete them."""
        for record in self.organization_records():
            if record.number < 0:
                self.add(self.collection(ORGANIZATIONS), record.fields["org_id"], record.fields)

    def collections(self, resource: str) -> Iterator[dict[str, Record]]:
        """Yield the collections of a resource in all organizations."""
        return (records for name, records in self.by_name.items() if name[0] == resource)

    def add(self, collection: dict[str, Record], key: str, fields: dict[str, Any]) -> Record:
        """Add a record to a collection, and return it. A record that is added again keeps its place in the list."""
        known = collection.get(key)
        if known is not None and not known.deleted:
            number = known.number
        else:
            # A deleted record is added again at the end.
            collection.pop(key, None)
            self.number += 1
            number = self.number
        record = collection[key] = Record(number, fields)
        return record

    def create(self, collection: dict[str, Record], noun: str, fields: dict[str, Any]) -> Record:
        """Add a record with a new id, and return it.

        Args:
            collection: The records by id.
            noun: Name of the record: for `git_permission`, the member `git_permission_id` is `git-permission-1`.
            fields: The other members; they may also contain the id.
        """
        id_name = f"{noun}_id"
        if id_name not in fields:
            fields = {id_name: self.new_id(noun.replace("_", "-"), collection), **fields}
        return self.add(collection, str(fields[id_name]), fields)

    def add_part(self, of: Record, fields: dict[str, Any]) -> Record:
        """Add a part to a record, such as a message to a session, and return it."""
        self.number += 1
        of.parts.append(Record(self.number, fields))
        return of.parts[-1]

    def new_id(self, prefix: str, taken: Container[str] = (), shapes: Iterable[Shape] = ()) -> Any:
        """Return the next id of its kind that is not taken: `assistant-1`, `assistant-2`, ...

        Args:
            prefix: The kind.
            taken: The ids that records have.
            shapes: Shapes of the id in the contract; by default those of the kind in `id_shapes`.

        Returns:
            The id: text, or a number or a UUID if the contract says so. Ids are the same in every run.
        """
        known = [*shapes, *self.id_shapes.get(prefix, ())]
        while True:
            self.ids[prefix] = number = self.ids.get(prefix, 0) + 1
            new = _written_id(f"{prefix}-{number}", number, known)
            if str(new) not in taken:
                return new

    def views(self, record: Record) -> list[dict[str, Any]]:
        """Return how a record is shown until later times, the earliest first."""
        now = self.now().timestamp()
        return [view for view in record.memory.get(VIEWS, ()) if view["until"] > now]

    def shown(self, record: Record) -> Record:
        """Return a record as the API shows it: a session with a late turn as it was before."""
        for view in self.views(record):
            return attrs.evolve(record, fields=view["fields"])
        return record

    def word(self, status: str) -> str:
        """Return what the contract calls a status of a session."""
        return self.words.get(status, status)

    def organization(self, org_id: str) -> Organization:
        """Return an organization by its id.

        Raises:
            RefusedError: 404 if there is none.
        """
        record = self.by_name.get((ORGANIZATIONS,), {}).get(org_id)
        if record is not None and not record.deleted and org_id not in self.organizations:
            # A request has created it.
            self.organizations[org_id] = Organization(org_id)
        if org_id not in self.organizations or (record is not None and record.deleted):
            raise RefusedError(404, f"no organization {org_id}")
        return self.organizations[org_id]

    def clear(self) -> None:
        """Remove all state except the accounts."""
        self.organizations, self.users, self.files, self.by_name = {}, {}, {}, {}
        self.owned.clear()
        self.fitted.clear()
        self.now.clear()

    def seconds(self) -> int:
        """Return the current time as whole seconds since 1970."""
        return int(self.now().timestamp())

    def timestamp(self) -> str:
        """Return the current time as a date-time."""
        return self.now().astimezone(UTC).isoformat().replace("+00:00", "Z")

    def plan(self, runs: RecurringRuns, record: Record, since: datetime | None = None) -> None:
        """Plan the runs of a record from a time on, by default from now on. If its times change, call this again."""
        since = since or self.now()
        record.memory[SINCE] = since.isoformat()
        self.now.cancel(record.number)
        if runs.owner is not None:
            self.owned.setdefault(runs.owner(record), {})[record.number] = record

        def run(at: datetime) -> None:
            record.memory[SINCE] = at.isoformat()
            runs.run(self, record, at)

        if record.runs:
            self.now.plan(record.number, Plan(runs.times(record, since), run, lambda: record.runs))

    def plan_all(self, *, skip: bool = False) -> None:
        """Plan the runs of all records anew: from the last run of each record on, or with *skip* from now on."""
        for runs in self.runs:
            collections = [*self.collections(runs.resource)]
            for record in chain.from_iterable(records.values() for records in collections):
                since: datetime | None = None
                if SINCE in record.memory and not skip:
                    since = datetime.fromisoformat(record.memory[SINCE])
                self.plan(runs, record, since)
