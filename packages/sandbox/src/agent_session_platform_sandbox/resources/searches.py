"""Searches."""

from __future__ import annotations

from typing import Any

from ..assumptions import ACCEPT, HANDLE, Assumptions
from ..handlers import Call, Handler, Reply, paginate
from ..state import Record, State


def add(state: State, org_id: str, **fields: Any) -> Record:
    """Add a search to an organization."""
    members = {"org_id": org_id, "created_at": state.seconds(), **fields}
    return state.create(state.collection("searches"), "search", members)


def list_searches(call: Call) -> Reply:
    """List the searches of the enterprise or of one organization."""
    return Reply(paginate(call.records("searches"), call.query))


ADDED = f"sandbox.add_search(org_id, **fields); {HANDLE} for anything else."

ASSUMPTIONS: Assumptions = {
    "enterprise-searches-parameters": ("No filter: any parameter but `first` and `after` is refused with 422.", ACCEPT),
    "enterprise-searches-response": (
        "200 with a page of what was added: `search_id`, `org_id`, `created_at` and the fields that were added.",
        ADDED,
    ),
    "organization-searches-parameters": ("As in the enterprise.", ACCEPT),
    "organization-searches-response": ("As in the enterprise.", ADDED),
}

HANDLERS: dict[str, Handler] = {"list_enterprise_searches": list_searches, "list_organization_searches": list_searches}
