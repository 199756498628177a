"""A job as a group with a command for each thing that it can be done with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click
from agent_session_platform import Operation

from ..lazy_group import LazyGroup
from ..settings import HINT, global_options

# More names than this would fill a screen.
MOST_NAMES: Final = 8


class TargetGroup(LazyGroup):
    """A group whose commands are made of operations.

    Args:
        find: Returns the operations, by the names of the commands.
        make: Makes the command of a name and its operation.
        options: Returns the options that every command has, for help.
        examples: Lines of the shell, shown at the end of the help.
        settings: What `click.Group` takes.
    """

    noun = "object or list"

    def __init__(
        self,
        *,
        find: Callable[[], Mapping[str, Operation]],
        make: Callable[[str, Operation], click.Command],
        options: Callable[[], Sequence[click.Option]],
        examples: Sequence[str],
        **settings: Any,
    ) -> None:
        super().__init__(summaries={}, params=global_options(hidden=True), options_metavar="", **settings)
        self._find = find
        self._make = make
        self._options = options
        self._examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return [*self._find()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make a command; the name and the operationId of the operation are accepted as well."""
        for name, operation in self._find().items():
            if cmd_name in (name, operation.name, operation.id):
                return self._make(name, operation)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of all commands, the names if they are few, and the examples."""
        records = [each.get_help_record(ctx) for each in self._options()]
        with formatter.section("Options, after the name"):
            formatter.write_dl([each for each in records if each is not None])
        found = self._find()
        if len(found) <= MOST_NAMES:
            with formatter.section("Names"):
                formatter.write_dl([(name, operation.summary) for name, operation in found.items()])
        with formatter.section("Examples"):
            for line in self._examples:
                formatter.write(f"  {line}\n")
        formatter.write(f"\n{HINT}\n")
