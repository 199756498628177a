"""`asp call`: a command for each operation, made of the contract, which prints what the operation returns."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import attrs
import click
from agent_session_platform import (
    AgentPlatformError,
    Catalogue,
    Download,
    JsonLines,
    Operation,
    Pager,
    operations,
    to_json,
)

from ..connect import connect, method_of
from ..contract import OperationContract
from ..group import LazyGroup
from ..option_types import COUNT, SECONDS, TARGET, extra_query, option
from ..output import open_list, print_value
from ..progress import Bar, show_bar
from ..settings import Command, Settings, settings_of
from ..terminal_text import redacted, say
from .parameters import Bound, bind, click_parameters
from .request import CallRequest, read_body

# The page size of the contract's lists, by default.
PAGE: Final = 100
EXAMPLES: Final = (
    "asp operations sessions                              # which operations are there?",
    "asp call organization.sessions.list --help           # what does one take?",
    "asp call organization.sessions.list --limit 1000 -o csv > sessions.csv",
    "asp call organization.sessions.create --extra prompt='Fix the flaky test'",
)


def command_of(operation: Operation) -> click.Command:
    """Return the command that calls an operation."""
    contract = OperationContract(operation)
    bound = bind(operation, contract)

    def call(**given: Any) -> None:
        body = read_body(operation, given.get("body"))
        run_call(CallRequest(operation, bound, given, body), settings_of(click.get_current_context()))

    return Command(
        name=operation.name,
        callback=call,
        params=[*click_parameters(bound), *_options_of(operation)],
        help=_help(operation),
        examples=(example_of(operation, bound),),
    )


def _options_of(operation: Operation | None) -> list[click.Option]:
    """Return the options of an operation besides its parameters; without one all that operations have."""
    options = [
        option("--columns", "Show these columns only; B.C is a member of B.", metavar="A,B.C"),
        extra_query(),
        option("--timeout", "End an attempt after such a silence.", type=SECONDS),
        option("--attempts", "Attempts at most; by default 5.", type=COUNT, metavar="N"),
    ]
    if operation is None or operation.media_type:
        options.append(option("--body", "Send this body: JSON, its file, or - for stdin.", metavar="JSON|@FILE|-"))
    if operation is None or operation.takes_members:
        text = "Send this member of the body; NAME:=JSON sends JSON  [repeatable]"
        options.append(option("--extra", text, multiple=True, metavar="NAME=TEXT"))
    if operation is None or operation.paginated:
        options.append(option("--limit", "Print at most N items of the list.", type=COUNT, metavar="N"))
    if operation is None or operation.streamed:
        options.append(option("--save", "Write the download to FILE.", type=TARGET, metavar="FILE"))
        text = "Follow a redirect of a download to this host  [repeatable]"
        options.append(option("--redirect-host", text, multiple=True, metavar="HOST"))
    return options


def example_of(operation: Operation, bound: list[Bound]) -> str:
    """Return a line of the shell that calls an operation with what it requires."""
    words = ["asp call", operation.name]
    required = [each for each in bound if each.parameter.required and each.parameter.location != "path"]
    for each in bound:
        if each.parameter.location == "path":
            words.append(quoted(each.example))
        elif each in required:
            words += [each.option, quoted(each.example)]
    if operation.paginated:
        words.append("--limit 1000")
    elif operation.streamed:
        words.append("--save FILE")
    elif operation.media_type and not required:
        words.append("--body @body.json")
    return " ".join(words)


def quoted(value: Any) -> str:
    """Return a value as a word of the shell."""
    return shlex.quote(value if isinstance(value, str) else json.dumps(value))


def _help(operation: Operation) -> str:
    """Return the summary, and what it needs."""
    words = [operation.summary or operation.name]
    if operation.permission:
        level = f" ({operation.level} level)" if operation.level else ""
        words.append(f"Needs the permission {operation.permission}{level}.")
    if operation.deprecated:
        words.append(f"Deprecated{_instead_of(operation)}.")
    elif operation.beta:
        words.append("Beta.")
    return f"{' '.join(words)}\n\nMore: asp show {operation.name}"


def _instead_of(operation: Operation) -> str:
    return f"; use {operation.successor}" if operation.successor else ""


class OperationGroup(LazyGroup):
    """A group with a command for each of some operations; its operationId is accepted as well.

    Args:
        make: Makes the command of an operation.
        operations: The operations.
        options: The options of the commands, for help.
        settings: What `LazyGroup` takes.
    """

    noun = "operation"

    def __init__(
        self,
        make: Callable[[Operation], click.Command],
        operations: Iterable[Operation],
        *,
        options: Sequence[click.Parameter],
        **settings: Any,
    ) -> None:
        metavar = "OPERATION [ARGUMENTS] [OPTIONS]"
        super().__init__(subcommand_metavar=metavar, **settings)
        self.operations = {each.name: each for each in sorted(operations, key=str)}
        self._make = make
        self._options = options

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the operations."""
        return [*self.operations]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of an operation; of the operation that is named without its verb, too."""
        for each in self.operations.values():
            without_verb = ".".join(filter(None, (each.scope, each.resource, each.verb.partition("_")[2])))
            if cmd_name in (each.name, each.id, without_verb):
                return self._make(each)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of all operations, instead of names that would fill screens."""
        records = (each.get_help_record(ctx) for each in self._options)
        with formatter.section("Options of operations, after their names"):
            formatter.write_dl([each for each in records if each is not None])


