"""A group of commands that are made when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from .suggestions import nearest


class LazyGroup(click.Group):
    """A group whose commands are made when they are needed.

    Args:
        summaries: What help says of each command, by its name.
        settings: What `click.Group` takes.
    """

    # What one of them is called, for the message about an unknown one.
    noun = "command"

    def __init__(self, *, summaries: Mapping[str, str], **settings: Any) -> None:
        settings.setdefault("context_settings", {"help_option_names": ["-h", "--help"], "max_content_width": 100})
        super().__init__(**settings)
        self._summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return [*self._summaries]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, for which nothing is imported."""
        with formatter.section("Commands"):
            formatter.write_dl([*self._summaries.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown one name the nearest."""
        name = args[0]
        found = self.get_command(ctx, name)
        if found is None and not ctx.resilient_parsing and not name.startswith("-"):
            raise click.UsageError(
                f"there is no {self.noun} {name[:80]!r}{nearest(name, self.list_commands(ctx))}", ctx
            )
        return (name, found, args[1:]) if found else super().resolve_command(ctx, args)
