"""`asp show`: what is known of an operation, and what is not."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ..lookup import names, operation_named
from ..output import print_value
from ..settings import Settings, asp_command
from ..sheet import sheet_of, text_of


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names() if name.startswith(incomplete)]


@asp_command(
    examples=("asp show organization.sessions.create", "asp show list_organization_sessions -o json"),
)
@click.argument("name", metavar="OPERATION", shell_complete=_complete)
@click.pass_obj
def command(settings: Settings, name: str) -> None:
    """Show an operation: parameters, permission, credentials, rules, gaps, examples in Python and in curl."""
    sheet = sheet_of(operation_named(name))
    if settings.output is None or settings.output == "table":
        click.echo(text_of(sheet))
    else:
        print_value(sheet, settings)
