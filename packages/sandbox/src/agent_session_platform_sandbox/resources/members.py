"""Members of the enterprise and of organizations, groups of the identity provider, roles and service users."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import attrs

from ..contract import ENTERPRISE, ORGANIZATION
from ..handlers import Call, Collection, Handler, Reply, paginate
from ..problems import RefusedError, invalid
from ..schemas import closed_values
from ..state import Record, State, User, alive, find

ENTERPRISE_ROLE: Final = "enterprise"


def add_role(state: State, role_id: str, permissions: Iterable[str], *, name: str, role_type: str) -> Record:
    """Add a role to the enterprise. Its permissions are kept, but the API does not show them.

    Raises:
        ValueError: There is no such type.
    """
    types = closed_values("Role", "role_type")
    if types and role_type not in types:
        raise ValueError(f"role_type must be one of {', '.join(types)}, not {role_type!r}")
    fields = {"role_id": role_id, "role_name": name, "role_type": role_type}
    role = state.add(state.collection("roles"), role_id, fields)
    role.memory["permissions"] = sorted(permissions)
    return role


def permissions_of(role: Record) -> frozenset[str]:
    """Return the permissions of a role."""
    return frozenset(role.memory["permissions"])


BULK_LIMIT: Final = 100


def add_idp_group(state: State, name: str, role_assignments: Iterable[dict[str, Any]] = ()) -> Record:
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


def create_idp_group(call: Call) -> Reply:
    """Register groups, at most 100 in a call (rule idp-groups-bulk-limit)."""
    names = call.texts("idp_group_names")
    if len(names) > BULK_LIMIT:
        message = f"at most {BULK_LIMIT} groups are registered per call, not {len(names)}"
        raise invalid((["body", "idp_group_names"], message, "too_long"))
    return Reply({"items": [_registered(call.state, name).fields for name in names]})


def _registered(state: State, name: str) -> Record:
    """Return the group of that name; register it if needed."""
    group = state.collection("idp-groups").get(name)
    return add_idp_group(state, name) if group is None or group.deleted else group


def delete_idp_group(call: Call) -> Reply:
    """Delete a group, unless it has role assignments or user memberships (rule idp-group-delete-refused)."""
    name = call.path["idp_group_name"]
    group = find(call.state.collection("idp-groups"), name, "IDP group")
    if group.fields["role_assignments"]:
        raise RefusedError(409, f"{name} has role assignments")
    if group.parts:
        raise RefusedError(409, f"{name} has user memberships")
    group.deleted = True
    return Reply(None)


def add_member(state: State, user: User, **fields: Any) -> Record:
    """Add a user with direct role assignments to the enterprise."""
    state.users[user.user_id] = user
    member: dict[str, Any] = {
        "user_id": user.user_id,
        "email": user.email,
        "name": user.name,
        "role_assignments": [
            {"role": {"role_id": "role-member", "role_name": "Member", "role_type": "org"}, "org_id": org_id}
            for org_id in sorted(user.organizations)
        ],
        "enterprise_joined_at": state.seconds(),
    } | fields
    return state.add(state.collection("members"), user.user_id, member)


def add_by_groups(state: State, user: User, group_names: Iterable[str], **fields: Any) -> Record:
    """Add a user to the enterprise who is a member through registered groups."""
    groups = [join(state, name, user.user_id) for name in group_names]
    organizations = {given["org_id"] for group in groups for given in _assignments(group) if given.get("org_id")}
    state.users[user.user_id] = attrs.evolve(user, organizations=user.organizations | organizations)
    member: dict[str, Any] = {"user_id": user.user_id, "email": user.email, "name": user.name} | fields
    return state.add(state.collection("idp-members"), user.user_id, member)


def _assignments(of: Record) -> list[dict[str, Any]]:
    given: list[dict[str, Any]] = of.fields["role_assignments"]
    return given


def _with_email(call: Call, records: Iterable[Record]) -> list[Record]:
    """Return the users with exactly the requested address, or all (rule member-users-email-exact)."""
    email = call.filter("email")
    return [record for record in records if email is None or record.fields["email"] == email]


def list_users(call: Call) -> Reply:
    """List the users with direct role assignments (rule member-users-direct)."""
    return Reply(paginate(_with_email(call, alive(call.state.collection("members"))), call.query))


def list_idp_users(call: Call) -> Reply:
    """List the users who are members through groups."""
    records = alive(call.state.collection("idp-members"))
    return Reply({"items": [_with_group_roles(call.state, record).fields for record in records]})


def list_organization_users(call: Call) -> Reply:
    """List the users with a direct role assignment in the organization."""
    records = [_in_organization(record, call.org_id) for record in alive(call.state.collection("members"))]
    return Reply(paginate(_with_email(call, filter(_assignments, records)), call.query))


def get_organization_user(call: Call) -> Reply:
    """Return a user with a direct role assignment in the organization."""
    user_id = call.path["user_id"]
    record = call.state.collection("members").get(user_id)
    user = _in_organization(record, call.org_id) if record and not record.deleted else None
    if user is None or not _assignments(user):
        raise RefusedError(404, f"no user {user_id} in {call.org_id}")
    return Reply(user.fields)


def list_organization_idp_users(call: Call) -> Reply:
    """List the users of groups that have a role assignment in the organization."""
    records = [_with_group_roles(call.state, record) for record in alive(call.state.collection("idp-members"))]
    here = [_in_organization(record, call.org_id) for record in records]
    return Reply(paginate(_with_email(call, filter(_assignments, here)), call.query))


def _in_organization(user: Record, org_id: str) -> Record:
    """Return a user with the role assignments in an organization only."""
    given = [each for each in _assignments(user) if each.get("org_id") == org_id]
    return Record(user.number, {**user.fields, "role_assignments": given})


def _with_group_roles(state: State, user: Record) -> Record:
    """Return a user with the role assignments of its groups."""
    groups = of_user(state, user.fields["user_id"])
    given = [each for group in groups for each in _assignments(group)]
    return Record(user.number, {**user.fields, "role_assignments": given})


# Rule service-user-role-subset names "ManageServiceUsers permissions": that name, and the similar permissions.
NEVER_GRANTED = frozenset({"ManageServiceUsers", "ManageAccountServiceUsers", "ManageOrgServiceUsers"})


def create_in_enterprise(call: Call) -> Reply:
    """Create a service user that belongs to the organizations of its creator."""
    return _create(call, None, call.account.organizations)


def create_in_organization(call: Call) -> Reply:
    """Create a service user that belongs to the organization only."""
    return _create(call, call.org_id, {call.org_id})


def _create(call: Call, org_id: str | None, organizations: Iterable[str] | None) -> Reply:
    """Create a service user with a role, and reply with a credential that works from now on."""
    role_id, name = call.text("role_id"), call.text("name")
    role = call.state.collection("roles").get(role_id)
    if role is None:
        raise invalid((["body", "role_id"], f"there is no role {role_id}", "value_error"))
    permissions = permissions_of(role)
    _check_role(call, role_id, permissions)
    members = {"name": name, "role_id": role_id, "org_id": org_id, "created_at": call.state.seconds()}
    fields = call.state.create(call.state.collection("service-users"), "service_user", members).fields
    token = f"svc_sandbox_{fields['service_user_id']}"
    level = ENTERPRISE if role.fields["role_type"] == ENTERPRISE_ROLE else ORGANIZATION
    call.state.accounts.add(token, "serviceUser", permissions, organizations, level)
    return Reply(fields | {"token": token})


def _check_role(call: Call, role_id: str, permissions: frozenset[str]) -> None:
    """Refuse (403) a role that the caller may not grant (rule service-user-role-subset)."""
    if never := permissions & NEVER_GRANTED:
        raise RefusedError(403, f"{role_id} has {', '.join(sorted(never))}, which can never be granted")
    if missing := [name for name in sorted(permissions) if not call.account.holds(name)]:
        raise RefusedError(403, f"{role_id} has {', '.join(missing)}, which the caller does not have")


HANDLERS: Final[dict[str, Handler]] = {
    "list_enterprise_roles": Collection("roles", "role").list,
    "create_enterprise_idp_groups": create_idp_group,
    "delete_enterprise_idp_group": delete_idp_group,
    "list_enterprise_idp_groups": Collection("idp-groups", "group").list,
    "get_organization_member_user": get_organization_user,
    "list_enterprise_member_idp_users": list_idp_users,
    "list_enterprise_member_users": list_users,
    "list_organization_member_idp_users": list_organization_idp_users,
    "list_organization_member_users": list_organization_users,
    "create_enterprise_service_user": create_in_enterprise,
    "create_organization_service_user": create_in_organization,
}
