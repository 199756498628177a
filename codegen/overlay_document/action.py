"""Apply one action to the tree, by the rules of the specification."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.contract import Finding
from codegen.overlay_document.targets import Place
from codegen.overlay_document.tree import Placed


class ActionError(Exception):
    """An action does not fit what it selects; the message says what to do."""


def merge(node: Placed, update: Placed) -> None:
    """Merge an update into a node: objects member by member, lists by appending, and anything else is replaced.

    Raises:
        ActionError: The update is not of the node's kind; nothing is changed.
    """
    if isinstance(node.content, list):
        node.content += update.content if isinstance(update.content, list) else [update]
    elif isinstance(node.content, dict) != isinstance(update.content, dict) or isinstance(update.content, list):
        raise ActionError(f"`update` is {kind(update)}, but `target` selects {kind(node)}; make them the same kind")
    else:
        join(node, update)


def join(node: Placed, update: Placed) -> None:
    """Merge an update into a node; an update of another kind replaces it."""
    if isinstance(node.content, dict) and isinstance(update.content, dict):
        for key, member in update.content.items():
            if key in node.content:
                join(node.content[key], member)
            else:
                node.content[key] = member
    elif isinstance(node.content, list) and isinstance(update.content, list):
        node.content += update.content
    else:
        node.content, node.source, node.place = update.content, update.source, update.place


def remove(root: Placed, places: Sequence[Place]) -> None:
    """Remove nodes; deeper ones and later members first, so that the places of the others stay right."""
    for place in sorted(places, reverse=True):
        content = root.nearest(place[:-1]).content
        if isinstance(content, dict):
            del content[str(place[-1])]
        elif isinstance(content, list):
            del content[int(place[-1])]


def primitive_findings(nodes: Sequence[Placed], place: str) -> list[Finding]:
    """Return the finding about a target that Overlay 1.0 cannot change: a value without members."""
    found = [node for node in nodes if not isinstance(node.content, dict | list)]
    if not found:
        return []
    text = f"`target` selects {kind(found[0])} ({found[0].written}), which Overlay 1.0 cannot change"
    return [Finding(f"{place}/target", f"{text}; select the object around it, or write `overlay: 1.1.0`")]


def kind(node: Placed) -> str:
    """Return in words what a node is."""
    if isinstance(node.content, dict):
        return "an object"
    if isinstance(node.content, list):
        return "a list"
    kinds = {bool: "a flag", str: "a text", type(None): "null"}
    return kinds.get(type(node.content), "a number")
