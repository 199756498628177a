"""The results: operations that a program calls, each with its place, and places that cannot be decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs
from agent_session_platform import RequiredPermissions, operations


@attrs.frozen(order=True)
class OperationUse:
    """A place where a program names an operation.

    Attributes:
        file: The file; `<source>` for source code without one.
        line: The line, from 1.
        column: The column, from 1.
        operation: Name of the operation.
        optional: Whether it is called where the credential may, and not missed: the list that many waits share.
    """

    file: str
    line: int
    column: int
    operation: str
    optional: bool = False

    def __str__(self) -> str:
        mark = " (optional)" if self.optional else ""
        return f"{self.file}:{self.line}:{self.column}: {self.operation}{mark}"


@attrs.frozen(order=True)
class Undecided:
    """A place where a program may call operations, and reading it does not show which.

    Attributes:
        file: The file; `<source>` for source code without one.
        line: The line, from 1.
        column: The column, from 1.
        reason: The reason why it is not decided.
        candidates: Names of the operations that it may be, as far as they are known.
    """

    file: str
    line: int
    column: int
    reason: str
    candidates: tuple[str, ...] = ()

    def __str__(self) -> str:
        either = f"; it may be {' or '.join(self.candidates)}" if self.candidates else ""
        return f"{self.file}:{self.line}:{self.column}: {self.reason}{either}"


@attrs.frozen
class ProgramUse:
    """The operations that a program calls.

    Attributes:
        files: The files that were read.
        uses: The places where it names an operation, in order.
        undecided: The places that reading does not decide, in order. The permissions of these are not in `permissions`.
    """

    files: tuple[str, ...]
    uses: tuple[OperationUse, ...]
    undecided: tuple[Undecided, ...]

    @property
    def permissions(self) -> RequiredPermissions:
        """The permissions that the operations of `uses` require."""
        required, optional = (
            [operations[each.operation] for each in self.uses if each.optional is wanted] for wanted in (False, True)
        )
        return RequiredPermissions(required, optional=(each for each in optional if each not in required))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        return {
            "files": [*self.files],
            "uses": [attrs.asdict(each) for each in self.uses],
            "permissions": self.permissions.to_dict(),
            "undecided": [attrs.asdict(each) for each in self.undecided],
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _section("Operations", self.uses)
        yield str(self.permissions)
        yield from _section("Undecided", self.undecided)


def _section(title: str, found: Iterable[object]) -> Iterator[str]:
    yield f"{title}:"
    yield from [f"  {each}" for each in found] or ["  none"]
