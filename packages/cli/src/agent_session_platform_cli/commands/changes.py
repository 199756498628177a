"""`asp changes`: a group with a command for each list."""

from __future__ import annotations

import sys
from contextlib import aclosing

import attrs
import click
from agent_session_platform import Operation
from agent_session_platform_jobs import changes

from ..call.request import CallRequest
from ..connect import connect, run
from ..jobs.targets import list_group, source_of
from ..option_types import TARGET, extra_query, key_of_items
from ..output import open_list
from ..progress import Bar
from ..settings import Settings


def options() -> list[click.Option]:
    """Return the options."""
    state = "Keep in FILE what this run has seen, and compare with what the last run saw."
    gone = "Print also what the list does not have any more."
    return [
        click.Option(["--state"], type=TARGET, metavar="FILE", required=True, help=state),
        key_of_items(),
        click.Option(["--gone"], is_flag=True, help=gone),
        extra_query(),
    ]


def describe(operation: Operation) -> str:
    """Return the help of the changes of a list."""
    return (
        f"Print what is new or changed in {operation.name} since the last run with this state, one JSON object a "
        "line: kind (new, changed, gone), key, before, after, fields."
    )


def run_changes(call: CallRequest, settings: Settings) -> None:
    """Print the changes of a list."""
    run(print_changes(call, settings))


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


command = list_group(
    run_changes,
    options,
    describe,
    "--state items.state",
    name="changes",
    subcommand_metavar="LIST [ID] --state FILE [OPTIONS]",
    help="Print what is new or changed in a list since the last run, one JSON object a line.\n\nLIST is an operation: "
    "`asp operations list` shows them. Its query parameters are options.",
    examples=(
        "asp changes organization.sessions.list --state sessions.state",
        "asp changes enterprise.organizations.list --state organizations.state --gone",
    ),
)
