"""What goes for any operation where the description is silent: told by how the id of a gap ends (CONTRIBUTING.md).

So an operation that is new in the contract is not only served, but its assumptions are listed as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from .._api import Operation
from ..catalogue import Catalogue, load_gaps
from ..request.credentials import describe
from .assumptions import Assumption
from .resources import ASSUMPTIONS, HANDLERS
from .undecided import UNDECIDED, Undecided

PATH: Final = re.compile(r"#/paths/(?P<path>[^/]+)/(?P<method>\w+)(?:/.*)?")


def permission(operation: Operation) -> tuple[str, str]:
    """A permission that is not shown."""
    asked = f"any permission will do, at {operation.level or operation.scope} level"
    change = f"sandbox.require({operation.name!r}, permissions={{...}}, level=..., kinds=...) asks for something else."
    return f"Of {describe(operation.credentials)} {asked}.", change


def level(operation: Operation) -> tuple[str, str]:
    """A permission whose level, or the kinds of credential for it, are not shown."""
    asked = f"{operation.permission} at {operation.level or operation.scope} level"
    change = f"sandbox.require({operation.name!r}, level=..., kinds=...) asks for something else."
    return f"{asked}, of {describe(operation.credentials)} and no other kind.", change


def errors(operation: Operation) -> tuple[str, str]:
    """Statuses that are not shown."""
    change = f"sandbox.faults.add({operation.name!r}, status=...) answers with another."
    return "As `error-status-mapping` says, and no other.", change


def place(operation: Operation) -> tuple[str, str]:
    """A path or a method that is not shown."""
    change = f"sandbox.handle({operation.name!r}, function) may refuse it: raise RefusedError(404)."
    return f"It is there: {operation.method} {operation.path}.", change


def parameters(operation: Operation) -> tuple[str, str]:
    """Query parameters that are not shown."""
    change = f"sandbox.accept({operation.name!r}, *names) lets parameters through."
    return "Any that the contract does not have is refused with 422.", change


def request(operation: Operation) -> tuple[str, str]:
    """A body that is not shown, of an operation that no family handles."""
    return "Any object; it is kept as it is.", handled(operation)


def response(operation: Operation) -> tuple[str, str]:
    """An answer that is not shown, of an operation that no family handles."""
    return "200 with what was kept, one thing or all of them; `null` for what is deleted.", handled(operation)


def values(operation: Operation) -> tuple[str, str]:
    """Values of a parameter that are not shown, of an operation that no family handles."""
    return "Any that the contract allows is taken, and changes nothing.", handled(operation)


def handled(operation: Operation) -> str:
    """How to change what an operation does."""
    return f"sandbox.handle({operation.name!r}, function) lets the operation do something else."


ENDINGS: Final[dict[str, Callable[[Operation], tuple[str, str]]]] = {
    "-permission": permission,
    "-level": level,
    "-credential": level,
    "-errors": errors,
    "-error-statuses": errors,
    "-method": place,
    "-path": place,
    "-parameters": parameters,
}
"""What is assumed, and how to change it, by the end of a gap's id."""

GENERIC: Final = {"-request": request, "-response": response, "-values": values, "-filters": values}
"""The same for operations that are left to `generic`."""

FIELD_ENDINGS: Final = ("-values", "-transitions", "-unit", "-type", "-required-fields", "-members")
"""How the ids of gaps end that are about a field."""

FIELD: Final = (
    "What was put in comes back; the sandbox makes up nothing beyond the contract's example.",
    "sandbox.handle(operation, function) lets an operation answer with something else.",
)
"""What is assumed of a field that no family speaks of, and how to change it."""


@cache
def assumptions() -> tuple[Assumption, ...]:
    """All assumptions: the particular ones, and for other gaps the convention.

    What a family assumes of a gap that the contract has closed is left out: it is known now.
    """
    operations = dict(operations_with_gaps())
    gaps = {gap.id for gap in load_gaps()}
    particular = [named(each, operations.get(each.gap)) for each in ASSUMPTIONS if each.gap in gaps]
    decided = {each.gap for each in ASSUMPTIONS} | {each.gap for each in UNDECIDED}
    conventional = [convention(gap, operation) for gap, operation in operations.items() if gap not in decided]
    fields = sorted(each for each in gaps - decided - operations.keys() if each.endswith(FIELD_ENDINGS))
    return (*particular, *filter(None, conventional), *(Assumption(gap, *FIELD) for gap in fields))


def undecided() -> tuple[Undecided, ...]:
    """The gaps that nothing is decided about, without those that the contract has closed."""
    gaps = {gap.id for gap in load_gaps()}
    return tuple(each for each in UNDECIDED if each.gap in gaps)


def convention(gap: str, operation: Operation) -> Assumption | None:
    """What goes for a gap of an operation, None when its id ends like none of those known."""
    endings = ENDINGS if operation.id in HANDLERS else ENDINGS | GENERIC
    return next((Assumption(gap, *tell(operation)) for ending, tell in endings.items() if gap.endswith(ending)), None)


def operations_with_gaps() -> Iterator[tuple[str, Operation]]:
    """The gaps that are about an operation, and it."""
    at = {(operation.path, operation.method.lower()): operation for operation in Catalogue()}
    for gap in load_gaps():
        if match := PATH.fullmatch(gap.place):
            yield gap.id, at[match["path"].replace("~1", "/").replace("~0", "~"), match["method"]]


def named(assumption: Assumption, operation: Operation | None) -> Assumption:
    """The assumption, with the operation's name in its change."""
    if operation is None:
        return assumption
    return replace(assumption, change=assumption.change.replace("(operation,", f"({operation.name!r},"))
