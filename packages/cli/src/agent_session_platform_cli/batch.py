"""`asp batch`: create an object for each row of a table, and resolve rows with an unknown outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, closing
from typing import Any, Final

import click
from agent_session_platform import AgentPlatform, Operation, operations, to_json
from agent_session_platform_jobs import Batch, BatchItem

from .connect import connect, method_of
from .errors import ExitCode, advised
from .group import LazyGroup
from .jobs import values_by_field
from .lookup import complete_operation, operation_named
from .output import open_list, print_items, print_value
from .rows import RowArguments, Rows, is_named
from .running import run
from .settings import COUNT, TARGET, Settings, asp_command, conditions, option
from .terminal_text import say, shell_word

# The exit code for each way in which a row can end. The worst end comes first.
ENDS: Final = {"unknown": ExitCode.OUTCOME_UNKNOWN, "failed": ExitCode.ROWS_FAILED} | {
    code.phrase: code for code in (ExitCode.DEADLINE, ExitCode.UNEXPECTED, ExitCode.GONE, ExitCode.STALLED)
}
# The columns of a table. Other output formats also have the created object, as `result`.
COLUMNS: Final = ("key", "state", "id", "reason", "error")


def row_of(item: BatchItem) -> dict[str, Any]:
    """Return the fields of a row that are printed, by name."""
    error = advised(item.error) if item.error is not None else None
    shown = {name: getattr(item, name) for name in ("key", "state", "id", "reason", "result")}
    return {**shown, "error": error}


def end_of(item: BatchItem) -> str:
    """Return the state of a row, or the reason why its wait ended without a match."""
    return item.state if item.state in ENDS or item.reason not in ENDS else item.reason


def summarize(ends: Counter[str], store: str) -> ExitCode:
    """Print how the rows ended and what to do next. Return the exit code of the worst end.

    Args:
        ends: How many rows ended in each way.
        store: The file with the states of the rows.
    """
    say(f"rows: {', '.join(f'{count} {end}' for end, count in sorted(ends.items()))}; store: {store}")
    if ends["unknown"]:
        say(f"for rows with an unknown outcome: asp batch unknown --store {shell_word(store)}")
    if ends["failed"]:
        say("to send the failed rows again: --retry-failed")
    if ends["deadline"]:
        say("to wait again: run the same command")
    return next((code for end, code in ENDS.items() if ends[end]), ExitCode.OK)


async def run_batch(
    given: Mapping[str, Any], rows: Rows, arguments: RowArguments, ends: Counter[str], settings: Settings
) -> None:
    """Create an object for each row, print the rows, and count how they ended.

    Args:
        given: The options, by name.
        rows: The rows.
        arguments: Makes the arguments of the call for each row.
        ends: A counter of the ways in which rows end. This function adds to it.
        settings: The global options.

    Raises:
        AgentPlatformError: An error has stopped all rows. The rows in flight have ended before.
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
            rows,
            key=lambda row: row[1][given["key"]],
            arguments=arguments.of,
            until="states" if given["wait"] else values_by_field(given["until"], "--until"),
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
    """Return a function that finds the object of a row in a list, by the key of the row.

    Each search reads the list from its beginning.

    Args:
        create: The operation that creates the objects.
        platform: The client.
        field: The field of an item that contains the key. The field is the key itself, or an array with the key.

    Raises:
        InvalidArgumentError: The contract has no list of such objects.
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
ROWS: Final = click.Path(exists=True, dir_okay=False, allow_dash=True)


@asp_command(
    params=[
        click.Argument(["rows"], type=ROWS, metavar="ROWS"),
        option("--create", "Create each object with this operation.", required=True, shell_complete=complete_operation),
        option("--key", "Identify a row by its value in COLUMN.", required=True, metavar="COLUMN"),
        option("--argument", "Pass this argument; {column} is replaced.", multiple=True, metavar="NAME=VALUE"),
        option("--wait", "Wait for the states that a private build names.", is_flag=True),
        *conditions(),
        option("--store", "Keep the states in FILE; the default is ROWS.sqlite.", type=TARGET, metavar="FILE"),
        option("--concurrency", "Send N rows at once; the default is 20.", type=COUNT, metavar="N", default=20),
        option("--find-by", "Find the object of an unknown row by its key in FIELD.", metavar="FIELD"),
        option("--id", "Use FIELD as the id, if the contract names no id.", metavar="FIELD"),
        option("--retry-failed", "Send failed rows again.", is_flag=True),
        option("--allow-changed", "Accept rows that have changed since they were sent.", is_flag=True),
    ],
    examples=(
        "asp batch rows.csv --create organization.sessions.create --key id \\",
        "    --argument 'prompt=Fix {what}' --until status=ready --store run.sqlite",
        "asp batch rows.jsonl --create organization.sessions.create --key id --argument 'tags=[\"{team}\"]'",
    ),
)
def rows_command(settings: Settings, /, **given: Any) -> int:
    """Create an object for each row of ROWS: CSV with a header, JSON Lines, or a JSON array of objects; - is stdin.

    A second run continues. Only --retry-failed sends a row twice. --argument, --until and --unexpected can be repeated.
    Write {{ for a brace. Exit codes: 7 unknown, 14 failed, 10 to 13 as `asp wait`.
    """
    create = operation_named(given["create"])
    store = given["store"]
    if store is None:
        if not is_named(given["rows"]):
            raise click.UsageError(
                "ROWS is a pipe or stdin, so it names no store: add --store FILE, for the next run, too"
            )
        store = f"{given['rows']}.sqlite"
    if create.method == "GET":
        raise click.UsageError(f"--create {create}: it only reads; choose an operation that writes")
    with_wait = {(each.scope, each.resource) for each in operations if each.job == "wait"}
    if given["until"] and given["wait"]:
        raise click.UsageError("pass either --until or --wait")
    if (given["until"] or given["wait"]) and (create.scope, create.resource) not in with_wait:
        raise click.UsageError(f"{create} has no wait; `asp wait --help` lists what can be waited for")
    arguments = RowArguments(create, given["key"], given["argument"])
    ends = Counter[str]()
    with Rows(given["rows"]) as rows:
        arguments.check_all(rows)
        try:
            run(run_batch({**given, "store": store}, rows, arguments, ends, settings))
        except KeyboardInterrupt:
            say(f"stopped; continue with: {settings.command_line()}")
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

    These rows are not sent again. Look for the object of each row. If it exists: asp batch assign KEY ID. If not: asp
    batch forget KEY.
    """
    found = [{**row_of(each), "attempts": each.attempts} for each in run(_stored(store).unknown())]
    print_items(found, settings, ("key", "state", "attempts", "error"))


@asp_command(
    examples=(
        "asp batch assign row-7 assistant-1 --store run.sqlite",
        "asp batch assign row-7 --undo --store run.sqlite",
    )
)
@click.argument("key", metavar="KEY")
@click.argument("id", metavar="[ID]", required=False)
@click.option("--undo", is_flag=True, help="Take back the object that was assigned; the row is unknown again.")
@STORE
def assign(settings: Settings, key: str, id: str | None, undo: bool, store: str) -> None:
    """Assign the object ID to the row KEY.

    The server is asked whether there is such an object. The next run waits for the object.
    """
    if undo == (id is not None):
        raise click.UsageError("pass either the ID of the object, or --undo")
    work = _stored(store).unassign(key) if id is None else _assign(store, key, id, settings)
    print_value(row_of(run(work)), settings)


async def _assign(store: str, key: str, id: str, settings: Settings) -> BatchItem:
    target = await _stored(store).target()
    if target is None:
        return await _stored(store).assign(key, id=id)
    create = operation_named(target.partition(" ")[0].partition("(")[0])
    async with connect(settings) as platform:
        return await Batch(method_of(platform, create), store=store).assign(key, id=id)


@asp_command(examples=("asp batch forget row-7 --store run.sqlite",))
@click.argument("key", metavar="KEY")
@STORE
def forget(_: Settings, key: str, store: str) -> None:
    """Forget the row KEY, if it has no object.

    The next run sends the row.
    """
    run(_stored(store).forget(key))


def _stored(store: str) -> Batch:
    return Batch(_never_called, store=store)


async def _never_called() -> None:
    raise NotImplementedError


class BatchGroup(LazyGroup):
    """The group `asp batch`. Its first argument is a subcommand, or a file with rows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the subcommand `rows` before the name of a file."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["rows", *args]
        return super().parse_args(ctx, args)


batch_command = BatchGroup(
    name="batch",
    commands={"rows": rows_command, "unknown": unknown, "assign": assign, "forget": forget},
    help="Create an object for each row of a table. `asp batch ROWS` is short for `asp batch rows ROWS`.",
    examples=rows_command.examples,
)
