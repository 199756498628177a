"""Consumption and metrics: what was added for a sub-path, and a count of users from what there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..assumptions import ACCEPTED, HANDLE, Assumption
from ..http.call import Call, Handler, Reply
from ..http.validation import WHOLE
from ..problems import invalid
from ..shapes import shortened
from ..state.state import Record, State, alive
from .enterprise_sessions import organizations_asked_for

CONSUMPTION = "consumption"
METRICS = "metrics"


def put(state: State, kind: str, tail: str, fields: dict[str, Any]) -> None:
    """Let a sub-path of consumption or metrics answer with *fields*."""
    state.add(state.collection(kind), tail.strip("/"), fields)


def get_consumption(call: Call) -> Reply:
    """Give what was added for the sub-path."""
    return Reply(added(call, CONSUMPTION))


def get_metrics(call: Call) -> Reply:
    """Give what was added for the sub-path."""
    return Reply(added(call, METRICS))


def added(call: Call, kind: str) -> dict[str, Any]:
    """What was added for the sub-path of the call, {} when nothing was."""
    record = call.state.collection(kind).get(call.path["tail"].strip("/"))
    return {} if record is None else record.fields


def get_active_users(call: Call) -> Reply:
    """Count the unique users of sessions and searches, in one number as the description has it."""
    organizations = organizations_asked_for(call)
    state = call.state
    sessions = users_of(each for org_id in organizations for each in alive(state.collection("sessions", org_id)))
    searches = users_of(each for each in alive(state.collection("searches")) if each.fields["org_id"] in organizations)
    least_sessions, least_searches = whole_number(call, "min_sessions"), whole_number(call, "min_searches")
    users = {
        user_id
        for user_id in sessions.keys() | searches.keys()
        if sessions[user_id] >= least_sessions and searches[user_id] >= least_searches
    }
    return Reply({"unique_users": len(users)})


def users_of(records: Iterable[Record]) -> Counter[str]:
    """How many of the things each user has."""
    named = (record.fields.get("user_id") for record in records)
    return Counter(user_id for user_id in named if isinstance(user_id, str))


def whole_number(call: Call, name: str) -> int:
    """A filter that has to be a whole number, 0 when it is not given."""
    text = call.filter(name)
    if text is None:
        return 0
    if not WHOLE.fullmatch(text) or text.startswith("-"):
        raise invalid((["query", name], f"a whole number is expected, not {shortened(text)}", "int_type"))
    return int(text)


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("consumption-paths", "There is every sub-path; any query parameter is refused with 422.", ACCEPTED),
    Assumption(
        "consumption-response",
        "200 with what was added for the sub-path; {} when nothing was.",
        f"sandbox.add_consumption(tail, **fields); {HANDLE} for anything else.",
    ),
    Assumption(
        "metrics-paths",
        "There is every sub-path; any query parameter is refused with 422, but for `active-users`.",
        ACCEPTED,
    ),
    Assumption(
        "metrics-response",
        "200 with what was added for the sub-path; {} when nothing was.",
        f"sandbox.add_metrics(tail, **fields); {HANDLE} for anything else.",
    ),
    Assumption(
        "active-users-parameters",
        "`min_sessions` and `min_searches` are whole numbers; `org_ids` is as in the session list; a date range is "
        "refused with 422, and all that there is counts.",
        ACCEPTED,
    ),
    Assumption(
        "active-users-response",
        "200 with `unique_users`: how many `user_id` there are in sessions and searches.",
        "sandbox.add_session(user_id=...) and sandbox.add_search(user_id=...) make users active; "
        f"{HANDLE} answers otherwise.",
    ),
)

HANDLERS: dict[str, Handler] = {
    "get_enterprise_active_users": get_active_users,
    "get_enterprise_consumption": get_consumption,
    "get_enterprise_metrics": get_metrics,
}
