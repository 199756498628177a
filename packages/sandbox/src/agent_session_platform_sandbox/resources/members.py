"""Members of the enterprise and of organizations, groups of the identity provider, and service users."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import filterfalse
from typing import Any, Final

from ..contract import ENTERPRISE, ORGANIZATION
from ..handlers import Call, Reply
from ..lists import list_reply
from ..problems import NO_NAMES, RefusedError, invalid
from ..state import Account, Record, State, alive, find

BULK_LIMIT: Final = 100
GROUP: Final = "IDP group"
# Rule service-user-role-subset says "ManageServiceUsers permissions": this permission and similarly named permissions.
NEVER_GRANTED: Final = frozenset({"ManageServiceUsers", "ManageAccountServiceUsers", "ManageOrgServiceUsers"})


def add_idp_group(state: State, name: str, role_assignments: Iterable[dict[str, Any]] = ()) -> Record:
    """Register a group; the parts of its record are the user memberships."""
    groups = state.collection("idp-groups")
    # A deleted group is registered again at the end of the list.
    groups.pop(name, None)
    return state.add(groups, name, {"idp_group_name": name, "role_assignments": list(role_assignments)})


def create_enterprise_idp_groups(call: Call) -> Reply:
    """Register groups, at most 100 in a call (rule idp-groups-bulk-limit). Known groups stay as they are."""
    names = call.texts("idp_group_names")
    groups = call.state.collection("idp-groups")
    if "idp_group_names" not in call.members():
        # The contract of a build may have another member for the names.
        names = [name for name in names if name not in NO_NAMES]
    if len(names) > BULK_LIMIT:
        message = f"at most {BULK_LIMIT} groups are registered per call, not {len(names)}"
        raise invalid((["body", "idp_group_names"], message, "too_long"))
    for position, name in enumerate(names):
        if name in NO_NAMES:
            place = ["body", "idp_group_names", str(position)]
            raise invalid((place, f"must be a name, not {name!r}", "value_error"))
    for name in names:
        if name not in groups or groups[name].deleted:
            add_idp_group(call.state, name)
    return Reply({"items": [groups[name].fields for name in names]})


def delete_enterprise_idp_group(call: Call) -> Reply:
    """Delete a group, unless it has role assignments or user memberships (rule idp-group-delete-refused)."""
    name = call.path["idp_group_name"]
    group = find(call.state.collection("idp-groups"), name, GROUP)
    if group.fields.get("role_assignments", ()):
        raise RefusedError(409, f"{name} has role assignments")
    if group.parts:
        raise RefusedError(409, f"{name} has user memberships")
    group.deleted = True
    return Reply(None)


def direct_members(call: Call) -> list[Record]:
    """Return the users with direct role assignments (rule member-users-direct), in the scope of the path."""
    return _in_organization(call, alive(call.state.collection("members")))


def members_by_groups(call: Call) -> list[Record]:
    """Return the users who are in groups, with the role assignments of these groups, in the scope of the path."""
    groups = alive(call.state.collection("idp-groups"))
    users: list[Record] = []
    for user in alive(call.state.collection("idp-members")):
        given: list[Any] = []
        for group in groups:
            if any(part.fields["user_id"] == user.fields["user_id"] for part in group.parts):
                given += group.fields.get("role_assignments", [])
        users.append(Record(user.number, {**user.fields, "role_assignments": given}))
    return _in_organization(call, users)


def _in_organization(call: Call, users: Iterable[Record]) -> list[Record]:
    """Return users with their role assignments; if the path names an organization, only those of the organization."""
    org_id, email = call.path.get("org_id"), call.filter("email")
    found: list[Record] = []
    for user in users:
        given = [
            each for each in user.fields.get("role_assignments", ()) if org_id is None or each.get("org_id") == org_id
        ]
        # Rule member-users-email-exact: the filter must be the whole address.
        if (given or org_id is None) and email in (None, user.fields.get("email")):
            found.append(Record(user.number, {**user.fields, "role_assignments": given}))
    return found


def list_enterprise_member_users(call: Call) -> Reply:
    """List the users with direct role assignments, in the enterprise or in the organization."""
    return list_reply(call, direct_members(call))


def list_enterprise_member_idp_users(call: Call) -> Reply:
    """List the users who are members through groups, in the enterprise."""
    return list_reply(call, members_by_groups(call))


def list_organization_member_idp_users(call: Call) -> Reply:
    """List the users of groups that have a role assignment in the organization."""
    return list_reply(call, members_by_groups(call))


def get_organization_member_user(call: Call) -> Reply:
    """Return a user with a direct role assignment in the organization."""
    members = {user.fields["user_id"]: user for user in direct_members(call)}
    return Reply(find(members, call.path["user_id"], f"direct member of {call.org_id}").fields)


def create_enterprise_service_user(call: Call) -> Reply:
    """Create a service user with a role, and reply with a credential that works from now on.

    The service user belongs to the organization of the path, or to the organizations of its creator. Rule
    service-user-role-subset: a role may have only permissions that the caller has.
    """
    role_id, name = call.text("role_id"), call.text("name")
    role = call.state.collection("roles").get(role_id)
    if role is None and "role_id" not in call.members():
        # The contract of a build may have another member for the role; then the credential may do nothing.
        role = Record(0, {"role_type": ORGANIZATION}, memory={"permissions": []})
    if role is None:
        raise invalid((["body", "role_id"], f"there is no role {role_id}", "value_error"))
    permissions: list[str] = role.memory["permissions"]
    never = sorted(NEVER_GRANTED.intersection(permissions))
    if never:
        raise RefusedError(403, f"{role_id} has {', '.join(never)}, which can never be granted")
    missing = ", ".join(filterfalse(call.account.holds, permissions))
    if missing:
        raise RefusedError(403, f"{role_id} has {missing}, which the caller does not have")
    org_id = call.path.get("org_id")
    members = {"name": name, "role_id": role_id, "org_id": org_id, "created_at": call.state.seconds()}
    fields = call.state.create(call.state.collection("service-users"), "service_user", members).fields
    token = f"svc_sandbox_{fields['service_user_id']}"
    level = ORGANIZATION
    if role.fields["role_type"] == ENTERPRISE:
        level = ENTERPRISE
    organizations = call.account.organizations
    if org_id is not None:
        organizations = frozenset([org_id])
    call.state.accounts.add(token, Account("serviceUser", permissions, organizations, level))
    return Reply(fields | {"token": token})


create_organization_service_user = create_enterprise_service_user
list_organization_member_users = list_enterprise_member_users
