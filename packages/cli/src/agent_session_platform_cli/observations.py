"""`asp observations`: what a deployment showed, and what its contract should say."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Final

import click
from agent_session_platform_observe import check_deployment, make_report, propose_overlay, read_observations

from .connect import OBSERVE
from .errors import FAILURE, OK
from .group import LazyGroup
from .option_types import COUNT
from .settings import Settings, asp_command
from .terminal_text import escaped, say, to_text

FILES: Final = click.argument("files", nargs=-1, metavar="[FILE]...")
JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@asp_command(examples=("asp observations report observed.json",))
@FILES
@JSON
@click.pass_obj
def report(settings: Settings, files: tuple[str, ...], as_json: bool) -> int:
    """Show what contradicts the contract, what fills its gaps, and what was never seen.

    Several files are added up; without any it is the one that AGENT_PLATFORM_OBSERVE names. The exit code is 1 if
    something contradicts the contract.
    """
    found = make_report(_read(files))
    _print(found, str(found), as_json or settings.errors_as_json)
    return FAILURE if found.contradictions else OK


@click.command()
@FILES
@click.option("-o", "--output", metavar="PATH", help="Write it to this file; the default is stdout.")
@click.option("--at-least", type=COUNT, default=20, metavar="N", help="Call a member required if N objects have it.")
def propose(files: tuple[str, ...], output: str | None, at_least: int) -> None:
    """Write what was observed as an OpenAPI Overlay, which `make generate` applies."""
    text = propose_overlay(_read(files), at_least=at_least)
    if not text:
        name = f"; {output} is not written" if output is not None else ""
        say(f"nothing to propose: the contract has all that was observed{name}")
    elif output is None:
        click.echo(escaped(text.removesuffix("\n"), kept="\n"))
    else:
        Path(output).write_text(text, encoding="utf-8")


@asp_command(examples=("asp observations check --organization org-acme",))
@JSON
@click.pass_obj
def check(settings: Settings, as_json: bool) -> int:
    """Call the operations that only read, and compare the responses with the contract.

    The exit code is 1 if something contradicts the contract; that of the first error if no operation succeeded.
    """
    found = asyncio.run(check_deployment(settings.organization, base_url=settings.base_url))
    _print(found, found.to_markdown(), as_json or settings.errors_as_json)
    if found.error is not None:
        raise found.error
    return FAILURE if found.report.contradictions else OK


def _read(files: tuple[str, ...]) -> Any:
    named = files or tuple(filter(None, [os.environ.get(OBSERVE)]))
    if not named:
        raise click.UsageError(f"no file of observations: name one, or set {OBSERVE}")
    return read_observations(named)


def _print(found: Any, text: str, as_json: bool) -> None:
    click.echo(to_text(found.to_dict(), indent=2) if as_json else escaped(text, kept="\n"))


observations_command = LazyGroup(
    name="observations",
    commands={"report": report, "propose": propose, "check": check},
    help="Compare what a deployment sends with the contract, which is all that this SDK knows of the API. A program "
    f"with AgentPlatform(on_exchange=...), or asp with the path of a file in {OBSERVE}, writes what comes into a file: "
    "names, types and counts, and no values.",
    examples=("asp observations report observed.json", "asp observations propose observed.json -o overlay.yaml"),
)
