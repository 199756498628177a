"""`asp call`: a group with a command for each operation of the catalogue."""

from __future__ import annotations

import click
from agent_session_platform import Catalogue

from ..call.command import command_of
from ..group import LazyGroup
from ..lookup import names
from ..settings import global_options


class Operations(LazyGroup):
    """The operations of the catalogue as commands."""

    noun = "operation"

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all operations."""
        return names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of an operation; its operationId is accepted as well."""
        catalogue = Catalogue()
        return command_of(catalogue[cmd_name]) if cmd_name in catalogue else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of all operations, and examples instead of names that would fill screens."""
        with formatter.section("Options of every operation, after its name"):
            formatter.write_dl(
                [
                    ("--extra-query NAME=VALUE", "Send a query parameter that the contract does not name."),
                    ("--timeout SECONDS", "End an attempt after this time without a byte."),
                    ("--attempts N", "Make at most N attempts; the default is 5."),
                    ("--columns A,B.C", "Show these columns only; B.C is a member of B."),
                    ("--limit N, --after CURSOR", "Of a list: print at most N items, from CURSOR on."),
                    ("--body JSON|@FILE|-", "Of a write: send this body: JSON, a file with it, or - for stdin."),
                    ("--extra NAME=TEXT", "Of a write: send this member of the body too; NAME:=JSON sends JSON."),
                    ("--save FILE", "Of a download: write it to FILE."),
                ]
            )
        with formatter.section("Examples"):
            for line in (
                "asp operations sessions                              # which operations are there?",
                "asp call organization.sessions.list --help           # what does one take?",
                "asp call organization.sessions.list --limit 1000 -o csv > sessions.csv",
                "asp call organization.sessions.create --extra prompt='Fix the flaky test'",
            ):
                formatter.write(f"  {line}\n")


command = Operations(
    name="call",
    summaries={},
    params=global_options(hidden=True),
    subcommand_metavar="OPERATION [ARGUMENTS] [OPTIONS]",
    help="Call an operation of the API, such as organization.sessions.list. Path parameters are arguments, everything "
    "else is an option. A list is printed as it comes.",
)
