"""The tags of a session, in both scopes."""

from __future__ import annotations

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply
from . import sessions
from .enterprise_sessions import in_its_organization


def list_tags(call: Call) -> Reply:
    """List the tags that the session itself shows."""
    return Reply({"tags": sessions.own(call).fields["tags"]})


def replace(call: Call) -> Reply:
    """Put other tags in the place of all that there are."""
    session = sessions.own(call)
    session.fields["tags"] = call.texts("tags")
    session.fields["updated_at"] = call.state.seconds()
    return Reply({"tags": session.fields["tags"]})


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("organization-session-tags-list-response", "200 with `tags`, an array of strings."),
    Assumption(
        "organization-session-tags-replace-request", "`tags`, an array of strings; any other member is ignored."
    ),
    Assumption("organization-session-tags-replace-response", "200 with `tags` as they are now."),
    Assumption("enterprise-session-tags-list-response", "The same as in the organization scope."),
    Assumption("enterprise-session-tags-replace-request", "The same as in the organization scope."),
    Assumption("enterprise-session-tags-replace-response", "The same as in the organization scope."),
)

HANDLERS: dict[str, Handler] = {
    "list_enterprise_session_tags": in_its_organization(list_tags),
    "list_organization_session_tags": list_tags,
    "replace_enterprise_session_tags": in_its_organization(replace),
    "replace_organization_session_tags": replace,
}
