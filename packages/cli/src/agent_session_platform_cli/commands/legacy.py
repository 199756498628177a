"""`asp legacy`: the current operation of a path of the legacy API."""

from __future__ import annotations

import click
from agent_session_platform.legacy import current

from ..output import print_value
from ..settings import Settings, asp_command


@asp_command(examples=("asp legacy /v1/sessions", "asp legacy /v1/session/abc --method DELETE"))
@click.argument("path", metavar="PATH")
@click.option("--method", default="GET", show_default=True, help="The HTTP method.")
@click.pass_obj
def command(settings: Settings, path: str, method: str) -> None:
    """Find the current operation of a PATH of the legacy API (v1), with its ids."""
    found = current(path, method)
    operation = found.operation
    row = {
        "operation": operation.name,
        "method": found.method,
        "path": found.path,
        "call": f"asp call {operation.name}",
    }
    print_value(row, settings)
