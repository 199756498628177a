"""Assumptions that follow from the end of a gap's id, such as `-permission` (CONTRIBUTING.md).

So the assumptions about an operation that is new in the contract are listed without any code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterator
from typing import Final

import attrs

from ..._api import Operation
from ...catalogue import Catalogue, load_gaps
from ...request.credentials import describe
from .assumption import Assumption
from .open_gap import OPEN_GAPS

PATH: Final = re.compile(r"#/paths/(?P<path>[^/]+)/(?P<method>\w+)(?:/.*)?")

# Returns what is assumed about an operation, and how to change it.
Convention = Callable[[Operation], tuple[str, str]]


def _permission(operation: Operation) -> tuple[str, str]:
    level = operation.level or operation.scope
    change = f"sandbox.require({operation.name!r}, permissions={{...}}, level=..., kinds=...) requires something else."
    return f"Any permission of {describe(operation.credentials)} is enough, at {level} level.", change


def _level(operation: Operation) -> tuple[str, str]:
    level = operation.level or operation.scope
    change = f"sandbox.require({operation.name!r}, level=..., kinds=...) requires something else."
    return f"{operation.permission} at {level} level, of {describe(operation.credentials)} and no other kind.", change


def _errors(operation: Operation) -> tuple[str, str]:
    change = f"sandbox.faults.add({operation.name!r}, status=...) responds with another."
    return "As `error-status-mapping` says, and no other.", change


def _place(operation: Operation) -> tuple[str, str]:
    change = f"sandbox.handle({operation.name!r}, function) may refuse it: raise RefusedError(404)."
    return f"The operation exists: {operation.method} {operation.path}.", change


def _parameters(operation: Operation) -> tuple[str, str]:
    change = f"sandbox.accept({operation.name!r}, *names) accepts more parameters."
    return "Parameters that the contract does not have are refused with 422.", change


def _generic(assumed: str) -> Convention:
    """Return the convention of operations that no resource handles."""
    change = "sandbox.handle({!r}, function) lets the operation do something else."
    return lambda operation: (assumed, change.format(operation.name))


# By the end of the gap's id.
CONVENTIONS: Final[dict[str, Convention]] = {
    "-permission": _permission,
    "-level": _level,
    "-credential": _level,
    "-errors": _errors,
    "-error-statuses": _errors,
    "-method": _place,
    "-path": _place,
    "-parameters": _parameters,
}
UNUSED_VALUES: Final = _generic("Any value that the contract allows is accepted, and changes nothing.")
GENERIC_CONVENTIONS: Final[dict[str, Convention]] = {
    "-request": _generic("Any object; it is kept as it is."),
    "-response": _generic("200 with what was kept, one record or all of them; `null` after a deletion."),
    "-values": UNUSED_VALUES,
    "-filters": UNUSED_VALUES,
}

# Gaps about a field have ids that end so.
FIELD_ENDINGS: Final = ("-values", "-transitions", "-unit", "-type", "-required-fields", "-members")
FIELD_ASSUMPTION: Final = (
    "A value that was added is returned; the sandbox invents nothing beyond the contract's example.",
    "sandbox.handle(operation, function) lets an operation respond with something else.",
)


def assumptions(particular: Collection[Assumption], handled: Container[str]) -> tuple[Assumption, ...]:
    """Return all assumptions of a sandbox.

    Args:
        particular: The assumptions about resources and the API as a whole. Those about gaps that the contract has
            closed are left out.
        handled: The ids of the operations that resources handle.
    """
    operations = dict(operations_with_gaps())
    gaps = {gap.id for gap in load_gaps()}
    decided = {each.gap for each in particular} | {each.gap for each in OPEN_GAPS}
    known = [_with_operation(each, operations.get(each.gap)) for each in particular if each.gap in gaps]
    conventional = [by_convention(gap, each, handled) for gap, each in operations.items() if gap not in decided]
    fields = sorted(each for each in gaps - decided - operations.keys() if each.endswith(FIELD_ENDINGS))
    return (*known, *filter(None, conventional), *(Assumption(gap, *FIELD_ASSUMPTION) for gap in fields))


def by_convention(gap: str, operation: Operation, handled: Container[str]) -> Assumption | None:
    """Return the assumption about a gap of an operation, or None if no convention covers it."""
    conventions = CONVENTIONS if operation.id in handled else CONVENTIONS | GENERIC_CONVENTIONS
    found = (Assumption(gap, *assume(operation)) for ending, assume in conventions.items() if gap.endswith(ending))
    return next(found, None)


def operations_with_gaps() -> Iterator[tuple[str, Operation]]:
    """Yield the ids of gaps that are about an operation, with the operation."""
    by_place = {(operation.path, operation.method.lower()): operation for operation in Catalogue()}
    for gap in load_gaps():
        if match := PATH.fullmatch(gap.place):
            yield gap.id, by_place[match["path"].replace("~1", "/").replace("~0", "~"), match["method"]]


def _with_operation(assumption: Assumption, operation: Operation | None) -> Assumption:
    if operation is None:
        return assumption
    change = assumption.change.replace("(operation,", f"({operation.name!r},")
    return attrs.evolve(assumption, change=change)
