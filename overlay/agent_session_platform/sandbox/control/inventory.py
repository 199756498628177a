"""How much there is of what in a sandbox, and the newest of it by what a person knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..shapes import Node
from ..state.state import Record, alive
from .command import Asked

if TYPE_CHECKING:
    from ..platform import Sandbox

# By which of its fields a thing is known.
LABELS: Final = ("title", "name", "repo_name", "role_name", "idp_group_name", "email")
NEWEST: Final = 3


def state(sandbox: Sandbox, asked: Asked) -> Node:
    """How much there is of what; deleted things are counted apart."""
    collections: list[Node] = []
    families: dict[str, int] = {}
    for name, records in sorted(sandbox.state.by_name.items()):
        if records:
            there = alive(records)
            families[name[0]] = families.get(name[0], 0) + len(there)
            newest = [label(key, record) for key, record in [*records.items()][::-1] if not record.deleted][:NEWEST]
            collections.append(
                {"name": "/".join(name), "count": len(there), "deleted": len(records) - len(there), "newest": newest}
            )
    organizations = [*sandbox.state.organizations]
    return {"organizations": organizations, "families": families, "collections": collections}


def label(key: str, record: Record) -> str:
    """By what a person knows a thing."""
    return next((str(record.fields[name]) for name in LABELS if record.fields.get(name)), key)
