"""The sandbox as a process of its own: options, output, state file and signals."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.__main__ import describe, main
from agent_session_platform_sandbox.server import SHUTDOWN_SECONDS

SESSIONS = "/v3/organizations/org-acme/sessions"


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


class Process:
    """The sandbox as a process of its own."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-W", "error", "-m", "agent_session_platform_sandbox", "--json", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.facts: dict[str, str] = json.loads(self.process.stdout.readline())

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        _, complaints = self.process.communicate(timeout=30)
        return self.process.returncode, complaints


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    """The processes of a test, ended even if it fails."""
    started: list[Process] = []
    yield started
    for each in started:
        each.process.kill()
        each.process.communicate()


def families(process: Process) -> dict[str, int]:
    found: dict[str, int] = httpx.get(f"{process.facts['base_url']}/_sandbox/state").json()["families"]
    return found


def test_for_a_person_it_prints_what_to_export(sandbox: Sandbox) -> None:
    text = describe(sandbox, "http://127.0.0.1:1", "asp sandbox", as_json=False)
    assert "export AGENT_PLATFORM_BASE_URL=http://127.0.0.1:1\n" in text
    assert "until Ctrl-C" in text
    assert "  asp call organization.sessions.list\n" in text


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_first_call_that_it_prints_runs(sandbox: Sandbox) -> None:
    with sandbox.serve() as base_url:
        text = describe(sandbox, base_url, "python -m agent_session_platform_sandbox", as_json=False)
        lines = [line for line in text.splitlines() if line.startswith("  ")]
        done = subprocess.run(["sh", "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["items"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sessions", "many"], "argument --sessions: invalid int value: 'many'"),
        (["--rate-limit", "0"], "per_second must be between"),
        (["--allow-host", "http://a.example"], "must be a host name or an IP address without a scheme and a port"),
        (["--host", "http://0.0.0.0"], "must be a host name or an IP address without a scheme and a port"),
        (["--finish-after", "5"], "finish_after and finished_status need each other"),
        (["--state", "nowhere/state.json"], "--state nowhere/state.json: No such file or directory"),
    ],
)
def test_an_invalid_argument_is_reported(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert message in capsys.readouterr().err + str(caught.value)


def test_a_port_in_use_is_reported(address: str) -> None:
    port = address.rpartition(":")[2]
    with pytest.raises(SystemExit, match=f"cannot listen on port {port} of 127.0.0.1: Address already in use"):
        main(["--port", port])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_process_saves_its_state_and_continues_from_it(
    state_file: Path, tmp_path: Path, processes: list[Process], number: signal.Signals
) -> None:
    seed = tmp_path / "seed.json"
    seed.write_text('{"sessions": [{"title": "From the file"}]}')
    arguments = ["--state", str(state_file), "--seed-file", str(seed)]
    processes.append(Process(*arguments))
    body = {"sessions": [{"title": "Over HTTP"}]}
    assert httpx.post(f"{processes[0].facts['base_url']}/_sandbox/seed", json=body).status_code == 200
    assert processes[0].end(number) == (0, "")
    assert "Over HTTP" in state_file.read_text()
    processes.append(Process(*arguments))
    # What was saved has the seed already.
    assert families(processes[1])["sessions"] == 2
    assert processes[1].end(number) == (0, "")


def test_a_process_ends_while_a_client_waits_for_a_response(state_file: Path, processes: list[Process]) -> None:
    processes.append(Process("--state", str(state_file)))
    address = processes[0].facts["base_url"]
    httpx.post(f"{address}/_sandbox/faults", json={"latency": 3600})
    with httpx.Client() as client, pytest.raises(httpx.ReadTimeout):
        client.get(f"{address}{SESSIONS}", timeout=0.2)
    code, complaints = processes[0].end()
    assert (code, "Traceback" in complaints) == (0, False)
    assert state_file.exists()


def test_leaving_loopback_is_said_aloud(processes: list[Process]) -> None:
    processes.append(Process("--host", "0.0.0.0", "--allow-host", "sandbox"))
    assert httpx.get(f"{processes[0].facts['base_url']}/_sandbox", headers={"Host": "sandbox:8080"}).status_code == 200
    code, warning = processes[0].end()
    assert (code, warning.count("\n")) == (0, 1)
    assert warning.startswith("The sandbox listens on 0.0.0.0, and not only for this machine: whoever reaches the port")
    assert "Requests must name the host localhost or sandbox;" in warning


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_of_loopback_nothing_is_said(processes: list[Process], host: str) -> None:
    processes.append(Process("--host", host))
    assert processes[0].end() == (0, "")


def test_sigterm_ends_a_process_at_once_with_its_state_saved(state_file: Path, processes: list[Process]) -> None:
    """As a container is stopped: other programs have connections to it."""
    processes.append(Process("--host", "0.0.0.0", "--state", str(state_file), "--sessions", "3"))
    with httpx.Client() as client:
        client.get(f"{processes[0].facts['base_url']}/_sandbox/state")
        began = time.monotonic()
        code, _ = processes[0].end(signal.SIGTERM)
    # A wait for the connection would take SHUTDOWN_SECONDS, and that of the container for the process 10 seconds.
    assert (code, time.monotonic() - began < SHUTDOWN_SECONDS) == (0, True)
    assert json.loads(state_file.read_text())["ids"]["assistant"] == 3


def test_a_reset_of_a_process_restores_its_seed(processes: list[Process]) -> None:
    processes.append(Process("--sessions", "3"))
    httpx.post(f"{processes[0].facts['base_url']}/_sandbox/reset")
    assert families(processes[0])["sessions"] == 3
    assert "<title>Sandbox</title>" in httpx.get(processes[0].facts["page"]).text
    processes[0].end()


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        ("--state", "", "cannot be loaded: Expecting value"),
        ("--state", "[]", "cannot be loaded: the state: must be of type object, not []"),
        ("--state", '{"version": 1}', "cannot be loaded: the state: 'now' is missing"),
        ("--seed-file", "{", "Expecting property name"),
        ("--seed-file", '{"sesions": []}', "the seed: there is no 'sesions'; did you mean 'sessions'?"),
        ("--seed-file", None, "No such file or directory"),
    ],
)
def test_an_invalid_file_ends_the_process_with_one_line(
    tmp_path: Path, option: str, content: str | None, message: str
) -> None:
    file = tmp_path / "file.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SystemExit) as caught:
        main([option, str(file)])
    assert str(caught.value).startswith(f"{option} {file}: {message}")
    assert "\n" not in str(caught.value)
    assert content is None or file.read_text() == content


