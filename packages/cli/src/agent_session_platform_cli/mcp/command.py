"""The command `asp mcp`. Its help works without the package `mcp`."""

from __future__ import annotations

import asyncio

import click

from ..group import import_companion
from ..settings import Settings, asp_command, open_stdin
from .operations import Selection


@asp_command(examples=("asp mcp", "asp mcp --allow 'organization.knowledge_notes.*'"))
@click.option(
    "--allow",
    multiple=True,
    metavar="OPERATION",
    help="Allow this write; * at the end means any text  [repeatable]",
)
def mcp_command(settings: Settings, allow: tuple[str, ...]) -> None:
    """Offer the operations to an AI assistant as tools, over stdio (Model Context Protocol).

    Only reads are allowed, and the writes that --allow names. An assistant starts this command, and ends it by closing
    stdin.
    """
    server = import_companion("agent_session_platform_cli.mcp.server", "asp mcp")
    open_stdin("asp mcp", "an assistant starts this command, and must give it a pipe as stdin")
    try:
        asyncio.run(server.serve(settings, Selection(allow)))
    # The assistant has stopped reading, so there is nothing left to do.
    except* BrokenPipeError:
        pass
