"""Make an Overlay of what differs between the contract and the contract of a deployment.

It has an operation, a schema or a tag as a whole: what is replaced is removed first, because an update only adds.
"""

from __future__ import annotations

from codegen.contract.source import Node
from codegen.overlay_document import Place, json_text

# How many keys lead to what is replaced as a whole.
DEPTH = {"paths": 3, "components": 3}


def overlay_of(before: Node, after: Node, title: str, reason: str) -> Node:
    """Return the Overlay that makes one contract of another.

    Args:
        before: The contract.
        after: The contract of the deployment.
        title: The title of the Overlay.
        reason: Why it may contradict the contract.
    """
    removed: list[Place] = []
    update: Node = {}
    compare(before, after, (), removed, update)
    actions: list[Node] = [{"target": json_path(place), "remove": True} for place in removed]
    if update:
        actions.append({"target": "$", "update": update})
    for action in actions:
        action["x-contradicts"] = reason
    info = {"title": title, "version": "1.0.0"}
    return {"overlay": "1.0.0", "info": info, "extends": "openapi.yaml", "actions": actions}


def compare(before: Node, after: Node, place: Place, removed: list[Place], update: Node) -> None:
    """Add what differs between two objects to the places that are removed, and to the update of the object."""
    for key in before.keys() - after.keys():
        removed.append((*place, key))
    for key, shown in after.items():
        here = (*place, key)
        stated = before.get(key)
        if json_text(stated) == json_text(shown):
            continue
        if isinstance(stated, list) and shown[: len(stated)] == stated:
            update[key] = shown[len(stated) :]
        elif isinstance(stated, dict) and len(here) < DEPTH.get(str(here[0]), 1):
            update[key] = {}
            compare(stated, shown, here, removed, update[key])
        else:
            if stated is not None:
                removed.append(here)
            update[key] = shown


def json_path(place: Place) -> str:
    """Return the JSONPath of one place."""
    steps: list[str] = []
    for key in place:
        name = str(key).replace("\\", "\\\\").replace("'", "\\'")
        steps.append(f"['{name}']")
    return f"${''.join(steps)}"
