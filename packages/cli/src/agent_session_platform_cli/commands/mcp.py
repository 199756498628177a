"""`asp mcp`: the operations as tools of an AI assistant, over stdio."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import click

from ..connect import run
from ..group import to_install
from ..mcp.operations import Selection
from ..settings import Settings, asp_command


@asp_command(
    examples=(
        "asp mcp --only sessions",
        "asp mcp --only sessions --allow organization.sessions.create",
        "asp mcp --allow 'organization.knowledge_notes.*'",
        "asp mcp --only organization. --organization org-acme",
    ),
)
@click.option(
    "--allow",
    multiple=True,
    metavar="OPERATION",
    help="A write to offer as well; with * at its end, all that begin like it  [repeatable]",
)
@click.option(
    "--only",
    multiple=True,
    metavar="WORD",
    help="Of the reads, those with WORD, as `asp operations WORD` finds them  [repeatable]",
)
@click.pass_obj
def mcp_command(settings: Settings, allow: tuple[str, ...], only: tuple[str, ...]) -> None:
    """Offer the operations to an AI assistant as tools, over stdio (Model Context Protocol).

    Only what changes nothing, unless --allow names it. An assistant starts this itself, and ends it by closing stdin.
    """
    selection = Selection(allow, only)
    try:
        from ..mcp.server import serve
    except ImportError as error:
        raise click.ClickException(f"asp mcp needs the library mcp ({error}): {to_install('mcp')}") from None
    # That is SIGTERM, by which assistants end a server.
    with suppress(asyncio.CancelledError):
        run(serve(settings, selection))
