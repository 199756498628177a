"""Automations: recurring rules that start sessions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

from ..assumptions import Assumptions
from ..handlers import Call, Collection, Handler, Reply, merge_patch
from ..problems import RefusedError, invalid
from ..state import Record, RecurringRuns, State, alive
from ..time import parse_datetime, rrule_occurrences
from . import assistant, sessions

RECURRING = "schedule:recurring"
START_SESSION = "start_session"

# Set by the platform, never by a body.
READ_ONLY = ("automation_id", "org_id", "created_at", "updated_at")


def add(state: State, org_id: str, /, **fields: Any) -> Record:
    """Add an automation to an organization, and let it run from now on.

    Raises:
        RefusedError: 422 for an invalid recurrence.
        ValueError: `created_at` is not a date-time with a timezone.
    """
    _check_trigger(fields, state.now())
    now = state.timestamp()
    members: dict[str, Any] = {"org_id": org_id, "enabled": True, "created_at": now, "updated_at": now, **fields}
    # The recurrence counts from here.
    try:
        parse_datetime(members["created_at"])
    except ValueError as error:
        raise ValueError(f"created_at: {error}: {members['created_at']!r}") from None
    record = state.create(state.collection("automations", org_id), "automation", members)
    state.plan(RUNS, record)
    return record


class Automations(Collection):
    """The automations of an organization in which they are enabled."""

    def records(self, call: Call) -> dict[str, Record]:
        """Return the automations; refuse (403) if they are not enabled (rule automation-enablement)."""
        if not call.state.organization(call.org_id).automations_enabled:
            raise RefusedError(403, f"automations are not enabled for {call.org_id}")
        return super().records(call)


AUTOMATIONS = Automations("automations", "automation")


def create(call: Call) -> Reply:
    """Create an automation (rule automation-recurring: a trigger `schedule:recurring` starts sessions)."""
    AUTOMATIONS.records(call)
    body = _checked({name: value for name, value in call.members().items() if name not in READ_ONLY})
    return Reply(add(call.state, call.org_id, **body).fields)


def list_automations(call: Call) -> Reply:
    """List the automations that were not deleted."""
    records = alive(AUTOMATIONS.records(call))
    if (enabled := call.flag("enabled")) is not None:
        records = [record for record in records if record.fields["enabled"] is enabled]
    if search := call.filter("search"):
        records = [record for record in records if search.lower() in str(record.fields.get("name", "")).lower()]
    return Reply({"items": [record.fields for record in records]})


def update(call: Call) -> Reply:
    """Merge the body into the automation, member by member (rule automation-update-merge)."""
    record = AUTOMATIONS.find(call)
    before = record.fields
    changed = _checked({"enabled": True} | merge_patch(before, call.members()))
    _check_trigger(changed, call.state.now())
    kept = {name: before[name] for name in READ_ONLY}
    record.fields = changed | kept | {"updated_at": call.state.timestamp()}
    if (_rrule(changed), changed["enabled"]) != (_rrule(before), before["enabled"]):
        call.state.plan(RUNS, record)
    return Reply(record.fields)


def schemas(call: Call) -> Reply:
    """Reply with an empty list of schemas or templates: the description shows none."""
    AUTOMATIONS.records(call)
    return Reply({"items": []})


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the members; refuse (422) a `name` or `enabled` of another type."""
    if not isinstance(fields.get("name", ""), str):
        raise invalid((["body", "name"], "must be text", "string_type"))
    if not isinstance(fields.get("enabled", True), bool):
        raise invalid((["body", "enabled"], "must be true or false", "bool_type"))
    return fields


def _check_trigger(fields: dict[str, Any], now: datetime) -> None:
    """Refuse (422) an invalid recurrence rule."""
    rule = _rrule(fields)
    if rule is None:
        return
    try:
        # Some rules fail only with the first occurrence.
        next(rrule_occurrences(rule, now, now), None)
    except ValueError as error:
        raise invalid((["body", "trigger", "rrule"], f"not an iCalendar RRULE: {error}", "value_error")) from None


def _rrule(fields: dict[str, Any]) -> str | None:
    """Return the RRULE of an automation that recurs and starts sessions, or None."""
    trigger, action = fields.get("trigger"), fields.get("action")
    if not isinstance(trigger, dict) or not isinstance(action, dict):
        return None
    parts: dict[str, Any] = cast("dict[str, Any]", trigger)
    if parts.get("type") != RECURRING or cast("dict[str, Any]", action).get("type") != START_SESSION:
        return None
    return str(parts.get("rrule", ""))


def _times(record: Record, after: datetime) -> Iterator[datetime]:
    """Return the times of the runs: the RRULE counts from the creation, in UTC (rule automation-recurring)."""
    rule = _rrule(record.fields)
    return iter(()) if rule is None else rrule_occurrences(rule, parse_datetime(record.fields["created_at"]), after)


def _run(state: State, record: Record, at: datetime) -> None:
    """Start a session that has the id of its automation, and the playbook of the action."""
    fields, action = record.fields, record.fields["action"]
    linked: dict[str, Any] = {"automation_id": fields["automation_id"]}
    if isinstance(action.get("playbook_id"), str):
        linked["playbook_id"] = action["playbook_id"]
    session = sessions.add_session(state, fields["org_id"], title=fields.get("name", "Automation"), **linked)
    if isinstance(action.get("prompt"), str):
        assistant.receive(state, session, action["prompt"], is_prompt=True)


RUNS = RecurringRuns("automations", _times, _run)


ASSUMPTIONS: Assumptions = {
    "automation-update-media-type": "Any JSON media type is accepted.",
    "automation-update-request": "Any object; null removes a member. An automation whose recurrence is changed, or "
    "that is enabled, runs from then on and not for the past; the recurrence still counts from the creation.",
    "automation-update-response": "200 with the automation.",
    "automation-update-errors": "403 if automations are not enabled; an unknown automation is a 404.",
    "automation-create-request": 'Any member is accepted; `trigger: {"type": "schedule:recurring", "rrule": ...}` '
    'with `action: {"type": "start_session", "prompt": ..., "playbook_id": ...}` starts sessions, counted from the '
    "creation: with `name` as the title, the prompt as the first message, the playbook and the automation. Any other "
    "trigger or action does nothing, and no user is impersonated. A recurrence that does not occur within a century "
    "never does.",
    "automation-create-response": "200 with the automation; it has `automation_id` and `enabled`.",
    "automation-create-errors": "422 for anything but an RRULE of RFC 5545; a second 60 is refused, too. A rule with "
    "COUNT ends after 500,000 times at the latest.",
    "automation-list-response": "200 with the automations in `items`.",
    "automation-list-filters": "`enabled` (`true`, `false`) and `search` (in `name`) are used, no others.",
    "automation-get-response": "200 with the automation.",
    "automation-schemas-response": "200 with an empty list in `items`.",
    "automation-templates-response": "200 with an empty list in `items`.",
    "automation-delete-response": "200 with `null`; deleting again is a 404, and it no longer runs.",
}

HANDLERS: dict[str, Handler] = {
    "create_organization_automation": create,
    "delete_organization_automation": AUTOMATIONS.delete,  # Rule automation-soft-delete.
    "get_organization_automation": AUTOMATIONS.get,
    "list_organization_automation_schemas": schemas,
    "list_organization_automation_templates": schemas,
    "list_organization_automations": list_automations,
    "update_organization_automation": update,
}
