"""Schedules: deprecated, but their creation is described in full."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from ..assumptions import Assumptions
from ..handlers import Call, Collection, Handler, Reply
from ..problems import RefusedError
from ..state import Record, RecurringRuns, State
from ..time import cron_occurrences, parse_datetime
from . import assistant, sessions
from .schedule_members import TIMING, changeable, check_members, check_timing, defaults, find_playbook, known_platform

SCHEDULES = Collection("schedules", "schedule")

# Part Errors, rule 3 (schedule-creation-migrated).
MIGRATED_FROM = datetime(2026, 9, 24, tzinfo=UTC)


def create(call: Call) -> Reply:
    """Create a schedule of either type."""
    organization = call.state.organization(call.org_id)
    if organization.migrated_to_automations and call.state.now() >= MIGRATED_FROM:
        raise RefusedError(403, f"{call.org_id} has been migrated to automations; create an automation")
    fields = defaults() | call.body
    check_timing(fields, call.state.now())
    fields["platform"] = known_platform(fields["platform"], organization.platforms)
    user_id = fields.pop("create_as_user_id", None)
    if user_id is not None:
        sessions.check_impersonation(call, user_id)
    playbook = find_playbook(call, fields.pop("playbook_id", None))
    now = call.state.timestamp()
    schedule_id = call.state.new_id("schedule")
    fields |= {
        "consecutive_failures": 0,
        "created_at": now,
        "created_by": user_id,
        "enabled": True,
        "last_edited_by": None,
        "last_error_at": None,
        "last_error_message": None,
        "last_executed_at": None,
        "org_id": call.org_id,
        "playbook": playbook,
        "scheduled_session_id": schedule_id,
        "updated_at": now,
    }
    record = call.state.add(SCHEDULES.records(call), schedule_id, fields)
    call.state.plan(RUNS, record)
    return Reply(record.fields)


def update(call: Call) -> Reply:
    """Change members of a schedule."""
    record = SCHEDULES.find(call)
    body, before = call.members(), record.fields
    check_members(body, frozenset(before))
    changed = before | {name: value for name, value in body.items() if name in changeable()}
    if "playbook_id" in body:
        changed["playbook"] = find_playbook(call, changed.pop("playbook_id"))
    enabled = changed["enabled"] and not before["enabled"]
    if enabled or TIMING & body.keys():
        check_timing(changed, call.state.now())
    changed["platform"] = known_platform(changed["platform"], call.state.organization(call.org_id).platforms)
    record.fields = changed | {"updated_at": call.state.timestamp()}
    if enabled or any(changed[name] != before[name] for name in TIMING):
        call.state.plan(RUNS, record)
    return Reply(record.fields)


def _times(record: Record, after: datetime) -> Iterator[datetime]:
    """Return the times of the runs: once at `scheduled_at`, or by cron in UTC."""
    fields = record.fields
    if fields["schedule_type"] == "one_time":
        once = parse_datetime(fields["scheduled_at"])
        return iter((once,) if once > after else ())
    return cron_occurrences(fields["frequency"], after, fields["interval_count"])


def _run(state: State, record: Record, at: datetime) -> None:
    """Start a session; disable a schedule that runs once (part States and transitions of the description)."""
    fields = record.fields
    linked: dict[str, Any] = {}
    if fields["created_by"] is not None:
        linked["user_id"] = fields["created_by"]
    if fields["playbook"] is not None:
        linked["playbook_id"] = fields["playbook"]["playbook_id"]
    tags = list(fields["tags"] or [])
    session = sessions.add(state, fields["org_id"], title=fields["name"], tags=tags, **linked)
    # A session has no members for these. The default platform is that of the time of the run (rule
    # schedule-platform-unknown).
    default = next(iter(state.organization(fields["org_id"]).platforms), None)
    session.memory["platform"] = fields["platform"] or default
    session.memory["target_assistant_id"] = fields["target_assistant_id"]
    assistant.receive(state, session, fields["prompt"], is_prompt=True)
    fields["last_executed_at"] = at.isoformat().replace("+00:00", "Z")
    if fields["schedule_type"] == "one_time":
        fields["enabled"] = False


RUNS = RecurringRuns("schedules", _times, _run)

ASSUMPTIONS: Assumptions = {
    "schedule-id": "`scheduled_session_id` is the `schedule_id` of paths.",
    "schedule-create-errors": "422 for a validation failure, such as an unknown playbook; 403 for a refused "
    "impersonation. A cron expression that names no day of any year, such as 31 February, is accepted and never runs. "
    "Impersonation is checked at creation, not when the schedule runs.",
    "schedule-platform-labels": "The form of a validation failure, whose `msg` lists the labels.",
    "schedule-interval-count-values": "Any number from 1, or 422. With N, a recurring schedule runs at every Nth time "
    "of its `frequency`, counted from its creation, or from when its timing was changed or it was enabled. A run more "
    "than a century after the one before never comes. A schedule that runs once ignores it.",
    "schedule-session": (
        "A session starts with the name as its title, the prompt as its first message, the tags, the playbook and, "
        "after impersonation, `user_id`. `platform` (that of the schedule, or the first of the organization) and "
        "`target_assistant_id` are kept in the `memory` of its record, because a session shows neither. No run fails, "
        "and no notification is sent.",
        "sandbox.state.collection('sessions', org_id)[session_id] is the record.",
    ),
    "schedule-playbook-required-fields": "Both; `title` is the id if the playbook has none.",
    "schedule-validation-required-fields": "`detail`, with one failure or more, is always there.",
    "schedule-list-response": "200 with the schedules in `items`, in the order of creation.",
    "schedule-get-response": "200 with the schedule.",
    "schedule-get-replacement": "No schedule is ever converted.",
    "schedule-update-request": "Members of the creation except `create_as_user_id`, and `enabled`; null clears a "
    "member. Other members of a schedule are ignored, unknown ones refused. A schedule whose timing is changed, or "
    "that is enabled, runs from then on and not for the past; one that runs once can be enabled (again) only with a "
    "`scheduled_at` in the future.",
    "schedule-update-response": "200 with the schedule; `last_edited_by` stays null.",
    "schedule-update-errors": "422 also for values that the creation refuses, but 400 for an unknown platform, as a "
    "problem detail.",
    "schedule-delete-response": "200 with `null`; it no longer runs.",
}

# All but the creation also work in migrated organizations (rule schedule-existing-keep-working).
HANDLERS: dict[str, Handler] = {
    "create_organization_schedule": create,
    "delete_organization_schedule": SCHEDULES.delete,
    "get_organization_schedule": SCHEDULES.get,
    "list_organization_schedules": SCHEDULES.list,
    "update_organization_schedule": update,
}
