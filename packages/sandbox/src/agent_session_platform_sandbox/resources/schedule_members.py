"""Members of schedules: their defaults, and the validation of bodies."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from jsonschema.protocols import Validator

from ..contract import load_contract, request_shape
from ..handlers import Call
from ..problems import RefusedError, invalid, suggestion
from ..time import cron_occurrences, parse_datetime
from ..validation import Node, failure_of

SCHEDULED_AT = ["body", "scheduled_at"]

CREATE = "create_organization_schedule"
# Members of a creation that a schedule does not have itself.
CREATION_ONLY = frozenset({"create_as_user_id", "playbook_id"})

# Members that determine the times of the runs, besides `enabled`.
TIMING = frozenset({"frequency", "interval_count", "schedule_type", "scheduled_at"})


@cache
def defaults() -> dict[str, Any]:
    """Return the optional members of a new schedule, with the defaults of the contract, or null."""
    schema = _creation()
    optional = schema["properties"].keys() - {*schema["required"]} - CREATION_ONLY
    return {name: schema["properties"][name].get("default") for name in sorted(optional)}


@cache
def changeable() -> frozenset[str]:
    """Return the members that an update may change; the platform sets the others."""
    return frozenset(_creation()["properties"]) - {"create_as_user_id"} | {"enabled"}


def _creation() -> Node:
    return load_contract().flatten(request_shape(CREATE).schema)


@cache
def _update_validator() -> Validator:
    properties = _creation()["properties"] | {"enabled": {"type": "boolean"}}
    return load_contract().validator({"properties": properties})


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

    Its members are those of a creation, and `enabled`.

    Args:
        body: The body.
        shown: The members of the schedule; a client may send them back unchanged.

    Raises:
        RefusedError: 422 for members that a schedule does not have, and for invalid values.
    """
    failures = [failure_of(error, ["body"]) for error in _update_validator().iter_errors(body)]
    failures += [
        (["body", name], f"unknown field{suggestion(name, changeable())}", "extra_forbidden")
        for name in body
        if name not in changeable() | shown
    ]
    if failures:
        raise invalid(*failures)


def check_timing(fields: dict[str, Any], now: datetime) -> None:
    """Check the times of a schedule (rules schedule-recurring-frequency and schedule-one-time-scheduled-at).

    Args:
        fields: The members of the schedule.
        now: The current time.

    Raises:
        RefusedError: 422 for an invalid frequency, time or interval.
    """
    once = _scheduled_at(fields["scheduled_at"])
    count = fields["interval_count"]
    if count < 1:
        raise invalid((["body", "interval_count"], f"must be at least 1, not {count}", "greater_than_equal"))
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
    """Return `scheduled_at` as a time; refuse (422) a value that is not an ISO 8601 date-time with a timezone."""
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
    message = f"unknown platform {given!r}; available platforms: {', '.join(known)}"
    failure = invalid((["body", "platform"], message, "value_error"))
    raise RefusedError(400, failure.detail, errors=failure.errors)
