"""Schedules: deprecated, but their creation is described in full."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from ..assumptions import Assumption
from ..call import Call, Handler, Reply
from ..clock import Due
from ..cron import next_run, parse
from ..problems import RefusedError, invalid
from ..state import Record, State, alive, find
from . import sessions

# Part Errors, rule 3 (schedule-creation-migrated).
MIGRATED_FROM = datetime(2026, 9, 24, tzinfo=UTC)

DEFAULTS: dict[str, Any] = {
    "agent": "assistant",
    "bypass_approval": False,
    "frequency": None,
    "interval_count": 1,
    "notify_on": "failure",
    "platform": None,
    "schedule_type": "recurring",
    "scheduled_at": None,
    "slack_channel_id": None,
    "slack_team_id": None,
    "tags": None,
    "target_assistant_id": None,
}

CHOICES = {
    "agent": ("assistant", "data_analyst"),
    "notify_on": ("always", "failure", "never"),
    "schedule_type": ("recurring", "one_time"),
}
TYPES: tuple[tuple[tuple[str, ...], tuple[type, ...], str], ...] = (
    (("name", "prompt"), (str,), "text"),
    (("enabled", "bypass_approval"), (bool,), "true or false"),
    (("interval_count",), (int,), "an integer"),
    (
        ("frequency", "platform", "slack_channel_id", "slack_team_id", "target_assistant_id"),
        (str, type(None)),
        "text or null",
    ),
)

SCHEDULED_AT = ["body", "scheduled_at"]

# What an update may change; the rest is the platform's.
CHANGEABLE = frozenset(DEFAULTS) | {"name", "prompt", "enabled"}


def create(call: Call) -> Reply:
    """Create a schedule of either type."""
    organization = call.state.organization(call.org_id)
    if organization.migrated_to_automations and call.state.now() >= MIGRATED_FROM:
        raise RefusedError(403, f"{call.org_id} has been migrated to automations; create an automation")
    fields = DEFAULTS | call.body
    check_type(fields, call.state.now())
    fields["platform"] = known_platform(fields["platform"], organization.platforms)
    user_id = fields.pop("create_as_user_id", None)
    if user_id is not None:
        sessions.impersonate(call, user_id)
    playbook_id = fields.pop("playbook_id", None)
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
        "playbook": None if playbook_id is None else playbook(call, playbook_id),
        "scheduled_session_id": schedule_id,
        "updated_at": now,
    }
    return Reply(call.state.add(call.state.collection("schedules", call.org_id), schedule_id, fields).fields)


def playbook(call: Call, playbook_id: str) -> dict[str, Any]:
    """What a schedule shows of its playbook."""
    record = call.state.collection("playbooks", call.org_id).get(playbook_id)
    title = None if record is None else record.fields.get("title")
    return {"playbook_id": playbook_id, "title": title if isinstance(title, str) else playbook_id}


def check_members(body: dict[str, Any]) -> None:
    """Refuse members of an update, whose body is not shown, that a schedule cannot have."""
    failures = [
        (["body", name], f"{', '.join(map(repr, allowed))} is expected", "enum")
        for name, allowed in CHOICES.items()
        if name in body and body[name] not in allowed
    ]
    for names, types, expected in TYPES:
        failures += [
            (["body", name], f"{expected} is expected", "type")
            for name in names
            # True is an int in Python, and no number in JSON.
            if name in body and type(body[name]) not in types
        ]
    tags: Any = body.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in cast("list[object]", tags)):
        failures.append((["body", "tags"], "a list of text is expected", "list_type"))
    if failures:
        raise invalid(*failures)


def check_type(fields: dict[str, Any], now: datetime) -> None:
    """Refuse what rules schedule-recurring-frequency and schedule-one-time-scheduled-at do not allow."""
    moment = moment_of(fields["scheduled_at"])
    if fields["schedule_type"] == "recurring":
        if fields["frequency"] is None:
            raise invalid((["body", "frequency"], "required when schedule_type is 'recurring'", "value_error"))
        try:
            parse(str(fields["frequency"]))
        except ValueError as error:
            raise invalid((["body", "frequency"], str(error), "value_error")) from None
        return
    if moment is None:
        raise invalid((SCHEDULED_AT, "required when schedule_type is 'one_time'", "value_error"))
    if moment <= now:
        raise invalid((SCHEDULED_AT, "must be in the future", "value_error"))


def moment_of(scheduled_at: Any) -> datetime | None:
    """The moment that `scheduled_at` tells, if any; refuses what is no ISO 8601 date-time with a timezone."""
    if scheduled_at is None:
        return None
    try:
        moment = datetime.fromisoformat(scheduled_at)
    except (TypeError, ValueError):
        raise invalid((SCHEDULED_AT, "not an ISO 8601 date-time", "value_error")) from None
    if moment.tzinfo is None:
        raise invalid((SCHEDULED_AT, "must have a timezone", "value_error"))
    return moment


def known_platform(given: str | None, known: list[str]) -> str | None:
    """The platform's label, matched case-insensitively; 400 for an unknown one (rule schedule-platform-unknown)."""
    if given is None:
        return None
    for label in known:
        if label.lower() == given.lower():
            return label
    failure = invalid(
        (["body", "platform"], f"unknown platform {given!r}; available platforms: {', '.join(known)}", "value_error")
    )
    raise RefusedError(400, failure.detail, errors=failure.errors)


