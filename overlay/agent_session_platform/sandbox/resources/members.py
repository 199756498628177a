"""Membership of the enterprise and of its organizations, by direct role assignments or by groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply
from ..http.paging import paginate
from ..problems import RefusedError
from ..state.state import Record, State, User, alive
from . import idp_groups


def add(state: State, user: User, **fields: Any) -> Record:
    """Put a user with direct role assignments into the enterprise."""
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
    """Put a user into the enterprise whose membership derives from registered groups."""
    groups = [idp_groups.join(state, name, user.user_id) for name in group_names]
    organizations = {given["org_id"] for group in groups for given in assignments(group) if given.get("org_id")}
    state.users[user.user_id] = replace(user, organizations=user.organizations | organizations)
    member: dict[str, Any] = {"user_id": user.user_id, "email": user.email, "name": user.name} | fields
    return state.add(state.collection("idp-members"), user.user_id, member)


def assignments(of: Record) -> list[dict[str, Any]]:
    """The role assignments of a user or a group."""
    given: list[dict[str, Any]] = of.fields["role_assignments"]
    return given


def with_email(call: Call, records: Iterable[Record]) -> list[Record]:
    """Those with exactly the address that is asked for, or all (rule member-users-email-exact)."""
    email = call.filter("email")
    return [record for record in records if email is None or record.fields["email"] == email]


def list_users(call: Call) -> Reply:
    """List the users with direct role assignments (rule member-users-direct)."""
    return Reply(paginate(with_email(call, alive(call.state.collection("members"))), call.query))


def list_idp_users(call: Call) -> Reply:
    """List the users whose membership derives from groups."""
    records = alive(call.state.collection("idp-members"))
    return Reply({"items": [by_groups(call.state, record).fields for record in records]})


def list_organization_users(call: Call) -> Reply:
    """List the users with a direct role assignment in the organization."""
    records = [within(record, call.org_id) for record in alive(call.state.collection("members"))]
    return Reply(paginate(with_email(call, filter(assignments, records)), call.query))


def get_organization_user(call: Call) -> Reply:
    """Get a user with a direct role assignment in the organization."""
    user_id = call.path["user_id"]
    record = call.state.collection("members").get(user_id)
    user = within(record, call.org_id) if record and not record.deleted else None
    if user is None or not assignments(user):
        raise RefusedError(404, f"no user {user_id} in {call.org_id}")
    return Reply(user.fields)


def list_organization_idp_users(call: Call) -> Reply:
    """List the users of groups that have a role assignment in the organization."""
    records = [by_groups(call.state, record) for record in alive(call.state.collection("idp-members"))]
    own = [within(record, call.org_id) for record in records]
    return Reply(paginate(with_email(call, filter(assignments, own)), call.query))


def within(user: Record, org_id: str) -> Record:
    """A user as an organization sees it: with the role assignments there, and no others."""
    given = [each for each in assignments(user) if each.get("org_id") == org_id]
    return Record(user.number, {**user.fields, "role_assignments": given})


def by_groups(state: State, user: Record) -> Record:
    """A user with the role assignments of its groups."""
    groups = idp_groups.of_user(state, user.fields["user_id"])
    given = [each for group in groups for each in assignments(group)]
    return Record(user.number, {**user.fields, "role_assignments": given})


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("member-idp-users-response", "200 with `items`: the fields of a user, with the roles of its groups."),
    Assumption("organization-member-users-email", "Text, and exact, as in the enterprise."),
    Assumption(
        "organization-member-users-response",
        "200 with a page of users who have a direct role assignment here, and of these only the ones here.",
    ),
    Assumption("organization-member-user-response", "200 with the user, as in the list."),
    Assumption("organization-member-user-errors", "404 for a user who is not in the list, members by groups too."),
    Assumption("organization-member-idp-users-email", "Text, and exact, as in the enterprise."),
    Assumption(
        "organization-member-idp-users-response",
        "200 with a page of users whose groups have a role assignment here, and of these only the ones here.",
    ),
    Assumption(
        "enterprise-joined-at-unit",
        "Seconds since 1970.",
        "sandbox.add_user(user, enterprise_joined_at=...) takes any number.",
    ),
)

HANDLERS: dict[str, Handler] = {
    "get_organization_member_user": get_organization_user,
    "list_enterprise_member_idp_users": list_idp_users,
    "list_enterprise_member_users": list_users,
    "list_organization_member_idp_users": list_organization_idp_users,
    "list_organization_member_users": list_organization_users,
}
