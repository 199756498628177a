"""Assumptions that follow from the end of a gap's id, such as `-permission` (see CONTRIBUTING.md).

They list the assumptions about an operation that is new in the contract without further code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator
from typing import Final

import attrs
from agent_session_platform import Catalogue, Operation
from agent_session_platform import gaps as all_gaps
from agent_session_platform.request.credentials import describe_kinds

from .assumption import Assumption
from .open_gap import OPEN_GAPS

PATH: Final = re.compile(r"#/paths/(?P<path>[^/]+)/(?P<method>\w+)(?:/.*)?")

# What is assumed about an operation, and how to change it; the names in braces are those of `by_convention`.
Convention = tuple[str, str]
LEVEL: Final[Convention] = (
    "{permission} at {level} level, of {credentials} and no other kind.",
    "sandbox.require({name!r}, level=..., kinds=...) requires something else.",
)
ERRORS: Final[Convention] = (
    "As `error-status-mapping` says, and no other.",
    "sandbox.faults.add({name!r}, status=...) responds with another.",
)
PLACE: Final[Convention] = (
    "The operation exists: {method} {path}.",
    "sandbox.handle({name!r}, function) may refuse it: raise RefusedError(404).",
)
HANDLE_IT: Final = "sandbox.handle({name!r}, function) lets the operation do something else."
UNUSED_VALUES: Final[Convention] = ("Any value that the contract allows is accepted, and changes nothing.", HANDLE_IT)

# By the end of the gap's id.
CONVENTIONS: Final[dict[str, Convention]] = {
    "-permission": (
        "Any permission of {credentials} is enough, at {level} level.",
        "sandbox.require({name!r}, permissions={{...}}, level=..., kinds=...) requires something else.",
    ),
    "-level": LEVEL,
    "-credential": LEVEL,
    "-errors": ERRORS,
    "-error-statuses": ERRORS,
    "-method": PLACE,
    "-path": PLACE,
    "-parameters": (
        "Parameters that the contract does not have are refused with 422.",
        "sandbox.accept({name!r}, *names) accepts more parameters.",
    ),
}
# For operations that no resource handles.
GENERIC_CONVENTIONS: Final[dict[str, Convention]] = {
    "-request": ("Any object; it is kept as it is.", HANDLE_IT),
    "-response": ("200 with what was kept, one record or all of them; `null` after a deletion.", HANDLE_IT),
    "-values": UNUSED_VALUES,
    "-filters": UNUSED_VALUES,
}

# What is said about an assumption whose gap an Overlay has closed.
OBSERVED: Final = " What this build's contract states, as it was observed, comes first."

# The ends of the ids of gaps about a field.
FIELD_ENDINGS: Final = ("-values", "-transitions", "-unit", "-type", "-required-fields", "-members")
FIELD_ASSUMPTION: Final = (
    "A value that was added is returned; the sandbox invents nothing beyond the contract's example.",
    "sandbox.handle(operation, function) lets an operation respond with something else.",
)


def list_assumptions(particular: Collection[Assumption], handled: Container[str]) -> tuple[Assumption, ...]:
    """Return all assumptions of a sandbox.

    Args:
        particular: The assumptions about resources and the API as a whole. Those about gaps that the contract has
            closed are left out.
        handled: The ids of the operations that resources handle.
    """
    operations = dict(operations_with_gaps())
    gaps = {gap.id for gap in all_gaps}
    # Where an Overlay has closed a gap, the contract has the fact, which the sandbox follows by itself.
    closed = {gap.id for gap in all_gaps if gap.closed}
    decided = {each.gap for each in particular} | {each.gap for each in OPEN_GAPS} | closed
    known = [_with_operation(each, operations.get(each.gap)) for each in particular if each.gap in gaps]
    known = [attrs.evolve(each, assumed=each.assumed + OBSERVED) if each.gap in closed else each for each in known]
    conventional = [by_convention(gap, each, handled) for gap, each in operations.items() if gap not in decided]
    fields = sorted(each for each in gaps - decided - operations.keys() if each.endswith(FIELD_ENDINGS))
    return (*known, *filter(None, conventional), *(Assumption(gap, *FIELD_ASSUMPTION) for gap in fields))


def by_convention(gap: str, operation: Operation, handled: Container[str]) -> Assumption | None:
    """Return the assumption about a gap of an operation, or None if no convention covers it."""
    conventions = CONVENTIONS if operation.id in handled else CONVENTIONS | GENERIC_CONVENTIONS
    words = {
        "name": operation.name,
        "method": operation.method,
        "path": operation.path,
        "permission": operation.permission,
        "level": operation.level or operation.scope,
        "credentials": describe_kinds(operation.credentials),
    }
    found = (convention for ending, convention in conventions.items() if gap.endswith(ending))
    return next((Assumption(gap, *(text.format(**words) for text in convention)) for convention in found), None)


def operations_with_gaps() -> Iterator[tuple[str, Operation]]:
    """Yield the ids of gaps that are about an operation, with the operation."""
    by_place = {(operation.path, operation.method.lower()): operation for operation in Catalogue()}
    for gap in all_gaps:
        if match := PATH.fullmatch(gap.place):
            yield gap.id, by_place[match["path"].replace("~1", "/").replace("~0", "~"), match["method"]]


def _with_operation(assumption: Assumption, operation: Operation | None) -> Assumption:
    if operation is None:
        return assumption
    change = assumption.change.replace("(operation,", f"({operation.name!r},")
    return attrs.evolve(assumption, change=change)
