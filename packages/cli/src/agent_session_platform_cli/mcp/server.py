"""The server of `asp mcp`: one client of the platform for its life, over stdin and stdout."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, cast

from agent_session_platform import (
    AgentPlatform,
    Catalogue,
    InvalidArgumentError,
    InvalidOrganizationError,
    RetryPolicy,
    __version__,
)
from mcp.server import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

from ..connect import connect
from ..settings import Settings
from ..suggestions import nearest
from .calling import call_operation
from .results import failed, succeeded
from .selection import Selection, is_read
from .stdin import read_lines
from .tool_search import NAME, SEARCH, search
from .tools import tool_name, tools_of

if TYPE_CHECKING:
    from anyio import AsyncFile

# Many clients give up after 60 seconds: an error that says why is better than none.
DEADLINE: Final = 45.0

# Some clients take no more, and a model chooses badly among many.
MANY: Final = 40

INSTRUCTIONS: Final = (
    "Each tool is an operation of the Agent Session Platform, named scope_resource_verb. A list returns one page: pass "
    "its end_cursor as the cursor argument for the next. An error has a sentence that says what to do. "
    f"{NAME} finds operations that are no tools here."
)


async def serve(settings: Settings, selection: Selection) -> None:
    """Serve the tools until stdin ends, or a signal does.

    Args:
        settings: The global options.
        selection: The operations that may be called.

    Raises:
        ConfigurationError: A setting is missing or malformed.
    """
    task = asyncio.current_task()
    # Ctrl-C cancels the task already. On Windows a loop has no signals, and SIGTERM ends the process.
    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, cast("asyncio.Task[Any]", task).cancel)
    async with connect(settings, retry=RetryPolicy(deadline=DEADLINE)) as platform:
        server = make_server(platform, selection)
        print(_greeting(selection), file=sys.stderr, flush=True)
        # It only iterates over them.
        lines = cast("AsyncFile[str]", read_lines())
        async with stdio_server(stdin=lines) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


def make_server(platform: AgentPlatform, selection: Selection) -> Server[Any]:
    """Return the server, for any transport of the protocol.

    Args:
        platform: The client by which it calls.
        selection: The operations that may be called.
    """
    names_organization = not _has_organization(platform)
    tools = [*tools_of(selection, names_organization=names_organization), SEARCH]
    by_tool = {tool_name(each): each for each in Catalogue()}

    async def list_tools(context: ServerRequestContext[Any], params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        if name == NAME:
            return search(selection, arguments)
        if name not in by_tool:
            raise InvalidArgumentError(f"there is no tool {name[:80]!r}{nearest(name, [*by_tool, NAME])}")
        operation = by_tool[name]
        refusal = selection.refusal(operation)
        if refusal is not None:
            raise InvalidArgumentError(refusal)
        return await call_operation(platform, operation, arguments, names_organization=names_organization)

    async def call_tool(context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        try:
            return succeeded(await call(params.name, params.arguments or {}))
        # Also what nobody expects: the server goes on, and the assistant reads a sentence.
        except Exception as error:
            return failed(error)

    return Server(
        "agent-session-platform",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _has_organization(platform: AgentPlatform) -> bool:
    try:
        platform.organization()
    except InvalidOrganizationError:
        return False
    return True


def _greeting(selection: Selection) -> str:
    """Return what a person who starts the server reads."""
    offered = [*selection]
    writes = [each.name for each in offered if not is_read(each)]
    kinds = f"with {', '.join(writes)}" if writes else "all of them only read"
    many = f"; some clients take {MANY} at most: narrow them with --only WORD" if len(offered) > MANY else ""
    waits = "; type nothing: an assistant starts it, Ctrl-C ends it" if sys.stdin.isatty() else ""
    return f"asp: {len(offered)} operations as tools over stdio, {kinds}{many}{waits}"
