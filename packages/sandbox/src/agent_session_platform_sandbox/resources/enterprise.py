"""The resources of the enterprise that are read: audit logs, usage, searches, guardrail violations and hypervisors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from ..handlers import Call, Reply, paginate
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


def list_enterprise_audit_logs(call: Call) -> Reply:
    """List the entries of the enterprise or of one organization, the latest first by default."""
    entries = [record.fields for record in call.records("audit-logs")]
    return Reply({"items": entries if call.query.get("order") == "asc" else entries[::-1]})


CONSUMPTION: Final = "consumption"
METRICS: Final = "metrics"


def add_usage(state: State, kind: str, tail: str, fields: dict[str, Any]) -> None:
    """Add the response of a sub-path of consumption or metrics."""
    state.add(state.collection(kind), tail.strip("/"), fields)


def get_enterprise_consumption(call: Call) -> Reply:
    """Return the fields that were added for a sub-path of consumption or metrics, or {}."""
    kind = CONSUMPTION if f"/{CONSUMPTION}/" in call.route.path else METRICS
    record = call.state.collection(kind).get(call.path["tail"].strip("/"))
    return Reply({} if record is None else record.fields)


def get_enterprise_active_users(call: Call) -> Reply:
    """Return the number of unique users with at least so many sessions and searches, one of either."""
    org_ids, state = requested_organizations(call), call.state
    sessions = _by_user(each for org_id in org_ids for each in alive(state.collection("sessions", org_id)))
    searches = _by_user(each for each in alive(state.collection("searches")) if each.fields["org_id"] in org_ids)
    least_sessions, least_searches = _whole_number(call, "min_sessions"), _whole_number(call, "min_searches")
    users = sessions.keys() | searches.keys()
    counted = [each for each in users if sessions[each] >= least_sessions and searches[each] >= least_searches]
    return Reply({"unique_users": len(counted)})


def _by_user(records: Iterable[Record]) -> Counter[str]:
    named = (record.fields.get("user_id") for record in records)
    return Counter(user_id for user_id in named if isinstance(user_id, str))


def _whole_number(call: Call, name: str) -> int:
    """Return a filter as a whole number, 0 without it; refuse (422) other text."""
    text = call.filter(name) or ("" if name in call.query else "0")
    if not WHOLE_NUMBER.fullmatch(text) or text.startswith("-"):
        raise invalid((["query", name], f"must be a whole number, not {excerpt(text)}", "int_type"))
    return int(text)


def add_search(state: State, org_id: str, **fields: Any) -> Record:
    """Add a search to an organization."""
    members = {"org_id": org_id, "created_at": state.seconds(), **fields}
    return state.create(state.collection("searches"), "search", members)


def list_enterprise_searches(call: Call) -> Reply:
    """List the searches of the enterprise or of one organization."""
    return Reply(paginate(call.records("searches"), call.query))


def add_violation(state: State, org_id: str, session_id: str, guardrail_id: str, **fields: Any) -> Record:
    """Add a violation to an organization."""
    members = {"org_id": org_id, "session_id": session_id, "guardrail_id": guardrail_id, "created_at": state.seconds()}
    return state.create(state.collection("guardrail-violations"), "violation", members | fields)


def list_enterprise_guardrail_violations(call: Call) -> Reply:
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


def list_enterprise_hypervisors(call: Call) -> Reply:
    """List the available hypervisors, or all (rules hypervisors-status-filter, hypervisors-utilization)."""
    status = call.query.get("status", AVAILABLE)
    fields = [record.fields for record in alive(call.state.collection("hypervisors"))]
    known = dict.fromkeys([AVAILABLE, ALL, *(str(each["status"]) for each in fields)])
    if status not in known:
        message = f"no hypervisor has the status {status!r}{suggestion(status, known)}; known: {', '.join(known)}"
        raise invalid((["query", "status"], message, "value_error"))
    return Reply({"items": [each for each in fields if status in (ALL, each["status"])]})


list_organization_audit_logs = list_enterprise_audit_logs
get_enterprise_metrics = get_enterprise_consumption
list_organization_searches = list_enterprise_searches
list_enterprise_guardrail_violations_of_organization = list_enterprise_guardrail_violations
