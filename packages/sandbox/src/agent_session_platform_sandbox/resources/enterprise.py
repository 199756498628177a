"""The resources of the enterprise that are read: audit logs, usage, searches, guardrail violations and hypervisors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from ..assumptions import ACCEPT, HANDLE, Assumptions
from ..handlers import Call, Handler, Reply, paginate
from ..parameters import WHOLE_NUMBER
from ..problems import invalid, suggestion
from ..state import Record, State, alive
from ..validation import excerpt
from .sessions import requested_organizations

# Entries that are kept; the oldest are removed.
MAX_ENTRIES: Final = 10_000


def record(call: Call) -> None:
    """Add an entry for a request that succeeded, unless it was a GET. Bodies and credentials are not recorded."""
    if call.route.method == "GET":
        return
    entry = {
        "action": call.route.operation_id,
        "org_id": call.path.get("org_id"),
        "target": {name: value for name, value in call.path.items() if name != "org_id"},
        "created_at": call.state.seconds(),
    }
    entries = call.state.collection("audit-logs")
    call.state.create(entries, "audit_log", entry)
    if len(entries) > MAX_ENTRIES:
        del entries[next(iter(entries))]


def list_entries(call: Call) -> Reply:
    """List the entries of the enterprise or of one organization, the latest first by default."""
    entries = [record.fields for record in call.records("audit-logs")]
    return Reply({"items": entries if call.query.get("order") == "asc" else entries[::-1]})


CONSUMPTION = "consumption"
METRICS = "metrics"


def add_usage(state: State, kind: str, tail: str, fields: dict[str, Any]) -> None:
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


def add_search(state: State, org_id: str, **fields: Any) -> Record:
    """Add a search to an organization."""
    members = {"org_id": org_id, "created_at": state.seconds(), **fields}
    return state.create(state.collection("searches"), "search", members)


def list_searches(call: Call) -> Reply:
    """List the searches of the enterprise or of one organization."""
    return Reply(paginate(call.records("searches"), call.query))


ADDED = f"sandbox.add_search(org_id, **fields); {HANDLE} for anything else."


def add_violation(state: State, org_id: str, session_id: str, guardrail_id: str, **fields: Any) -> Record:
    """Add a violation to an organization."""
    members = {"org_id": org_id, "session_id": session_id, "guardrail_id": guardrail_id, "created_at": state.seconds()}
    return state.create(state.collection("guardrail-violations"), "violation", members | fields)


def list_violations(call: Call) -> Reply:
    """List the violations of the enterprise or of one organization, filtered by session and guardrail."""
    records = call.records("guardrail-violations")
    wanted = {name: call.filter(name) for name in ("session_id", "guardrail_id") if name in call.query}
    matching = [record for record in records if all(record.fields[name] == value for name, value in wanted.items())]
    return Reply(paginate(matching, call.query))


AVAILABLE: Final = "available"
ALL: Final = "all"


def add_hypervisor(state: State, **fields: Any) -> Record:
    """Add a hypervisor to the enterprise, available and idle unless *fields* say otherwise."""
    members = {"status": AVAILABLE, "utilization_percentage": 0, **fields}
    return state.create(state.collection("hypervisors"), "hypervisor", members)


def list_hypervisors(call: Call) -> Reply:
    """List the available hypervisors, or all (rules hypervisors-status-filter, hypervisors-utilization)."""
    status = call.query.get("status", AVAILABLE)
    fields = [record.fields for record in alive(call.state.collection("hypervisors"))]
    known = dict.fromkeys([AVAILABLE, ALL, *(str(each["status"]) for each in fields)])
    if status not in known:
        message = f"no hypervisor has the status {status!r}{suggestion(status, known)}; known: {', '.join(known)}"
        raise invalid((["query", "status"], message, "value_error"))
    return Reply({"items": [each for each in fields if status in (ALL, each["status"])]})


ASSUMPTIONS: Assumptions = {
    "enterprise-audit-logs-response": "200 with `items`, one for each request that succeeded and was not a GET: "
    "`action` is the id of its operation, `target` the parameters of its path, `created_at` is in seconds; `desc`, "
    f"the default, is the latest first. The {MAX_ENTRIES:,} latest are kept.",
    "organization-audit-logs-response": "As in the enterprise, of requests whose path names the organization.",
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
    "enterprise-searches-parameters": ("No filter: any parameter but `first` and `after` is refused with 422.", ACCEPT),
    "enterprise-searches-response": (
        "200 with a page of what was added: `search_id`, `org_id`, `created_at` and the fields that were added.",
        ADDED,
    ),
    "organization-searches-parameters": ("As in the enterprise.", ACCEPT),
    "organization-searches-response": ("As in the enterprise.", ADDED),
    "enterprise-guardrail-violations-parameters": ("Filters are exact; a time range is refused with 422.", ACCEPT),
    "enterprise-guardrail-violations-response": "200 with a page, the oldest first: `violation_id`, `org_id`, "
    "`session_id`, `guardrail_id`, `created_at`.",
    "organization-guardrail-violations-parameters": ("As in the enterprise.", ACCEPT),
    "organization-guardrail-violations-response": "As in the enterprise.",
    "hypervisors-response": "200 with the hypervisors in `items`, each with its `status`.",
    "hypervisors-utilization-place": "In each hypervisor, a number.",
    "hypervisors-status-values": "Any other must be the status of a hypervisor, or is refused (422); it lists the "
    "hypervisors with it.",
}

HANDLERS: dict[str, Handler] = {
    "list_enterprise_audit_logs": list_entries,
    "list_organization_audit_logs": list_entries,
    "get_enterprise_active_users": get_active_users,
    "get_enterprise_consumption": get_added(CONSUMPTION),
    "get_enterprise_metrics": get_added(METRICS),
    "list_enterprise_searches": list_searches,
    "list_organization_searches": list_searches,
    "list_enterprise_guardrail_violations": list_violations,
    "list_enterprise_guardrail_violations_of_organization": list_violations,
    "list_enterprise_hypervisors": list_hypervisors,
}