def list_schedules(call: Call) -> Reply:
    """List the schedules, also of organizations that were migrated (rule schedule-existing-keep-working)."""
    return Reply({"items": [record.fields for record in alive(own(call))]})


def get(call: Call) -> Reply:
    """Get a schedule (rule schedule-existing-keep-working)."""
    return Reply(one(call).fields)


def update(call: Call) -> Reply:
    """Change members of a schedule (rule schedule-existing-keep-working)."""
    record = one(call)
    body = call.members()
    check_members(body)
    changed = record.fields | {name: value for name, value in body.items() if name in CHANGEABLE}
    if {"frequency", "scheduled_at", "schedule_type"} & body.keys():
        check_type(changed, call.state.now())
    changed["platform"] = known_platform(changed["platform"], call.state.organization(call.org_id).platforms)
    record.fields = changed | {"updated_at": call.state.timestamp()}
    return Reply(record.fields)


def delete(call: Call) -> Reply:
    """Delete a schedule (rule schedule-existing-keep-working)."""
    one(call).deleted = True
    return Reply(None)


def own(call: Call) -> dict[str, Record]:
    """The schedules of the organization."""
    return call.state.collection("schedules", call.org_id)


def one(call: Call) -> Record:
    """The schedule of the path."""
    return find(own(call), call.path["schedule_id"], "schedule")


def due(state: State, until: datetime) -> Due | None:
    """The next schedule to run up to a moment, in all organizations."""
    found: list[Due] = []
    for schedules in state.collections("schedules"):
        for record in alive(schedules):
            at = next_run_of(record) if record.fields["enabled"] else None
            if at is not None and at <= until:
                found.append(Due(at, record.number, partial(run, state, record, at)))
    return min(found, key=lambda each: (each.at, each.number), default=None)


def next_run_of(record: Record) -> datetime | None:
    """When a schedule runs next: cron in UTC, or once at `scheduled_at`."""
    fields = record.fields
    if fields["schedule_type"] == "one_time":
        return datetime.fromisoformat(fields["scheduled_at"]).astimezone(UTC)
    after = datetime.fromisoformat(fields["last_executed_at"] or fields["created_at"]).astimezone(UTC)
    return next_run(fields["frequency"], after)


def run(state: State, record: Record, at: datetime) -> None:
    """Start a session; one that runs once is disabled then (part Statuses of the description)."""
    fields = record.fields
    session = sessions.add(state, fields["org_id"], title=fields["name"], tags=fields["tags"] or [])
    sessions.say(state, session, "user", fields["prompt"])
    fields["last_executed_at"] = at.isoformat().replace("+00:00", "Z")
    if fields["schedule_type"] == "one_time":
        fields["enabled"] = False


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("schedule-playbook-required-fields", "Both; `title` is the id of a playbook that has none."),
    Assumption("schedule-validation-required-fields", "`detail` is always there."),
    Assumption("schedule-create-errors", "422 for a validation failure."),
    Assumption("schedule-platform-labels", "The form of a validation failure, whose `msg` lists the labels."),
    Assumption("schedule-list-response", "200 with the schedules in `items`, in the order of creation."),
    Assumption("schedule-get-response", "200 with the schedule."),
    Assumption("schedule-get-errors", "An unknown schedule is a 404."),
    Assumption("schedule-get-replacement", "No schedule is ever converted."),
    Assumption("schedule-update-request", "Members of the schedule by their names; null empties one."),
    Assumption("schedule-update-response", "200 with the schedule."),
    Assumption("schedule-delete-response", "200 with `null`; deleting again is a 404."),
)

HANDLERS: dict[str, Handler] = {
    "create_organization_schedule": create,
    "delete_organization_schedule": delete,
    "get_organization_schedule": get,
    "list_organization_schedules": list_schedules,
    "update_organization_schedule": update,
}
