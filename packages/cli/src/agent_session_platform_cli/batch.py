"""`asp batch`: an object for each row of a table; and the rows whose outcome is not known."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, closing
from typing import Any, Final

import click
from agent_session_platform import AgentPlatform, Operation, operations, to_json
from agent_session_platform_jobs import Batch, BatchItem

from .connect import connect, method_of
from .errors import IN_PYTHON, ExitCode
from .group import LazyGroup
from .jobs import values_by_field
from .lookup import complete_operation, operation_named
from .output import open_list, print_items, print_value
from .rows import RowArguments, read_rows
from .settings import COUNT, TARGET, Settings, asp_command, conditions, option
from .terminal_text import say, shell_word

# The exit code of each end of a row; the worst comes first.
ENDS: Final = {"unknown": ExitCode.OUTCOME_UNKNOWN, "failed": ExitCode.ROWS_FAILED} | {
    code.phrase: code for code in (ExitCode.DEADLINE, ExitCode.UNEXPECTED, ExitCode.GONE, ExitCode.STALLED)
}
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


def summarize(ends: Counter[str], store: str) -> ExitCode:
    """Say how a run has ended and what to do, and return the exit code of the worst end.

    Args:
        ends: How many rows have come to what.
        store: The file with their states.
    """
    say(f"rows: {', '.join(f'{count} {end}' for end, count in sorted(ends.items()))}; store: {store}")
    if ends["unknown"]:
        say(f"what the server did is not known: asp batch unknown --store {shell_word(store)}")
    if ends["failed"]:
        say("the failed rows are sent again with --retry-failed")
    if ends["deadline"]:
        say("the same command goes on waiting")
    return next((code for end, code in ENDS.items() if ends[end]), ExitCode.OK)


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
        operations.check_arguments(create, arguments.given)
        batch = Batch(
            create,
            find=finder(arguments.operation, platform, given["find_by"]) if given["find_by"] else None,
            **{name: given[name] for name in ("store", "concurrency", "id")},
        )
        items = batch.run(
            read_rows(given["rows"]),
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
                    ends[end_of(item)] += 1
                    writer.write([row_of(item)])


def finder(create: Operation, platform: AgentPlatform, field: str) -> Callable[[str], Awaitable[Any]]:
    """Return what looks for the object of a key; it reads the list from its beginning each time.

    Args:
        create: The operation that creates.
        platform: The client.
        field: A field of an item of the list: its value is the key, or an array that has the key.

    Raises:
        InvalidArgumentError: The contract has no list of what is created.
        click.UsageError: The list has no pages.
    """
    listing = operation_named(f"{create.scope}.{create.resource}.list", "leave --find-by out")
    if not listing.paginated:
        raise click.UsageError(f"--find-by cannot be used: {listing} has no pages; look at `asp batch unknown` later")
    method = method_of(platform, listing)

    async def find(key: str) -> Any:
        async for item in method():
            value: Any = to_json(item).get(field)
            if key == value or (isinstance(value, list) and key in value):
                return item
        return None

    return find


EXISTING: Final = click.Path(exists=True, dir_okay=False)


@asp_command(
    params=[
        click.Argument(["rows"], type=EXISTING, metavar="ROWS"),
        option("--create", "Create each object with this operation.", required=True, shell_complete=complete_operation),
        option("--key", "Recognize a row by its COLUMN.", required=True, metavar="COLUMN"),
        option("--argument", "Pass an argument; {column} is filled in.", multiple=True, metavar="NAME=VALUE"),
        *conditions(),
        option("--store", "Keep the states here; the default is ROWS.sqlite.", type=TARGET, metavar="FILE"),
        option("--concurrency", "Have N rows in flight; the default is 20.", type=COUNT, metavar="N", default=20),
        option("--find-by", "Find objects of unknown rows by the key in FIELD.", metavar="FIELD"),
        option("--id", "Take FIELD as the id, if the contract has none.", metavar="FIELD"),
        option("--retry-failed", "Send rows again that failed earlier.", is_flag=True),
        option("--allow-changed", "Accept rows that changed since they were sent.", is_flag=True),
    ],
    examples=(
        "asp batch rows.csv --create organization.sessions.create --key id \\",
        "    --argument 'prompt=Fix {what}' --until status=ready --store run.sqlite",
        "asp batch rows.jsonl --create organization.sessions.create --key id --argument 'tags=[\"{team}\"]'",
    ),
)
def rows_command(settings: Settings, /, **given: Any) -> int:
    """Create an object for each row of ROWS: CSV with a header, or JSON Lines.

    Stop it and run it again: nothing is sent twice without --retry-failed. --argument, --until and --unexpected can be
    repeated; {{ is a brace. Exit codes: 7 unknown, 14 failed, 10 to 13 as of `asp wait`.
    """
    create, store = operation_named(given["create"]), given["store"] or f"{given['rows']}.sqlite"
    if create.method == "GET":
        raise click.UsageError(f"--create {create}: it only reads; name an operation that writes")
    with_wait = {(each.scope, each.resource) for each in operations if each.job == "wait"}
    if given["until"] and (create.scope, create.resource) not in with_wait:
        raise click.UsageError(f"--until: what {create} makes cannot be waited for; `asp wait --help` lists what can")
    arguments = RowArguments(create, given["key"], given["argument"])
    for row in read_rows(given["rows"]):
        arguments.check(row)
    ends = Counter[str]()
    try:
        asyncio.run(run_batch({**given, "store": store}, arguments, ends, settings))
    except KeyboardInterrupt:
        say(f"stopped; the same command continues: {settings.command_line()}")
        raise
    finally:
        code = summarize(ends, store) if ends else ExitCode.OK
    if not ends:
        say(f"{given['rows']} has no rows: nothing was sent")
    return code


STORE: Final = click.option("--store", required=True, type=EXISTING, metavar="FILE", help="The states of the rows.")


@asp_command(examples=("asp batch unknown --store run.sqlite",))
@STORE
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
def assign(settings: Settings, key: str, id: str, store: str) -> None:
    """Say that the object ID is that of the row KEY.

    The next run waits for it.
    """
    print_value(row_of(asyncio.run(_stored(store).assign(key, id=id))), settings)


@asp_command(examples=("asp batch forget row-7 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@STORE
def forget(_: Settings, key: str, store: str) -> None:
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


batch_command = BatchGroup(
    name="batch",
    commands={"rows": rows_command, "unknown": unknown, "assign": assign, "forget": forget},
    help="Create an object for each row of a table. `asp batch ROWS` is short for `asp batch rows ROWS`.",
    examples=rows_command.examples,
)
