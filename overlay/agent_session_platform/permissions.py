"""The permissions that operations require, as far as the API's description shows them. Nothing is sent to find out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from . import catalogue
from ._api import Gap, Operation, Rule
from .errors import InvalidArgumentError
from .text import format_value

# Where the description does not show a permission or its level, it does not show the kinds of credential, either. The
# ids of such gaps have one of these endings.
CREDENTIAL_GAPS = ("-permission", "-level", "-credential")
# This gap is only about the name of a permission: the kinds of credential are shown.
NAME_GAP = "repository-index-permission"

# The ids of rules about permissions have one of these endings. Such a rule is about an impersonated user, or about a
# role that is granted.
PERMISSION_RULES = ("-impersonation", "-role-subset")


@attrs.frozen
class UnknownPermission:
    """A permission that the API's description does not show in full.

    Attributes:
        permission: The name of the permission; None if the name is not shown.
        level: `organization` or `enterprise`; None if the level is not shown.
        gaps: The gaps of the contract that state this, with id and text; empty if the contract has no such gap for the
            operation.
    """

    permission: str | None
    level: str | None
    gaps: tuple[Gap, ...]

    def __str__(self) -> str:
        shown = " at ".join(filter(None, (self.permission, self.level and f"{self.level} level")))
        known = f"{shown} is known, " if shown else ""
        missing = [name for name in ("permission", "level") if getattr(self, name) is None]
        reasons = "; ".join(f"{gap.id}: {gap.what}" for gap in self.gaps) or "the contract has no gap for it"
        return f"{known}{' and '.join(missing)} not shown ({reasons})"


def by_name(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return operations sorted by name, each once."""
    unique = {operation.name: operation for operation in operations}
    return tuple(unique[name] for name in sorted(unique))


