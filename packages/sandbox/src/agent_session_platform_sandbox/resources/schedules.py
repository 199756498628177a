"""Schedules: their members, and the sessions that they start."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from ..clock import cron_occurrences, parse_datetime
from ..contract import load_contract, request_shape
from ..handlers import Call, Collection, Reply
from ..problems import RefusedError, invalid
from ..schemas import Shape
from ..state import Record, RecurringRuns, State
from ..validation import FLAG, Node, failures_of
from . import assistant, sessions

SCHEDULES: Final = Collection("schedules", "schedule")
CREATE: Final = "create_organization_schedule"
# Members that determine the times of the runs, besides `enabled`.
TIMING: Final = frozenset({"frequency", "interval_count", "schedule_type", "scheduled_at"})
# Part Errors, rule 3 (schedule-creation-migrated).
MIGRATED_FROM: Final = datetime(2026, 9, 24, tzinfo=UTC)


@cache
def creation() -> Node:
    """Return the schemas of the members of a creation."""
    properties: Node = load_contract().flatten(request_shape(CREATE).schema)["properties"]
    return properties


def find_playbook(call: Call, playbook_id: str | None) -> dict[str, Any] | None:
    """Return the member `playbook` of a schedule; refuse (422) an unknown playbook."""
    if playbook_id is None:
        return None
    record = call.state.collection("playbooks", call.org_id).get(playbook_id)
    if record is None or record.deleted:
        raise invalid((["body", "playbook_id"], f"no playbook {playbook_id!r} in {call.org_id}", "value_error"))
    title = record.fields.get("title")
    return {"playbook_id": playbook_id, "title": title if isinstance(title, str) else playbook_id}


def check_timing(fields: dict[str, Any], now: datetime) -> None:
    """Check the times of a schedule (rules schedule-recurring-frequency and schedule-one-time-scheduled-at).

    Args:
        fields: The members of the schedule.
        now: The current time.

    Raises:
        RefusedError: 422 for an invalid frequency, time or interval.
    """
    count, place = fields["interval_count"], "scheduled_at"
    if count < 1:
        raise invalid((["body", "interval_count"], f"must be at least 1, not {count}", "greater_than_equal"))
    # In JSON, 2.0 is an integer as well.
    fields["interval_count"] = int(count)
    recurs = fields["schedule_type"] == "recurring"
    try:
        once = None if fields["scheduled_at"] is None else parse_datetime(fields["scheduled_at"])
        place = "frequency" if recurs else place
        if fields[place] is None:
            raise ValueError(f"required when schedule_type is {fields['schedule_type']!r}")
        if recurs:
            cron_occurrences(fields["frequency"], now)
        elif once is not None and once <= now:
            raise ValueError("must be in the future")
    except ValueError as error:
        raise invalid((["body", place], str(error), "value_error")) from None


def known_platform(given: str | None, known: list[str]) -> str | None:
    """Return the platform's label, ignoring case; refuse (400) an unknown one (rule schedule-platform-unknown)."""
    if given is None:
        return None
    for label in known:
        if label.lower() == given.lower():
            return label
    message = f"unknown platform {given!r}; available platforms: {', '.join(known)}"
    failure = invalid((["body", "platform"], message, "value_error"))
    raise RefusedError(400, failure.detail, errors=failure.errors)


def create_organization_schedule(call: Call) -> Reply:
    """Create a schedule of either type."""
    organization = call.state.organization(call.org_id)
    if organization.migrated_to_automations and call.state.now() >= MIGRATED_FROM:
        raise RefusedError(403, f"{call.org_id} has been migrated to automations; create an automation")
    # Optional members have the default of the contract, or null.
    fields = {name: schema.get("default") for name, schema in creation().items()} | call.body
    check_timing(fields, call.state.now())
    fields["platform"] = known_platform(fields["platform"], organization.platforms)
    user_id = fields.pop("create_as_user_id")
    if user_id is not None:
        sessions.check_impersonation(call, user_id)
    playbook = find_playbook(call, fields.pop("playbook_id"))
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


def update_organization_schedule(call: Call) -> Reply:
    """Change members of a creation, or `enabled`; a client may send the other members back, which changes nothing."""
    record = SCHEDULES.find(call)
    body, before = call.members(), record.fields
    changeable = {name: each for name, each in creation().items() if name != "create_as_user_id"} | {"enabled": FLAG}
    shape = Shape(load_contract(), {"properties": {name: Node() for name in before} | changeable})
    if failures := failures_of(shape, body, ["body"]):
        raise invalid(*failures)
    changed = before | {name: value for name, value in body.items() if name in changeable}
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
    session = sessions.add_session(state, fields["org_id"], title=fields["name"], tags=tags, **linked)
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


# All but the creation also work in migrated organizations (rule schedule-existing-keep-working).

delete_organization_schedule = SCHEDULES.delete
get_organization_schedule = SCHEDULES.get
list_organization_schedules = SCHEDULES.list
