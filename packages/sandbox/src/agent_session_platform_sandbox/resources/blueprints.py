"""Enterprise-tier snapshot blueprints."""

from __future__ import annotations

from typing import Any

from ..assumptions import Assumptions
from ..handlers import Call, Collection, Handler, Reply
from ..state import Record, State, alive

BLUEPRINTS = Collection("blueprints", "blueprint")


def add(state: State, **fields: Any) -> Record:
    """Add a blueprint to the enterprise."""
    now = state.seconds()
    members = {
        "created_at": now,
        "updated_at": now,
        "repo_name": "acme/shop",
        "type": "enterprise",
        "build_on_default_branch_commit": True,
        "report_check_runs": False,
        "source": "git",
        **fields,
    }
    return state.create(state.collection("blueprints"), "blueprint", members)


def list_blueprints(call: Call) -> Reply:
    """List the blueprints, in an object with `data` instead of the envelope."""
    return Reply({"data": [record.fields for record in alive(BLUEPRINTS.records(call))]})


ASSUMPTIONS: Assumptions = {
    "blueprint-delete-response": "200 with `null`; deleting again is a 404, and it is no longer listed.",
    "blueprint-list-required-fields": "`data` is always there.",
    "blueprint-required-fields": (
        "All eight are always there.",
        "sandbox.add_blueprint(**fields) adds one with others.",
    ),
    "blueprint-created-at-unit": ("Seconds since 1970.", "sandbox.add_blueprint(created_at=...) takes any number."),
    "blueprint-updated-at-unit": ("Seconds since 1970.", "sandbox.add_blueprint(updated_at=...) takes any number."),
    "blueprint-type-values": ("`enterprise`, unless another was added.", "sandbox.add_blueprint(type=...) takes any."),
    "blueprint-source-values": ("`git`, unless another was added.", "sandbox.add_blueprint(source=...) takes any."),
}

HANDLERS: dict[str, Handler] = {
    "delete_enterprise_blueprint": BLUEPRINTS.delete,  # Rule blueprint-soft-delete.
    "list_enterprise_blueprints": list_blueprints,
}
