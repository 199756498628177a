"""Hypervisors."""

from __future__ import annotations

from typing import Any, Final

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply
from ..problems import invalid, suggestion
from ..state import Record, State, alive

AVAILABLE: Final = "available"
ALL: Final = "all"


def add(state: State, **fields: Any) -> Record:
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
    "hypervisors-response": "200 with the hypervisors in `items`, each with its `status`.",
    "hypervisors-utilization-place": "In each hypervisor, a number.",
    "hypervisors-status-values": "Any other must be the status of a hypervisor, or is refused (422); it lists the "
    "hypervisors with it.",
}

HANDLERS: dict[str, Handler] = {"list_enterprise_hypervisors": list_hypervisors}
