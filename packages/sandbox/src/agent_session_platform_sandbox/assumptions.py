"""Assumptions: the behaviour of the sandbox where the API's description is silent, and the gaps that it leaves open.

The texts are in `assumptions.toml`: under the id of a gap, or under the end of an id, such as `-permission`. So a new
operation of the contract gets its assumptions without further work.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterator, Mapping
from importlib.resources import files
from typing import Final

import attrs
from agent_session_platform import Operation, gaps as all_gaps, operations
from agent_session_platform.contract import load


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

# This sentence is added to an assumption if an Overlay has closed its gap.
OBSERVED: Final = " If this build's contract states what was observed, the sandbox follows the contract."


# The gap whose assumption names the parameters of lists that change nothing.
OF_LISTS: Final = "list-pagination"


def list_assumptions(handled: Container[str], ignored: Mapping[str, list[str]]) -> tuple[Assumption, ...]:
    """Return all assumptions of a sandbox.

    Args:
        handled: The ids of the operations that resources handle.
        ignored: The query parameters of lists that change nothing, by the id of the operation.
    """
    operations_by_gap = dict(operations_with_gaps())
    # If an Overlay has closed a gap, the contract states the fact, and the sandbox follows the contract.
    closed = {gap.id: gap.closed for gap in all_gaps}
    found = [Assumption(gap, **text) for gap, text in WRITTEN["gap"].items() if gap in closed]
    found = [attrs.evolve(each, assumed=each.assumed + OBSERVED) if closed[each.gap] else each for each in found]
    found = [_with_ignored(each, ignored) if each.gap == OF_LISTS else each for each in found]
    decided = {*WRITTEN["gap"], *(each.gap for each in OPEN_GAPS)}
    rest = [gap for gap in closed if not closed[gap] and gap not in decided]
    found += filter(None, (by_ending(gap, operations_by_gap.get(gap), handled) for gap in rest))
    names = {each.gap: f"({operations_by_gap[each.gap].name!r}," for each in found if each.gap in operations_by_gap}
    changes = [each.change.replace("(operation,", names.get(each.gap, "(operation,")) for each in found]
    return tuple(attrs.evolve(each, change=change) for each, change in zip(found, changes, strict=True))


def _with_ignored(assumption: Assumption, ignored: Mapping[str, list[str]]) -> Assumption:
    """Return an assumption that names parameters which change nothing."""
    if not ignored:
        return assumption
    named = "; ".join(f"`{operations[name].name}`: {', '.join(names)}" for name, names in ignored.items())
    return attrs.evolve(assumption, assumed=f"{assumption.assumed} Of this contract these are {named}.")


def list_open_gaps() -> tuple[OpenGap, ...]:
    """Return the open gaps, without those that the contract has closed."""
    gaps = {gap.id for gap in all_gaps if not gap.closed}
    return tuple(each for each in OPEN_GAPS if each.gap in gaps)


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
    for each in WRITTEN["ending"]:
        if each["of"] in kinds and gap.endswith(tuple(each["ends"])):
            change = {"change": each["change"]} if "change" in each else {}
            return Assumption(gap, each["assumed"].format(**facts), **change)
    return None


def operations_with_gaps() -> Iterator[tuple[str, Operation]]:
    """Yield the id of each gap of an operation, with the operation."""
    for endpoint in load().endpoints.values():
        for gap in endpoint.gaps:
            yield gap.id, operations[endpoint.id]
