"""What a schedule has: its defaults, what an update may change, and what is refused of both."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from ..http.call import Call
from ..problems import RefusedError, invalid, nearest
from ..time.clock import moment
from ..time.cron import parse

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
    once = moment_of(fields["scheduled_at"])
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
    if once is None:
        raise invalid((SCHEDULED_AT, "required when schedule_type is 'one_time'", "value_error"))
    if once <= now:
        raise invalid((SCHEDULED_AT, "must be in the future", "value_error"))


def moment_of(scheduled_at: Any) -> datetime | None:
    """The moment that `scheduled_at` tells, if any; refuses what is no ISO 8601 date-time with a timezone."""
    if scheduled_at is None:
        return None
    if not isinstance(scheduled_at, str):
        raise invalid((SCHEDULED_AT, "not an ISO 8601 date-time", "value_error"))
    try:
        return moment(scheduled_at)
    except ValueError as error:
        raise invalid((SCHEDULED_AT, str(error), "value_error")) from None


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
