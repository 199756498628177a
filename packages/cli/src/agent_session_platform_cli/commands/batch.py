"""`asp batch`: an object for each row of a table; and the rows of which nobody knows what the server did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click
from agent_session_platform_jobs import Batch

from ..connect import run
from ..group import LazyGroup
from ..jobs.batch import BatchRequest, row_of, run_batch
from ..lookup import complete_operation
from ..option_types import COUNT, SECONDS, TARGET
from ..output import print_items, print_value
from ..settings import Settings, asp_command, global_options

EXISTING: Final = click.Path(exists=True, dir_okay=False)
EXAMPLES: Final = (
    "asp batch rows.csv --create organization.sessions.create --key id \\",
    "    --argument 'prompt=Fix {what}' --until status=ready --store run.sqlite",
    "asp batch rows.jsonl --create organization.sessions.create --key id --template @template.json",
)


def _operation(name: str, text: str, **settings: Any) -> Callable[[Any], Any]:
    return click.option(name, metavar="OPERATION", shell_complete=complete_operation, help=text, **settings)


@asp_command(examples=EXAMPLES)
@click.argument("rows", type=EXISTING, metavar="ROWS")
@_operation("--create", "Create each object with OPERATION.", required=True)
@click.option("--key", required=True, metavar="COLUMN", help="Recognize a row by its value in COLUMN.")
@click.option("--argument", multiple=True, metavar="NAME=VALUE", help="Pass an argument; {column} is filled in.")
@click.option("--template", metavar="JSON|@FILE", help="Pass these arguments; {column} is filled in.")
@click.option("--until", multiple=True, metavar="NAME=VALUE", help="Wait for each object, as `asp wait` does.")
@click.option("--unexpected", multiple=True, metavar="NAME=VALUE", help="End a wait here too, as `asp wait` does.")
@click.option("--timeout", type=SECONDS, default=3600.0, help="End each wait then; the default is 3600.")
@click.option("--every", type=SECONDS, default=10.0, help="Poll each object this often; the default is 10.")
@click.option("--store", type=TARGET, metavar="FILE", help="Keep the states here; the default is ROWS.sqlite.")
@click.option("--concurrency", type=COUNT, metavar="N", default=20, help="Have N rows in flight; the default is 20.")
@click.option("--find-by", metavar="FIELD", help="Find objects of unknown rows by the key in FIELD.")
@_operation("--release", "Call OPERATION with the id of each settled row.")
@click.option("--id", metavar="FIELD", help="Take FIELD as the id, if the contract has none.")
@click.option("--rows-format", type=click.Choice(["csv", "jsonl"]), help="Read ROWS as this, whatever its name is.")
@click.option("--retry-failed", is_flag=True, help="Send rows again that failed earlier.")
@click.option("--allow-changed", is_flag=True, help="Accept rows that changed since they were sent.")
@click.pass_obj
def rows_command(settings: Settings, /, **given: Any) -> int:
    """Create an object for each row of ROWS: CSV with a header, or JSON Lines.

    Stop it at any moment and run it again: no request is sent twice unless you pass --retry-failed. --argument,
    --until and --unexpected can be repeated; {{ and }} are braces. Exit codes: 7 unknown, 14 failed, 10 to 13 as of
    `asp wait`.
    """
    return run_batch(BatchRequest(**given), settings)


@asp_command(examples=("asp batch unknown --store run.sqlite",))
@click.option("--store", required=True, type=EXISTING, metavar="FILE", help="The states of the rows.")
@click.pass_obj
def unknown(settings: Settings, store: str) -> None:
    """List the rows of which nobody knows whether their request was carried out; none of them is sent again.

    Look for the object of each. If it is there: asp batch assign KEY ID. If not: asp batch forget KEY.
    """
    found = [{**row_of(each), "attempts": each.attempts} for each in run(_stored(store).unknown())]
    print_items(found, settings, ("key", "state", "attempts", "error"))


@asp_command(examples=("asp batch assign row-7 assistant-1 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@click.argument("id", metavar="ID")
@click.option("--store", required=True, type=EXISTING, metavar="FILE", help="The states of the rows.")
@click.pass_obj
def assign(settings: Settings, key: str, id: str, store: str) -> None:
    """Say that the object ID belongs to the unknown row KEY; the next run waits for it."""
    print_value(row_of(run(_stored(store).assign(key, id=id))), settings)


@asp_command(examples=("asp batch forget row-7 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@click.option("--store", required=True, type=EXISTING, metavar="FILE", help="The states of the rows.")
def forget(key: str, store: str) -> None:
    """Forget the row KEY, which has no object, so that the next run sends it."""
    run(_stored(store).forget(key))


def _stored(store: str) -> Batch:
    return Batch(_never_called, store=store)


async def _never_called(**_: Any) -> None:
    raise RuntimeError("a batch of which only the store is used creates nothing")


class BatchGroup(LazyGroup):
    """The subcommands; whatever is none of them is a file with rows."""

    subcommands: Final = {"unknown": unknown, "assign": assign, "forget": forget, "rows": rows_command}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand."""
        return self.subcommands.get(cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take anything but a subcommand, or a question for help, as the arguments of `rows`."""
        if args and args[0] not in (*self.subcommands, *ctx.help_option_names):
            args = ["rows", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the rows, which is what it is for, and then the other subcommands."""
        rows_command.format_usage(ctx, formatter)
        rows_command.format_help_text(ctx, formatter)
        records = [each.get_help_record(ctx) for each in rows_command.params if isinstance(each, click.Option)]
        with formatter.section("Options"):
            formatter.write_dl([each for each in records if each is not None])
        self.format_commands(ctx, formatter)
        rows_command.format_epilog(ctx, formatter)


command = BatchGroup(
    name="batch",
    summaries={
        "unknown": "List the rows of which nobody knows what the server did.",
        "assign": "Say which object belongs to such a row.",
        "forget": "Forget a row that has no object, so that it is sent again.",
    },
    params=global_options(hidden=True),
)
