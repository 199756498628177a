"""SIGTERM and SIGHUP end a command as Ctrl-C does, and a closed stdin or stdout is said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

LIST, FILE = "organization.sessions.list", "organization.attachments.get_url"
CREATE = "organization.sessions.create"
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a signal")
PATIENCE = 60
PASS_A_FILE = "pass the path of a file, or redirect stdin"


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def run_in_shell(asp: Asp, words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `asp` with redirections of the shell, in a folder."""
    environment = {name: value for name, value in asp.environment.items() if value is not None}
    command = f"'{sys.executable}' -m agent_session_platform_cli {words}"
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False, env=environment, cwd=folder)


@not_on_windows
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("is_ignored", [False, True], ids=["", "in the background"])
def test_a_signal_leaves_no_temporary_file(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, name: str, is_ignored: bool
) -> None:
    number = getattr(signal, name)
    if is_ignored and name == "SIGINT":
        pytest.skip("it ends nothing then")
    sandbox.add_session()
    fault = sandbox.faults.add(LIST, latency=PATIENCE, times=1)
    settings = {}
    if is_ignored:
        # A shell starts what runs in the background like this.
        settings = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)}
    process = asp.start("export", LIST, str(tmp_path / "out.jsonl"), **settings)
    wait_for(lambda: not fault.unused and [*tmp_path.iterdir()])
    process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors.strip(), [*tmp_path.iterdir()]) == (128 + number, "", [])


@not_on_windows
@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", None)])
def test_a_write_in_flight_says_that_its_outcome_is_unknown(asp: Asp, sandbox: Sandbox, number: int) -> None:
    fault = sandbox.faults.add(CREATE, latency=PATIENCE, times=1)
    process = asp.start("call", CREATE)
    wait_for(lambda: not fault.unused)
    process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "may have been carried out" in errors) == (128 + number, True)


@not_on_windows
def test_a_signal_ends_the_command_that_prints_the_token(asp: Asp, tmp_path: Path) -> None:
    config, started = tmp_path / "config.toml", tmp_path / "started"
    code = f"import os, time; open('{started}', 'w').write(str(os.getpid())); time.sleep({PATIENCE})"
    words = [sys.executable, "-c", code]
    config.write_text(f"[profiles.a]\nbase_url = 'https://x.invalid'\ntoken_command = {json.dumps(words)}\n")
    config.chmod(0o600)
    asp.environment["AGENT_PLATFORM_CONFIG"] = str(config)
    process = asp.start("call", LIST, "--profile", "a")
    wait_for(lambda: started.exists() and started.read_text())
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (128 + signal.SIGTERM, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)


@not_on_windows
def test_a_signal_that_is_ignored_stays_so(asp: Asp, sandbox: Sandbox) -> None:
    fault = sandbox.faults.add(LIST, latency=1, times=1)
    process = asp.start("call", LIST, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for(lambda: not fault.unused)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


@not_on_windows
@pytest.mark.parametrize(
    ("words", "user", "remedy"),
    [
        (f"call {CREATE} --body -", "--body -", PASS_A_FILE),
        (f"call {CREATE} --body @-", "--body @-", PASS_A_FILE),
        (f"batch - --create {CREATE} --key id --store run.sqlite", "ROWS", PASS_A_FILE),
        ("mcp", "asp mcp", "an assistant starts this command, and must give it a pipe as stdin"),
    ],
)
def test_a_closed_stdin_is_said(asp: Asp, tmp_path: Path, words: str, user: str, remedy: str) -> None:
    done = run_in_shell(asp, f"{words} <&-", tmp_path)
    message = f"asp: {user}: stdin is closed; {remedy}; try: asp"
    assert (done.returncode, done.stdout, done.stderr.startswith(message)) == (2, "", True), done.stderr
    assert [*tmp_path.iterdir()] == []


@not_on_windows
@pytest.mark.parametrize(
    "words",
    [
        "follow organization.audit_logs.list --once --state state",
        f"changes {LIST} --state state",
        f"export {LIST} -",
        f"call {CREATE}",
        "mcp",
        "operations",
    ],
)
def test_a_closed_stdout_is_refused_before_anything_is_sent(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, words: str
) -> None:
    done = run_in_shell(asp, f"{words} >&-", tmp_path)
    assert (done.returncode, done.stderr.startswith("asp: stdout is closed")) == (2, True), done.stderr
    assert ([*sandbox.journal], [*tmp_path.iterdir()]) == ([], [])
