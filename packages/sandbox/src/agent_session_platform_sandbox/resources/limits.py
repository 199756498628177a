"""Compute-unit limits of groups of organizations and of each organization. They are stored, not enforced."""

from __future__ import annotations

from ..assumptions import Assumptions
from ..handlers import Call, Collection, Handler, Reply
from ..problems import RefusedError
from ..state import find


def get_groups(call: Call) -> Reply:
    """Return the limits of the groups as they were set."""
    _check_enabled(call)
    record = call.state.collection("org-group-limits").get("groups")
    return Reply({} if record is None else record.fields)


def set_groups(call: Call) -> Reply:
    """Set the limits of the groups."""
    _check_enabled(call)
    return Reply(call.state.add(call.state.collection("org-group-limits"), "groups", call.members()).fields)


def _check_enabled(call: Call) -> None:
    """Refuse (403) unless the account team has enabled group limits (rule org-group-limits-enablement)."""
    if not call.state.org_group_limits_enabled:
        raise RefusedError(403, "organization group limits are not enabled; ask the account team")


def set_acu_limit(call: Call) -> Reply:
    """Set the limit of an organization."""
    fields = {**call.members(), "org_id": call.org_id}
    return Reply(call.state.add(call.state.collection("acu-limits"), call.org_id, fields).fields)


def delete_acu_limit(call: Call) -> Reply:
    """Delete the limit of an organization."""
    find(call.state.collection("acu-limits"), call.org_id, "compute-unit limit of").deleted = True
    return Reply(None)


ASSUMPTIONS: Assumptions = {
    "org-group-limits-get-response": "200 with what was set last; {} in the beginning.",
    "org-group-limits-get-errors": "403 if group limits are not enabled in the sandbox.",
    "org-group-limits-replace-request": "Any object; it is stored, not enforced.",
    "org-group-limits-replace-response": "200 with what was set.",
    "org-group-limits-replace-errors": "403 as for GET; 422 for a body that is not an object.",
    "acu-limits-get-response": "200 with `items`, one for each organization that has a limit.",
    "acu-limit-replace-request": "Any object; it is stored, not enforced.",
    "acu-limit-replace-response": "200 with what was set, and `org_id`.",
    "acu-limit-replace-errors": "422 for a body that is not an object; 404 for an unknown organization.",
    "acu-limit-delete-response": "200 with `null`.",
    "acu-limit-delete-errors": "404 for an organization without a limit.",
    "acu-limits-get-path": "It is complete; a GET of the path of one organization below it is a 405.",
}

HANDLERS: dict[str, Handler] = {
    "delete_enterprise_acu_limit": delete_acu_limit,
    "get_enterprise_acu_limits": Collection("acu-limits", "limit").list,
    "get_enterprise_org_group_limits": get_groups,
    "set_enterprise_acu_limit": set_acu_limit,
    "set_enterprise_org_group_limits": set_groups,
}
