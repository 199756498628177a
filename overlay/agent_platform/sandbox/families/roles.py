"""Roles: named sets of permissions."""

from __future__ import annotations

from collections.abc import Iterable

from ..assumptions import Assumption
from ..call import Call, Handler, Reply
from ..state import Record, State, alive


def add(state: State, role_id: str, permissions: Iterable[str], *, name: str, role_type: str) -> Record:
    """Put a role into the enterprise; its permissions are kept, but are no field of a role."""
    fields = {"role_id": role_id, "role_name": name, "role_type": role_type}
    role = state.add(state.collection("roles"), role_id, fields)
    role.memory["permissions"] = sorted(permissions)
    return role


def permissions_of(state: State, role_id: str) -> frozenset[str] | None:
    """The permissions of a role, or None when there is none of that id."""
    role = state.collection("roles").get(role_id)
    return None if role is None else frozenset(role.memory["permissions"])


def list_roles(call: Call) -> Reply:
    """List the roles."""
    return Reply({"items": [role.fields for role in alive(call.state.collection("roles"))]})


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("role-list-permission", "Any permission will do."),
    Assumption("role-list-response", "200 with the roles in `items`: only those that were added to the sandbox."),
)

HANDLERS: dict[str, Handler] = {"list_enterprise_roles": list_roles}
