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
from ..credentials import describe
from .assumptions import Assumption
from .families import ASSUMPTIONS
from .undecided import UNDECIDED

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


ENDINGS: Final[dict[str, Callable[[Operation], tuple[str, str]]]] = {
    "-permission": permission,
    "-level": level,
    "-credential": level,
    "-errors": errors,
    "-error-statuses": errors,
    "-method": place,
    "-path": place,
}
"""What is assumed, and how to change it, by the end of a gap's id."""


@cache
def assumptions() -> tuple[Assumption, ...]:
    """All assumptions: the particular ones, and for other gaps of an operation the convention."""
    operations = dict(operations_with_gaps())
    particular = [named(each, operations.get(each.gap)) for each in ASSUMPTIONS]
    decided = {each.gap for each in ASSUMPTIONS} | {each.gap for each in UNDECIDED}
    conventional = [
        Assumption(gap, *told(operation))
        for gap, operation in operations.items()
        for ending, told in ENDINGS.items()
        if gap.endswith(ending) and gap not in decided
    ]
    return (*particular, *conventional)


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
