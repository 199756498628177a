"""Roles: named sets of permissions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..assumptions import Assumptions
from ..contract import Shape, load_contract
from ..handlers import Collection, Handler
from ..state import Record, State

ENTERPRISE: Final = "enterprise"
# All types of roles that the contract has; empty where it does not close the set.
TYPES: Final = Shape(load_contract(), {"$ref": "#/components/schemas/Role"}).member("role_type").mark("enum") or ()


def add(state: State, role_id: str, permissions: Iterable[str], *, name: str, role_type: str) -> Record:
    """Add a role to the enterprise. Its permissions are kept, but the API does not show them.

    Raises:
        ValueError: There is no such type.
    """
    if TYPES and role_type not in TYPES:
        raise ValueError(f"role_type must be one of {', '.join(TYPES)}, not {role_type!r}")
    fields = {"role_id": role_id, "role_name": name, "role_type": role_type}
    role = state.add(state.collection("roles"), role_id, fields)
    role.memory["permissions"] = sorted(permissions)
    return role


def permissions_of(role: Record) -> frozenset[str]:
    """Return the permissions of a role."""
    return frozenset(role.memory["permissions"])


ASSUMPTIONS: Assumptions = {
    "role-list-response": "200 with the roles in `items`: only those that were added to the sandbox."
}

HANDLERS: dict[str, Handler] = {"list_enterprise_roles": Collection("roles", "role").list}
