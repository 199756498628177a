"""The audit log of all requests that succeeded, except GET."""

from __future__ import annotations

from typing import Final

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply

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


ASSUMPTIONS: Assumptions = {
    "enterprise-audit-logs-response": "200 with `items`, one for each request that succeeded and was not a GET: "
    "`action` is the id of its operation, `target` the parameters of its path, `created_at` is in seconds; `desc`, "
    f"the default, is the latest first. The {MAX_ENTRIES:,} latest are kept.",
    "organization-audit-logs-response": "As in the enterprise, of requests whose path names the organization.",
}

HANDLERS: dict[str, Handler] = {
    "list_enterprise_audit_logs": list_entries,
    "list_organization_audit_logs": list_entries,
}
