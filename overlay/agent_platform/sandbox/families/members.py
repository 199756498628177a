"""Membership of the enterprise."""

from __future__ import annotations

from typing import Any

from ..call import Call, Handler, Reply
from ..paging import paginate
from ..state import Record, State, User, alive


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


def list_users(call: Call) -> Reply:
    """List the users, with an exact match of the address when asked (rule member-users-email-exact)."""
    records = alive(call.state.collection("members"))
    if (email := call.query.get("email")) is not None:
        records = [record for record in records if record.fields["email"] == email]
    return Reply(paginate(records, call.query))


HANDLERS: dict[str, Handler] = {"list_enterprise_member_users": list_users}
