"""A summary of the state: how many records each collection has, and the newest of them."""

from __future__ import annotations

from typing import Final

from ..application import Application
from ..state import Record, alive
from ..validation import Node
from .command import ControlRequest

# The first of these fields that a record has is its label.
LABELS: Final = ("title", "name", "repo_name", "role_name", "idp_group_name", "email")
NEWEST: Final = 3


def state_summary(app: Application, request: ControlRequest) -> Node:
    """Return the number of records by resource and by collection; deleted records are counted separately."""
    collections: list[Node] = []
    resources: dict[str, int] = {}
    for name, records in sorted(app.state.by_name.items()):
        if records:
            present = alive(records)
            resources[name[0]] = resources.get(name[0], 0) + len(present)
            newest = [_label(key, record) for key, record in [*records.items()][::-1] if not record.deleted][:NEWEST]
            deleted = len(records) - len(present)
            collections.append({"name": "/".join(name), "count": len(present), "deleted": deleted, "newest": newest})
    return {"organizations": [*app.state.organizations], "families": resources, "collections": collections}


def _label(key: str, record: Record) -> str:
    return next((str(record.fields[name]) for name in LABELS if record.fields.get(name)), key)
