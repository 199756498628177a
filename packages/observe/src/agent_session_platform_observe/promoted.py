"""Operations that a deployment has under another version, as actions of an Overlay that move them."""

from __future__ import annotations

from collections.abc import Iterator

from .evidence import Evidence
from .overlay_text import ProposedAction, json_path, observed
from .record import COUNT, RESPONSES
from .tally import FIRST, LAST


def promoted(evidence: Evidence) -> Iterator[ProposedAction]:
    """Yield the actions that move the operations which succeed under another version only."""
    by_path: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for key, operation_id, path in evidence.promoted():
        old = evidence.document.endpoints[operation_id].place.rpartition("/")[0]
        by_path.setdefault((old, path), []).append((key, operation_id))
    for (old, path), moved in by_path.items():
        item = evidence.document.at(old)
        new = {"parameters": item["parameters"]} if "parameters" in item else {}
        places: dict[str, str] = {}
        times_in_all = 0
        for key, operation_id in moved:
            operation, tally = evidence.document.endpoints[operation_id], evidence.unknown[key]
            times = sum(each[COUNT] for status, each in tally[RESPONSES].items() if status.startswith("2"))
            seen = observed(times, tally[FIRST], tally[LAST])
            method = operation.method.lower()
            new[method] = {**operation.node, "x-observed": seen}
            places[method] = operation.place
            times_in_all += times
        names = ", ".join(operation_id for _, operation_id in moved)
        old_path = evidence.document.endpoints[moved[0][1]].path
        why = f"{path} succeeded {times_in_all} times, and the contract has {old_path}."
        yield ProposedAction(
            "$.paths", f"{names}: the new path. The next action removes the old one.", {path: new}, why
        )
        others = [each for each in evidence.document.endpoints.values() if each.path == old_path]
        stays = len(others) > len(moved)
        for place in places.values() if stays else [old]:
            text = f"{names}: the old path, with the action before."
            yield ProposedAction(json_path(place), text, contradicts=why)
