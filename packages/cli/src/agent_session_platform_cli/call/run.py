"""Call an operation and print what it returns: a value, a list as it comes, or a file."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

import attrs
import click
from agent_session_platform import (
    AgentPlatformError,
    Download,
    JsonLines,
    Pager,
    ReceivedResponse,
    operations,
    to_json,
)

from ..connect import connect, run
from ..lookup import note_ids
from ..output import open_list, print_value
from ..progress import Bar
from ..settings import Settings
from ..terminal_text import say, shell_word
from .request import CallRequest

# The page size of the contract's lists, by default.
PAGE: Final = 100


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
        say(f"{call.operation} is deprecated{f'; use {instead}' if (instead := call.operation.successor) else ''}")
    running = _Running(call, settings)
    try:
        run(running.run())
    except AgentPlatformError as error:
        command = running.how_to_continue()
        if command is not None and settings.errors_as_json:
            # It is a member of the report.
            vars(error)["continue_with"] = command
        elif command is not None:
            say(f"stopped after {running.printed} items; continue with: {command}")
        raise
    except KeyboardInterrupt:
        if (command := running.how_to_continue()) is not None:
            say(f"stopped after {running.printed} items; continue with: {command}")
        elif call.operation.method != "GET":
            say(f"stopped: {call.operation} may have been carried out, or not; read the state before you repeat it")
        elif call.given.get("save") is not None:
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
        size: The size of the file in the response, as far as that tells it.
    """

    call: CallRequest
    settings: Settings
    pager: Pager[Any] | None = None
    printed: int = 0
    size: int | None = None

    async def run(self) -> None:
        """Call the operation, and print its result."""
        call = self.call
        async with connect(self.settings) as platform:
            method = call.method_of(platform, self.settings)
            path, named = call.arguments(method)
            operations.check_arguments(partial(method, *path), named)
            files = [each.parameter.argument_name for each in call.bound if each.parameter.kind == "file"]
            counts = "items" if call.operation.paginated else "bytes" if files or call.operation.streamed else ""
            with (
                Bar(str(call.operation), self.settings, platform.rate_limiter, counts=counts) as bar,
                ExitStack() as opened,
            ):
                for name in files:
                    if bar.is_shown and name in named:
                        named[name] = opened.enter_context(CountingFile(named[name], bar))
                await self._print(method(*path, **named, options=call.options(on_response=self._note_size)), bar)

    def _note_size(self, response: ReceivedResponse) -> None:
        length = response.headers.get("content-length", "")
        self.size = int(length) if length.isdecimal() and not response.headers.get("content-encoding") else None

    async def _print(self, result: Any, bar: Bar) -> None:
        """Print what the method returned: a list, a file, lines, or a value to wait for."""
        if isinstance(result, Pager):
            await self._print_list(result, bar)  # pyright: ignore[reportUnknownArgumentType]  # of any operation
        elif isinstance(result, Download):
            await self._save(result, bar)
        elif isinstance(result, JsonLines):
            writer = open_list(self.settings, chosen=self.call.columns)
            async for value in result:  # pyright: ignore[reportUnknownVariableType]
                with bar.hidden():
                    writer.write([to_json(value)])
                    sys.stdout.flush()
                bar.advance(1)
            writer.close()
        else:
            value = await result
            with bar.hidden():
                print_value(value, self.settings, chosen=self.call.columns)
                sys.stdout.flush()
            if bar.is_shown and (isinstance(value, Mapping) or hasattr(value, "to_dict")):
                note_ids(self.call.operation, [value])

    async def _print_list(self, pager: Pager[Any], bar: Bar) -> None:
        """Print the items page by page, up to the limit; nothing is kept."""
        self.pager = pager
        limit = self.call.limit
        writer = open_list(self.settings, chosen=self.call.columns)

        def write(items: Sequence[Any]) -> None:
            with bar.hidden():
                writer.write([to_json(item) for item in items])
                sys.stdout.flush()
            if not self.printed and bar.is_shown:
                note_ids(self.call.operation, items)
            self.printed += len(items)
            total = pager.total
            bar.advance(len(items), limit if total is None else total if limit is None else min(limit, total))

        try:
            if limit is not None and limit <= (self.call.page_size or PAGE):
                # Of one page: iterating would fetch the next one before it is needed.
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
        """Write a file to the path of `--save`, or to stdout."""
        hosts, path = self.call.given["redirect_host"], self.call.given["save"]

        def count(chunk: bytes) -> None:
            bar.advance(len(chunk), self.size)

        if path is not None:
            written = await download.save(path, resume=True, checksum=count, follow=bool(hosts), hosts=hosts)
            with bar.hidden():
                say(f"{written} bytes in {path}")
            return
        if sys.stdout.isatty():
            raise click.UsageError("a file is not written to a terminal: use --save FILE, or redirect the output")
        async for chunk in download.stream(follow=bool(hosts), hosts=hosts):
            sys.stdout.buffer.write(chunk)
            count(chunk)
        sys.stdout.buffer.flush()

    def how_to_continue(self) -> str | None:
        """Return the command that prints the rest of a list; None if nothing was printed, or nothing is left."""
        cursor = None if self.pager is None or self.pager.exhausted else self.pager.cursor
        if cursor is None or not self.printed:
            return None
        option = f"--{self.call.operation.cursor.replace('_', '-')}"
        words = [*without_options(self.settings.arguments, option, "--limit"), option, cursor]
        if self.call.limit is not None:
            words += ["--limit", str(self.call.limit - self.printed)]
        return " ".join(["asp", *map(shell_word, words)])


def without_options(arguments: Sequence[str], *options: str) -> list[str]:
    """Return the words of a command without some options and their values.

    Example:
        >>> without_options(["list", "--after", "c1", "--limit=5"], "--after")
        ['list', '--limit=5']
    """
    kept: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, _ = word.partition("=")
        if name.replace("_", "-") not in options:
            kept.append(word)
        elif not equals:
            next(words, None)
    return kept


class CountingFile(io.BufferedReader):
    """A file that tells a bar how much of it was read.

    Args:
        path: The file.
        bar: The bar.
    """

    def __init__(self, path: str, bar: Bar) -> None:
        super().__init__(io.FileIO(path))
        self._bar = bar
        self._total = os.stat(path).st_size

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, and count."""
        chunk = super().read(size)
        self._bar.advance(len(chunk), self._total)
        return chunk
