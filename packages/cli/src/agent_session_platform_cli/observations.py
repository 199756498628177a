"""`asp observations`: compare the responses of a deployment with the contract."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from .connect import OBSERVE
from .errors import ExitCode
from .group import LazyGroup, import_companion
from .output import print_report
from .running import run
from .settings import COUNT, DASH, TARGET, Settings, asp_command
from .terminal_text import escaped, say

if TYPE_CHECKING:
    from agent_session_platform_observe import Check, HarImport, Report

PATHS: Final = f"{OBSERVE}_PATHS"
UNKNOWN_PATH: Final = (
    "Read this path, too, which the contract does not have, such as /v3/enterprise/widgets/{widget_id}"
)
FILES: Final = click.argument("files", nargs=-1, metavar="[FILE]...")


@asp_command(examples=("asp observations report observed.json",))
@FILES
def report(settings: Settings, files: tuple[str, ...]) -> int:
    """Show contradictions to the contract, facts that fill its gaps, and operations without a response.

    Several files are added up. Without FILE, the file in AGENT_PLATFORM_OBSERVE is read. The exit code is 1 if there is
    a contradiction.
    """
    found: Report = observe().make_report(_read(files))
    print_report(found.to_dict(), str(found), settings)
    return ExitCode.FAILURE if found.contradictions else ExitCode.OK


@click.command()
@FILES
@click.option("-o", "--output", metavar="PATH", help="Write to this file; the default is stdout.")
@click.option("--at-least", type=COUNT, default=20, metavar="N", help="Call a member required if N objects have it.")
def propose(files: tuple[str, ...], output: str | None, at_least: int) -> None:
    """Write the observed facts as an OpenAPI Overlay for `make generate`."""
    text: str = observe().propose_overlay(_read(files), at_least=at_least)
    if not text:
        say("nothing is written: the contract has all observed facts")
    elif output in (None, DASH):
        click.echo(escaped(text.removesuffix("\n"), kept="\n"))
    else:
        Path(output).write_text(text, encoding="utf-8")


@asp_command(
    name="import",
    examples=("asp observations import traffic.har --into observed.json --base-url https://acme.example/api",),
)
@click.argument("files", nargs=-1, metavar="HAR...", required=True)
@click.option("--into", type=TARGET, metavar="FILE", help=f"Add to this file of observations  [{OBSERVE}]")
@click.option("--path", "paths", multiple=True, metavar="TEMPLATE", help=f"{UNKNOWN_PATH}  [repeatable]")
def import_har(settings: Settings, files: tuple[str, ...], into: str | None, paths: tuple[str, ...]) -> None:
    """Add the traffic that a browser or a proxy has saved as HAR to a file of observations.

    Requests to other addresses are ignored. Without --base-url, the address is the one from which most requests lead to
    operations. The output says which address it is, and what was ignored. Import a file once.
    """
    target = into or os.environ.get(OBSERVE)
    if not target:
        raise click.UsageError(f"no file of observations: name one with --into, or set {OBSERVE}")
    templates = paths or os.environ.get(PATHS, "").split()
    found: HarImport = observe().import_har(files, target, base_url=settings.base_url, paths=templates)
    print_report(found.to_dict(), str(found), settings)


@asp_command(examples=("asp observations check --organization org-acme",))
def check(settings: Settings) -> int:
    """Call the operations that only read, and compare the responses with the contract.

    The exit code is 1 if there is a contradiction. If no operation succeeds, it is the code of the first error.
    """
    found: Check = run(observe().check_deployment(settings.organization, base_url=settings.base_url))
    print_report(found.to_dict(), found.to_markdown(), settings)
    if found.error is not None:
        raise found.error
    return ExitCode.FAILURE if found.report.contradictions else ExitCode.OK


def _read(files: tuple[str, ...]) -> Any:
    named = files or tuple(filter(None, [os.environ.get(OBSERVE)]))
    if not named:
        raise click.UsageError(f"no file of observations: name one, or set {OBSERVE}")
    return observe().read_observations(named)


def observe() -> Any:
    """Return the companion. The help of the commands works without it.

    Raises:
        ConfigurationError: It is not installed.
    """
    return import_companion("agent_session_platform_observe", "asp observations")


observations_command = LazyGroup(
    name="observations",
    commands={"report": report, "propose": propose, "check": check, "import": import_har},
    help="Compare the responses of a deployment with the contract. To record responses, pass on_exchange= to "
    f"AgentPlatform in a program, set {OBSERVE} to the path of a file for asp, or import what a browser has saved. The "
    "file gets names, types and counts, but no values.",
    examples=("asp observations report observed.json", "asp observations propose observed.json -o overlay.yaml"),
)
