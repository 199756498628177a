"""The enterprise: organizations, limits, access lists, audit logs, usage, searches, violations, hypervisors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Final

from ..contract import QUERY
from ..handlers import Call, Reply
from ..lists import list_reply
from ..problems import RefusedError, invalid, suggestion
from ..state import Record, alive
from .sessions import requested_organizations

# The audit log keeps no more entries than this; the oldest entries are removed.
MAX_ENTRIES: Final = 10_000


def add_audit_log(call: Call) -> None:
    """Add an entry to the audit log for a request that succeeded, unless it was a GET.

    Bodies and credentials are not recorded.
    """
    if call.route.method == "GET":
        return
    target = call.path.copy()
    target.pop("org_id", None)
    entry = {
        "action": call.route.operation_id,
        "org_id": call.path.get("org_id"),
        "target": target,
        "created_at": call.state.seconds(),
    }
    entries = call.state.collection("audit-logs")
    call.state.create(entries, "audit_log", entry)
    if len(entries) > MAX_ENTRIES:
        del entries[next(iter(entries))]


def list_enterprise_audit_logs(call: Call) -> Reply:
    """List the entries of the enterprise or of one organization, the latest first by default."""
    entries = call.records("audit-logs")
    if call.query.get("order") != "asc":
        entries.reverse()
    return list_reply(call, entries)


def list_enterprise_organizations(call: Call) -> Reply:
    """List the organizations that the caller belongs to."""
    organizations = call.state.organization_records()
    return list_reply(call, [each for each in organizations if call.account.belongs_to(each.fields["org_id"])])


def get_enterprise_queue(call: Call) -> Reply:
    """Count the sessions that are queued."""
    total = 0
    for sessions in call.state.collections("sessions"):
        for session in alive(sessions):
            total += session.fields["status"] == "queued"
    status = "normal"
    if total >= 100:
        status = "high"
    elif total >= 10:
        status = "elevated"
    return Reply({"status": status, "total": total})


def get_enterprise_org_group_limits(call: Call) -> Reply:
    """Return the group limits; a PUT sets them first (rule org-group-limits-enablement)."""
    if not call.state.org_group_limits_enabled:
        raise RefusedError(403, "organization group limits are not enabled; ask the account team")
    limits = call.state.collection("org-group-limits")
    if call.route.method == "PUT":
        call.state.add(limits, "groups", call.members())
    if not limits:
        return Reply({})
    return Reply(limits["groups"].fields)


def get_enterprise_ip_access_list(call: Call) -> Reply:
    """Return the access list."""
    return Reply({"ip_ranges": [each.fields["range"] for each in alive(call.state.collection("ip-ranges"))]})


def append_enterprise_ip_access_list(call: Call) -> Reply:
    """Append ranges to the access list (rule ip-access-list-append)."""
    for text in _ranges(call):
        call.state.add(call.state.collection("ip-ranges"), call.state.new_id("ip-range"), {"range": text})
    return get_enterprise_ip_access_list(call)


def replace_enterprise_ip_access_list(call: Call) -> Reply:
    """Replace the whole access list (rule ip-access-list-replace)."""
    _ranges(call)
    delete_enterprise_ip_access_list(call)
    return append_enterprise_ip_access_list(call)


def delete_enterprise_ip_access_list(call: Call) -> Reply:
    """Remove all ranges from the access list."""
    call.state.collection("ip-ranges").clear()
    return Reply(None)


def _ranges(call: Call) -> list[str]:
    """Return the ranges of the body as written; refuse (422) text that is neither an address nor CIDR."""
    texts = call.texts("ip_ranges")
    if "ip_ranges" not in call.members():
        # The contract of a build may have another member for the ranges.
        return list(filter(_is_range, texts))
    for position, text in enumerate(texts):
        if not _is_range(text):
            message = f"{text!r} is neither an address nor CIDR, such as 10.0.0.0/8"
            raise invalid((["body", "ip_ranges", str(position)], message, "value_error"))
    return texts


def _is_range(text: str) -> bool:
    """Return whether a text is an address or CIDR.

    Bits after the prefix may be set, because the description does not forbid it. A netmask (10.0.0.0/255.0.0.0) and the
    zone of an address (fe80::1%eth0) are refused.
    """
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return re.fullmatch(r"[^%/]+(/(0|[1-9][0-9]*))?", text) is not None


def get_enterprise_consumption(call: Call) -> Reply:
    """Return the fields that were added for a sub-path of consumption or metrics, or {}."""
    kind = "metrics"
    if "/consumption/" in call.route.path:
        kind = "consumption"
    record = call.state.collection(kind).get(call.path["tail"].strip("/"))
    if record is None:
        return Reply({})
    return Reply(record.fields)


def get_enterprise_active_users(call: Call) -> Reply:
    """Count the users with at least `min_sessions` sessions and `min_searches` searches, but not users with neither."""
    least_sessions, least_searches = call.whole_number("min_sessions"), call.whole_number("min_searches")
    sessions: Counter[str] = Counter()
    searches: Counter[str] = Counter()
    for org_id in requested_organizations(call):
        sessions.update(_users(call.state.collection("sessions", org_id), org_id))
        searches.update(_users(call.state.collection("searches"), org_id))
    count = 0
    for user in sessions.keys() | searches.keys():
        count += sessions[user] >= least_sessions and searches[user] >= least_searches
    return Reply({"unique_users": count})


def _users(records: dict[str, Record], org_id: str) -> Iterator[str]:
    """Yield the user of each record of an organization."""
    for record in alive(records):
        user_id = record.fields.get("user_id")
        if isinstance(user_id, str) and record.fields.get("org_id") == org_id:
            yield user_id


def list_enterprise_searches(call: Call) -> Reply:
    """List the searches of the enterprise or of one organization."""
    return list_reply(call, call.records("searches"))


def list_enterprise_guardrail_violations(call: Call) -> Reply:
    """List the violations of the enterprise or of one organization, optionally of one session or guardrail."""
    return list_reply(call, call.records("guardrail-violations"))


def list_enterprise_hypervisors(call: Call) -> Reply:
    """List the available hypervisors, or all (rules hypervisors-status-filter, hypervisors-utilization)."""
    status = call.filter("status") or "available"
    hypervisors = alive(call.state.collection("hypervisors"))
    shape = call.route.parameters[QUERY]["status"].shape
    known = ["available", "all", *shape.known_values, *(str(each.fields.get("status")) for each in hypervisors)]
    if status not in known:
        names = ", ".join(dict.fromkeys(known))
        message = f"no hypervisor has the status {status!r}{suggestion(status, known)}; known: {names}"
        raise invalid((["query", "status"], message, "value_error"))
    return list_reply(call, [each for each in hypervisors if status in ("all", each.fields.get("status"))])


# Two operations share each of these handlers: the handler reads the path or the method to tell them apart.
get_enterprise_metrics = get_enterprise_consumption
list_enterprise_guardrail_violations_of_organization = list_enterprise_guardrail_violations
list_organization_audit_logs = list_enterprise_audit_logs
list_organization_searches = list_enterprise_searches
set_enterprise_org_group_limits = get_enterprise_org_group_limits
