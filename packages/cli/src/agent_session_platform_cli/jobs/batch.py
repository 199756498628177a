"""Batches as commands: an object for each row of a file, printed with a summary and an exit code."""

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
from ..lookup import operation_named
from ..output import ListWriter, open_list
from ..settings import Settings
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
        # On a terminal the rows themselves tell how far it is.
        progress=False if sys.stdout.isatty() else None,
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