def test_a_state_file_is_used_by_one_process_at_a_time(state_file: Path, processes: list[Process]) -> None:
    processes.append(Process("--state", str(state_file)))
    with pytest.raises(SystemExit) as caught:
        main(["--state", str(state_file)])
    assert str(caught.value) == (
        f"--state {state_file}: another sandbox uses it; end that one first, or name another file"
    )


def test_the_lock_of_a_state_file_dies_with_its_process(state_file: Path, processes: list[Process]) -> None:
    processes.append(Process("--state", str(state_file)))
    processes[0].end(signal.SIGKILL)
    processes.append(Process("--state", str(state_file)))
    assert processes[1].end() == (0, "")


@pytest.mark.parametrize("kind", ["directory", "symlink"])
def test_a_state_that_is_no_regular_file_ends_the_process_with_one_line(state_file: Path, kind: str) -> None:
    if kind == "directory":
        state_file.mkdir()
    else:
        state_file.symlink_to("nowhere")
    with pytest.raises(SystemExit, match="cannot be loaded: it is not a regular file"):
        main(["--state", str(state_file)])


def test_a_state_that_cannot_be_saved_ends_the_process_with_an_error(
    state_file: Path, tmp_path: Path, processes: list[Process]
) -> None:
    processes.append(Process("--state", str(state_file)))
    state_file.mkdir()
    code, complaints = processes[0].end()
    assert (code, complaints) == (
        1,
        f"--state {state_file}: cannot be saved: it is not a regular file; name another one\n",
    )


def test_a_state_is_saved_after_its_clock_was_moved_as_far_as_it_goes(
    state_file: Path, processes: list[Process]
) -> None:
    processes.append(Process("--state", str(state_file), "--sessions", "2"))
    address = processes[0].facts["base_url"]
    statuses = [
        httpx.post(f"{address}/_sandbox/clock", json={"to": to}).status_code
        for to in ("9999-12-31T23:59:59Z", "2199-12-31T23:59:59Z")
    ]
    assert (statuses, families(processes[0])["sessions"]) == ([400, 200], 2)
    assert processes[0].end() == (0, "")
    processes.append(Process("--state", str(state_file)))
    assert families(processes[1])["sessions"] == 2


def test_a_host_is_allowed_on_the_command_line(processes: list[Process]) -> None:
    processes.append(Process("--allow-host", "one.example", "--allow-host", "two.example", "--max-body", "10"))
    page = processes[0].facts["page"]
    hosts = ("one.example", "two.example", "three.example")
    assert [httpx.get(page, headers={"Host": host}).status_code for host in hosts] == [200, 200, 403]
    assert httpx.post(page, content=b"x" * 11).status_code == 413


@pytest.mark.parametrize("library", ["cronsim", "jsonschema", "starlette"])
def test_a_library_that_a_vendored_copy_lacks_is_named_with_its_requirement(library: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; from agent_session_platform_sandbox import Sandbox"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"ModuleNotFoundError: the sandbox needs {library}: pip install '{library}>=" in done.stderr
