"""Automations."""

from __future__ import annotations

from typing import Any, cast

from ..assumptions import Assumption
from ..call import Call, Handler, Reply
from ..problems import RefusedError
from ..state import Record, State, find


def add(state: State, org_id: str, **fields: Any) -> Record:
    """Put an automation into the organization."""
    automation: dict[str, Any] = {"automation_id": state.new_id("automation"), "org_id": org_id} | fields
    return state.add(state.collection("automations", org_id), automation["automation_id"], automation)


def update(call: Call) -> Reply:
    """Merge the body into the automation, member by member (rule automation-update-merge)."""
    # Rule automation-enablement.
    if not call.state.organization(call.org_id).automations_enabled:
        raise RefusedError(403, f"automations are not enabled for {call.org_id}")
    record = find(call.state.collection("automations", call.org_id), call.path["automation_id"], "automation")
    record.fields = merged(record.fields, call.body)
    return Reply(record.fields)


def merged(target: Any, patch: Any) -> Any:
    """Apply a JSON merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    result: dict[str, Any] = dict(cast("dict[str, Any]", target)) if isinstance(target, dict) else {}
    for name, value in cast("dict[str, Any]", patch).items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("automation-update-media-type", "Any JSON media type is taken."),
    Assumption("automation-update-response", "200 with the automation."),
    Assumption("automation-update-errors", "403 where automations are not enabled; an unknown automation is a 404."),
)

HANDLERS: dict[str, Handler] = {"update_organization_automation": update}
