"""`asp call`: a command for each operation, which calls it and prints the result."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import attrs
import click
from agent_session_platform import AgentPlatformError, Catalogue, Download, Operation, Pager, operations, to_json

from ..connect import connect, method_of
from ..contract import OperationContract
from ..group import LazyGroup
from ..output import open_list, print_value
from ..progress import Bar, show_bar
from ..running import run
from ..settings import COUNT, DASH, SECONDS, TARGET_OR_STDOUT, Command, Settings, extra, extra_query, option
from ..terminal_text import redacted, say
from .parameters import Bound, CallRequest, bind, click_parameters, read_body

# The page size of a list if `--first` is not given.
PAGE: Final = 100
EXAMPLES: Final = (
    "asp operations sessions                              # find an operation",
    "asp call organization.sessions.list --help           # show its options",
    "asp call organization.sessions.list --limit 1000 -o csv > sessions.csv",
    "asp call organization.sessions.create --extra prompt='Fix the flaky test'",
)


def command_of(operation: Operation) -> click.Command:
    """Return the command that calls an operation."""
    contract = OperationContract(operation)
    bound = bind(operation, contract)

    def call(settings: Settings, /, **given: Any) -> None:
        # The body is read before the event loop runs. In the loop, a single Ctrl-C would not end the reading.
        run_call(CallRequest(operation, bound, given, read_body(operation, given.get("body"))), settings)

    return Command(
        name=operation.name,
        callback=click.pass_obj(call),
        params=[*click_parameters(bound), *_options_of(operation)],
        help=_help(operation),
        examples=(example_of(operation, bound),),
    )


def _options_of(operation: Operation | None) -> list[click.Option]:
    """Return the options of a command that are not parameters of its operation, such as `--timeout`.

    Without an operation, return the options of all commands.
    """
    options = [
        extra_query(),
        option("--timeout", "End an attempt after this idle time.", type=SECONDS),
        option("--attempts", "Try at most N times; the default is 5.", type=COUNT, metavar="N"),
    ]
    if operation is None or operation.media_type:
        options.append(option("--body", "Send this body: JSON, a file, or - for stdin.", metavar="JSON|@FILE|-"))
    if operation is None or operation.takes_members:
        options.append(extra())
    if operation is None or operation.paginated:
        options.append(option("--limit", "Print at most N items of the list.", type=COUNT, metavar="N"))
    if operation is None or operation.streamed:
        options.append(
            option("--save", "Write the download to FILE; - is stdout.", type=TARGET_OR_STDOUT, metavar="FILE")
        )
    return options


def example_of(operation: Operation, bound: list[Bound]) -> str:
    """Return a command line that calls an operation with its required parameters."""
    words = ["asp call", operation.name]
    required = [each for each in bound if each.parameter.required]
    for each in required:
        words += [quoted(each.example)] if each.parameter.location == "path" else [each.option, quoted(each.example)]
    if operation.paginated:
        words.append("--limit 1000")
    elif operation.streamed:
        words.append("--save FILE")
    elif operation.media_type and all(each.parameter.location == "path" for each in required):
        words.append("--body @body.json")
    return " ".join(words)


def quoted(value: Any) -> str:
    """Return a value quoted as one word of the shell."""
    return shlex.quote(value if isinstance(value, str) else json.dumps(value))


def _help(operation: Operation) -> str:
    """Return the help of an operation: its summary, permission and stability."""
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
    """A group with a command for each operation. The operationId is also accepted as the name of the command.

    Args:
        make: Returns the command of an operation.
        operations: The operations.
        options: The options of the commands, for the help of the group.
        settings: Arguments of `LazyGroup`.
    """

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
        """Return the command of an operation. The name may lack its verb, as in `sessions` for `sessions.list`."""
        for each in self.operations.values():
            without_verb = ".".join(filter(None, (each.scope, each.resource, each.verb.partition("_")[2])))
            if cmd_name in (each.name, each.id, without_verb):
                return self._make(each)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that operations share, and not the names of all 88 operations, which would hide them."""
        records = (each.get_help_record(ctx) for each in self._options)
        with formatter.section("Options of operations, after their names"):
            formatter.write_dl([each for each in records if each is not None])


call_command = OperationGroup(
    command_of,
    Catalogue(),
    options=_options_of(None),
    examples=EXAMPLES,
    name="call",
    help="Call an operation of the API, such as organization.sessions.list. Path parameters are arguments, all other "
    "parameters are options. The items of a list are printed as they arrive.",
)


