"""`asp batch`: an object for each row of a table; and the rows of which nobody knows what the server did."""

from __future__ import annotations

from typing import Any, Final

import click

from ...jobs import Batch
from ..connect import run
from ..jobs.batch_run import BatchRequest, run_batch
from ..jobs.batch_summary import row_of
from ..jobs.shared_options import SECONDS
from ..lazy_group import LazyGroup
from ..lookup import complete_operation
from ..output import print_items, print_value
from ..settings import Settings, asp_command, global_options

STORE: Final = click.Path(exists=True, dir_okay=False)
EXAMPLES: Final = (
    "asp batch rows.csv --create organization.sessions.create --key id \\",
    "    --argument 'extra_body.prompt=Fix {what}' --until status=ready --store run.sqlite",
    "asp batch rows.jsonl --create organization.sessions.create --key id --template @template.json",
    "asp batch assign row-7 assistant-1 --store run.sqlite",
)


@asp_command(examples=EXAMPLES)
@click.argument("rows", type=click.Path(exists=True, dir_okay=False), metavar="ROWS")
@click.option(
    "--create", required=True, metavar="OPERATION", shell_complete=complete_operation, help="Makes an object."
)
@click.option("--key", required=True, metavar="COLUMN", help="Finds a row again.")
@click.option("--argument", multiple=True, metavar="NAME[.MEMBER]=VALUE", help="With {column} in it  [repeatable]")
@click.option("--template", metavar="JSON|@FILE", help="All arguments, with {column} in texts.")
@click.option("--until", multiple=True, metavar="NAME=VALUE[,VALUE]", help="As of asp wait  [repeatable]")
@click.option("--unexpected", multiple=True, metavar="NAME=VALUE[,VALUE]", help="As of asp wait  [repeatable]")
@click.option("--timeout", type=SECONDS, default=3600.0, help="Of each wait; by default 3600.")
@click.option("--every", type=SECONDS, default=10.0, help="Between two polls; by default 10.")
@click.option("--store", metavar="FILE", help="States; by default in ROWS.sqlite.")
@click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", default=20, help="Rows in flight; by default 20."
)
@click.option(
    "--release", metavar="OPERATION", shell_complete=complete_operation, help="Called with the id when it is settled."
)
@click.option("--id", metavar="FIELD", help="Where the contract shows no id.")
@click.option("--rows-format", type=click.Choice(["csv", "jsonl"]), help="By default by the end of the name.")
@click.option("--retry-failed", is_flag=True, help="Send rows that failed earlier again.")
@click.option("--allow-changed", is_flag=True, help="Rows that were sent may have changed.")
@click.pass_obj
def rows_command(settings: Settings, /, **given: Any) -> int:
    """Create an object for each row of ROWS: CSV with a header, or JSON Lines.

    Kill it at any moment and run it again: no request is sent twice. {column} is a column; {{ and }} are braces.
    Exit codes: 0 all rows settled, 7 some unknown, 14 some failed; as of asp wait for those that ended without a match.
    """
    return run_batch(BatchRequest(**given), settings)


@asp_command(examples=("asp batch unknown --store run.sqlite",))
@click.option("--store", required=True, type=STORE, metavar="FILE", help="The states of the rows.")
@click.pass_obj
def unknown(settings: Settings, store: str) -> None:
    """List the rows of which nobody knows whether their request was carried out; none of them is sent again."""
    found = [{**row_of(each), "attempts": each.attempts} for each in run(_stored(store).unknown())]
    print_items(found, settings, ("key", "state", "attempts", "error"))


@asp_command(examples=("asp batch assign row-7 assistant-1 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@click.argument("id", metavar="ID")
@click.option("--store", required=True, type=STORE, metavar="FILE", help="The states of the rows.")
@click.pass_obj
def assign(settings: Settings, key: str, id: str, store: str) -> None:
    """Say that the object ID belongs to the unknown row KEY; the next run waits for it."""
    print_value(row_of(run(_stored(store).assign(key, id=id))), settings)


@asp_command(examples=("asp batch forget row-7 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@click.option("--store", required=True, type=STORE, metavar="FILE", help="The states of the rows.")
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
