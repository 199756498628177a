"""Members of the enterprise and of its organizations, by direct role assignments or by groups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply, paginate
from ..problems import RefusedError
from ..state import Record, State, User, alive
from . import idp_groups


def add(state: State, user: User, **fields: Any) -> Record:
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
    groups = [idp_groups.join(state, name, user.user_id) for name in group_names]
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
    groups = idp_groups.of_user(state, user.fields["user_id"])
    given = [each for group in groups for each in _assignments(group)]
    return Record(user.number, {**user.fields, "role_assignments": given})


ASSUMPTIONS: Assumptions = {
    "member-idp-users-response": "200 with `items`: the fields of a user, with the roles of its groups.",
    "organization-member-users-email": "Text, and exact, as in the enterprise.",
    "organization-member-users-response": "200 with a page of users who have a direct role assignment here, and of "
    "these only the ones here.",
    "organization-member-user-response": "200 with the user, as in the list.",
    "organization-member-user-errors": "404 for a user who is not in the list, such as a member by groups.",
    "organization-member-idp-users-email": "Text, and exact, as in the enterprise.",
    "organization-member-idp-users-response": "200 with a page of users whose groups have a role assignment here, and "
    "of these only the ones here.",
    "enterprise-joined-at-unit": (
        "Seconds since 1970.",
        "sandbox.add_user(user, enterprise_joined_at=...) accepts any number.",
    ),
}

HANDLERS: dict[str, Handler] = {
    "get_organization_member_user": get_organization_user,
    "list_enterprise_member_idp_users": list_idp_users,
    "list_enterprise_member_users": list_users,
    "list_organization_member_idp_users": list_organization_idp_users,
    "list_organization_member_users": list_organization_users,
}
