"""Guardrail violations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..assumptions import ACCEPT, Assumption
from ..handlers import Call, Handler, Reply, paginate
from ..state import Record, State, alive


def add(state: State, org_id: str, session_id: str, guardrail_id: str, **fields: Any) -> Record:
    """Add a violation to an organization."""
    violation: dict[str, Any] = {
        "violation_id": state.new_id("violation"),
        "org_id": org_id,
        "session_id": session_id,
        "guardrail_id": guardrail_id,
        "created_at": state.seconds(),
    } | fields
    return state.add(state.collection("guardrail-violations"), violation["violation_id"], violation)


def list_of_enterprise(call: Call) -> Reply:
    """List the violations of all organizations."""
    return _page(call, alive(call.state.collection("guardrail-violations")))


def list_of_organization(call: Call) -> Reply:
    """List the violations of one organization."""
    records = alive(call.state.collection("guardrail-violations"))
    return _page(call, [record for record in records if record.fields["org_id"] == call.org_id])


def _page(call: Call, records: Iterable[Record]) -> Reply:
    """Return a page of the violations that match the filters."""
    wanted = {name: call.filter(name) for name in ("session_id", "guardrail_id") if name in call.query}
    matching = [record for record in records if all(record.fields[name] == value for name, value in wanted.items())]
    return Reply(paginate(matching, call.query))


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption(
        "enterprise-guardrail-violations-parameters",
        "Filters are exact; a time range is refused with 422.",
        ACCEPT,
    ),
    Assumption(
        "enterprise-guardrail-violations-response",
        "200 with a page, the oldest first: `violation_id`, `org_id`, `session_id`, `guardrail_id`, `created_at`.",
    ),
    Assumption("organization-guardrail-violations-parameters", "As in the enterprise.", ACCEPT),
    Assumption("organization-guardrail-violations-response", "As in the enterprise."),
)

HANDLERS: dict[str, Handler] = {
    "list_enterprise_guardrail_violations": list_of_enterprise,
    "list_enterprise_guardrail_violations_of_organization": list_of_organization,
}
