"""Groups of the identity provider: their role assignments, and the users that belong to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ..assumptions import Assumptions
from ..handlers import Call, Collection, Handler, Reply
from ..problems import RefusedError, invalid
from ..state import Record, State, alive, find

BULK_LIMIT: Final = 100


def add(state: State, name: str, role_assignments: Iterable[dict[str, Any]] = ()) -> Record:
    """Register a group; its user memberships are its parts."""
    groups = state.collection("idp-groups")
    # A deleted group is registered again at the end of the list.
    groups.pop(name, None)
    return state.add(groups, name, {"idp_group_name": name, "role_assignments": list(role_assignments)})


def join(state: State, name: str, user_id: str) -> Record:
    """Add a user to a registered group, and return the group."""
    group = find(state.collection("idp-groups"), name, "IDP group")
    state.add_part(group, {"user_id": user_id})
    return group


def of_user(state: State, user_id: str) -> list[Record]:
    """Return the groups of a user."""
    return [
        group
        for group in alive(state.collection("idp-groups"))
        if any(part.fields["user_id"] == user_id for part in group.parts)
    ]


def create(call: Call) -> Reply:
    """Register groups, at most 100 in a call (rule idp-groups-bulk-limit)."""
    names = call.texts("idp_group_names")
    if len(names) > BULK_LIMIT:
        message = f"at most {BULK_LIMIT} groups are registered per call, not {len(names)}"
        raise invalid((["body", "idp_group_names"], message, "too_long"))
    return Reply({"items": [_registered(call.state, name).fields for name in names]})


def _registered(state: State, name: str) -> Record:
    """Return the group of that name; register it if needed."""
    group = state.collection("idp-groups").get(name)
    return add(state, name) if group is None or group.deleted else group


def delete(call: Call) -> Reply:
    """Delete a group, unless it has role assignments or user memberships (rule idp-group-delete-refused)."""
    name = call.path["idp_group_name"]
    group = find(call.state.collection("idp-groups"), name, "IDP group")
    if group.fields["role_assignments"]:
        raise RefusedError(409, f"{name} has role assignments")
    if group.parts:
        raise RefusedError(409, f"{name} has user memberships")
    group.deleted = True
    return Reply(None)


ASSUMPTIONS: Assumptions = {
    "idp-group-list-response": "200 with `items`, each with `idp_group_name` and `role_assignments`.",
    "idp-group-create-request": "`idp_group_names`, a list of text.",
    "idp-group-create-response": "200 with the groups in `items`; one that is registered stays as it is.",
    "idp-group-create-errors": "422 for more than 100; then none is registered.",
    "idp-group-delete-refusal": "409; the detail names the reason: role assignments or memberships.",
    "idp-group-delete-response": "200 with `null`; deleting again is a 404.",
}

HANDLERS: dict[str, Handler] = {
    "create_enterprise_idp_groups": create,
    "delete_enterprise_idp_group": delete,
    "list_enterprise_idp_groups": Collection("idp-groups", "group").list,
}
