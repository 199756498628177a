"""`asp changes`: a group with a command for each list."""

from __future__ import annotations

import sys
from contextlib import aclosing

import attrs
import click

from ... import Operation
from ...jobs import changes
from ..call.request import CallRequest
from ..connect import connect, run
from ..jobs.list_source import list_command, source_of
from ..jobs.shared_options import extra_query
from ..jobs.target_group import TargetGroup
from ..jobs.targets import listed
from ..output import open_list
from ..progress import Bar
from ..settings import Settings


def options() -> list[click.Option]:
    """Return the options."""
    key = "The field with the id of an item, where the contract has none."
    gone = "Print also what the list does not have any more."
    return [
        click.Option(["--state"], metavar="FILE", required=True, help="What the last run has seen."),
        click.Option(["--key"], metavar="FIELD", help=key),
        click.Option(["--gone"], is_flag=True, help=gone),
        extra_query(),
    ]


async def print_changes(call: CallRequest, settings: Settings) -> None:
    """Print the changes of a list as they are found; one counts as delivered when it was written.

    Raises:
        AgentPlatformError: A page could not be fetched, or an argument is refused.
    """
    given = call.given
    writer = open_list(attrs.evolve(settings, output=settings.output or "jsonl"))
    async with connect(settings) as platform:
        with Bar(f"pages of {call.operation}", settings, platform.rate_limiter) as bar:
            source = source_of(call, platform, settings, bar)
            try:
                async with aclosing(
                    changes(source, state=given["state"], key=given["key"], gone=given["gone"])
                ) as found:
                    async for change in found:
                        with bar.hidden():
                            writer.write([attrs.asdict(change)])
                            sys.stdout.flush()
            finally:
                writer.close()


def command_of(target: str, operation: Operation) -> click.Command:
    """Return the command that prints the changes of a list."""
    return list_command(
        operation,
        lambda call, settings: run(print_changes(call, settings)),
        options(),
        name=target,
        help=f"Print what is new or changed in {operation.name} since the last run with this state, one JSON object a "
        "line: kind (new, changed, gone), key, before, after, fields.",
        examples=(f"asp changes {target} --state items.state",),
    )


command = TargetGroup(
    name="changes",
    find=listed,
    make=command_of,
    options=options,
    subcommand_metavar="LIST [ID] --state FILE [OPTIONS]",
    help="Print what is new or changed in a list since the last run, one JSON object a line.\n\nLIST is an operation: "
    "`asp operations list` shows them. Its query parameters are options.",
    examples=(
        "asp changes organization.sessions.list --state sessions.state",
        "asp changes enterprise.organizations.list --state organizations.state --gone",
    ),
)
command.noun = "list"
