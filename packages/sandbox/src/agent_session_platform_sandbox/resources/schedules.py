"""Schedules and automations: their members, and the sessions that they start by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from agent_session_platform.contract import Node, is_object

from ..clock import cron_occurrences, parse_datetime, rrule_occurrences, times_after
from ..contract import request_shape
from ..handlers import Call, Reply, merge_patch, pick_members
from ..lists import list_reply
from ..problems import RefusedError, invalid
from ..state import Record, RecurringRuns, State, alive, find
from ..validation import ANY, FLAG, Shape, failures_of
from . import sessions

# Members that determine the times of the runs, besides `enabled`.
TIMING: Final = frozenset({"frequency", "interval_count", "schedule_type", "scheduled_at"})
# The members that the sandbox reads, and what stands for one that a build lacks or has with another type. None
# stands for text.
READ: Final[Node] = {
    "create_as_user_id": None,
    "frequency": None,
    "interval_count": 1,
    "name": "",
    "platform": None,
    "playbook_id": None,
    "prompt": "",
    "schedule_type": "recurring",
    "scheduled_at": None,
    "tags": [],
    "target_assistant_id": None,
}
# From rule 3 in the part Errors of the description (schedule-creation-migrated).
MIGRATED_FROM: Final = datetime(2026, 9, 24, tzinfo=UTC)


def creation(call: Call) -> dict[str, Shape]:
    """Return the shapes of the members of a request that creates a schedule."""
    return request_shape("create_organization_schedule", call.route.contract).members


def find_playbook(call: Call, playbook_id: str | None) -> dict[str, Any] | None:
    """Return the member `playbook` of a schedule; refuse (422) an unknown playbook."""
    if playbook_id is None:
        return None
    record = call.state.collection("playbooks", call.org_id).get(playbook_id)
    if record is None or record.deleted:
        raise invalid((["body", "playbook_id"], f"no playbook {playbook_id!r} in {call.org_id}", "value_error"))
    title = record.fields.get("title")
    if not isinstance(title, str):
        title = playbook_id
    return {"playbook_id": playbook_id, "title": title}


def readable(fields: Node) -> Node:
    """Return the members of a schedule that the sandbox reads, with the types of the description."""
    found = READ.copy()
    for name, default in READ.items():
        value = fields.get(name)
        # In JSON, 2.0 is an integer as well.
        if isinstance(value, float):
            value = int(value)
        if isinstance(value, str if default is None else type(default)):
            found[name] = value
    return found


def check_timing(fields: Node, now: datetime) -> None:
    """Check the times of a schedule (rules schedule-recurring-frequency and schedule-one-time-scheduled-at).

    Args:
        fields: The members of the schedule.
        now: The current time.

    Raises:
        RefusedError: 422 for an invalid frequency, time or interval.
    """
    read = readable(fields)
    count = read["interval_count"]
    if count < 1:
        raise invalid((["body", "interval_count"], f"must be at least 1, not {count}", "greater_than_equal"))
    recurs = read["schedule_type"] == "recurring"
    place = "scheduled_at"
    try:
        once = now
        if read["scheduled_at"] is not None:
            once = parse_datetime(read["scheduled_at"])
        if recurs:
            place = "frequency"
        if place in fields and fields[place] is None:
            raise ValueError(f"required when schedule_type is {read['schedule_type']!r}")
        if read[place] is None:
            return
        if recurs:
            cron_occurrences(read["frequency"], now)
        elif once <= now:
            raise ValueError("must be in the future")
    except ValueError as error:
        raise invalid((["body", place], str(error), "value_error")) from None


def known_platform(given: str | None, known: list[str]) -> str | None:
    """Return the label of a platform, ignoring case; refuse (400) an unknown one (rule schedule-platform-unknown)."""
    if given is None:
        return None
    for label in known:
        if label.lower() == given.lower():
            return label
    message = f"unknown platform {given!r}; available platforms: {', '.join(known)}"
    refusal = invalid((["body", "platform"], message, "value_error"))
    refusal.status = 400
    raise refusal


def create_organization_schedule(call: Call) -> Reply:
    """Create a recurring or a one-time schedule."""
    organization = call.state.organization(call.org_id)
    if organization.migrated_to_automations and call.state.now() >= MIGRATED_FROM:
        raise RefusedError(403, f"{call.org_id} has been migrated to automations; create an automation")
    # Optional members have the default of the contract, or null.
    fields: dict[str, Any] = {}
    for name, shape in creation(call).items():
        fields[name] = shape.mark("default")
    fields |= call.body
    check_timing(fields, call.state.now())
    read = readable(fields)
    fields["platform"] = known_platform(read["platform"], organization.platforms)
    user_id = read["create_as_user_id"]
    if user_id is not None:
        sessions.check_impersonation(call, user_id)
    playbook = find_playbook(call, read["playbook_id"])
    for name in ("create_as_user_id", "playbook_id"):
        fields.pop(name, None)
    now = call.state.timestamp()
    schedule_id = call.state.new_id("schedule")
    fields |= {
        **dict.fromkeys(("last_edited_by", "last_error_at", "last_error_message", "last_executed_at")),
        "consecutive_failures": 0,
        "created_at": now,
        "created_by": user_id,
        "enabled": True,
        "org_id": call.org_id,
        "playbook": playbook,
        "scheduled_session_id": schedule_id,
        "updated_at": now,
    }
    record = call.state.add(call.state.collection("schedules", call.org_id), schedule_id, fields)
    call.state.plan(SCHEDULES, record)
    return Reply(record.fields)


def update_organization_schedule(call: Call) -> Reply:
    """Change `enabled` and the members that a creation takes; other members of a schedule are ignored."""
    record = call.find("schedules", "schedule")
    body, before = call.members(), record.fields
    changeable = {name: shape.schema for name, shape in creation(call).items() if name != "create_as_user_id"}
    changeable["enabled"] = FLAG
    if not call.route.shows("enabled"):
        shape = Shape(call.route.contract, {"properties": dict.fromkeys(before, ANY) | changeable})
        failures = failures_of(shape, body, ["body"])
        if failures:
            raise invalid(*failures)
    changed = before | pick_members(body, changeable)
    if "playbook_id" in body:
        changed["playbook"] = find_playbook(call, readable(changed)["playbook_id"])
        del changed["playbook_id"]
    enabled = changed["enabled"] and not before["enabled"]
    if enabled or TIMING & body.keys():
        check_timing(changed, call.state.now())
    changed["platform"] = known_platform(readable(changed)["platform"], call.state.organization(call.org_id).platforms)
    record.fields = changed | {"updated_at": call.state.timestamp()}
    if enabled or any(changed.get(name) != before.get(name) for name in TIMING):
        call.state.plan(SCHEDULES, record)
    return Reply(record.fields)


def _schedule_times(record: Record, after: datetime) -> Iterator[datetime]:
    """Return the times of the runs: once at `scheduled_at`, or by cron in UTC."""
    read = readable(record.fields)
    if read["schedule_type"] == "one_time" and read["scheduled_at"]:
        return times_after((parse_datetime(read["scheduled_at"]),), after)
    if read["schedule_type"] == "recurring" and read["frequency"]:
        return cron_occurrences(read["frequency"], after, read["interval_count"])
    return iter(())


def _run_schedule(state: State, record: Record, at: datetime) -> None:
    """Start a session; disable a schedule that runs once (part States and transitions of the description)."""
    fields, read = record.fields, readable(record.fields)
    playbook: Node = fields["playbook"] or {}
    linked: Node = {"user_id": fields["created_by"], "playbook_id": playbook.get("playbook_id")}
    shown = merge_patch({}, linked)
    tags = [*read["tags"]]
    session = sessions.add_session(state, fields["org_id"], title=read["name"], tags=tags, **shown)
    # Sessions do not show these two values. The default platform is the first one that the organization has at the time
    # of the run (rule schedule-platform-unknown).
    default = next(iter(state.organization(fields["org_id"]).platforms), None)
    session.memory["platform"] = read["platform"] or default
    session.memory["target_assistant_id"] = read["target_assistant_id"]
    sessions.receive_message(state, session, read["prompt"], is_prompt=True)
    fields["last_executed_at"] = at.isoformat().replace("+00:00", "Z")
    if read["schedule_type"] == "one_time":
        fields["enabled"] = False


SCHEDULES: Final = RecurringRuns("schedules", _schedule_times, _run_schedule)

# Only the platform sets these members; a request never does.
READ_ONLY: Final = ("automation_id", "org_id", "created_at", "updated_at")


def find_automations(call: Call) -> dict[str, Record]:
    """Return the automations; refuse (403) if automations are not enabled (rule automation-enablement)."""
    if not call.state.organization(call.org_id).automations_enabled:
        raise RefusedError(403, f"automations are not enabled for {call.org_id}")
    return call.state.collection("automations", call.org_id)


def find_automation(call: Call) -> Record:
    """Return the automation of the path; refuse (404) an unknown one."""
    return find(find_automations(call), call.path["automation_id"], "automation")


def add_automation(state: State, org_id: str, /, **fields: Any) -> Record:
    """Add an automation to an organization, and let it run from now on.

    Raises:
        RefusedError: 422 for an invalid recurrence.
        ValueError: `created_at` is not a date-time with a timezone.
    """
    now = state.timestamp()
    members: dict[str, Any] = {"org_id": org_id, "enabled": True, "created_at": now, "updated_at": now, **fields}
    # The recurrence counts from `created_at`.
    try:
        parse_datetime(members["created_at"])
    except ValueError as error:
        raise ValueError(f"created_at: {error}: {members['created_at']!r}") from None
    _check_times(members, state.now())
    record = state.create(state.collection("automations", org_id), "automation", members)
    state.plan(AUTOMATIONS, record)
    return record


def create_organization_automation(call: Call) -> Reply:
    """Create an automation (rule automation-recurring: a trigger `schedule:recurring` starts sessions)."""
    find_automations(call)
    members = call.members().copy()
    for name in READ_ONLY:
        members.pop(name, None)
    return Reply(add_automation(call.state, call.org_id, **members).fields)


def list_organization_automations(call: Call) -> Reply:
    """List the automations that were not deleted."""
    enabled = call.flag("enabled")
    search = (call.filter("search") or "").lower()
    found: list[Record] = []
    for automation in alive(find_automations(call)):
        name = str(automation.fields.get("name", ""))
        if search in name.lower() and enabled in (None, automation.fields["enabled"]):
            found.append(automation)
    return list_reply(call, found)


def update_organization_automation(call: Call) -> Reply:
    """Merge the body into the automation, member by member (rule automation-update-merge)."""
    record = find_automation(call)
    before = record.fields
    kept = pick_members(before, READ_ONLY)
    changed = {"enabled": True} | merge_patch(before, call.members()) | kept
    _check_times(changed, call.state.now())
    record.fields = changed | {"updated_at": call.state.timestamp()}
    if (_rrule(changed), changed["enabled"]) != (_rrule(before), before["enabled"]):
        call.state.plan(AUTOMATIONS, record)
    return Reply(record.fields)


def get_organization_automation(call: Call) -> Reply:
    """Return an automation."""
    return Reply(find_automation(call).fields)


def delete_organization_automation(call: Call) -> Reply:
    """Delete an automation, which stays in the state (rule automation-soft-delete)."""
    find_automation(call).deleted = True
    return Reply(None)


def list_organization_automation_schemas(call: Call) -> Reply:
    """Reply with an empty list of schemas or templates: the description shows none."""
    find_automations(call)
    return list_reply(call, [])


def _check_times(fields: dict[str, Any], now: datetime) -> None:
    """Refuse (422) an invalid recurrence rule."""
    try:
        _automation_times(Record(0, fields), now)
    except ValueError as error:
        raise invalid((["body", "trigger", "rrule"], f"not an iCalendar RRULE: {error}", "value_error")) from None


def _rrule(fields: dict[str, Any]) -> str | None:
    """Return the RRULE of an automation that recurs and starts sessions, or None."""
    trigger, action = fields.get("trigger"), fields.get("action")
    recurs = is_object(trigger) and trigger.get("type") == "schedule:recurring"
    starts = is_object(action) and action.get("type") == "start_session"
    if is_object(trigger) and recurs and starts:
        return str(trigger.get("rrule", ""))
    return None


def _automation_times(record: Record, after: datetime) -> Iterator[datetime]:
    """Return the times of the runs: the RRULE counts from the creation, in UTC (rule automation-recurring)."""
    rule = _rrule(record.fields)
    if rule is None:
        return iter(())
    return rrule_occurrences(rule, parse_datetime(record.fields["created_at"]), after)


def _run_automation(state: State, record: Record, at: datetime) -> None:
    """Start a session with the id of the automation and the playbook of its action."""
    fields, action = record.fields, record.fields["action"]
    linked: dict[str, Any] = {"automation_id": fields["automation_id"]}
    if isinstance(action.get("playbook_id"), str):
        linked["playbook_id"] = action["playbook_id"]
    session = sessions.add_session(state, fields["org_id"], title=str(fields.get("name", "Automation")), **linked)
    if isinstance(action.get("prompt"), str):
        sessions.receive_message(state, session, action["prompt"], is_prompt=True)


AUTOMATIONS: Final = RecurringRuns("automations", _automation_times, _run_automation)

list_organization_automation_templates = list_organization_automation_schemas
