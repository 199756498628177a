"""Automations."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply
from ..problems import RefusedError, invalid
from ..state.state import Record, State, alive, find
from ..time.agenda import Runs
from ..time.clock import moment
from ..time.recurrence import moments as recurring
from . import sessions

RECURRING = "schedule:recurring"
START_SESSION = "start_session"

# Never taken from a body.
PLATFORM_OWNED = ("automation_id", "org_id", "created_at", "updated_at")


def add(state: State, org_id: str, /, **fields: Any) -> Record:
    """Put an automation into the organization, where it runs from now on.

    Refuses a recurrence that is none; raises ValueError for a `created_at` that is no date-time with a timezone.
    """
    check_trigger(fields, state.now())
    now = state.timestamp()
    automation: dict[str, Any] = {
        "automation_id": state.new_id("automation"),
        "org_id": org_id,
        "enabled": True,
        "created_at": now,
        "updated_at": now,
    } | fields
    # The recurrence counts from it, be it now or when the automation is enabled.
    try:
        moment(automation["created_at"])
    except ValueError as error:
        raise ValueError(f"created_at: {error}: {automation['created_at']!r}") from None
    record = state.add(state.collection("automations", org_id), automation["automation_id"], automation)
    state.agenda.plan(RUNS, record)
    return record


def create(call: Call) -> Reply:
    """Create an automation (rule automation-recurring: a trigger `schedule:recurring` starts sessions)."""
    own(call)
    body = check_members({name: value for name, value in call.members().items() if name not in PLATFORM_OWNED})
    return Reply(add(call.state, call.org_id, **body).fields)


def list_automations(call: Call) -> Reply:
    """List the automations, those that were deleted not among them."""
    records = alive(own(call))
    if (enabled := call.flag("enabled")) is not None:
        records = [record for record in records if record.fields["enabled"] is enabled]
    if search := call.filter("search"):
        records = [record for record in records if search.lower() in str(record.fields.get("name", "")).lower()]
    return Reply({"items": [record.fields for record in records]})


def get(call: Call) -> Reply:
    """Get an automation."""
    return Reply(one(call).fields)


def update(call: Call) -> Reply:
    """Merge the body into the automation, member by member (rule automation-update-merge)."""
    record = one(call)
    before = record.fields
    changed = check_members({"enabled": True} | merged(before, call.members()))
    check_trigger(changed, call.state.now())
    kept = {name: before[name] for name in PLATFORM_OWNED}
    record.fields = changed | kept | {"updated_at": call.state.timestamp()}
    if (recurrence_of(changed), changed["enabled"]) != (recurrence_of(before), before["enabled"]):
        call.state.agenda.plan(RUNS, record)
    return Reply(record.fields)


def delete(call: Call) -> Reply:
    """Soft-delete an automation: the record stays (rule automation-soft-delete)."""
    one(call).deleted = True
    return Reply(None)


def schemas(call: Call) -> Reply:
    """The schemas of trigger events: none is shown."""
    own(call)
    return Reply({"items": []})


def own(call: Call) -> dict[str, Record]:
    """The automations of the organization; refuses with 403 without them (rule automation-enablement)."""
    if not call.state.organization(call.org_id).automations_enabled:
        raise RefusedError(403, f"automations are not enabled for {call.org_id}")
    return call.state.collection("automations", call.org_id)


def one(call: Call) -> Record:
    """The automation of the path."""
    return find(own(call), call.path["automation_id"], "automation")


def check_members(fields: dict[str, Any]) -> dict[str, Any]:
    """The members as they are; refuses those that this sandbox could not work with."""
    if not isinstance(fields.get("name", ""), str):
        raise invalid((["body", "name"], "text is expected", "string_type"))
    if not isinstance(fields.get("enabled", True), bool):
        raise invalid((["body", "enabled"], "true or false is expected", "bool_type"))
    return fields


def check_trigger(fields: dict[str, Any], now: datetime) -> None:
    """Refuse a recurrence that cannot be read."""
    rule = recurrence_of(fields)
    if rule is None:
        return
    try:
        # Asked for its first moment, too: some rules fail only then.
        next(recurring(rule, now, now), None)
    except ValueError as error:
        raise invalid((["body", "trigger", "rrule"], f"not an iCalendar RRULE: {error}", "value_error")) from None


def recurrence_of(fields: dict[str, Any]) -> str | None:
    """The RRULE of an automation that recurs and starts sessions."""
    trigger, action = fields.get("trigger"), fields.get("action")
    if not isinstance(trigger, dict) or not isinstance(action, dict):
        return None
    parts: dict[str, Any] = cast("dict[str, Any]", trigger)
    if parts.get("type") != RECURRING or cast("dict[str, Any]", action).get("type") != START_SESSION:
        return None
    return str(parts.get("rrule", ""))


def moments(record: Record, after: datetime) -> Iterator[datetime]:
    """When an automation runs: its RRULE counts from its creation, in UTC (rule automation-recurring)."""
    rule = recurrence_of(record.fields)
    return iter(()) if rule is None else recurring(rule, moment(record.fields["created_at"]), after)


def run(state: State, record: Record, at: datetime) -> None:
    """Start a session, which names its automation, and its playbook if the action does."""
    fields, action = record.fields, record.fields["action"]
    carried: dict[str, Any] = {"automation_id": fields["automation_id"]}
    if isinstance(action.get("playbook_id"), str):
        carried["playbook_id"] = action["playbook_id"]
    session = sessions.add(state, fields["org_id"], title=fields.get("name", "Automation"), **carried)
    if isinstance(action.get("prompt"), str):
        sessions.say(state, session, "user", action["prompt"])


RUNS = Runs("automations", moments, run)


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
    Assumption(
        "automation-update-request",
        "Any object; a member that is null is taken away. An automation whose recurrence is changed, or that is "
        "enabled, runs from then on and not for the past; the recurrence still counts from the creation.",
    ),
    Assumption("automation-update-response", "200 with the automation."),
    Assumption("automation-update-errors", "403 where automations are not enabled; an unknown automation is a 404."),
    Assumption(
        "automation-create-request",
        'Any member is taken; `trigger: {"type": "schedule:recurring", "rrule": ...}` with '
        '`action: {"type": "start_session", "prompt": ..., "playbook_id": ...}` starts sessions, counted from the '
        "creation: with `name` as the title, the prompt as the first message, the playbook and the automation. Any "
        "other trigger or action does nothing, and nobody is impersonated. A recurrence that does not come round in a "
        "century never does.",
    ),
    Assumption("automation-create-response", "200 with the automation; it has `automation_id` and `enabled`."),
    Assumption("automation-create-errors", "422 for an RRULE that cannot be read, of RFC 5545 but for a second 60."),
    Assumption("automation-list-response", "200 with the automations in `items`."),
    Assumption(
        "automation-list-filters",
        "`enabled` (`true`, `false`) and `search` (in `name`) are looked at, no others.",
    ),
    Assumption("automation-get-response", "200 with the automation."),
    Assumption("automation-schemas-response", "200 with none, in `items`."),
    Assumption("automation-templates-response", "200 with none, in `items`."),
    Assumption("automation-delete-response", "200 with `null`; deleting again is a 404, and it no longer runs."),
)

HANDLERS: dict[str, Handler] = {
    "create_organization_automation": create,
    "delete_organization_automation": delete,
    "get_organization_automation": get,
    "list_organization_automation_schemas": schemas,
    "list_organization_automation_templates": schemas,
    "list_organization_automations": list_automations,
    "update_organization_automation": update,
}
