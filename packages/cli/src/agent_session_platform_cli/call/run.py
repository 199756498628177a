"""Call an operation and print what it returns."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from agent_session_platform import AgentPlatformError, Download, JsonLines, Pager, operations, to_json

from ..connect import connect, run
from ..output import open_list, print_value
from ..progress import Bar
from ..recent import note_ids
from ..settings import Settings
from ..terminal_text import say
from .files import Size, open_uploads, save
from .lists import Listing
from .request import CallRequest


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
    listing = Listing(call)
    try:
        run(_call(call, listing, settings))
    except (AgentPlatformError, KeyboardInterrupt) as error:
        command = listing.how_to_continue(settings.arguments)
        if command is not None and settings.errors_as_json and not isinstance(error, KeyboardInterrupt):
            # It is a member of the report.
            vars(error)["continue_with"] = command
        elif command is not None:
            say(f"stopped after {listing.printed} items; continue with: {command}")
        if isinstance(error, KeyboardInterrupt):
            _say_what_is_left(call)
        raise


def _say_what_is_left(call: CallRequest) -> None:
    """Say what an interrupted call may have done, where that matters."""
    if call.operation.method != "GET":
        text = f"stopped: {call.operation} may have been carried out, or not; read the state before you repeat it"
        say(text)
    elif call.given.get("save") is not None:
        say("stopped: the same command continues the download, if the server can do that")


async def _call(call: CallRequest, listing: Listing, settings: Settings) -> None:
    async with connect(settings) as platform:
        method = call.method_of(platform, settings)
        path, named = call.arguments(method)
        operations.check_arguments(partial(method, *path), named)
        has_file = any(each.parameter.kind == "file" for each in call.bound)
        name = str(call.operation)
        counts = "items" if call.operation.paginated else "bytes" if has_file or call.operation.streamed else ""
        with Bar(name, settings, platform.rate_limiter, counts=counts) as bar:
            files = open_uploads(call, named, bar)
            try:
                size = Size()
                result = method(*path, **named, options=call.options(on_response=size))
                await _print(result, call, listing, settings, bar, size)
            finally:
                for file in files:
                    file.close()


async def _print(result: Any, call: CallRequest, listing: Listing, settings: Settings, bar: Bar, size: Size) -> None:
    """Print what the method returned: a list, a file, lines, or a value to wait for."""
    if isinstance(result, Pager):
        await listing.print_all(result, open_list(settings, chosen=call.columns), bar)  # pyright: ignore[reportUnknownArgumentType]  # of any operation
    elif isinstance(result, Download):
        await save(result, call, size, bar)
    elif isinstance(result, JsonLines):
        writer = open_list(settings, chosen=call.columns)
        async for value in result:  # pyright: ignore[reportUnknownVariableType]
            with bar.hidden():
                writer.write([to_json(value)])
                sys.stdout.flush()
            bar.advance(1)
        writer.close()
    else:
        value = await result
        with bar.hidden():
            print_value(value, settings, chosen=call.columns)
            sys.stdout.flush()
        if bar.is_shown and (isinstance(value, Mapping) or hasattr(value, "to_dict")):
            note_ids(call.operation, [value])
