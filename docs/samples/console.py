"""Run the commands of a console block, and compare what they print with what the block shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from docs.samples.expected import difference, matches

PROMPT: Final = "$ "
EXIT_CODE: Final = re.compile(r"# exit code (?P<code>\d+)\s*$")

# So long may a command take, in seconds: pytest in a fresh process on a busy machine needs some.
TIMEOUT: Final = 120.0

# What the environment of a test must not change in what a user sees.
LEFT_OUT: Final = frozenset({"PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "FORCE_COLOR", "CI"})


class Command(NamedTuple):
    """A command of a console block, with what it is to print."""

    line: str
    shown: str

    @property
    def exit_code(self) -> int:
        """The exit code that the comment at its end names; 0 without one."""
        found = EXIT_CODE.search(self.line)
        return int(found["code"]) if found else 0


def commands(code: str) -> Iterator[Command]:
    r"""Yield the commands of a console block; a `\` at the end of a line continues the command.

    Raises:
        ValueError: If the block does not begin with `$ `.
    """
    if not code.startswith(PROMPT):
        raise ValueError(f"a console block must begin with `{PROMPT}`, not with {code[:20]!r}")
    for part in re.split(rf"^{re.escape(PROMPT)}", code, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next(number for number, line in enumerate(lines, 1) if not line.endswith("\\\n"))
        yield Command("".join(lines[:end]).rstrip("\n"), "".join(lines[end:]))


def run(command: Command, folder: Path) -> None:
    """Run a command by bash in a folder, with the programs of this environment.

    Raises:
        AssertionError: If it ends with another exit code, or prints something else than the block shows.
    """
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # Tables have this width where nothing is a terminal.
    environment["COLUMNS"] = "100"
    done = subprocess.run(
        ["bash", "-c", command.line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
    )
    assert done.returncode == command.exit_code, f"{command.line}: exit code {done.returncode}\n{done.stdout}"
    if command.shown.strip():
        assert matches(command.shown, done.stdout), f"{command.line}: {difference(command.shown, done.stdout)}"
