"""The commands that ask nobody: operations, gaps, legacy paths, and the permissions that a program needs."""

from __future__ import annotations

from typing import Any

import click
from agent_session_platform import Operation, gaps
from agent_session_platform.legacy import current

from ..lookup import complete_operation, operation_named, operations_with
from ..output import print_items, print_value
from ..program import read_program
from ..settings import Settings, asp_command
from ..sheet import sheet_of, text_of
from ..terminal_text import escaped


@asp_command(
    examples=("asp operations", "asp operations sessions", "asp operations ViewOrgSessions -o json"),
)
@click.argument("word", default="", metavar="[WORD]")
@click.pass_obj
def operations_command(settings: Settings, word: str) -> None:
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


@asp_command(
    examples=("asp show organization.sessions.create", "asp show list_organization_sessions -o json"),
)
@click.argument("name", metavar="OPERATION", shell_complete=complete_operation)
@click.pass_obj
def show_command(settings: Settings, name: str) -> None:
    """Show an operation: parameters, permission, credentials, rules, gaps, examples in Python and in curl."""
    sheet = sheet_of(operation_named(name))
    if settings.output is None or settings.output == "table":
        click.echo(text_of(sheet))
    else:
        print_value(sheet, settings)


@asp_command(examples=("asp gaps", "asp gaps session-list", "asp gaps permission -o csv"))
@click.argument("word", default="", metavar="[WORD]")
@click.pass_obj
def gaps_command(settings: Settings, word: str) -> None:
    """List the gaps that have WORD in their id, text or place: facts that the API's description does not show."""
    wanted = word.lower()
    found = [each for each in gaps if any(wanted in text.lower() for text in (each.id, each.what, each.place))]
    rows = [
        {"gap": each.id, "what": each.what, "place": each.place, "state": "closed" if each.closed else "open"}
        for each in found
    ]
    print_items(rows, settings)
    if not rows:
        click.echo(f"asp: no gap has {word[:80]!r}; `asp gaps` lists all", err=True)


@asp_command(examples=("asp legacy /v1/sessions", "asp legacy /v1/session/abc --method DELETE"))
@click.argument("path", metavar="PATH")
@click.option("--method", default="GET", show_default=True, help="The HTTP method.")
@click.pass_obj
def legacy_command(settings: Settings, path: str, method: str) -> None:
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


@asp_command(examples=("asp permissions service.py", "asp permissions src -o json"))
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def permissions_command(settings: Settings, programs: tuple[str, ...], as_json: bool) -> None:
    """Find the operations that a PROGRAM names, and the permissions that they require.

    It is a Python file, or a folder with such files. Too many operations are named rather than too few. Nothing of
    it is run, and nothing is sent.
    """
    use = read_program(*programs)
    if as_json or settings.output in ("json", "jsonl"):
        print_value(use.to_dict(), settings)
    else:
        click.echo(escaped(str(use), kept="\n"))
