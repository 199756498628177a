"""`asp batch ROWS`: an object for each row of a file, with the rows printed as they come to their end."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import aclosing
from typing import Final

import attrs
import click
from agent_session_platform import AgentPlatform, Operation
from agent_session_platform_jobs import Batch, BatchItem

from ..connect import connect, method_of, run
from ..lookup import operation_named
from ..output import ListWriter, open_list
from ..settings import Settings
from .batch_summary import Summary, row_of
from .conditions import values_by_field
from .finding import finder, list_of
from .row_arguments import RowArguments
from .rows import read_rows
from .targets import waited

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
