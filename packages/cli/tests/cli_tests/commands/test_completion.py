"""Completion in the shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agent_session_platform import operations

from cli_tests.conftest import Asp


def completed(asp: Asp, *words: str) -> list[str]:
    """Return the words that the shell offers for the last word."""
    result = asp(_ASP_COMPLETE="bash_complete", COMP_WORDS=" ".join(["asp", *words]), COMP_CWORD=str(len(words)))
    return [line.partition(",")[2] for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("shell", "line"), [("bash", "complete -o nosort"), ("zsh", "#compdef asp"), ("fish", "complete")]
)
def test_each_shell_has_a_script(offline: Asp, shell: str, line: str) -> None:
    result = offline("completion", shell)
    assert (result.exit_code, line in result.stdout, "_ASP_COMPLETE" in result.stdout) == (0, True, True)


def test_commands_and_operations_are_completed(offline: Asp) -> None:
    assert completed(offline, "ope") == ["operations"]
    assert "organization.sessions.list" in completed(offline, "call", "organization.sess")
    assert completed(offline, "show", "organization.sessions.li") == [
        "organization.sessions.list",
        "organization.sessions.list_messages",
        "organization.sessions.list_tags",
    ]


def test_options_and_closed_values_are_completed(offline: Asp) -> None:
    assert completed(offline, "call", "organization.sessions.list", "--ori") == ["--origins"]
    assert completed(offline, "call", "organization.sessions.list", "--origins", "sl") == ["slack"]


# Commands that print the offered words in a shell without a terminal. They run after the completion script.
ASKED = {
    "bash": "COMP_WORDS=(asp call organization.secrets.)\nCOMP_CWORD=2\n_asp_completion asp\n"
    'printf "%s\\n" "${COMPREPLY[@]}"',
    # zsh shows its list on a terminal only, so the function that fills the list prints instead.
    "zsh": "words=(asp call organization.secrets.)\nCURRENT=3\n_describe() { print -rl -- ${(P)3%:*} }\n"
    "_asp_completion",
    "fish": 'complete -C "asp call organization.secrets." | string split -f 1 \\t',
}
BEFORE = {"zsh": "compdef() { }\n"}
WITHOUT_SETTINGS = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}


@pytest.mark.parametrize(
    "shell",
    [
        pytest.param(each, marks=pytest.mark.skipif(shutil.which(each) is None, reason=f"{each} is not installed"))
        for each in ASKED
    ],
)
def test_a_shell_completes_with_its_script(offline: Asp, tmp_path: Path, shell: str) -> None:
    script = offline("completion", shell).stdout
    command = tmp_path / "asp"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m agent_session_platform_cli \"$@\"\n")
    command.chmod(0o755)
    program = f"{BEFORE.get(shell, '')}{script}\n{ASKED[shell]}"
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = subprocess.run(
        [shell, *WITHOUT_SETTINGS[shell], "-c", program], capture_output=True, text=True, check=False, env=environment
    )
    names = sorted(each.name for each in operations if each.name.startswith("organization.secrets."))
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == names, done.stderr
