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
from agent_session_platform_sandbox.http.server import SHUTDOWN_SECONDS

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_process_prints_its_address_and_ends_on_a_signal(number: signal.Signals) -> None:
    command = [sys.executable, "-W", "error", "-m", "agent_session_platform_sandbox", "--sessions", "3", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    facts = json.loads(process.stdout.readline())
    headers = {"Authorization": f"Bearer {facts['token']}"}
    page = httpx.get(f"{facts['base_url']}/v3/organizations/{facts['organization']}/sessions", headers=headers)
    assert page.json()["total"] == 3
    process.send_signal(number)
    _, complaints = process.communicate(timeout=30)
    assert (process.returncode, complaints) == (0, "")


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
        (["--port", "99999"], "argument --port: must be at least 0 and at most 65535"),
        (["--sessions", "-3"], "argument --sessions: must be at least 0"),
        (["--rate-limit", "0"], "argument --rate-limit: must be at least 1"),
        (["--allow-host", "http://a.example"], "must be a host name or an IP address without a scheme and a port"),
        (["--host", "http://0.0.0.0"], "must be a host name or an IP address without a scheme and a port"),
        (["--sessions", "many"], "must be a whole number, not 'many'"),
        (["--finish-after", "5"], "--finish-after 5 and --finished-status ready need each other"),
    ],
)
def test_an_invalid_argument_is_reported(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert message in capsys.readouterr().err


def test_a_port_in_use_is_reported(address: str) -> None:
    port = address.rpartition(":")[2]
    with pytest.raises(SystemExit, match=f"cannot listen on port {port}: Address already in use"):
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


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 1}', '{"version": 1, "now": 3}', "\0"])
def test_an_invalid_state_file_ends_the_process_with_one_line(state_file: Path, content: str) -> None:
    state_file.write_text(content)
    with pytest.raises(SystemExit) as caught:
        main(["--state", str(state_file)])
    assert str(caught.value).startswith(f"--state {state_file}: it is not a state of a sandbox: ")
    assert "\n" not in str(caught.value)
    assert state_file.read_text() == content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "Expecting property name"),
        ('{"sesions": []}', "there is no 'sesions'; did you mean 'sessions'?"),
        (None, "No such file or directory"),
    ],
)
def test_an_invalid_seed_file_ends_the_process_with_one_line(tmp_path: Path, content: str | None, message: str) -> None:
    file = tmp_path / "seed.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SystemExit) as caught:
        main(["--seed-file", str(file)])
    assert str(caught.value).startswith(f"--seed-file {file}: ")
    assert message in str(caught.value)


def test_a_missing_directory_of_the_state_file_is_reported_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="there is no directory .* to save it in; create it first"):
        main(["--state", str(tmp_path / "nowhere" / "state.json")])


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


def test_a_state_file_from_another_version_is_reported(state_file: Path) -> None:
    state_file.write_text('{"version": 2, "sessions": []}')
    with pytest.raises(SystemExit, match="it was written by another version of the sandbox, 2; this one reads 1"):
        main(["--state", str(state_file)])


@pytest.mark.parametrize("kind", ["directory", "symlink"])
def test_a_state_that_is_no_regular_file_ends_the_process_with_one_line(state_file: Path, kind: str) -> None:
    if kind == "directory":
        state_file.mkdir()
    else:
        state_file.symlink_to("nowhere")
    with pytest.raises(SystemExit, match="it cannot be read: it is not a regular file"):
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


def test_the_handlers_of_signals_are_restored(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit):
        main(["--seed-file", str(tmp_path / "nothing.json")])
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("library", ["cronsim", "jsonschema", "starlette"])
def test_a_library_that_a_vendored_copy_lacks_is_named_with_its_requirement(library: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; from agent_session_platform_sandbox import Sandbox"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"ModuleNotFoundError: the sandbox needs {library}: pip install '{library}>=" in done.stderr
