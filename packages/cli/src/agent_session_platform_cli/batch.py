"""`asp batch`: an object for each row of a table; and the rows whose outcome is not known."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, closing
from typing import Any, Final

import click
from agent_session_platform import AgentPlatform, Catalogue, Operation, operations, to_json
from agent_session_platform_jobs import Batch, BatchItem

from .connect import connect, method_of
from .errors import IN_PYTHON, OK, OUTCOME_UNKNOWN, ROWS_FAILED
from .group import LazyGroup
from .jobs import CODES, values_by_field
from .lookup import complete_operation, operation_named
from .option_types import COUNT, TARGET, conditions, option
from .output import open_list, print_items, print_value
from .rows import RowArguments, read_rows
from .settings import Settings, asp_command
from .terminal_text import say, shell_word

# The exit code of each end of a row; the worst comes first.
ENDS: Final = {"unknown": OUTCOME_UNKNOWN, "failed": ROWS_FAILED} | {name: code for name, code in CODES.items() if code}
# Of a table or of CSV; JSON has the object as well.
COLUMNS: Final = ("key", "state", "id", "reason", "error")


def row_of(item: BatchItem) -> dict[str, Any]:
    """Return a row as it is printed."""
    error = item.error.replace(IN_PYTHON, "") if item.error is not None else None
    shown = {name: getattr(item, name) for name in ("key", "state", "id", "reason", "result")}
    return {**shown, "error": error}


def end_of(item: BatchItem) -> str:
    """Return what a row has come to: a state, or why its wait has ended without a match."""
    return item.state if item.state in ENDS or item.reason not in ENDS else item.reason


def exit_code_of(ends: Counter[str]) -> int:
    """Return the exit code of the worst end."""
    return next((code for end, code in ENDS.items() if ends[end]), OK)


def summary_of(ends: Counter[str], store: str) -> list[str]:
    """Return the lines about a run, with what to do.

    Args:
        ends: How many rows have come to what.
        store: The file with their states.
    """
    lines = [f"rows: {', '.join(f'{count} {end}' for end, count in sorted(ends.items()))}; store: {store}"]
    if ends["unknown"]:
        lines.append(f"what the server did is not known: asp batch unknown --store {shell_word(store)}")
    if ends["failed"]:
        lines.append("the failed rows are sent again with --retry-failed")
    if ends["deadline"]:
        lines.append("the same command goes on waiting")
    return lines


async def run_batch(given: Mapping[str, Any], arguments: RowArguments, ends: Counter[str], settings: Settings) -> None:
    """Create an object for each row, print the rows and count their ends.

    Args:
        given: The options, by name.
        arguments: The arguments of the rows, which were checked.
        ends: How many rows have come to what.
        settings: The global options.

    Raises:
        AgentPlatformError: An error that concerns all rows; those in flight have come to their end.
        click.UsageError: An option is wrong; nothing was sent.
        InvalidArgumentError: An argument is wrong; nothing was sent.
    """
    async with connect(settings) as platform:
        create = method_of(platform, arguments.operation)
        operations.check_arguments(create, arguments.template)
        release = method_of(platform, _writer(given["release"], "--release")) if given["release"] else None
        batch = Batch(
            create,
            store=given["store"],
            concurrency=given["concurrency"],
            id=given["id"],
            find=finder(arguments.operation, platform, given["find_by"]) if given["find_by"] else None,
            release=release,
        )
        items = batch.run(
            read_rows(given["rows"], given["rows_format"]),
            key=lambda row: row[1][given["key"]],
            arguments=arguments.of,
            until=values_by_field(given["until"], "--until"),
            unexpected=values_by_field(given["unexpected"], "--unexpected"),
            wait_timeout=given["timeout"],
            **{name: given[name] for name in ("every", "retry_failed", "allow_changed")},
        )
        with closing(open_list(settings, COLUMNS)) as writer:
            async with aclosing(items):
                async for item in items:
                    # The object of a row that has come to another end is looked at first.
                    if release and item.state in ("settled", "releasing") and item.reason in (None, "matched"):
                        item = await batch.release(item)
                    ends[end_of(item)] += 1
                    writer.write([row_of(item)])


def finder(create: Operation, platform: AgentPlatform, field: str) -> Callable[[str], Awaitable[Any]]:
    """Return what looks for the object of a key; it reads the list from its beginning each time.

    Args:
        create: The operation that creates.
        platform: The client.
        field: A field of an item of the list: its value is the key, or an array that has the key.

    Raises:
        click.UsageError: The contract has no list of what is created.
    """
    lists = [each for each in Catalogue() if each.verb == "list" and each.paginated and _are_alike(each, create)]
    if not lists:
        raise click.UsageError(
            f"--find-by cannot be used: the contract has no list of what {create} creates. Leave --find-by out, and "
            "look at `asp batch unknown` after the run"
        )
    method = method_of(platform, lists[0])

    async def find(key: str) -> Any:
        async for item in method():
            value: Any = to_json(item).get(field)
            if key == value or (isinstance(value, list) and key in value):
                return item
        return None

    return find


def _are_alike(one: Operation, other: Operation) -> bool:
    return (one.scope, one.resource) == (other.scope, other.resource)


def _writer(name: str, option: str) -> Operation:
    operation = operation_named(name)
    if operation.method == "GET":
        raise click.UsageError(f"{option} {operation}: it only reads; name an operation that writes")
    return operation


EXISTING: Final = click.Path(exists=True, dir_okay=False)
OPERATION: Final = {"metavar": "OPERATION", "shell_complete": complete_operation}


@asp_command(
    hidden=True,
    params=[
        click.Argument(["rows"], type=EXISTING, metavar="ROWS"),
        option("--create", "Create each object with OPERATION.", required=True, **OPERATION),
        option("--key", "Recognize a row by its COLUMN.", required=True, metavar="COLUMN"),
        option("--argument", "Pass an argument; {column} is filled in.", multiple=True, metavar="NAME=VALUE"),
        option("--template", "Pass these arguments; {column} is filled in.", metavar="JSON|@FILE"),
        *conditions(),
        option("--store", "Keep the states here; the default is ROWS.sqlite.", type=TARGET, metavar="FILE"),
        option("--concurrency", "Have N rows in flight; the default is 20.", type=COUNT, metavar="N", default=20),
        option("--find-by", "Find objects of unknown rows by the key in FIELD.", metavar="FIELD"),
        option("--release", "Call OPERATION with the id of each settled row.", **OPERATION),
        option("--id", "Take FIELD as the id, if the contract has none.", metavar="FIELD"),
        option("--rows-format", "Read ROWS as this, whatever its name is.", type=click.Choice(["csv", "jsonl"])),
        option("--retry-failed", "Send rows again that failed earlier.", is_flag=True),
        option("--allow-changed", "Accept rows that changed since they were sent.", is_flag=True),
    ],
    examples=(
        "asp batch rows.csv --create organization.sessions.create --key id \\",
        "    --argument 'prompt=Fix {what}' --until status=ready --store run.sqlite",
        "asp batch rows.jsonl --create organization.sessions.create --key id --template @template.json",
    ),
)
@click.pass_obj
def rows_command(settings: Settings, /, **given: Any) -> int:
    """Create an object for each row of ROWS: CSV with a header, or JSON Lines.

    Stop it and run it again: nothing is sent twice without --retry-failed. --argument, --until and --unexpected can be
    repeated; {{ is a brace. Exit codes: 7 unknown, 14 failed, 10 to 13 as of `asp wait`.
    """
    create, store = _writer(given["create"], "--create"), given["store"] or f"{given['rows']}.sqlite"
    if given["until"] and not any(each.job == "wait" and _are_alike(each, create) for each in Catalogue()):
        raise click.UsageError(f"--until: what {create} makes cannot be waited for; `asp wait --help` lists what can")
    arguments = RowArguments(create, given["key"], given["template"], given["argument"])
    for row in read_rows(given["rows"], given["rows_format"]):
        arguments.check(row)
    ends = Counter[str]()
    try:
        asyncio.run(run_batch({**given, "store": store}, arguments, ends, settings))
    except KeyboardInterrupt:
        say(f"stopped; the same command continues: {settings.command_line()}")
        raise
    finally:
        for line in summary_of(ends, store) if ends else ():
            say(line)
    if not ends:
        say(f"{given['rows']} has no rows: nothing was sent")
    return exit_code_of(ends)


STORE: Final = click.option("--store", required=True, type=EXISTING, metavar="FILE", help="The states of the rows.")


@asp_command(examples=("asp batch unknown --store run.sqlite",))
@STORE
@click.pass_obj
def unknown(settings: Settings, store: str) -> None:
    """List the rows whose outcome is not known.

    None of them is sent again. Look for the object of each. If it is there: asp batch assign KEY ID. If not: asp batch
    forget KEY.
    """
    found = [{**row_of(each), "attempts": each.attempts} for each in asyncio.run(_stored(store).unknown())]
    print_items(found, settings, ("key", "state", "attempts", "error"))


@asp_command(examples=("asp batch assign row-7 assistant-1 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@click.argument("id", metavar="ID")
@STORE
@click.pass_obj
def assign(settings: Settings, key: str, id: str, store: str) -> None:
    """Say that the object ID is that of the row KEY.

    The next run waits for it.
    """
    print_value(row_of(asyncio.run(_stored(store).assign(key, id=id))), settings)


@asp_command(examples=("asp batch forget row-7 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@STORE
def forget(key: str, store: str) -> None:
    """Forget the row KEY, which has no object.

    The next run sends it.
    """
    asyncio.run(_stored(store).forget(key))


def _stored(store: str) -> Batch:
    return Batch(_never_called, store=store)


async def _never_called() -> None:
    raise NotImplementedError


class BatchGroup(LazyGroup):
    """The subcommands; whatever is none of them is a file with rows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take anything but a subcommand, or a question for help, as the arguments of `rows`."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["rows", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the rows, which is what it is for, and then the other subcommands."""
        rows_command.format_usage(ctx, formatter)
        rows_command.format_help_text(ctx, formatter)
        rows_command.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)
        rows_command.format_epilog(ctx, formatter)


batch_command = BatchGroup(
    name="batch",
    commands={"unknown": unknown, "assign": assign, "forget": forget, "rows": rows_command},
)
