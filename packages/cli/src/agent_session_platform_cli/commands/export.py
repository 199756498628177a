"""`asp export`: a group with a command for each list."""

from __future__ import annotations

import click
from agent_session_platform import Operation
from agent_session_platform_jobs import Exported, export

from ..call.request import CallRequest
from ..connect import connect, run
from ..jobs.targets import list_group, source_of
from ..option_types import COUNT, TARGET, extra_query, key_of_items
from ..output import print_value
from ..progress import Bar
from ..settings import Settings


def options() -> list[click.Option]:
    """Return the options of an export."""
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


def describe(operation: Operation) -> str:
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


command = list_group(
    run_export,
    options,
    describe,
    "items.jsonl --state items.state",
    ["FILE"],
    name="export",
    subcommand_metavar="LIST [ID] FILE [OPTIONS]",
    help="Write a list to a file of JSON Lines: whole, or with a state what is new since the last run.\n\nLIST is an "
    "operation: `asp operations list` shows them. Its query parameters are options.",
    examples=(
        "asp export organization.sessions.list sessions.jsonl",
        "asp export organization.audit_logs.list audit.jsonl --order asc --state audit.state --chronological",
    ),
)
