"""The program as a whole: its functions, classes and modules, and what was found in it so far."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import attrs

from .names import FunctionNode, Names
from .sources import Source
from .uses import OperationUse, Undecided
from .values import File, Maker, Simple, Value, Values

# The fixtures of `agent_session_platform_sandbox.pytest_plugin`.
FIXTURES: dict[str, Value] = {
    "agent_platform": Simple.PLATFORM,
    "agent_platform_factory": Maker(Simple.PLATFORM),
    "agent_platform_sandbox": Simple.SANDBOX,
}


@attrs.define(eq=False)
class FunctionInfo:
    """A function: its names, the class that it is a method of, its decorators, and what it returns or yields.

    `annotated` has the parameters whose annotations show what they are, and `return`.
    """

    node: FunctionNode
    names: Names
    of_class: int | None
    decorators: frozenset[str]
    has_result: bool
    annotated: set[str] = attrs.field(factory=lambda: set[str]())
    returned: set[Value] = attrs.field(factory=lambda: set[Value]())


@attrs.define(eq=False)
class ClassInfo:
    """A class: its names, its bases, its annotated fields, and the attributes that are set on its instances.

    A field is True if its annotation shows what it is; `heirs` are the numbers of the classes that it is a base of.
    """

    names: Names
    fields: dict[str, bool] = attrs.field(factory=lambda: dict[str, bool]())
    heirs: set[int] = attrs.field(factory=lambda: set[int]())
    bases: set[Value] = attrs.field(factory=lambda: set[Value]())
    attributes: dict[str, set[Value]] = attrs.field(factory=lambda: dict[str, set[Value]]())


class Program:
    """All files, read together again and again until nothing new is found.

    Attributes:
        strict: Whether what is still without a value is taken for unknown.
        reporting: Whether places are reported; the values are complete then.
        changed: Whether a value was added since this was set to False.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        self.sources = list(sources)
        self.functions: list[FunctionInfo] = []
        self.classes: list[ClassInfo] = []
        self.modules: dict[Source, Names] = {}
        self.fixtures: dict[str, set[int]] = {}
        self.uses: set[OperationUse] = set()
        self.undecided: set[Undecided] = set()
        self.strict = self.reporting = self.changed = False

    def add(self, known: set[Value], values: Values) -> None:
        """Add values to those that are known."""
        self.changed |= not values <= known
        known.update(values)

    def name(self, names: Names, name: str, values: Values) -> None:
        """Add what a name may stand for."""
        self.changed |= names.add(name, values)

    def named(self, file: File) -> list[Names]:
        """Return the names of the modules of a file."""
        return [names for source, names in self.modules.items() if source.name == file.name]

    def find_module(self, parts: tuple[str, ...], *, exact: bool = False) -> list[Source]:
        """Return the files that a module may be.

        Args:
            parts: The parts of its name; if it is *exact*, of its path.
            exact: Whether the path must be the whole one.
        """
        if not parts:
            return []
        return [each for each in self.sources if (each.module if exact else each.module[-len(parts) :]) == parts]

    def found(
        self, source: Source, line: int, column: int, operations: Iterable[str], *, optional: bool = False
    ) -> None:
        """Report operations; *column* counts the bytes before it, as those of syntax trees do."""
        if self.reporting:
            place = _place(source, line, column)
            self.uses.update(OperationUse(source.name, *place, operation, optional) for operation in operations)

    def undecide(self, source: Source, node: ast.AST, reason: str, candidates: Iterable[str] = ()) -> None:
        """Report a place that cannot be decided."""
        if self.reporting:
            place = _place(source, getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
            self.undecided.add(Undecided(source.name, *place, reason, tuple(candidates)))


def _place(source: Source, line: int, column: int) -> tuple[int, int]:
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    return line, len(text.encode()[:column].decode(errors="replace")) + 1
