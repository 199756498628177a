"""The command `asp`."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("arguments", "code", "output"),
    [
        (["--help"], 0, "usage: asp [-h] SUBCOMMAND"),
        (["--help"], 0, "serve a double of the platform on this machine"),
        ([], 2, "usage: asp [-h] SUBCOMMAND"),
        (["sandbx"], 2, "invalid choice: 'sandbx'"),
        (["sandbox", "--help"], 0, "usage: asp sandbox [-h] [--port PORT]"),
        (["sandbox", "--prot", "1"], 2, "asp sandbox: error: unrecognized arguments: --prot 1"),
    ],
)
def test_the_command_prints_its_usage_or_runs_the_subcommand(arguments: list[str], code: int, output: str) -> None:
    command = [sys.executable, "-c", "from agent_session_platform.cli.main import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, output in done.stdout + done.stderr) == (code, True)


def test_the_package_as_a_program_is_the_same_command() -> None:
    command = [sys.executable, "-m", "agent_session_platform", "sandbx"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "asp: error: argument SUBCOMMAND: invalid choice: 'sandbx'" in done.stderr) == (2, True)
