"""Sessions at enterprise scope: the same sessions as in their organizations."""

from __future__ import annotations

from typing import Any

import attrs

from ..assumptions import ACCEPT, Assumptions
from ..handlers import Call, Handler, Reply, paginate
from ..problems import RefusedError, invalid
from ..state import alive, check_organization
from . import sessions

MODES = ("normal", "fast", "lite")


def in_its_organization(handler: Handler) -> Handler:
    """Return the enterprise-scope form of an organization's handler: it finds the organization by the session's id."""

    def handle(call: Call) -> Reply:
        session_id = call.path["assistant_id"]
        for org_id in call.state.organizations:
            if session_id in call.state.collection("sessions", org_id):
                return handler(within(call, org_id))
        raise RefusedError(404, f"no session {session_id}")

    return handle


def within(call: Call, org_id: str) -> Call:
    """Return the call as one of an organization; refuse (403) a credential that does not belong to it."""
    check_organization(call.account, org_id)
    return attrs.evolve(call, path={**call.path, "org_id": org_id})


def create(call: Call) -> Reply:
    """Create a session in the organization of `org_id`."""
    body = call.members()
    org_id: Any = body.get("org_id")
    if not isinstance(org_id, str):
        raise invalid((["body", "org_id"], "must be the id of an organization", "missing"))
    if body.get("assistant_mode", "normal") not in MODES:
        raise invalid((["body", "assistant_mode"], f"must be one of {', '.join(MODES)}", "enum"))
    if not isinstance(body.get("create_as_user_id", ""), str | None):
        raise invalid((["body", "create_as_user_id"], "must be text or null", "type"))
    call.state.organization(org_id)
    return sessions.create(within(call, org_id))


def list_sessions(call: Call) -> Reply:
    """List the sessions of some organizations or all, in the order of creation."""
    org_ids = requested_organizations(call)
    records = [record for org_id in org_ids for record in alive(call.state.collection("sessions", org_id))]
    return Reply(paginate(sorted(records, key=lambda record: record.number), call.query))


def requested_organizations(call: Call) -> set[str]:
    """Return the organizations of `org_ids`, or all organizations of the caller; refuse (404, 403) other ones."""
    requested: list[str] = call.query.get("org_ids", [])
    for org_id in requested:
        call.state.organization(org_id)
        check_organization(call.account, org_id)
    return set(requested or filter(call.account.belongs_to, call.state.organizations))


ASSUMPTIONS: Assumptions = {
    "enterprise-sessions-org-ids": "Repeated in the query; an unknown organization is a 404.",
    "enterprise-sessions-response": "200 with the sessions of the organizations that the caller belongs to.",
    "enterprise-session-create-request": "`org_id` names the organization; the rest is as in the organization.",
    "enterprise-session-create-response": "200 with the session.",
    "enterprise-session-get-response": "200 with the session, which is the same in both scopes.",
    "enterprise-session-archive-response": "200 with the session, `is_archived` true.",
    "enterprise-session-terminate-archive": (
        "Refused with 422.",
        "sandbox.accept(operation, 'archive') accepts it, as in an organization.",
    ),
    "enterprise-session-terminate-response": "200 with the session, `terminated`.",
    "enterprise-session-message-request": "As in the organization scope.",
    "enterprise-session-message-response": "200 with the message; a suspended session is resumed.",
    "enterprise-sessions-parameters": (
        "`first` and `after` are accepted, as in an organization; any other is refused with 422.",
        ACCEPT,
    ),
    "enterprise-session-create-errors": "As in an organization; 422 also without `org_id`, 404 for an unknown "
    "organization.",
    "enterprise-session-message-errors": "409 for a session that is terminated.",
    "enterprise-session-archive-request": "An object or nothing; it is ignored.",
}

HANDLERS: dict[str, Handler] = {
    "archive_enterprise_session": in_its_organization(sessions.archive),
    "create_enterprise_session": create,
    "get_enterprise_session": in_its_organization(sessions.get),
    "list_enterprise_session_messages": in_its_organization(sessions.list_messages),
    "list_enterprise_sessions": list_sessions,
    "send_enterprise_session_message": in_its_organization(sessions.send_message),
    "terminate_enterprise_session": in_its_organization(sessions.terminate),
}
