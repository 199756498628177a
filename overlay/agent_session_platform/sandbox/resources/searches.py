"""Searches."""

from __future__ import annotations

from typing import Any

from ..assumptions import ACCEPT, HANDLE, Assumption
from ..handlers import Call, Handler, Reply, paginate
from ..state import Record, State, alive


def add(state: State, org_id: str, **fields: Any) -> Record:
    """Add a search to an organization."""
    search: dict[str, Any] = {"search_id": state.new_id("search"), "org_id": org_id, "created_at": state.seconds()}
    search |= fields
    return state.add(state.collection("searches"), search["search_id"], search)


def list_of_enterprise(call: Call) -> Reply:
    """List the searches of all organizations."""
    return Reply(paginate(alive(call.state.collection("searches")), call.query))


def list_of_organization(call: Call) -> Reply:
    """List the searches of one organization."""
    records = alive(call.state.collection("searches"))
    return Reply(paginate([each for each in records if each.fields["org_id"] == call.org_id], call.query))


ADDED = f"sandbox.add_search(org_id, **fields); {HANDLE} for anything else."

ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption(
        "enterprise-searches-parameters",
        "No filter: any parameter but `first` and `after` is refused with 422.",
        ACCEPT,
    ),
    Assumption(
        "enterprise-searches-response",
        "200 with a page of what was added: `search_id`, `org_id`, `created_at` and the fields that were added.",
        ADDED,
    ),
    Assumption("organization-searches-parameters", "As in the enterprise.", ACCEPT),
    Assumption("organization-searches-response", "As in the enterprise.", ADDED),
)

HANDLERS: dict[str, Handler] = {
    "list_enterprise_searches": list_of_enterprise,
    "list_organization_searches": list_of_organization,
}
