"""The permissions that operations require, as the contract states them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ._api import Operation
from .catalogue import operations, unwrap_partials
from .errors import InvalidArgumentError
from .text import format_value


@attrs.frozen
class RequiredPermissions:
    """The permissions that some operations require, for a role that has no others.

    Attributes:
        organization: The permissions to hold at organization level, each with the names of the operations that require
            it.
        enterprise: The permissions to hold at enterprise level, in the same form.
        unknown: The operations for which the description does not show the permission or its level. The value is the
            permission if only its level is not shown, and None otherwise. `operations[name].gaps` has the gap.
        credentials: The kinds of credential that all operations accept; empty if they have no kind in common. Where the
            description shows no kind, the contract assumes `serviceUser`.

    Example:
        required = permissions_for("organization.sessions.list", "enterprise.reviews.create")
        print(required.organization)  # {"ViewOrgSessions": ("organization.sessions.list",)}
    """

    organization: Mapping[str, tuple[str, ...]]
    enterprise: Mapping[str, tuple[str, ...]]
    unknown: Mapping[str, str | None]
    credentials: tuple[str, ...]


def permissions_for(*references: str | Operation | Callable[..., Any]) -> RequiredPermissions:
    """Return the permissions that operations require. Nothing is sent.

    Args:
        references: Each is a name (`"organization.sessions.list"`), an id, an `Operation`, or a method of a client
            (`org.sessions.list`). For `wait`, the list that many waits read together counts as well.

    Raises:
        InvalidArgumentError: There is no such operation.

    Example:
        print(permissions_for("organization.sessions.list", platform.enterprise.reviews.create).enterprise)
    """
    used: dict[str, Operation] = {}
    for reference in references:
        operation = find_operation(reference)
        used[operation.name] = operation
        called = unwrap_partials(reference)[0]
        if operation.shared_list and getattr(called, "__name__", None) == operation.job:
            shared = operations[operation.shared_list]
            used[shared.name] = shared
    levels: dict[str, dict[str, tuple[str, ...]]] = {"organization": {}, "enterprise": {}}
    unknown: dict[str, str | None] = {}
    for name, operation in sorted(used.items()):
        if operation.permission is None or operation.level is None:
            unknown[name] = operation.permission
        else:
            permissions = levels[operation.level]
            permissions[operation.permission] = (*permissions.get(operation.permission, ()), name)
    kinds = [operation.credentials for operation in used.values()]
    # serviceUser, the current kind, comes first.
    common = set[str]().union(*kinds).intersection(*kinds)
    return RequiredPermissions(**levels, unknown=unknown, credentials=tuple(sorted(common, reverse=True)))


def find_operation(reference: str | Operation | Callable[..., Any]) -> Operation:
    """Return an operation by its name, its id, or a method of a client."""
    if isinstance(reference, Operation):
        return reference
    if not isinstance(reference, str):
        return operations.of(reference)
    if reference in operations:
        return operations[reference]
    raise InvalidArgumentError(
        f"there is no operation {format_value(reference)}; agent_session_platform.operations lists all operations"
    )
