"""Consumption and metrics: the fields that were added for a sub-path, and the number of active users."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..assumptions import ACCEPT, HANDLE, Assumptions
from ..handlers import Call, Handler, Reply
from ..problems import invalid
from ..state import Record, State, alive
from ..validation import WHOLE_NUMBER, excerpt
from .enterprise_sessions import requested_organizations

CONSUMPTION = "consumption"
METRICS = "metrics"


def add(state: State, kind: str, tail: str, fields: dict[str, Any]) -> None:
    """Add the response of a sub-path of consumption or metrics."""
    state.add(state.collection(kind), tail.strip("/"), fields)


def get_added(kind: str) -> Handler:
    """Return a handler that replies with the fields that were added for a sub-path, or {}."""

    def get(call: Call) -> Reply:
        record = call.state.collection(kind).get(call.path["tail"].strip("/"))
        return Reply({} if record is None else record.fields)

    return get


def get_active_users(call: Call) -> Reply:
    """Return the number of unique users of sessions and searches."""
    organizations = requested_organizations(call)
    state = call.state
    sessions = _count_by_user(each for org_id in organizations for each in alive(state.collection("sessions", org_id)))
    searches = _count_by_user(
        each for each in alive(state.collection("searches")) if each.fields["org_id"] in organizations
    )
    least_sessions, least_searches = _whole_number(call, "min_sessions"), _whole_number(call, "min_searches")
    users = {
        user_id
        for user_id in sessions.keys() | searches.keys()
        if sessions[user_id] >= least_sessions and searches[user_id] >= least_searches
    }
    return Reply({"unique_users": len(users)})


def _count_by_user(records: Iterable[Record]) -> Counter[str]:
    named = (record.fields.get("user_id") for record in records)
    return Counter(user_id for user_id in named if isinstance(user_id, str))


def _whole_number(call: Call, name: str) -> int:
    """Return a filter as a whole number, 0 without it; refuse (422) other text."""
    text = call.filter(name)
    if text is None:
        return 0
    if not WHOLE_NUMBER.fullmatch(text) or text.startswith("-"):
        raise invalid((["query", name], f"must be a whole number, not {excerpt(text)}", "int_type"))
    return int(text)


ASSUMPTIONS: Assumptions = {
    "consumption-paths": ("Every sub-path exists; any query parameter is refused with 422.", ACCEPT),
    "consumption-response": (
        "200 with what was added for the sub-path, or {}.",
        f"sandbox.add_consumption(tail, **fields); {HANDLE} for anything else.",
    ),
    "metrics-paths": (
        "Every sub-path exists; any query parameter is refused with 422, except those of `active-users`.",
        ACCEPT,
    ),
    "metrics-response": (
        "200 with what was added for the sub-path, or {}.",
        f"sandbox.add_metrics(tail, **fields); {HANDLE} for anything else.",
    ),
    "active-users-parameters": (
        "`min_sessions` and `min_searches` are whole numbers; `org_ids` is as in the session list; a date range is "
        "refused with 422, and all sessions and searches count.",
        ACCEPT,
    ),
    "active-users-response": (
        "200 with `unique_users`: the number of different `user_id` in sessions and searches.",
        "sandbox.add_session(user_id=...) and sandbox.add_search(user_id=...) make users active; "
        f"{HANDLE} returns something else.",
    ),
}

HANDLERS: dict[str, Handler] = {
    "get_enterprise_active_users": get_active_users,
    "get_enterprise_consumption": get_added(CONSUMPTION),
    "get_enterprise_metrics": get_added(METRICS),
}
