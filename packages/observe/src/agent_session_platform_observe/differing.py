"""Contradictions of schemas as actions of an Overlay, which say that they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .contradictions import MISSING, OTHER_TYPE, VALUE, Contradiction, of_place
from .evidence import Seen
from .names import is_value_name
from .overlay_text import ProposedAction, json_path, literal, observed


def differing(place: str, seen: Seen) -> Iterator[ProposedAction]:
    """Yield the actions about what contradicts the contract at a place; a format that differs is only reported."""
    found = list(of_place(place, seen))
    for each in found:
        if each.kind == MISSING:
            target = f"{json_path(each.place)}[?(@=={literal(each.name)})]"
            yield ProposedAction(
                target, f"{each.name} is missing in {each.times} of {each.total} objects.", contradicts=why(each)
            )
        elif each.kind == VALUE and is_value_name(each.name):
            added = {"enum": [each.name], "x-observed": evidence(each)}
            yield ProposedAction(json_path(each.place), f"{each.name} came {each.times} times.", added, why(each))
    types = [each for each in found if each.kind == OTHER_TYPE]
    if types:
        given: str | list[str] = seen.schema.node.get("type", [])
        stated = [given] if isinstance(given, str) else given
        widened = [*stated, *(each.name for each in types if each.name not in stated)]
        whys = " ".join(map(why, types))
        update: dict[str, Any] = {"x-observed": evidence(types[0])}
        if "type" in seen.schema.node and seen.schema.place == seen.schema.own_place:
            update = {"type": widened if isinstance(given, str) else widened[len(stated) :], **update}
            yield ProposedAction(json_path(seen.schema.place), f"{seen.total} values were read.", update, whys)


def why(contradiction: Contradiction) -> str:
    """Return why an action contradicts the contract."""
    return f"{contradiction.text}: {contradiction.times} of {contradiction.total} times."


def evidence(contradiction: Contradiction) -> dict[str, Any]:
    """Return the evidence of a contradiction as an extension."""
    return observed(contradiction.times, contradiction.first, contradiction.last)
