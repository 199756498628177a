"""`asp export`: a group with a command for each list."""

from __future__ import annotations

import click

from ... import Operation
from ...jobs import Exported, export
from ..call.request import CallRequest
from ..connect import connect, run
from ..jobs.list_source import list_command, source_of
from ..jobs.shared_options import extra_query
from ..jobs.target_group import TargetGroup
from ..jobs.targets import listed
from ..output import print_value
from ..progress import Bar
from ..settings import Settings


def options() -> list[click.Option]:
    """Return the options of an export."""
    state = "Add what is new or changed, and keep here what the export has."
    ordered = "The list grows at its end: read only what is new. Needs --state."
    key = "The field with the id of an item, where the contract has none."
    pages = "The most pages of this run; the next one continues. Needs --state."
    return [
        click.Option(["--state"], metavar="FILE", help=state),
        click.Option(["--chronological"], is_flag=True, help=ordered),
        click.Option(["--key"], metavar="FIELD", help=key),
        click.Option(["--max-pages"], type=click.IntRange(min=1), metavar="N", help=pages),
        extra_query(),
    ]


def run_export(call: CallRequest, settings: Settings) -> None:
    """Export a list, and print what was written.

    Raises:
        AgentPlatformError: A page could not be fetched, or an argument is refused.
    """
    try:
        done = run(_export(call, settings))
    except KeyboardInterrupt:
        left = "the same command continues" if call.given["state"] else "the file is as it was before"
        click.echo(f"asp: the export was stopped; {left}", err=True)
        raise
    print_value(
        {
            "path": str(done.path),
            "written": done.written,
            "lines": done.lines,
            "complete": done.complete,
        },
        settings,
    )


async def _export(call: CallRequest, settings: Settings) -> Exported:
    given = call.given
    async with connect(settings) as platform:
        with Bar(f"pages of {call.operation}", settings, platform.rate_limiter) as bar:
            return await export(
                source_of(call, platform, settings, bar),
                given["file"],
                state=given["state"],
                key=given["key"],
                chronological=given["chronological"],
                max_pages=given["max_pages"],
            )


def command_of(target: str, operation: Operation) -> click.Command:
    """Return the command that exports a list."""
    return list_command(
        operation,
        run_export,
        [click.Argument(["file"], metavar="FILE"), *options()],
        name=target,
        help=f"Write the items of {operation.name} to FILE, as JSON Lines. Without --state it is there when it is "
        "complete; with it the file grows, and continues after a crash.",
        examples=(f"asp export {target} items.jsonl --state items.state",),
    )


command = TargetGroup(
    name="export",
    find=listed,
    make=command_of,
    options=options,
    subcommand_metavar="LIST [ID] FILE [OPTIONS]",
    help="Write a list to a file of JSON Lines: whole, or with a state what is new since the last run.\n\nLIST is an "
    "operation: `asp operations list` shows them. Its query parameters are options.",
    examples=(
        "asp export organization.sessions.list sessions.jsonl",
        "asp export organization.audit_logs.list audit.jsonl --order asc --state audit.state --chronological",
    ),
)
command.noun = "list"
