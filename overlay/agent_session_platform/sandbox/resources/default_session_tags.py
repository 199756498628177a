"""The tags that an organization's new sessions get."""

from __future__ import annotations

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply


def list_tags(call: Call) -> Reply:
    """List the organization's default tags."""
    return Reply({"tags": call.state.organization(call.org_id).default_session_tags})


def replace(call: Call) -> Reply:
    """Put other default tags in the place of all that there are."""
    organization = call.state.organization(call.org_id)
    organization.default_session_tags = call.texts("tags")
    return Reply({"tags": organization.default_session_tags})


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("default-session-tags-list-response", "200 with `tags`, an array of strings."),
    Assumption(
        "default-session-tags-replace-request",
        "`tags`, an array of strings; a session that is created later, without `tags`, gets them.",
    ),
    Assumption("default-session-tags-replace-response", "200 with `tags` as they are now."),
)

HANDLERS: dict[str, Handler] = {
    "list_organization_default_session_tags": list_tags,
    "replace_organization_default_session_tags": replace,
}
