"""Sessions at enterprise scope: the same sessions as in their organizations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..assumptions import ACCEPTED, Assumption
from ..http.call import Call, Handler, Reply
from ..http.paging import paginate
from ..problems import RefusedError, invalid
from ..state.accounts import check_organization
from ..state.state import alive
from . import sessions

MODES = ("normal", "fast", "lite")


def in_its_organization(handler: Handler) -> Handler:
    """The enterprise-scope form of an organization's handler: it finds the organization by the session's id."""

    def handle(call: Call) -> Reply:
        session_id = call.path["assistant_id"]
        for org_id in call.state.organizations:
            if session_id in call.state.collection("sessions", org_id):
                return handler(within(call, org_id))
        raise RefusedError(404, f"no session {session_id}")

    return handle


def within(call: Call, org_id: str) -> Call:
    """The call as one of the organization; refuses with 403 where the credential does not belong to it."""
    check_organization(call.account, org_id)
    return replace(call, path={**call.path, "org_id": org_id})


def create(call: Call) -> Reply:
    """Create a session in the organization that `org_id` names."""
    body = call.members()
    org_id: Any = body.get("org_id")
    if not isinstance(org_id, str):
        raise invalid((["body", "org_id"], "the organization's id is expected", "missing"))
    if body.get("assistant_mode", "normal") not in MODES:
        raise invalid((["body", "assistant_mode"], f"not one of {', '.join(MODES)}", "enum"))
    if not isinstance(body.get("create_as_user_id", ""), str | None):
        raise invalid((["body", "create_as_user_id"], "neither a string nor null", "type"))
    call.state.organization(org_id)
    return sessions.create(within(call, org_id))


def list_sessions(call: Call) -> Reply:
    """List the sessions of all organizations, or of some, in the order of creation."""
    org_ids = organizations_asked_for(call)
    records = [record for org_id in org_ids for record in alive(call.state.collection("sessions", org_id))]
    return Reply(paginate(sorted(records, key=lambda record: record.number), call.query))


def organizations_asked_for(call: Call) -> set[str]:
    """The organizations of `org_ids`, or all that the caller reaches; refuses others with 404 or 403."""
    asked: list[str] = call.query.get("org_ids", [])
    for org_id in asked:
        call.state.organization(org_id)
        check_organization(call.account, org_id)
    return set(asked or filter(call.account.belongs_to, call.state.organizations))


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("enterprise-sessions-org-ids", "Repeated in the query; an unknown organization is a 404."),
    Assumption(
        "enterprise-sessions-response", "200 with the sessions of the organizations that the caller belongs to."
    ),
    Assumption("enterprise-session-create-request", "`org_id` names the organization; the rest is as in its scope."),
    Assumption("enterprise-session-create-response", "200 with the session."),
    Assumption("enterprise-session-get-response", "200 with the session, which is the same in both scopes."),
    Assumption("enterprise-session-archive-response", "200 with the session, `is_archived` true."),
    Assumption(
        "enterprise-session-terminate-archive",
        "Not taken: refused with 422.",
        "sandbox.accept(operation, 'archive') takes it, as in an organization.",
    ),
    Assumption("enterprise-session-terminate-response", "200 with the session, `terminated`."),
    Assumption("enterprise-session-message-request", "As in the organization scope."),
    Assumption("enterprise-session-message-response", "200 with the message; a suspended session is resumed."),
    Assumption(
        "enterprise-sessions-parameters",
        "`first` and `after` are taken, as in an organization; any other is refused with 422.",
        ACCEPTED,
    ),
    Assumption(
        "enterprise-session-create-errors",
        "As in an organization; 422 also without `org_id`, 404 for an unknown organization.",
    ),
    Assumption("enterprise-session-message-errors", "409 for a session that is terminated."),
    Assumption("enterprise-session-archive-request", "An object or nothing; nothing of it is looked at."),
)

HANDLERS: dict[str, Handler] = {
    "archive_enterprise_session": in_its_organization(sessions.archive),
    "create_enterprise_session": create,
    "get_enterprise_session": in_its_organization(sessions.get),
    "list_enterprise_session_messages": in_its_organization(sessions.list_messages),
    "list_enterprise_sessions": list_sessions,
    "send_enterprise_session_message": in_its_organization(sessions.send_message),
    "terminate_enterprise_session": in_its_organization(sessions.terminate),
}
