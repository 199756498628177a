"""The subcommand `asp observations`: what a deployment showed, and what its contract should say."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...errors import AgentPlatformError, InvalidArgumentError
from ...observe import check_deployment, make_report, propose_overlay, read_observations

OBSERVE = "AGENT_PLATFORM_OBSERVE"


def main(arguments: Sequence[str], program: str) -> None:
    """Report, propose or check.

    Exits with status 1 if something contradicts the contract, and with 2 if nothing could be read.

    Args:
        arguments: The arguments after the name of the subcommand.
        program: The name of the subcommand, for its help.
    """
    parser = argparse.ArgumentParser(
        prog=program,
        description="What a deployment showed of the API, kept by AgentPlatform(observe=...) or by "
        f"{OBSERVE}: names, types and counts, and no value.",
    )
    subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
    files: dict[str, Any] = {"nargs": "*", "metavar": "FILE", "help": f"files of observations; by default {OBSERVE}"}
    report = subcommands.add_parser("report", help="compare observations with the contract of this build")
    report.add_argument("files", **files)
    report.add_argument("--json", action="store_true", help="print JSON")
    propose = subcommands.add_parser("propose", help="write an OpenAPI Overlay of what was observed")
    propose.add_argument("files", **files)
    propose.add_argument("-o", "--output", metavar="PATH", help="where to write it; by default it is printed")
    propose.add_argument(
        "--at-least",
        type=positive,
        default=20,
        metavar="N",
        help="how many objects must have a member, all of them, before it is called required (20)",
    )
    check = subcommands.add_parser("check", help="call what only reads, and compare the responses with the contract")
    check.add_argument("--base-url", metavar="URL", help="address of the server; by default AGENT_PLATFORM_BASE_URL")
    check.add_argument("--organization", metavar="ID", help="the organization; by default AGENT_PLATFORM_ORG_ID")
    check.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    given = parser.parse_args(arguments)
    try:
        if given.subcommand == "check":
            sys.exit(run_check(given))
        tallies = read_observations(given.files or default_files())
        if given.subcommand == "propose":
            write_overlay(propose_overlay(tallies, at_least=given.at_least), given.output)
            return
    except (AgentPlatformError, OSError) as error:
        parser.error(str(error))
    found = make_report(tallies)
    print(json.dumps(found.to_dict(), indent=2) if given.json else found)
    sys.exit(1 if found.contradictions else 0)


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
    """Write an Overlay document, or print it."""
    if output is None:
        print(text, end="")
    else:
        Path(output).write_text(text, encoding="utf-8")


def run_check(given: argparse.Namespace) -> int:
    """Check a deployment, print what was found, and return the exit code."""
    found = asyncio.run(check_deployment(given.organization, base_url=given.base_url))
    if given.json:
        print(json.dumps({"called": found.called, "skipped": found.skipped, **found.report.to_dict()}, indent=2))
    else:
        print(found.to_markdown())
    return found.exit_code
