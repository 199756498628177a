"""Make an Overlay of what differs between the contract and the contract of a deployment."""

from __future__ import annotations

from typing import Any

import attrs

from codegen.adopt.combine import NO_FACTS
from codegen.contract.contract import Contract
from codegen.contract.source import Node, quote
from codegen.overlay_document import Place, json_text

# Objects that one action changes, by how many keys lead to them; anything below belongs to the action.
DEPTH = {"paths": 3, "components": 3}
# What is not a fact about the API, or is about what the contract does not know.
MARKS = {"links", "operationId", "tags", "x-columns", "x-inferred", "x-not-shown", "x-stated-path"}
# The gaps of an operation or a schema that cover what is below a key: it is not known, so it is not contradicted.
COVERED = {"requestBody": "-request", "responses": "-response", "required": "-fields"}
COVERED |= {"security": "-permission", "type": "-type", "schema": "-type"}

# Stands for the id of a gap that covers everything below a place.
EVERYTHING = "* "


@attrs.frozen
class Contradiction:
    """A fact of the contract that the document states otherwise.

    Attributes:
        place: The keys that lead to it.
        stated: The value of the contract.
        shown: The value of the document.
    """

    place: Place
    stated: Any
    shown: Any

    def __str__(self) -> str:
        keys = [str(key) for key in self.place]
        if keys[0] == "paths":
            keys[:3] = [f"{keys[2].upper()} {keys[1]}"]
        name = " ".join(key for key in keys if key not in ("components", "content", "properties", "schema", "schemas"))
        stated, shown = self.stated, self.shown
        if isinstance(stated, list) and isinstance(shown, list):
            # Long lists are shown by their differences.
            stated = [entry for entry in self.stated if entry not in self.shown]
            shown = [entry for entry in self.shown if entry not in self.stated]
            return f"{name}: only the contract has {quote(stated)}; only the document has {quote(shown)}"
        return f"{name}: {quote(stated)}; the document has {quote(shown)}"


@attrs.define
class Differences:
    """What differs between the contract and the contract of a deployment.

    Args:
        contract: The contract.

    Attributes:
        updates: What is added or replaced, by the object that an action changes.
        removed: The places that are removed first, because an update only adds to a list.
        contradictions: The facts of the contract that are replaced.
    """

    contract: Contract
    updates: dict[Place, Any] = attrs.field(factory=dict[Place, Any])
    removed: list[Place] = attrs.field(factory=list[Place])
    contradictions: list[Contradiction] = attrs.field(factory=list[Contradiction])

    def compare(self, before: Node, after: Node, place: Place = (), gaps: str = "") -> None:
        """Add what differs between the object at a place of the contract, and the same object of a deployment.

        Args:
            before: The object of the contract.
            after: The object of the deployment.
            place: The place of both.
            gaps: The ids of the gaps around it.
        """
        gaps += "".join(f"{gap['id']} " for gap in before.get("x-not-shown", ()))
        for key, stated in before.items():
            here = (*place, key)
            is_known = f"{COVERED.get(str(key), ':')} " not in gaps
            inner = gaps if is_known else f"{gaps}{EVERYTHING}"
            if key not in after:
                self.removed.append(here)
            elif isinstance(stated, dict) and isinstance(after[key], dict):
                self.compare(stated, after[key], here, inner)
            elif json_text(stated) != json_text(after[key]):
                if EVERYTHING not in inner:
                    self._add_contradictions(here, stated, after[key])
                self._replace(here, stated, after[key])
        for key, shown in after.items():
            if key not in before:
                self._add((*place, key), shown)

    def _replace(self, place: Place, stated: Any, shown: Any) -> None:
        """Add a value that replaces another one."""
        if not isinstance(stated, list):
            self._add(place, shown)
        elif isinstance(shown, list) and shown[: len(stated)] == stated:
            self.updates[place] = shown[len(stated) :]
        else:
            self.removed.append(place)
            self._add(place, shown)

    def _add_contradictions(self, place: Place, stated: Any, shown: Any) -> None:
        """Note the facts of the contract that another value replaces."""
        if NO_FACTS.union(MARKS).intersection(map(str, place)):
            return
        if place[-1] != "parameters":
            self.contradictions.append(Contradiction(place, stated, shown))
            return
        changed = {(node.get("in"), node.get("name")): node for node in shown}
        for node in map(self.contract.resolve, stated):
            other = changed.get((node.get("in"), node.get("name")), node)
            for key in node["schema"].keys() & other["schema"].keys():
                known, new = node["schema"][key], other["schema"][key]
                if key not in NO_FACTS and json_text(known) != json_text(new):
                    self.contradictions.append(Contradiction((*place, node["name"], key), known, new))

    def _add(self, place: Place, value: Any) -> None:
        """Add a value to the update of the object that an action changes."""
        length = min(DEPTH.get(str(place[0]), 1), len(place) - 1)
        update = self.updates.setdefault(place[:length], {})
        for key in place[length:-1]:
            update = update.setdefault(key, {})
        update[place[-1]] = value

    def overlay(self, title: str, reason: str) -> Node:
        """Return the Overlay.

        Args:
            title: Its title.
            reason: Why it may contradict the contract.
        """
        changes: list[tuple[Place, Node]] = [(place, {"remove": True}) for place in self.removed]
        changes += [(place, {"update": update}) for place, update in self.updates.items()]
        actions = [{"target": json_path(place), **change, "x-contradicts": reason} for place, change in changes]
        info = {"title": title, "version": "1.0.0"}
        return {"overlay": "1.0.0", "info": info, "extends": "openapi.yaml", "actions": actions}


def json_path(place: Place) -> str:
    """Return the JSONPath of one place."""
    steps: list[str] = []
    for key in place:
        name = str(key).replace("\\", "\\\\").replace("'", "\\'")
        steps.append(f"['{name}']")
    return f"${''.join(steps)}"