@attrs.frozen
class RequiredPermissions:
    """The permissions that some operations require, for a role that has no others.

    Attributes:
        operations: The operations, sorted by name.
        unmatched: Requests that no operation of the contract matches: the permissions that they require are not known.
        optional: Operations that are called only if the credential has their permissions: many waits read one list
            together, but if the list is refused, each wait reads its own object. `organization` and `enterprise` do not
            contain these permissions.

    Example:
        required = permissions_for("organization.sessions.list", "enterprise.reviews.create")
        print(required.organization)  # {"ViewOrgSessions": ("organization.sessions.list",)}
        print(required)  # all of it, as a table
    """

    operations: tuple[Operation, ...] = attrs.field(converter=by_name)
    unmatched: tuple[str, ...] = ()
    optional: tuple[Operation, ...] = attrs.field(default=(), converter=by_name)

    @property
    def organization(self) -> dict[str, tuple[str, ...]]:
        """The permissions to hold at organization level, each with the names of the operations that require it."""
        return self._at("organization")

    @property
    def enterprise(self) -> dict[str, tuple[str, ...]]:
        """The permissions to hold at enterprise level, each with the names of the operations that require it."""
        return self._at("enterprise")

    @property
    def unknown(self) -> dict[str, UnknownPermission]:
        """The operations whose permission or level is not shown, each with the facts that are known and the gap."""
        return {operation.name: unknown for operation in self.operations if (unknown := unknown_permission(operation))}

    @property
    def credentials(self) -> tuple[str, ...]:
        """The kinds of credential that all operations accept; if there is no such kind, see `conflicts`.

        If the kinds of an operation are not shown (`unknown_credentials`), the contract assumes `serviceUser`.
        """
        return tuple(kind for kind, refusing in self._refusing().items() if not refusing)

    @property
    def conflicts(self) -> dict[str, tuple[str, ...]]:
        """Each kind of credential, with the operations that refuse it; empty if all operations accept a common kind."""
        return {} if self.credentials else self._refusing()

    @property
    def unknown_credentials(self) -> dict[str, tuple[Gap, ...]]:
        """The operations for which the kinds of credential are not shown, each with the gap."""
        gaps = {operation: credential_gaps(operation) for operation in self.operations}
        return {operation.name: found for operation, found in gaps.items() if found or not operation.credentials}

    @property
    def notes(self) -> dict[str, tuple[Rule, ...]]:
        """The operations with rules about permissions, each with these rules, such as a rule about impersonation."""
        notes = {
            operation.name: tuple(rule for rule in operation.rules if rule.id.endswith(PERMISSION_RULES))
            for operation in self.operations
        }
        return {name: rules for name, rules in notes.items() if rules}

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes and properties as a dict for `json.dumps`."""
        return {
            "operations": [operation.name for operation in self.operations],
            "organization": self.organization,
            "enterprise": self.enterprise,
            "unknown": {name: attrs.asdict(permission) for name, permission in self.unknown.items()},
            "credentials": self.credentials,
            "conflicts": self.conflicts,
            "unknown_credentials": list(self.unknown_credentials),
            "notes": {name: [rule.id for rule in rules] for name, rules in self.notes.items()},
            "unmatched": self.unmatched,
            "optional": {more.name: {"permission": more.permission, "level": more.level} for more in self.optional},
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for level, permissions in (("Organization", self.organization), ("Enterprise", self.enterprise)):
            yield f"{level} level:"
            yield from _rows({name: ", ".join(operations) for name, operations in permissions.items()})
        yield "Unknown:"
        unknown = {name: str(permission) for name, permission in self.unknown.items()}
        yield from _rows(unknown | dict.fromkeys(self.unmatched, "no operation of the contract matches"))
        if self.optional:
            yield "Optional (waits read one list together, or each its own object if that is refused):"
            yield from _rows({shared.name: f"{shared.permission} at {shared.level} level" for shared in self.optional})
        yield "Credentials that all of them accept:"
        yield f"  {', '.join(self.credentials) or 'none'}"
        for kind, operations in self.conflicts.items():
            yield f"  {kind} is not accepted by {', '.join(operations)}"
        if self.unknown_credentials:
            yield f"  not shown, and inferred in the contract, for {', '.join(self.unknown_credentials)}"
        notes = [f"  {name}: {rule.id}: {rule.text}" for name, rules in self.notes.items() for rule in rules]
        yield from ("Notes:", *notes) if notes else ()

    def _at(self, level: str) -> dict[str, tuple[str, ...]]:
        permissions: dict[str, tuple[str, ...]] = {}
        for operation in self.operations:
            if operation.level == level and operation.permission is not None:
                permissions[operation.permission] = (*permissions.get(operation.permission, ()), operation.name)
        return dict(sorted(permissions.items()))

    def _refusing(self) -> dict[str, tuple[str, ...]]:
        """Return each kind of credential that some operation accepts, with the operations that do not accept it."""
        accepted = {operation.name: operation.credentials for operation in self.operations if operation.credentials}
        all_kinds = dict.fromkeys(kind for kinds in accepted.values() for kind in kinds)
        return {kind: tuple(name for name, kinds in accepted.items() if kind not in kinds) for kind in all_kinds}


def permissions_for(*operations: str | Operation | Callable[..., Any]) -> RequiredPermissions:
    """Return the permissions that operations require. Nothing is sent.

    Args:
        operations: Each is a name (`"organization.sessions.list"`), an id, an `Operation`, or a method of a client
            (`org.sessions.list`), including `wait` and the methods that follow a list.

    Returns:
        The permissions by level. What the API's description does not show is in `unknown`, with its gap.

    Raises:
        InvalidArgumentError: There is no such operation.

    Example:
        print(permissions_for("organization.sessions.list", platform.enterprise.reviews.create))
    """
    required = [find_operation(reference) for reference in operations]
    methods = [getattr(reference, "__name__", None) for reference in operations]
    # A wait may also read the list, together with other waits.
    waits = [operation for operation, method in zip(required, methods, strict=True) if operation.job == method]
    shared_lists = [catalogue.operations[wait.shared_list] for wait in waits if wait.shared_list]
    return RequiredPermissions(required, optional=[shared for shared in shared_lists if shared not in required])


def find_operation(reference: str | Operation | Callable[..., Any]) -> Operation:
    """Return an operation by its name, its id, or a method of a client."""
    if isinstance(reference, Operation):
        return reference
    if not isinstance(reference, str):
        return catalogue.operations.of(reference)
    if reference in catalogue.operations:
        return catalogue.operations[reference]
    raise InvalidArgumentError(
        f"there is no operation {format_value(reference)}; agent_session_platform.operations lists all operations"
    )


def unknown_permission(operation: Operation) -> UnknownPermission | None:
    """Return what is known of a permission that is not shown in full; None if the permission is shown in full."""
    if operation.permission is not None and operation.level is not None:
        return None
    gaps = tuple(gap for gap in operation.gaps if gap.id.endswith(("-permission", "-level")))
    return UnknownPermission(operation.permission, operation.level, gaps)


def credential_gaps(operation: Operation) -> tuple[Gap, ...]:
    """Return the gaps that say that the accepted kinds of credential are not shown."""
    return tuple(gap for gap in operation.gaps if gap.id.endswith(CREDENTIAL_GAPS) and gap.id != NAME_GAP)


def _rows(texts: Mapping[str, str]) -> list[str]:
    width = max(map(len, texts), default=0)
    return [f"  {name:{width}}  {text}" for name, text in texts.items()] or ["  none"]