call_command = OperationGroup(
    command_of,
    Catalogue(),
    options=_options_of(None),
    examples=EXAMPLES,
    name="call",
    help="Call an operation of the API, such as organization.sessions.list. Path parameters are arguments, everything "
    "else is an option. A list is printed as it comes.",
)


def run_call(call: CallRequest, settings: Settings) -> None:
    """Call an operation and print what it returns.

    Args:
        call: The call.
        settings: The global options.

    Raises:
        AgentPlatformError: The call has failed.
        click.UsageError: The arguments do not fit.
        KeyboardInterrupt: Ctrl-C.
    """
    # Where JSON was asked for, stderr has nothing else.
    if call.operation.deprecated and not settings.errors_as_json:
        say(f"{call.operation} is deprecated{_instead_of(call.operation)}")
    running = _Running(call, settings)
    try:
        asyncio.run(running.run())
    except (AgentPlatformError, KeyboardInterrupt) as error:
        command = running.how_to_continue()
        if command is not None and settings.errors_as_json and isinstance(error, AgentPlatformError):
            # It is a member of the report.
            vars(error)["continue_with"] = command
        elif command is not None:
            say(f"stopped after {running.printed} items; continue with: {command}")
        elif isinstance(error, KeyboardInterrupt) and call.operation.method != "GET":
            say(f"stopped: {call.operation} may have been carried out, or not; read the state before you repeat it")
        elif isinstance(error, KeyboardInterrupt) and call.given.get("save") is not None:
            say("stopped: the same command continues the download, if the server can do that")
        raise


@attrs.define
class _Running:
    """A call that is under way.

    Attributes:
        call: The call.
        settings: The global options.
        pager: The list; None before it has begun, and where there is none.
        printed: The number of items that were printed.
    """

    call: CallRequest
    settings: Settings
    pager: Pager[Any] | None = None
    printed: int = 0

    @property
    def columns(self) -> list[str]:
        """The columns that were chosen; empty: as the items are."""
        return [each.strip() for each in (self.call.given["columns"] or "").split(",") if each.strip()]

    async def run(self) -> None:
        """Call the operation, and print its result."""
        operation = self.call.operation
        async with connect(self.settings) as platform:
            method = method_of(platform, operation)
            path, named = self.call.arguments(method)
            operations.check_arguments(partial(method, *path), named)
            counts = "items" if operation.paginated else "bytes" if operation.streamed else ""
            with show_bar(str(operation), self.settings, counts) as bar:
                await self._print(method(*path, **named, options=self.call.options()), bar)

    async def _print(self, result: Any, bar: Bar) -> None:
        """Print what the method returned: a list, a file, lines, or a value to wait for."""
        if isinstance(result, Download):
            await self._save(result, bar)
        elif isinstance(result, Pager | JsonLines):
            await self._print_list(result, bar)  # pyright: ignore[reportUnknownArgumentType]  # of any operation
        else:
            value = await result
            with bar.hidden():
                print_value(value, self.settings, chosen=self.columns)
                sys.stdout.flush()

    async def _print_list(self, items: Pager[Any] | JsonLines[Any], bar: Bar) -> None:
        """Print items page by page, or one by one, up to the limit; nothing is kept."""
        limit: int | None = self.call.given.get("limit")
        size = next((self.call.given[each.key] for each in self.call.bound if each.parameter.name == "first"), None)
        writer = open_list(self.settings, chosen=self.columns)

        def write(page: Sequence[Any], total: int | None = None) -> None:
            with bar.hidden():
                writer.write([to_json(item) for item in page])
            self.printed += len(page)
            bar.advance(len(page), min((each for each in (limit, total) if each is not None), default=None))

        try:
            if not isinstance(items, Pager):
                async for item in items:
                    write([item])
                return
            self.pager = items
            if limit is not None and limit <= (size or PAGE):
                # Of one page: iterating would fetch the next one before it is needed.
                write(await items.collect(limit=limit))
                return
            async for page in items.pages():
                write(page.items[: None if limit is None else limit - self.printed], items.total)
                if self.printed == limit:
                    return
        finally:
            with bar.hidden():
                writer.close()
                sys.stdout.flush()

    async def _save(self, download: Download, bar: Bar) -> None:
        """Write a file to the path of `--save`, or to stdout."""
        hosts, path = self.call.given["redirect_host"], self.call.given["save"]
        if path is not None:
            written = await download.save(
                path, resume=True, checksum=lambda chunk: bar.advance(len(chunk)), follow=bool(hosts), hosts=hosts
            )
            with bar.hidden():
                say(f"{written} bytes in {path}")
            return
        if sys.stdout.isatty():
            raise click.UsageError("a file is not written to a terminal: use --save FILE, or redirect the output")
        async for chunk in download.stream(follow=bool(hosts), hosts=hosts):
            sys.stdout.buffer.write(chunk)
            bar.advance(len(chunk))
        sys.stdout.buffer.flush()

    def how_to_continue(self) -> str | None:
        """Return the command that prints the rest of a list; None if that cannot be, or nothing was printed."""
        cursor = None if self.pager is None or self.pager.exhausted else self.pager.cursor
        if cursor is None or not self.printed or redacted(cursor, self.settings.redact) != cursor:
            return None
        option = f"--{self.call.operation.cursor.replace('_', '-')}"
        limit = self.call.given["limit"]
        rest = ["--limit", str(limit - self.printed)] if limit is not None else []
        # Of an option that is given twice, the last one counts.
        return self.settings.command_line(option, cursor, *rest)
