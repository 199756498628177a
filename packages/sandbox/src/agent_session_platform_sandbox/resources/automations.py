"""Automations: recurring rules that start sessions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from agent_session_platform.contract import is_object

from ..clock import parse_datetime, rrule_occurrences
from ..handlers import Call, Collection, Reply, merge_patch
from ..problems import RefusedError, invalid
from ..state import Record, RecurringRuns, State, alive
from . import assistant, sessions

RECURRING: Final = "schedule:recurring"
START_SESSION: Final = "start_session"

# Set by the platform, never by a body.
READ_ONLY: Final = ("automation_id", "org_id", "created_at", "updated_at")


class Automations(Collection):
    """The automations of an organization in which they are enabled."""

    def records(self, call: Call) -> dict[str, Record]:
        """Return the automations; refuse (403) if they are not enabled (rule automation-enablement)."""
        if not call.state.organization(call.org_id).automations_enabled:
            raise RefusedError(403, f"automations are not enabled for {call.org_id}")
        return super().records(call)


AUTOMATIONS: Final = Automations("automations", "automation")


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


def create_organization_automation(call: Call) -> Reply:
    """Create an automation (rule automation-recurring: a trigger `schedule:recurring` starts sessions)."""
    AUTOMATIONS.records(call)
    members = {name: value for name, value in call.members().items() if name not in READ_ONLY}
    _check_types(members)
    return Reply(add(call.state, call.org_id, **members).fields)


def list_organization_automations(call: Call) -> Reply:
    """List the automations that were not deleted."""
    found = [record.fields for record in alive(AUTOMATIONS.records(call))]
    if (enabled := call.flag("enabled")) is not None:
        found = [fields for fields in found if fields["enabled"] is enabled]
    search = (call.filter("search") or "").lower()
    return Reply({"items": [fields for fields in found if search in str(fields.get("name", "")).lower()]})


def update_organization_automation(call: Call) -> Reply:
    """Merge the body into the automation, member by member (rule automation-update-merge)."""
    record = AUTOMATIONS.find(call)
    before = record.fields
    changed = {"enabled": True} | merge_patch(before, call.members())
    _check_types(changed)
    _check_trigger(changed, call.state.now())
    kept = {name: before[name] for name in READ_ONLY}
    record.fields = changed | kept | {"updated_at": call.state.timestamp()}
    if (_rrule(changed), changed["enabled"]) != (_rrule(before), before["enabled"]):
        call.state.plan(RUNS, record)
    return Reply(record.fields)


def list_organization_automation_schemas(call: Call) -> Reply:
    """Reply with an empty list of schemas or templates: the description shows none."""
    AUTOMATIONS.records(call)
    return Reply({"items": []})


def _check_types(fields: dict[str, Any]) -> None:
    """Refuse (422) a `name` or `enabled` of another type."""
    if not isinstance(fields.get("name", ""), str):
        raise invalid((["body", "name"], "must be text", "string_type"))
    if not isinstance(fields.get("enabled", True), bool):
        raise invalid((["body", "enabled"], "must be true or false", "bool_type"))


def _check_trigger(fields: dict[str, Any], now: datetime) -> None:
    """Refuse (422) an invalid recurrence rule."""
    rule = _rrule(fields)
    try:
        # Some rules fail only with the first occurrence.
        next(iter(()) if rule is None else rrule_occurrences(rule, now, now), None)
    except ValueError as error:
        raise invalid((["body", "trigger", "rrule"], f"not an iCalendar RRULE: {error}", "value_error")) from None


def _rrule(fields: dict[str, Any]) -> str | None:
    """Return the RRULE of an automation that recurs and starts sessions, or None."""
    trigger, action = fields.get("trigger"), fields.get("action")
    recurs = is_object(trigger) and trigger.get("type") == RECURRING
    starts = is_object(action) and action.get("type") == START_SESSION
    return str(trigger.get("rrule", "")) if is_object(trigger) and recurs and starts else None


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

delete_organization_automation = AUTOMATIONS.delete  # Rule automation-soft-delete.
get_organization_automation = AUTOMATIONS.get
list_organization_automation_templates = list_organization_automation_schemas
