"""Members of schedules: their defaults, and validation of those in a body."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from ..handlers import Call
from ..problems import RefusedError, invalid, suggestion
from ..time import cron_occurrences, parse_datetime

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
INTERVAL_COUNT = ["body", "interval_count"]

# Occurrences are counted one by one: more of them would stop the sandbox for a second.
MAX_INTERVAL_COUNT = 100_000

# Members that an update may change; the platform sets the others.
CHANGEABLE = frozenset(DEFAULTS) | {"name", "prompt", "enabled", "playbook_id"}

# Members that decide when a schedule runs, besides `enabled`.
TIMING = frozenset({"frequency", "interval_count", "schedule_type", "scheduled_at"})


def find_playbook(call: Call, playbook_id: str | None) -> dict[str, Any] | None:
    """Return the member `playbook` of a schedule; refuse (422) an unknown playbook."""
    if playbook_id is None:
        return None
    record = call.state.collection("playbooks", call.org_id).get(playbook_id)
    if record is None or record.deleted:
        raise invalid((["body", "playbook_id"], f"no playbook {playbook_id!r} in {call.org_id}", "value_error"))
    title = record.fields.get("title")
    return {"playbook_id": playbook_id, "title": title if isinstance(title, str) else playbook_id}


def check_members(body: dict[str, Any], shown: frozenset[str]) -> None:
    """Check the body of an update, which the contract does not show.

    Args:
        body: The body.
        shown: The members of the schedule: they may be sent back.

    Raises:
        RefusedError: 422 for members that a schedule does not have, and for invalid values.
    """
    failures = [
        (["body", name], f"unknown field{suggestion(name, CHANGEABLE)}", "extra_forbidden")
        for name in body
        if name not in CHANGEABLE | shown
    ]
    failures += [
        (["body", name], f"must be one of {', '.join(map(repr, allowed))}", "enum")
        for name, allowed in CHOICES.items()
        if name in body and body[name] not in allowed
    ]
    for names, types, expected in TYPES:
        failures += [
            (["body", name], f"must be {expected}", "type")
            for name in names
            # True is an int in Python, and no number in JSON.
            if name in body and type(body[name]) not in types
        ]
    tags: Any = body.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in cast("list[object]", tags)):
        failures.append((["body", "tags"], "must be a list of text", "list_type"))
    if failures:
        raise invalid(*failures)


def check_timing(fields: dict[str, Any], now: datetime) -> None:
    """Check when a schedule runs (rules schedule-recurring-frequency and schedule-one-time-scheduled-at).

    Args:
        fields: The members of the schedule.
        now: The current time.

    Raises:
        RefusedError: 422 for an invalid frequency, time or interval.
    """
    once = _scheduled_at(fields["scheduled_at"])
    count = fields["interval_count"]
    if count < 1:
        raise invalid((INTERVAL_COUNT, f"must be at least 1, not {count}", "greater_than_equal"))
    if count > MAX_INTERVAL_COUNT:
        raise invalid((INTERVAL_COUNT, f"must be at most {MAX_INTERVAL_COUNT}", "less_than_equal"))
    # In JSON, 2.0 is an integer as well.
    fields["interval_count"] = int(count)
    if fields["schedule_type"] == "recurring":
        if fields["frequency"] is None:
            raise invalid((["body", "frequency"], "required when schedule_type is 'recurring'", "value_error"))
        try:
            cron_occurrences(str(fields["frequency"]), now)
        except ValueError as error:
            raise invalid((["body", "frequency"], str(error), "value_error")) from None
        return
    if once is None:
        raise invalid((SCHEDULED_AT, "required when schedule_type is 'one_time'", "value_error"))
    if once <= now:
        raise invalid((SCHEDULED_AT, "must be in the future", "value_error"))


def _scheduled_at(scheduled_at: Any) -> datetime | None:
    """Return `scheduled_at` as a time; refuse (422) anything but an ISO 8601 date-time with a timezone."""
    if scheduled_at is None:
        return None
    if not isinstance(scheduled_at, str):
        raise invalid((SCHEDULED_AT, "not an ISO 8601 date-time", "value_error"))
    try:
        return parse_datetime(scheduled_at)
    except ValueError as error:
        raise invalid((SCHEDULED_AT, str(error), "value_error")) from None


def known_platform(given: str | None, known: list[str]) -> str | None:
    """Return the platform's label, ignoring case; refuse (400) an unknown one (rule schedule-platform-unknown)."""
    if given is None:
        return None
    for label in known:
        if label.lower() == given.lower():
            return label
    failure = invalid(
        (["body", "platform"], f"unknown platform {given!r}; available platforms: {', '.join(known)}", "value_error")
    )
    raise RefusedError(400, failure.detail, errors=failure.errors)
