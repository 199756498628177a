"""Guardrail violations."""

from __future__ import annotations

from typing import Any

from ..assumptions import ACCEPT, Assumptions
from ..handlers import Call, Handler, Reply, paginate
from ..state import Record, State


def add(state: State, org_id: str, session_id: str, guardrail_id: str, **fields: Any) -> Record:
    """Add a violation to an organization."""
    members = {"org_id": org_id, "session_id": session_id, "guardrail_id": guardrail_id, "created_at": state.seconds()}
    return state.create(state.collection("guardrail-violations"), "violation", members | fields)


def list_violations(call: Call) -> Reply:
    """List the violations of the enterprise or of one organization, filtered by session and guardrail."""
    records = call.records("guardrail-violations")
    wanted = {name: call.filter(name) for name in ("session_id", "guardrail_id") if name in call.query}
    matching = [record for record in records if all(record.fields[name] == value for name, value in wanted.items())]
    return Reply(paginate(matching, call.query))


ASSUMPTIONS: Assumptions = {
    "enterprise-guardrail-violations-parameters": ("Filters are exact; a time range is refused with 422.", ACCEPT),
    "enterprise-guardrail-violations-response": "200 with a page, the oldest first: `violation_id`, `org_id`, "
    "`session_id`, `guardrail_id`, `created_at`.",
    "organization-guardrail-violations-parameters": ("As in the enterprise.", ACCEPT),
    "organization-guardrail-violations-response": "As in the enterprise.",
}

HANDLERS: dict[str, Handler] = {
    "list_enterprise_guardrail_violations": list_violations,
    "list_enterprise_guardrail_violations_of_organization": list_violations,
}
