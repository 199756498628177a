"""The page of the command line: the help of each command, and the exit codes."""

from __future__ import annotations

import contextlib
import io
import os
import re
import runpy
import sys
from typing import Final
from unittest.mock import patch

from agent_session_platform_cli.errors import ExitCode

from docs.reference.markdown import anchor, code, document, fence, table

PAGE: Final = "reference/command-line.md"
# The list of subcommands in the help of click and of argparse.
COMMANDS: Final = re.compile(r"^(?:Commands:|  [A-Z]+)\n((?:  .*\n)+)", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the page of the command line."""
    text = help_of()
    commands = dict(_commands_in(text))
    rows = ((f"[asp {name}](#{anchor(f'asp {name}')})", about) for name, about in commands.items())
    return {
        PAGE: document(
            "# Command line",
            "Use the platform from a terminal, from scripts and from CI jobs. In a checkout "
            "`pip install . ./packages/jobs ./packages/cli` installs it.",
            table(("Command", "What it does"), rows),
            "## Options of every command",
            "Write them before or after the name of a command. If an option is in both places, the second one wins.",
            fence(text, "text"),
            *(_command(name) for name in commands),
            "## Exit codes",
            "A script can rely on these codes. [Errors](errors.md) has the error of each status.",
            table(("Code", "Meaning"), ((code(f"{each:d}"), each.meaning) for each in ExitCode)),
        )
    }


def help_of(*words: str) -> str:
    """Return what a command prints with `--help`."""
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
        patch.object(sys, "argv", ["asp", *words, "--help"]),
        patch.dict(os.environ, {"COLUMNS": "88", "NO_COLOR": "1"}),
    ):
        runpy.run_module("agent_session_platform_cli", run_name="__main__")
    return printed.getvalue()


def _command(*words: str) -> str:
    """Return the text about a command and its subcommands."""
    text = help_of(*words)
    heading = f"{'#' * (len(words) + 1)} asp {' '.join(words)}"
    return document(heading, fence(text, "text"), *(_command(*words, name) for name, _ in _commands_in(text)))


def _commands_in(text: str) -> list[tuple[str, str]]:
    """Return the names of the commands that a help text lists, with their descriptions."""
    found = COMMANDS.search(text)
    return re.findall(r"^ {2,4}(\w\S*) +(.*)", found[1], re.MULTILINE) if found else []
