"""Assumptions: the behaviour of the sandbox where the API's description is silent, and the gaps that it leaves open.

The texts are in `assumptions.toml`: under the id of a gap, or under the end of an id, such as `-permission`. So a new
operation of the contract gets its assumptions without further work.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Final

import attrs
from agent_session_platform import Gap, Operation, operations
from agent_session_platform.contract import load

from .lists import Selection


@attrs.frozen
class Assumption:
    """A behaviour that the sandbox assumes, because the API's description does not show it.

    Attributes:
        gap: Id of the gap in the description.
        assumed: What the sandbox does.
        change: How to change the behaviour. In `sandbox.assumptions`, the name of the operation replaces `operation`.
    """

    gap: str
    assumed: str
    change: str = "sandbox.handle(operation, function) lets the operation do something else."


@attrs.frozen
class OpenGap:
    """A gap of the description that the sandbox leaves open.

    Attributes:
        gap: Id of the gap.
        why: Why nothing is assumed.
    """

    gap: str
    why: str


WRITTEN: Final = tomllib.loads(files(__package__ or "").joinpath("assumptions.toml").read_text(encoding="utf-8"))
OPEN_GAPS: Final = tuple(OpenGap(gap, each["why"]) for each in WRITTEN["open"] for gap in each["gaps"])

# The gap whose assumption names the parameters of lists about which no rule is stated.
OF_LISTS: Final = "list-pagination"


def list_assumptions(
    gaps: Iterable[Gap], handled: Container[str], selections: Mapping[str, Selection]
) -> tuple[Assumption, ...]:
    """Return all assumptions of a sandbox. A gap that an Overlay has closed needs none: the contract states the fact.

    Args:
        gaps: The gaps of the contract.
        handled: The ids of the operations that resources handle.
        selections: What the parameters of lists do, by the id of the operation.
    """
    operations_by_gap = dict(operations_with_gaps())
    left_open = {each.gap for each in OPEN_GAPS}
    found: list[Assumption] = []
    # Those that are written for one gap come first, in their order.
    order = list(WRITTEN["gap"])
    for gap in sorted(gaps, key=lambda gap: order.index(gap.id) if gap.id in order else len(order)):
        operation = operations_by_gap.get(gap.id)
        assumption = None
        if gap.id in WRITTEN["gap"]:
            assumption = Assumption(gap.id, **WRITTEN["gap"][gap.id])
        elif gap.id not in left_open:
            assumption = by_ending(gap.id, operation, handled)
        if gap.id == OF_LISTS and assumption is not None:
            # Which parameters select items stays an assumption, even if it is known which lists have pages.
            paging = "" if gap.closed else assumption.assumed
            assumption = attrs.evolve(assumption, assumed=f"{paging} {_in_words(selections)}".strip())
        elif gap.closed or assumption is None:
            continue
        if operation is not None:
            change = assumption.change.replace("(operation,", f"({operation.name!r},")
            assumption = attrs.evolve(assumption, change=change)
        found.append(assumption)
    return tuple(found)


def _in_words(selections: Mapping[str, Selection]) -> str:
    """Return what the parameters of lists do."""
    filters: list[str] = []
    ignored: list[str] = []
    for operation_id, selection in selections.items():
        name = operations[operation_id].name if operation_id in operations else operation_id
        if selection.filters:
            filters.append(f"`{name}`: {', '.join(selection.filters)}")
        if selection.ignored:
            ignored.append(f"`{name}`: {', '.join(selection.ignored)}")
    words = ""
    if filters:
        words = f"These select items by a member of their name: {'; '.join(filters)}."
    if ignored:
        words = f"{words} These change nothing: {'; '.join(ignored)}."
    return words.strip()


def list_open_gaps(gaps: Iterable[Gap]) -> tuple[OpenGap, ...]:
    """Return the gaps about which nothing is assumed, without those that the contract has closed."""
    still_open = {gap.id for gap in gaps if not gap.closed}
    return tuple(each for each in OPEN_GAPS if each.gap in still_open)


def by_ending(gap: str, operation: Operation | None, handled: Container[str]) -> Assumption | None:
    """Return the assumption for a gap whose id has a known end; None for any other gap."""
    kinds, facts = ["field"], dict[str, str]()
    if operation is not None:
        kinds = ["operation"] if operation.id in handled else ["operation", "generic operation"]
        facts = {
            "place": f"{operation.method} {operation.path}",
            "permission": str(operation.permission),
            "level": operation.level or operation.scope,
            "credentials": " or ".join(f"a {kind} credential" for kind in operation.credentials),
        }
    for ending in WRITTEN["ending"]:
        if ending["of"] in kinds and gap.endswith(tuple(ending["ends"])):
            texts = {name: ending[name] for name in ("change",) if name in ending}
            return Assumption(gap, ending["assumed"].format(**facts), **texts)
    return None


def operations_with_gaps() -> Iterator[tuple[str, Operation]]:
    """Yield the id of each gap of an operation, with the operation."""
    for endpoint in load().endpoints.values():
        for gap in endpoint.gaps:
            yield gap.id, operations[endpoint.id]
