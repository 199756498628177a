"""`asp export` and `asp changes`: a command for each list, into a file or as what has changed since the last run."""

from __future__ import annotations

import sys
from contextlib import aclosing

import attrs
import click
from agent_session_platform import Operation
from agent_session_platform_jobs import Exported, changes, export

from ..call.request import CallRequest
from ..connect import connect, run
from ..option_types import COUNT, TARGET, extra_query, key_of_items
from ..output import open_list, print_value
from ..progress import Bar
from ..settings import Settings
from .targets import list_group, source_of


def export_options() -> list[click.Option]:
    """Return the export_options of an export."""
    texts = {
        "state": "Add to FILE what is new or changed, and keep in this file what FILE has.",
        "chronological": "Read only what is new, of a list that grows at its end. Needs --state.",
        "max_pages": "Read at most N pages; the next run continues. Needs --state.",
    }
    return [
        click.Option(["--state"], type=TARGET, metavar="FILE", help=texts["state"]),
        click.Option(["--chronological"], is_flag=True, help=texts["chronological"]),
        key_of_items(),
        click.Option(["--max-pages"], type=COUNT, metavar="N", help=texts["max_pages"]),
        extra_query(),
    ]


def describe_export(operation: Operation) -> str:
    """Return the help of the export of a list."""
    return (
        f"Write the items of {operation.name} to FILE, as JSON Lines. Without --state, FILE is written when the list "
        "is complete; with it FILE grows, and continues after a crash."
    )


def run_export(call: CallRequest, settings: Settings) -> None:
    """Export a list, and print what was written.

    Raises:
        AgentPlatformError: A page could not be fetched, or an argument is refused.
    """
    try:
        done = run(_export(call, settings))
    except KeyboardInterrupt:
        left = "the same export_command continues" if call.given["state"] else "the file is as it was before"
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


export_command = list_group(
    run_export,
    export_options,
    describe_export,
    "items.jsonl --state items.state",
    ["FILE"],
    name="export",
    subcommand_metavar="LIST [ID] FILE [OPTIONS]",
    help="Write a list to a file of JSON Lines: whole, or with a state what is new since the last run.\n\nLIST is an "
    "operation: `asp operations list` shows them. Its query parameters are export_options.",
    examples=(
        "asp export organization.sessions.list sessions.jsonl",
        "asp export organization.audit_logs.list audit.jsonl --order asc --state audit.state --chronological",
    ),
)


def changes_options() -> list[click.Option]:
    """Return the changes_options."""
    state = "Keep in FILE what this run has seen, and compare with what the last run saw."
    gone = "Print also what the list does not have any more."
    return [
        click.Option(["--state"], type=TARGET, metavar="FILE", required=True, help=state),
        key_of_items(),
        click.Option(["--gone"], is_flag=True, help=gone),
        extra_query(),
    ]


def describe_changes(operation: Operation) -> str:
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


changes_command = list_group(
    run_changes,
    changes_options,
    describe_changes,
    "--state items.state",
    name="changes",
    subcommand_metavar="LIST [ID] --state FILE [OPTIONS]",
    help="Print what is new or changed in a list since the last run, one JSON object a line.\n\nLIST is an operation: "
    "`asp operations list` shows them. Its query parameters are changes_options.",
    examples=(
        "asp changes organization.sessions.list --state sessions.state",
        "asp changes enterprise.organizations.list --state organizations.state --gone",
    ),
)
