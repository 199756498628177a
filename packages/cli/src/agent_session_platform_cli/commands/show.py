"""`asp show`: what is known of an operation, and what is not."""

from __future__ import annotations

import click

from ..lookup import complete_operation, operation_named
from ..output import print_value
from ..settings import Settings, asp_command
from ..sheet import sheet_of, text_of


@asp_command(
    examples=("asp show organization.sessions.create", "asp show list_organization_sessions -o json"),
)
@click.argument("name", metavar="OPERATION", shell_complete=complete_operation)
@click.pass_obj
def command(settings: Settings, name: str) -> None:
    """Show an operation: parameters, permission, credentials, rules, gaps, examples in Python and in curl."""
    sheet = sheet_of(operation_named(name))
    if settings.output is None or settings.output == "table":
        click.echo(text_of(sheet))
    else:
        print_value(sheet, settings)
