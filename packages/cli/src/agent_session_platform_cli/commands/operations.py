"""`asp operations`: the operations of the API."""

from __future__ import annotations

from typing import Any

import click
from agent_session_platform import Operation

from ..lookup import operations_with
from ..output import print_items
from ..settings import Settings, asp_command


@asp_command(
    examples=("asp operations", "asp operations sessions", "asp operations ViewOrgSessions -o json"),
)
@click.argument("word", default="", metavar="[WORD]")
@click.pass_obj
def command(settings: Settings, word: str) -> None:
    """List the operations that have WORD in their name, path, permission or summary; without it all of them."""
    found = [summary_of(each) for each in operations_with(word)]
    print_items(found, settings)
    if not found:
        click.echo(f"asp: no operation has {word[:80]!r}; `asp operations` lists all", err=True)


def summary_of(operation: Operation) -> dict[str, Any]:
    """Return the facts about an operation that fit into a row."""
    marks = {"deprecated": operation.deprecated, "beta": operation.beta, "list": operation.paginated}
    return {
        "operation": operation.name,
        "method": operation.method,
        "permission": operation.permission,
        "summary": operation.summary,
        "marks": " ".join(mark for mark, has in marks.items() if has) or None,
        "path": operation.path,
    }
