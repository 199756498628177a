"""Tags: of a session, in both scopes, and those that an organization's new sessions get by default."""

from __future__ import annotations

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply
from . import sessions
from .enterprise_sessions import in_its_organization


def list_tags(call: Call) -> Reply:
    """List the tags of a session."""
    return Reply({"tags": sessions.find_session(call).fields["tags"]})


def replace(call: Call) -> Reply:
    """Replace the tags of a session."""
    session = sessions.find_session(call)
    session.fields["tags"] = call.texts("tags")
    session.fields["updated_at"] = call.state.seconds()
    return Reply({"tags": session.fields["tags"]})


def list_default_tags(call: Call) -> Reply:
    """List the default tags of the organization."""
    return Reply({"tags": call.state.organization(call.org_id).default_session_tags})


def replace_default_tags(call: Call) -> Reply:
    """Replace the default tags of the organization."""
    organization = call.state.organization(call.org_id)
    organization.default_session_tags = call.texts("tags")
    return Reply({"tags": organization.default_session_tags})


ASSUMPTIONS: Assumptions = {
    "default-session-tags-list-response": "200 with `tags`, an array of strings.",
    "default-session-tags-replace-request": "`tags`, an array of strings; a session that is created later, without "
    "`tags`, gets them.",
    "default-session-tags-replace-response": "200 with the new `tags`.",
    "organization-session-tags-list-response": "200 with `tags`, an array of strings.",
    "organization-session-tags-replace-request": "`tags`, an array of strings; any other member is ignored.",
    "organization-session-tags-replace-response": "200 with the new `tags`.",
    "enterprise-session-tags-list-response": "The same as in the organization scope.",
    "enterprise-session-tags-replace-request": "The same as in the organization scope.",
    "enterprise-session-tags-replace-response": "The same as in the organization scope.",
}

HANDLERS: dict[str, Handler] = {
    "list_enterprise_session_tags": in_its_organization(list_tags),
    "list_organization_default_session_tags": list_default_tags,
    "list_organization_session_tags": list_tags,
    "replace_enterprise_session_tags": in_its_organization(replace),
    "replace_organization_default_session_tags": replace_default_tags,
    "replace_organization_session_tags": replace,
}
