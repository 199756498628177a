"""Insights of sessions: they are generated and then read, in both scopes."""

from __future__ import annotations

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply
from ..state import find
from . import sessions
from .enterprise_sessions import in_its_organization


def generate(call: Call) -> Reply:
    """Generate insights, unless they exist already (rule insights-generate-status)."""
    session = sessions.find_session(call)
    call.members()
    session_id = session.fields["session_id"]
    insights = call.state.collection("insights", call.org_id)
    if session_id in insights:
        return Reply({"status": "already_exists"})
    fields = {"session_id": session_id, "created_at": call.state.seconds(), "message_count": len(session.parts)}
    call.state.add(insights, session_id, fields)
    return Reply({"status": "started"})


def get(call: Call) -> Reply:
    """Return the insights that were generated (rule insights-generate-status)."""
    session_id = sessions.find_session(call).fields["session_id"]
    return Reply(find(call.state.collection("insights", call.org_id), session_id, "insights of session").fields)


ASSUMPTIONS: Assumptions = {
    "organization-insights-generate-request": "An object or nothing; it is ignored.",
    "organization-insights-generate-response": "200; insights are generated at once and only once, the same in both "
    "scopes.",
    "organization-insights-response": "200 with `session_id`, `created_at` and `message_count`, as of when they were "
    "generated.",
    "organization-insights-errors": "404 until they have been generated.",
    "enterprise-insights-generate-request": "An object or nothing; it is ignored.",
    "enterprise-insights-response": "The same as in the organization scope.",
    "enterprise-insights-errors": "404 until they have been generated.",
    "insights-generation-members": "`status`, and nothing else.",
    "enterprise-insights-generate-response": "200; as in the organization scope.",
}

HANDLERS: dict[str, Handler] = {
    "generate_enterprise_session_insights": in_its_organization(generate),
    "generate_organization_session_insights": generate,
    "get_enterprise_session_insights": in_its_organization(get),
    "get_organization_session_insights": get,
}
