"""The operations that a program calls, found by reading it: nothing of it is imported or run.

The values of all expressions are followed, as far as they lead to an operation: through variables, attributes,
parameters, returned values and containers. This is repeated until nothing new is found. Then each place where a method
of the facade is named is a use, and each place that stays open is undecided.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from agent_session_platform import InvalidArgumentError

from .names import Names, bound_names
from .program import Program
from .sources import read_sources
from .statements import Statements
from .uses import OperationUse, ProgramUse, Undecided

__all__ = ("OperationUse", "ProgramUse", "Undecided", "read_program")


def read_program(*programs: str | os.PathLike[str]) -> ProgramUse:
    """Find the operations that a program calls, by reading it. Nothing of it is imported or run.

    Args:
        programs: Files; folders, with all Python files below them but those of environments and hidden folders; or
            source code, which is a string with a line break.

    Returns:
        Each place where the program names an operation, and each place where it may and reading does not decide it.

    Raises:
        InvalidArgumentError: There is no such file, or it is not Python; the message names the file and the line.

    Example:
        use = read_program("service.py", "jobs/")
        print(use.permissions.organization)
        print(use)  # every place, and the permissions by level
    """
    program = Program(read_sources(programs))
    for source in program.sources:
        program.modules[source] = Names(bound_names(source.tree.body))
    readers = [Statements(program, each) for each in program.sources]
    for program.strict in (False, True):
        program.changed = True
        while program.changed:
            program.changed = False
            _read(readers)
    program.reporting = True
    _read(readers)
    files = tuple(each.name for each in program.sources)
    return ProgramUse(files, tuple(sorted(program.uses)), tuple(sorted(program.undecided)))


def _read(readers: Iterable[Statements]) -> None:
    for each in readers:
        try:
            each.read()
        except RecursionError:
            raise InvalidArgumentError(f"{each.source.name}: it is nested too deeply to be read") from None
