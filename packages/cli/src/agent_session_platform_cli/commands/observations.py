"""The subcommand `asp observations`: what a deployment showed, and what its contract should say."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from agent_session_platform import AgentPlatformError, ConfigurationError, InvalidArgumentError
from agent_session_platform_observe import check_deployment, make_report, propose_overlay, read_observations

from ..connect import OBSERVE
from ..errors import FAILURE, OK, exit_code_of
from ..terminal_text import escaped


def main(arguments: Sequence[str], program: str) -> None:
    """Report, propose or check.

    Exits with the codes of `exit_codes.py`: FAILURE if something contradicts the contract, and that of the first
    error if a check reached no operation.

    Args:
        arguments: The arguments after the name of the subcommand.
        program: The name of the subcommand, for its help.
    """
    parser = argparse.ArgumentParser(
        prog=program,
        description="Compare what a deployment sends with the contract, which is what this SDK knows of the API. "
        f"A program with AgentPlatform(on_exchange=...), or asp with the path of a file in {OBSERVE}, writes what "
        "comes into a file: names, types and counts, and no values.",
        epilog="Exit codes: 0 if nothing contradicts the contract, 1 if something does; other codes as of any command.",
    )
    subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
    about_files = f"file of observations; several are added up (default: that of {OBSERVE})"
    files: dict[str, Any] = {"nargs": "*", "metavar": "FILE", "help": about_files}
    about_report = "show what contradicts the contract, what fills its gaps, and what was never seen"
    report = subcommands.add_parser("report", help=about_report)
    report.add_argument("files", **files)
    report.add_argument("--json", action="store_true", help="print JSON instead of text")
    about_propose = "write what was observed as an OpenAPI Overlay, which `make generate` applies"
    propose = subcommands.add_parser("propose", help=about_propose)
    propose.add_argument("files", **files)
    propose.add_argument("-o", "--output", metavar="PATH", help="file to write it to (default: stdout)")
    propose.add_argument(
        "--at-least",
        type=positive,
        default=20,
        metavar="N",
        help="call a member required if all of at least N objects have it (default: 20)",
    )
    about_check = "call the operations that only read, and compare the responses with the contract"
    check = subcommands.add_parser("check", help=about_check)
    check.add_argument("--base-url", metavar="URL", help="address of the server (default: AGENT_PLATFORM_BASE_URL)")
    check.add_argument("--organization", metavar="ID", help="organization to read (default: AGENT_PLATFORM_ORG_ID)")
    check.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    given = parser.parse_args(arguments)
    try:
        if given.subcommand == "check":
            sys.exit(run_check(given))
        tallies = read_observations(given.files or default_files())
        if given.subcommand == "propose":
            write_overlay(propose_overlay(tallies, at_least=given.at_least), given.output)
            return
    except (InvalidArgumentError, ConfigurationError, OSError) as error:
        parser.error(str(error))
    except AgentPlatformError as error:
        fail(error, parser.prog)
    found = make_report(tallies)
    show(json.dumps(found.to_dict(), indent=2) if given.json else str(found))
    sys.exit(FAILURE if found.contradictions else OK)


def show(text: str) -> None:
    """Print a text; where the reader of a pipe wants no more, such as `head`, the rest is dropped."""
    try:
        print(escaped(text, kept="\n"), flush=True)
    except BrokenPipeError:
        # Or Python would report it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(error: AgentPlatformError, program: str) -> NoReturn:
    """Print an error, and exit with its code."""
    print(escaped(f"{program}: error: {error}"), file=sys.stderr)
    sys.exit(exit_code_of(error))


def positive(text: str) -> int:
    """Return a whole number from 1; argparse reports anything else."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def default_files() -> list[str]:
    """Return the file that the environment names."""
    path = os.environ.get(OBSERVE)
    if not path:
        raise InvalidArgumentError(f"no file of observations: name one, or set {OBSERVE}")
    return [path]


def write_overlay(text: str, output: str | None) -> None:
    """Write an Overlay document, or print it; of nothing to propose there is none."""
    if not text:
        name = f"; {output} is not written" if output is not None else ""
        print(f"nothing to propose: the contract has all that was observed{name}", file=sys.stderr)
    elif output is None:
        show(text.removesuffix("\n"))
    else:
        Path(output).write_text(text, encoding="utf-8")


def run_check(given: argparse.Namespace) -> int:
    """Check a deployment, print what was found, and return the exit code.

    Raises:
        AgentPlatformError: No operation succeeded.
    """
    found = asyncio.run(check_deployment(given.organization, base_url=given.base_url))
    if given.json:
        show(json.dumps(found.to_dict(), indent=2))
    else:
        show(found.to_markdown())
    if found.error is not None:
        raise found.error
    return FAILURE if found.report.contradictions else OK
