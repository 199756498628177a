"""Schedules: deprecated, but their creation is described in full."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

from ..agenda import Runs
from ..assumptions import Assumption
from ..call import Call, Handler, Reply
from ..cron import next_run, parse
from ..problems import RefusedError, invalid, nearest
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
        ("frequency", "platform", "playbook_id", "slack_channel_id", "slack_team_id", "target_assistant_id"),
        (str, type(None)),
        "text or null",
    ),
)

SCHEDULED_AT = ["body", "scheduled_at"]

# What an update may change; the rest is the platform's.
CHANGEABLE = frozenset(DEFAULTS) | {"name", "prompt", "enabled", "playbook_id"}

# What decides when a schedule runs, besides `enabled`.
TIMING = frozenset({"frequency", "interval_count", "schedule_type", "scheduled_at"})


def create(call: Call) -> Reply:
    """Create a schedule of either type."""
    organization = call.state.organization(call.org_id)
    if organization.migrated_to_automations and call.state.now() >= MIGRATED_FROM:
        raise RefusedError(403, f"{call.org_id} has been migrated to automations; create an automation")
    fields = DEFAULTS | call.body
    check_timing(fields, call.state.now())
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
        "playbook": playbook(call, playbook_id),
        "scheduled_session_id": schedule_id,
        "updated_at": now,
    }
    record = call.state.add(own(call), schedule_id, fields)
    call.state.agenda.plan(RUNS, record)
    return Reply(record.fields)


def playbook(call: Call, playbook_id: str | None) -> dict[str, Any] | None:
    """What a schedule shows of its playbook, which has to be one of the organization's."""
    if playbook_id is None:
        return None
    record = call.state.collection("playbooks", call.org_id).get(playbook_id)
    if record is None or record.deleted:
        raise invalid((["body", "playbook_id"], f"no playbook {playbook_id!r} in {call.org_id}", "value_error"))
    title = record.fields.get("title")
    return {"playbook_id": playbook_id, "title": title if isinstance(title, str) else playbook_id}


def check_members(body: dict[str, Any], shown: frozenset[str]) -> None:
    """Refuse members of an update, whose body is not shown, that a schedule cannot have.

    *shown* are those that the platform itself shows: they may be sent back.
    """
    failures = [
        (["body", name], f"unknown field{nearest(name, CHANGEABLE)}", "extra_forbidden")
        for name in body
        if name not in CHANGEABLE | shown
    ]
    failures += [
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


def check_timing(fields: dict[str, Any], now: datetime) -> None:
    """Refuse what rules schedule-recurring-frequency and schedule-one-time-scheduled-at do not allow."""
    moment = moment_of(fields["scheduled_at"])
    if fields["interval_count"] < 1:
        place = ["body", "interval_count"]
        raise invalid((place, f"must be at least 1, not {fields['interval_count']}", "greater_than_equal"))
    # To JSON 2.0 is an integer, too.
    fields["interval_count"] = int(fields["interval_count"])
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
    body, before = call.members(), record.fields
    check_members(body, frozenset(before))
    changed = before | {name: value for name, value in body.items() if name in CHANGEABLE}
    if "playbook_id" in body:
        changed["playbook"] = playbook(call, changed.pop("playbook_id"))
    enabled = changed["enabled"] and not before["enabled"]
    if enabled or TIMING & body.keys():
        check_timing(changed, call.state.now())
    changed["platform"] = known_platform(changed["platform"], call.state.organization(call.org_id).platforms)
    record.fields = changed | {"updated_at": call.state.timestamp()}
    if enabled or any(changed[name] != before[name] for name in TIMING):
        call.state.agenda.plan(RUNS, record)
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


def moments(record: Record, after: datetime) -> Iterator[datetime]:
    """When a schedule runs: cron in UTC, or once at `scheduled_at`."""
    fields = record.fields
    if fields["schedule_type"] == "one_time":
        once = datetime.fromisoformat(fields["scheduled_at"]).astimezone(UTC)
        if once > after:
            yield once
        return
    while (at := next_run(fields["frequency"], after, fields["interval_count"])) is not None:
        yield at
        after = at


def run(state: State, record: Record, at: datetime) -> None:
    """Start a session; one that runs once is disabled then (part States and transitions of the description)."""
    fields = record.fields
    carried: dict[str, Any] = {}
    if fields["created_by"] is not None:
        carried["user_id"] = fields["created_by"]
    if fields["playbook"] is not None:
        carried["playbook_id"] = fields["playbook"]["playbook_id"]
    tags = list(fields["tags"] or [])
    session = sessions.add(state, fields["org_id"], title=fields["name"], tags=tags, **carried)
    # A session shows neither; the default is that of the trigger time (rule schedule-platform-unknown).
    default = next(iter(state.organization(fields["org_id"]).platforms), None)
    session.memory["platform"] = fields["platform"] or default
    session.memory["target_assistant_id"] = fields["target_assistant_id"]
    sessions.say(state, session, "user", fields["prompt"])
    fields["last_executed_at"] = at.isoformat().replace("+00:00", "Z")
    if fields["schedule_type"] == "one_time":
        fields["enabled"] = False


RUNS = Runs("schedules", moments, run)

ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption(
        "schedule-create-errors",
        "422 for a validation failure, of which an unknown playbook is one; 403 where impersonation is refused. "
        "Impersonation is checked at creation, not when the schedule runs.",
    ),
    Assumption("schedule-platform-labels", "The form of a validation failure, whose `msg` lists the labels."),
    Assumption(
        "schedule-interval-count-values",
        "At least 1, or 422. A recurring schedule runs at every so-manieth moment of its `frequency`, counted from its "
        "creation or from when its timing was changed or it was enabled; one that runs once does not look at it.",
    ),
    Assumption(
        "schedule-session",
        "A session starts with the name as its title, the prompt as its first message, the tags, the playbook and, "
        "after impersonation, `user_id`. `platform` (that of the schedule, or else the first of the organization's) "
        "and `target_assistant_id` are kept in the `memory` of its record, because a session shows neither. No run "
        "fails, and nobody is notified.",
        "sandbox.state.collection('sessions', org_id)[session_id] is the record.",
    ),
    Assumption("schedule-playbook-required-fields", "Both; `title` is the id of a playbook that has none."),
    Assumption("schedule-validation-required-fields", "`detail`, with one failure or more, is always there."),
    Assumption("schedule-list-response", "200 with the schedules in `items`, in the order of creation."),
    Assumption("schedule-get-response", "200 with the schedule."),
    Assumption("schedule-get-replacement", "No schedule is ever converted."),
    Assumption(
        "schedule-update-request",
        "Members of the creation by their names, but for `create_as_user_id`, and `enabled`; null empties one. What "
        "else a schedule shows is ignored, any other member refused. A schedule whose timing is changed, or that is "
        "enabled, runs from then on and not for the past; one that runs once is enabled (again) only with a "
        "`scheduled_at` in the future.",
    ),
    Assumption("schedule-update-response", "200 with the schedule; `last_edited_by` stays null."),
    Assumption(
        "schedule-update-errors",
        "422 also for what could not be created so, but 400 for an unknown platform, in the form of a problem detail.",
    ),
    Assumption("schedule-delete-response", "200 with `null`; it no longer runs."),
)

HANDLERS: dict[str, Handler] = {
    "create_organization_schedule": create,
    "delete_organization_schedule": delete,
    "get_organization_schedule": get,
    "list_organization_schedules": list_schedules,
    "update_organization_schedule": update,
}
