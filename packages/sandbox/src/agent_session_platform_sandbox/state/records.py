"""Records, organizations and users: the content of a sandbox."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from ..problems import RefusedError

DEFAULT_PERMISSIONS = frozenset({"UseAssistantSessions"})


def _frozen(values: Iterable[str]) -> frozenset[str]:
    return frozenset(values)


@attrs.define
class Organization:
    """An organization and its settings."""

    org_id: str
    platforms: list[str] = attrs.field(factory=lambda: ["Linux", "Windows"])
    automations_enabled: bool = True
    migrated_to_automations: bool = False
    default_session_tags: list[str] = attrs.field(factory=lambda: list[str]())


@attrs.define
class User:
    """A user with direct role assignments.

    Attributes:
        user_id: Id of the user.
        email: Address, or None.
        name: Name, or None.
        organizations: Organizations of the role assignments.
        permissions: Permissions of the role assignments.
    """

    user_id: str
    email: str | None = None
    name: str | None = None
    organizations: frozenset[str] = attrs.field(default=frozenset(), converter=_frozen)
    permissions: frozenset[str] = attrs.field(default=DEFAULT_PERMISSIONS, converter=_frozen)


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
    def runs(self) -> bool:
        """True if the record may run by itself: it is enabled and not deleted."""
        return not self.deleted and self.fields.get("enabled") is True


def alive(collection: dict[str, Record]) -> list[Record]:
    """Return the records that are not deleted, in the order of creation."""
    return [record for record in collection.values() if not record.deleted]


def find(collection: dict[str, Record], key: str, what: str) -> Record:
    """Return a record by its id.

    Raises:
        RefusedError: 404 if there is none or it is deleted; *what* names its kind in the message.
    """
    record = collection.get(key)
    if record is None or record.deleted:
        raise RefusedError(404, f"no {what} {key}")
    return record
