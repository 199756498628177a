"""`asp batch`: an object for each row of a table; and the rows of which nobody knows what the server did."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

import attrs
import click
from agent_session_platform import AgentPlatform, Catalogue, Operation, to_json
from agent_session_platform_jobs import Batch, BatchItem

from ..connect import connect, method_of, run
from ..errors import DEADLINE, GONE, OK, OUTCOME_UNKNOWN, ROWS_FAILED, STALLED, UNEXPECTED, in_words_of_asp
from ..group import LazyGroup
from ..lookup import complete_operation, operation_named
from ..option_types import COUNT, SECONDS, TARGET
from ..output import ListWriter, open_list, print_items, print_value
from ..settings import Settings, asp_command, global_options
from .rows import RowArguments, read_rows
from .targets import waited
from .waiting import values_by_field

# The worst comes first: what a row has come to, and the exit code if one has.
ENDS: Final = (
    ("unknown", OUTCOME_UNKNOWN),
    ("failed", ROWS_FAILED),
    ("deadline", DEADLINE),
    ("unexpected", UNEXPECTED),
    ("gone", GONE),
    ("stalled", STALLED),
)


def row_of(item: BatchItem) -> dict[str, Any]:
    """Return a row as it is printed."""
    return {
        "key": item.key,
        "state": item.state,
        "id": item.id,
        "reason": item.reason,
        "error": in_words_of_asp(item.error) if item.error is not None else None,
        "result": item.result,
    }


class Summary:
    """Counts the rows of a run.

    Args:
        store: The file with their states.
    """

    def __init__(self, store: str) -> None:
        self._store = store
        self._states: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()

    def count(self, item: BatchItem) -> None:
        """Count a row that has come to its end."""
        self._states[item.state] += 1
        self._ends[item.state if item.state in ("unknown", "failed") else item.reason or item.state] += 1

    @property
    def rows(self) -> int:
        """The number of rows that were counted."""
        return self._states.total()

    @property
    def exit_code(self) -> int:
        """The exit code of the worst end."""
        return next((code for end, code in ENDS if self._ends[end]), OK)

    def __str__(self) -> str:
        states = ", ".join(f"{count} {state}" for state, count in sorted(self._states.items()))
        reasons = [f"{self._ends[end]} {end}" for end, _ in ENDS[2:] if self._ends[end]]
        why = f" ({', '.join(reasons)})" if reasons else ""
        lines = [f"rows: {states}{why}; store: {self._store}"]
        if self._ends["unknown"]:
            lines.append(f"what the server did is not known: asp batch unknown --store {shlex.quote(self._store)}")
        if self._ends["failed"]:
            lines.append("the failed rows are sent again with --retry-failed")
        if self._ends["deadline"]:
            lines.append("the same command goes on waiting")
        return "\n".join(f"asp: {line}" for line in lines)


def list_of(create: Operation) -> Operation:
    """Return the operation that lists what another one creates.

    Args:
        create: The operation that creates.

    Raises:
        click.UsageError: The contract has none.
    """
    name, catalogue = f"{create.scope}.{create.resource}.list", Catalogue()
    if name not in catalogue or not catalogue[name].paginated:
        raise click.UsageError(
            f"--find-by: the contract has no list of what {create} creates; leave it out, and after the run look at "
            "`asp batch unknown`"
        )
    return catalogue[name]


def finder(
    create: Operation, platform: AgentPlatform, settings: Settings, field: str
) -> Callable[[str], Awaitable[Any]]:
    """Return what looks for the object of a key; it reads the list from its beginning each time.

    Args:
        create: The operation that creates.
        platform: The client.
        settings: The global options.
        field: A field of an item of the list: its value is the key, or an array that has the key.
    """
    method = method_of(platform, settings, list_of(create))

    async def find(key: str) -> Any:
        async for item in method():
            members: dict[str, Any] = to_json(item)
            value: Any = members.get(field)
            if key == value or (isinstance(value, list) and key in value):
                return item
        return None

    return find


# Of a table or of CSV; JSON has the object as well.
COLUMNS: Final = ("key", "state", "id", "reason", "error")


@attrs.frozen(kw_only=True)
class BatchRequest:
    """A batch as it was typed; `asp batch --help` describes the options."""

    rows: str
    create: str
    key: str
    argument: tuple[str, ...]
    template: str | None
    until: tuple[str, ...]
    unexpected: tuple[str, ...]
    timeout: float
    every: float
    store: str | None
    concurrency: int
    find_by: str | None
    release: str | None
    id: str | None
    rows_format: str | None
    retry_failed: bool
    allow_changed: bool

    @property
    def store_path(self) -> str:
        """The file with the states of the rows."""
        return self.store or f"{self.rows}.sqlite"


def run_batch(request: BatchRequest, settings: Settings) -> int:
    """Create an object for each row, print the rows and a summary, and return the exit code.

    Raises:
        AgentPlatformError: An error that concerns all rows; those in flight have come to their end.
        click.UsageError: An option, or a row, is wrong; nothing was sent.
    """
    if not os.path.isfile(request.rows):
        raise click.UsageError(f"{request.rows} must be a file: it is checked as a whole before anything is sent")
    create = _writer(request.create, "--create")
    if request.until and f"{create.scope}.{create.resource}" not in waited():
        raise click.UsageError(f"--until: what {create} makes cannot be waited for; `asp wait --help` lists what can")
    if request.find_by is not None:
        list_of(create)
    arguments = RowArguments(create, request.key, request.template, request.argument)
    arguments.check(read_rows(request.rows, request.rows_format, arguments.columns))
    summary = Summary(request.store_path)
    try:
        run(_run(request, arguments, summary, settings))
    except KeyboardInterrupt:
        click.echo(f"asp: stopped; the same command continues: asp {shlex.join(settings.arguments)}", err=True)
        raise
    finally:
        if summary.rows:
            click.echo(str(summary), err=True)
    if not summary.rows:
        click.echo(f"asp: {request.rows} has no rows: nothing was sent", err=True)
    return summary.exit_code


async def _run(request: BatchRequest, arguments: RowArguments, summary: Summary, settings: Settings) -> None:
    writer = open_list(settings, COLUMNS)
    async with connect(settings) as platform:
        batch = _batch(request, arguments, platform, settings)
        try:
            async with aclosing(
                batch.run(
                    read_rows(request.rows, request.rows_format),
                    key=arguments.key_of,
                    arguments=arguments.of,
                    until=values_by_field(request.until, "--until"),
                    unexpected=values_by_field(request.unexpected, "--unexpected"),
                    wait_timeout=request.timeout,
                    every=request.every,
                    retry_failed=request.retry_failed,
                    allow_changed=request.allow_changed,
                )
            ) as items:
                async for item in items:
                    done = await _release(batch, item) if request.release else item
                    summary.count(done)
                    _print(done, writer)
        finally:
            writer.close()


def _batch(request: BatchRequest, arguments: RowArguments, platform: AgentPlatform, settings: Settings) -> Batch:
    operation = _writer(request.create, "--create")
    create = method_of(platform, settings, operation)
    arguments.check_names(create)
    release = None
    if request.release is not None:
        release = method_of(platform, settings, _writer(request.release, "--release"))
    return Batch(
        create,
        store=request.store_path,
        concurrency=request.concurrency,
        id=request.id,
        find=finder(operation, platform, settings, request.find_by) if request.find_by is not None else None,
        release=release,
    )


async def _release(batch: Batch, item: BatchItem) -> BatchItem:
    """Release the object of a row that is settled as it should be: others are looked at first."""
    is_done = item.state in ("settled", "releasing") and item.reason in (None, "matched")
    return await batch.release(item) if is_done else item


def _print(item: BatchItem, writer: ListWriter) -> None:
    writer.write([row_of(item)])
    sys.stdout.flush()


def _writer(name: str, option: str) -> Operation:
    operation = operation_named(name)
    if operation.method == "GET":
        raise click.UsageError(f"{option} {operation}: it only reads; name an operation that writes")
    return operation


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


batch_command = BatchGroup(
    name="batch",
    summaries={
        "unknown": "List the rows of which nobody knows what the server did.",
        "assign": "Say which object belongs to such a row.",
        "forget": "Forget a row that has no object, so that it is sent again.",
    },
    params=global_options(hidden=True),
)
