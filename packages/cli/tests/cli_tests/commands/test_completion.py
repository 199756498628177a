"""Completion in the shells."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agent_session_platform import operations
from agent_session_platform.models import Session
from agent_session_platform_cli.lookup import SWITCH, note_ids

from cli_tests.conftest import Asp


def completed(asp: Asp, *words: str) -> list[str]:
    """Return what the shell would offer for the last word."""
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


def test_ids_of_recent_results_are_completed(offline: Asp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    note_ids(operations["organization.sessions.list"], [Session(session_id="one"), Session(session_id="two")])
    assert completed(offline, "call", "organization.sessions.get", "") == ["one", "two"]
    assert completed(offline, "call", "enterprise.sessions.get", "t") == ["two"]


# What a shell without a terminal runs after the script of its completion, to print what it would offer.
ASKED = {
    "bash": "COMP_WORDS=(asp call organization.secrets.)\nCOMP_CWORD=2\n_asp_completion asp\n"
    'printf "%s\\n" "${COMPREPLY[@]}"',
    # Only a terminal has its list: what would fill that prints instead.
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


@pytest.mark.parametrize("evil", ["$(reboot)", "`id`", "a;b", "a b", "-o", "\x1b[2J", "é", ""])
def test_an_id_that_a_shell_would_run_is_not_completed(
    offline: Asp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evil: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    note_ids(operations["organization.sessions.list"], [Session(session_id=evil), Session(session_id="two")])
    assert completed(offline, "call", "organization.sessions.get", "") == ["two"]


def test_the_help_names_the_switch_of_the_ids(offline: Asp) -> None:
    assert f"{SWITCH}=off" in offline("completion", "--help").stdout


def test_only_ids_are_kept_and_only_for_their_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    note_ids(operations["organization.sessions.list"], [Session(session_id="one", title="a secret plan")])
    (file,) = (tmp_path / "agent-session-platform").iterdir()
    assert json.loads(file.read_text()) == {_parameter(): ["one"]}
    assert file.stat().st_mode & 0o777 == 0o600


def test_the_latest_ids_come_first_and_there_are_not_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for number in range(3):
        ids = [Session(session_id=f"s-{number}-{each}") for each in range(30)]
        note_ids(operations["organization.sessions.list"], ids)
    (file,) = (tmp_path / "agent-session-platform").iterdir()
    kept = json.loads(file.read_text())[_parameter()]
    assert (kept[0], len(kept)) == ("s-2-0", 50)


@pytest.mark.parametrize(
    "content", ["3", "[1]", "{", '{"PARAMETER": 3}', '{"PARAMETER": [3, {}]}', '{"PARAMETER": ["$(id)", "a b"]}']
)
def test_a_file_of_another_shape_is_left_out(
    offline: Asp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "cache" / "agent-session-platform" / "recent-ids.json"
    file.parent.mkdir(parents=True)
    file.write_text(content.replace("PARAMETER", _parameter()))
    assert completed(offline, "call", "organization.sessions.get", "") == [""]
    note_ids(operations["organization.sessions.list"], [Session(session_id="one")])
    assert completed(offline, "call", "organization.sessions.get", "") == ["one"]


def test_a_switch_keeps_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("AGENT_PLATFORM_RECENT_IDS", "off")
    note_ids(operations["organization.sessions.list"], [Session(session_id="one")])
    assert [*tmp_path.iterdir()] == []


def _parameter() -> str:
    """Return the name of the path parameter that takes the id of a session."""
    return operations["organization.sessions.get"].parameters[1].name
