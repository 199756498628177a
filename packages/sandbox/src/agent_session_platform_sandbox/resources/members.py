"""Members of the enterprise and of organizations, groups of the identity provider, roles and service users."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import attrs

from ..contract import ENTERPRISE, ORGANIZATION
from ..handlers import Call, Collection, Reply, paginate
from ..problems import RefusedError, invalid
from ..schemas import closed_values
from ..state import Record, State, User, alive, find

ENTERPRISE_ROLE: Final = "enterprise"
BULK_LIMIT: Final = 100
GROUP: Final = "IDP group"
# Rule service-user-role-subset names "ManageServiceUsers permissions": that name, and the similar permissions.
NEVER_GRANTED: Final = frozenset({"ManageServiceUsers", "ManageAccountServiceUsers", "ManageOrgServiceUsers"})


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


def add_idp_group(state: State, name: str, role_assignments: Iterable[dict[str, Any]] = ()) -> Record:
    """Register a group; its user memberships are its parts."""
    groups = state.collection("idp-groups")
    # A deleted group is registered again at the end of the list.
    groups.pop(name, None)
    return state.add(groups, name, {"idp_group_name": name, "role_assignments": list(role_assignments)})


def create_enterprise_idp_groups(call: Call) -> Reply:
    """Register groups, at most 100 in a call (rule idp-groups-bulk-limit); one that is registered stays as it is."""
    names, groups = call.texts("idp_group_names"), call.state.collection("idp-groups")
    if len(names) > BULK_LIMIT:
        message = f"at most {BULK_LIMIT} groups are registered per call, not {len(names)}"
        raise invalid((["body", "idp_group_names"], message, "too_long"))
    for name in names:
        if name not in groups or groups[name].deleted:
            add_idp_group(call.state, name)
    return Reply({"items": [groups[name].fields for name in names]})


def delete_enterprise_idp_group(call: Call) -> Reply:
    """Delete a group, unless it has role assignments or user memberships (rule idp-group-delete-refused)."""
    name = call.path["idp_group_name"]
    group = find(call.state.collection("idp-groups"), name, GROUP)
    if group.fields["role_assignments"]:
        raise RefusedError(409, f"{name} has role assignments")
    if group.parts:
        raise RefusedError(409, f"{name} has user memberships")
    group.deleted = True
    return Reply(None)


def add_member(state: State, user: User, **fields: Any) -> Record:
    """Add a user with direct role assignments to the enterprise."""
    role = {"role_id": "role-member", "role_name": "Member", "role_type": "org"}
    member: dict[str, Any] = {
        "user_id": user.user_id,
        "email": user.email,
        "name": user.name,
        "role_assignments": [{"role": role, "org_id": org_id} for org_id in sorted(user.organizations)],
        "enterprise_joined_at": state.seconds(),
    } | fields
    state.users[user.user_id] = user
    return state.add(state.collection("members"), user.user_id, member)


def add_by_groups(state: State, user: User, group_names: Iterable[str], **fields: Any) -> Record:
    """Add a user to the enterprise who is a member through registered groups."""
    organizations = set(user.organizations)
    for name in group_names:
        group = find(state.collection("idp-groups"), name, GROUP)
        state.add_part(group, {"user_id": user.user_id})
        organizations |= {each["org_id"] for each in group.fields["role_assignments"] if each.get("org_id")}
    state.users[user.user_id] = attrs.evolve(user, organizations=organizations)
    member: dict[str, Any] = {"user_id": user.user_id, "email": user.email, "name": user.name} | fields
    return state.add(state.collection("idp-members"), user.user_id, member)


def direct_members(call: Call) -> list[Record]:
    """Return the users with direct role assignments (rule member-users-direct); only those of the path."""
    return _in_organization(call, alive(call.state.collection("members")))


def members_by_groups(call: Call) -> list[Record]:
    """Return the users of groups, each with the role assignments of its groups; only those of the path."""
    groups = alive(call.state.collection("idp-groups"))

    def with_roles(user: Record) -> Record:
        own = [each for each in groups if any(part.fields["user_id"] == user.fields["user_id"] for part in each.parts)]
        given = [assignment for group in own for assignment in group.fields["role_assignments"]]
        return Record(user.number, {**user.fields, "role_assignments": given})

    return _in_organization(call, map(with_roles, alive(call.state.collection("idp-members"))))


def _in_organization(call: Call, users: Iterable[Record]) -> list[Record]:
    """Return the users with a role assignment in the organization of the path, and only these; all without one."""
    org_id, email = call.path.get("org_id"), call.filter("email")
    found: list[Record] = []
    for user in users:
        given = [each for each in user.fields["role_assignments"] if org_id is None or each.get("org_id") == org_id]
        # Rule member-users-email-exact.
        if (given or org_id is None) and email in (None, user.fields["email"]):
            found.append(Record(user.number, {**user.fields, "role_assignments": given}))
    return found


def list_enterprise_member_users(call: Call) -> Reply:
    """List the users with direct role assignments, in the enterprise or in the organization."""
    return Reply(paginate(direct_members(call), call.query))


def list_enterprise_member_idp_users(call: Call) -> Reply:
    """List the users who are members through groups, in the enterprise."""
    return Reply({"items": [record.fields for record in members_by_groups(call)]})


def list_organization_member_idp_users(call: Call) -> Reply:
    """List the users of groups that have a role assignment in the organization."""
    return Reply(paginate(members_by_groups(call), call.query))


def get_organization_member_user(call: Call) -> Reply:
    """Return a user with a direct role assignment in the organization."""
    user_id = call.path["user_id"]
    for user in direct_members(call):
        if user.fields["user_id"] == user_id:
            return Reply(user.fields)
    raise RefusedError(404, f"no user {user_id} in {call.org_id}")


def create_enterprise_service_user(call: Call) -> Reply:
    """Create a service user with a role, and reply with a credential that works from now on.

    It belongs to the organization of the path, or to the organizations of its creator. Rule service-user-role-subset:
    a role may have only permissions that the caller has.
    """
    role_id, name = call.text("role_id"), call.text("name")
    role = call.state.collection("roles").get(role_id)
    if role is None:
        raise invalid((["body", "role_id"], f"there is no role {role_id}", "value_error"))
    permissions: list[str] = role.memory["permissions"]
    if never := [each for each in permissions if each in NEVER_GRANTED]:
        raise RefusedError(403, f"{role_id} has {', '.join(never)}, which can never be granted")
    if missing := [each for each in permissions if not call.account.holds(each)]:
        raise RefusedError(403, f"{role_id} has {', '.join(missing)}, which the caller does not have")
    org_id = call.path.get("org_id")
    members = {"name": name, "role_id": role_id, "org_id": org_id, "created_at": call.state.seconds()}
    fields = call.state.create(call.state.collection("service-users"), "service_user", members).fields
    token = f"svc_sandbox_{fields['service_user_id']}"
    level = ENTERPRISE if role.fields["role_type"] == ENTERPRISE_ROLE else ORGANIZATION
    organizations = {org_id} if org_id else call.account.organizations
    call.state.accounts.add(token, "serviceUser", permissions, organizations, level)
    return Reply(fields | {"token": token})


create_organization_service_user = create_enterprise_service_user
list_enterprise_idp_groups = Collection("idp-groups", "group").list
list_enterprise_roles = Collection("roles", "role").list
list_organization_member_users = list_enterprise_member_users