def run_call(call: CallRequest, settings: Settings) -> None:
    """Call an operation and print what it returns.

    Args:
        call: The call.
        settings: The global options.

    Raises:
        AgentPlatformError: The call has failed.
        click.UsageError: The arguments are wrong.
        KeyboardInterrupt: The user pressed Ctrl-C.
    """
    # With `-o json`, stderr has JSON only.
    if call.operation.deprecated and not settings.errors_as_json:
        say(f"{call.operation} is deprecated{_instead_of(call.operation)}")
    running = _Running(call, settings, OperationContract(call.operation).columns)
    try:
        run(running.run())
    except (AgentPlatformError, KeyboardInterrupt) as error:
        command = running.how_to_continue()
        if command is not None and settings.errors_as_json and isinstance(error, AgentPlatformError):
            # The JSON report of the error then has the command as a member.
            vars(error)["continue_with"] = command
        elif command is not None:
            say(f"stopped after {running.printed} items; continue with: {command}")
        elif isinstance(error, KeyboardInterrupt) and call.operation.method != "GET":
            say(f"stopped: {call.operation} may have been carried out; read the state before you repeat it")
        elif isinstance(error, KeyboardInterrupt) and call.given.get("save") not in (None, DASH):
            say("stopped: run the same command to continue the download, if the server supports that")
        raise


@attrs.define
class _Running:
    """A running call.

    Attributes:
        call: The call.
        settings: The global options.
        columns: The columns that a table shows first.
        pager: The pager of a list; None before the call, and for other operations.
        printed: The number of printed items.
    """

    call: CallRequest
    settings: Settings
    columns: Sequence[str]
    pager: Pager[Any] | None = None
    printed: int = 0

    async def run(self) -> None:
        """Call the operation, and print its result."""
        operation = self.call.operation
        async with connect(self.settings) as platform:
            method = method_of(platform, operation)
            path, named = self.call.arguments(method)
            operations.check_arguments(partial(method, *path), named)
            counts = "items" if operation.paginated else "bytes" if operation.streamed else ""
            with show_bar(str(operation), self.settings, counts) as bar:
                result = method(*path, **named, options=self.call.options())
                if isinstance(result, Download):
                    await self._save(result, bar)
                elif isinstance(result, Pager) and not operation.paginated:
                    await self._print_open_list(result, bar)  # pyright: ignore[reportUnknownArgumentType]  # items of any type
                elif isinstance(result, Pager):
                    await self._print_list(result, bar)  # pyright: ignore[reportUnknownArgumentType]  # items of any type
                else:
                    value = await result
                    with bar.hidden():
                        print_value(value, self.settings, self.columns)
                        sys.stdout.flush()

    async def _print_open_list(self, pager: Pager[Any], bar: Bar) -> None:
        """Print the first response of a list whose form is not shown, and say how to get the rest."""
        page = await pager.first_page()
        with bar.hidden():
            print_value(page.to_dict(), self.settings, self.columns)
            sys.stdout.flush()
        cursor = pager.cursor
        if cursor is None or self.settings.errors_as_json:
            return
        advice = ""
        if redacted(cursor, self.settings.redact) == cursor:
            # If a query parameter is given twice, the last one counts.
            following = f"{self.call.operation.cursor}={cursor}"
            advice = f"; continue with: {self.settings.command_line('--extra-query', following)}"
        say(f"the server has more pages{advice}")

    async def _print_list(self, pager: Pager[Any], bar: Bar) -> None:
        """Print items as they arrive, up to the limit. No items are kept in memory."""
        limit: int | None = self.call.given.get("limit")
        size = next((self.call.given[each.key] for each in self.call.bound if each.parameter.name == "first"), None)
        writer = open_list(self.settings, self.columns)
        self.pager = pager

        def write(page: Sequence[Any]) -> None:
            with bar.hidden():
                writer.write([to_json(item) for item in page])
            self.printed += len(page)
            bar.advance(len(page), min((each for each in (limit, pager.total) if each is not None), default=None))

        try:
            if limit is not None and limit <= (size or PAGE):
                # One page is enough. A loop over the pages would fetch a second page in advance.
                write(await pager.collect(limit=limit))
                return
            async for page in pager.pages():
                write(page.items[: None if limit is None else limit - self.printed])
                if self.printed == limit:
                    return
        finally:
            with bar.hidden():
                writer.close()
                sys.stdout.flush()

    async def _save(self, download: Download, bar: Bar) -> None:
        """Write a download to the path of `--save`, or to stdout."""
        path = self.call.given["save"]
        if path not in (None, DASH):
            written = await download.save(path, resume=True, checksum=lambda chunk: bar.advance(len(chunk)))
            with bar.hidden():
                say(f"{written} bytes in {path}")
            return
        if sys.stdout.isatty():
            raise click.UsageError("a download cannot be shown on a terminal: use --save FILE, or redirect the output")
        async for chunk in download.stream():
            sys.stdout.buffer.write(chunk)
            bar.advance(len(chunk))
        sys.stdout.buffer.flush()

    def how_to_continue(self) -> str | None:
        """Return the command that prints the rest of a list; None if no item or every item was printed."""
        cursor = None if self.pager is None or self.pager.exhausted else self.pager.cursor
        if cursor is None or not self.printed or redacted(cursor, self.settings.redact) != cursor:
            return None
        option = f"--{self.call.operation.cursor.replace('_', '-')}"
        limit = self.call.given["limit"]
        rest = ["--limit", str(limit - self.printed)] if limit is not None else []
        # If an option is given twice, the last one counts.
        return self.settings.command_line(option, cursor, *rest)
