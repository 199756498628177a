"""Schedules: deprecated, but their creation is described in full."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ..assumptions import Assumption
from ..call import Call, Handler, Reply
from ..problems import RefusedError, invalid
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
        "playbook": None if playbook_id is None else {"playbook_id": playbook_id, "title": playbook_id},
        "scheduled_session_id": schedule_id,
        "updated_at": now,
    }
    return Reply(call.state.add(call.state.collection("schedules", call.org_id), schedule_id, fields).fields)


def check_type(fields: dict[str, Any], now: datetime) -> None:
    """Refuse what rules schedule-recurring-frequency and schedule-one-time-scheduled-at do not allow."""
    if fields["schedule_type"] == "recurring":
        if fields["frequency"] is None:
            raise invalid((["body", "frequency"], "required when schedule_type is 'recurring'", "value_error"))
        if len(str(fields["frequency"]).split()) != 5:
            raise invalid((["body", "frequency"], "not a standard cron expression of five fields", "value_error"))
        return
    place = ["body", "scheduled_at"]
    if fields["scheduled_at"] is None:
        raise invalid((place, "required when schedule_type is 'one_time'", "value_error"))
    try:
        moment = datetime.fromisoformat(fields["scheduled_at"])
    except ValueError:
        raise invalid((place, "not an ISO 8601 date-time", "value_error")) from None
    if moment.tzinfo is None:
        raise invalid((place, "must have a timezone", "value_error"))
    if moment <= now:
        raise invalid((place, "must be in the future", "value_error"))


def known_platform(given: str | None, known: list[str]) -> str | None:
    """The platform's label, matched case-insensitively; 400 for an unknown one (rule schedule-platform-unknown)."""
    if given is None:
        return None
    for label in known:
        if label.lower() == given.lower():
            return label
    raise RefusedError(
        400, f"unknown platform {given!r}; available platforms: {', '.join(known)}", available_platforms=known
    )


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("schedule-create-errors", "422 for a validation failure."),
    Assumption("schedule-platform-labels", "The labels stand in `detail` and in the member `available_platforms`."),
)

HANDLERS: dict[str, Handler] = {"create_organization_schedule": create}
