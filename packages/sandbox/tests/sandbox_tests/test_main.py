"""The sandbox as a process of its own: options, output, state file and signals."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.__main__ import describe, main
from agent_session_platform_sandbox.server import SHUTDOWN_SECONDS

from sandbox_tests.plain_http import SESSIONS


class Process:
    """The sandbox as a process of its own."""

    def __init__(self, *arguments: str | Path) -> None:
        options = ["--json", *map(str, arguments)]
        command = [sys.executable, "-W", "error", "-m", "agent_session_platform_sandbox", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.facts: dict[str, str] = json.loads(self.process.stdout.readline())
        headers = {"Authorization": f"Bearer {self.facts['token']}"}
        self.client = httpx.Client(base_url=self.facts["base_url"], headers=headers)

    def control(self, path: str, body: Any) -> int:
        return self.client.post(f"/_sandbox/{path}", json=body).status_code

    def sessions(self) -> int:
        return int(self.client.get(SESSIONS).json()["total"])

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        _, complaints = self.process.communicate(timeout=30)
        return self.process.returncode, complaints


Start = Callable[..., Process]


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts a process, which is ended even if the test fails."""
    with ExitStack() as ends:

        def run(*arguments: str | Path) -> Process:
            started = Process(*arguments)
            ends.enter_context(started.client)
            ends.callback(started.process.communicate)
            ends.callback(started.process.kill)
            return started

        yield run


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


def test_for_a_person_it_prints_what_to_export(sandbox: Sandbox) -> None:
    text = describe(sandbox, "http://127.0.0.1:1", "asp sandbox", as_json=False)
    assert "export AGENT_PLATFORM_BASE_URL=http://127.0.0.1:1\n" in text
    # A profile would win over these variables.
    assert "  unset AGENT_PLATFORM_PROFILE\n" in text
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
        (["--allow-host", "http://a.example"], "must be a host name or an IP address without a scheme and a port"),
        (["--finish-after", "5"], "finish_after and finished_status must be given together"),
        (["--max-body", "-1"], "max_body must be a number of bytes"),
        (["--state", "nowhere/state.json"], "--state nowhere/state.json: No such file or directory"),
    ],
)
def test_an_invalid_argument_is_reported(arguments: Any, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert message in capsys.readouterr().err + str(caught.value)


def test_a_port_in_use_is_reported(address: str) -> None:
    port = address.rpartition(":")[2]
    with pytest.raises(SystemExit, match=f"cannot listen on port {port} of 127.0.0.1: Address already in use"):
        main(["--port", port])


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        ("--state", '{"version": 1}', "cannot be loaded: the state: 'now' is missing"),
        ("--seed-file", "{", "Expecting property name"),
        ("--script", '{"rules": [{"turns": [{"txt": "x"}]}]}', "the script.rules[0].turns[0]: there is no 'txt'; did"),
        (
            "--script",
            "5",
            "the script of on_message must be or return text, a Turn, a sequence of these or None, not 5",
        ),
    ],
)
def test_an_invalid_file_ends_it_with_one_line(state_file: Path, option: str, content: str, message: str) -> None:
    state_file.write_text(content)
    with pytest.raises(SystemExit) as caught:
        main([option, str(state_file)])
    assert str(caught.value).startswith(f"{option} {state_file}: {message}")
    assert ("\n" in str(caught.value), state_file.read_text()) == (False, content)


def test_a_process_saves_its_state_and_continues_from_it(state_file: Path, tmp_path: Path, start: Start) -> None:
    seed = tmp_path / "seed.json"
    seed.write_text('{"sessions": [{"title": "From the file"}]}')
    first = start("--state", state_file, "--seed-file", seed)
    assert first.control("seed", {"sessions": [{"title": "Over HTTP"}]}) == 200
    # The clock ends in 2199.
    moves = [first.control("clock", {"to": f"{year}-12-31T23:59:59Z"}) for year in (9999, 2199)]
    assert (moves, first.end()) == ([400, 200], (0, ""))
    second = start("--state", state_file, "--seed-file", seed)
    # The saved state already has the seed, so the seed is not added again.
    assert (second.sessions(), second.end()) == (2, (0, ""))


def test_a_process_takes_a_script_from_a_file(tmp_path: Path, start: Start) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"rules": [{"contains": ["docs"], "turns": ["Also the examples?"]}, {"turns": ["Done."]}]}')
    process = start("--script", script)
    said: list[str] = []
    for prompt in ("Fix it", "Update the docs"):
        made = process.client.post(SESSIONS, json={"prompt": prompt}).json()
        listed = process.client.get(f"{SESSIONS}/{made['session_id']}/messages").json()["items"]
        said.append(listed[-1]["message"])
    assert (said, process.end()) == (["Done.", "Also the examples?"], (0, ""))


def test_a_process_ends_while_a_client_waits_for_a_response(state_file: Path, start: Start) -> None:
    process = start("--state", state_file)
    process.control("faults", {"latency": 3600})
    with pytest.raises(httpx.ReadTimeout):
        process.client.get(SESSIONS, timeout=0.2)
    code, complaints = process.end()
    assert (code, "Traceback" in complaints, state_file.exists()) == (0, False, True)


def test_sigterm_ends_a_process_at_once_with_its_state_saved(state_file: Path, start: Start) -> None:
    """A container is stopped like this, while other programs have connections to the sandbox."""
    process = start("--host", "0.0.0.0", "--state", state_file, "--sessions", "3")
    # A reset restores the state with which the process began.
    assert (process.control("reset", {}), process.sessions()) == (200, 3)
    assert "<title>Sandbox</title>" in process.client.get(process.facts["page"]).text
    began = time.monotonic()
    code, _ = process.end(signal.SIGTERM)
    # Waiting for the connection would take SHUTDOWN_SECONDS. A container would wait 10 seconds for the process.
    assert (code, time.monotonic() - began < SHUTDOWN_SECONDS) == (0, True)
    assert json.loads(state_file.read_text())["ids"]["assistant"] == 3


def test_a_terminal_that_is_closed_ends_a_process_with_its_state_saved(state_file: Path, start: Start) -> None:
    process = start("--state", state_file, "--sessions", "3")
    code, _ = process.end(signal.SIGHUP)
    assert code == 0
    assert json.loads(state_file.read_text())["ids"]["assistant"] == 3


@pytest.mark.parametrize(
    ("option", "message"), [("--state=", "argument --state: the path is empty"), ("--sessions=-5", "-5 is negative")]
)
def test_an_option_that_cannot_be_used_is_refused(
    option: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([option])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_signals_in_quick_succession_end_a_process_once(state_file: Path, start: Start) -> None:
    """As a supervisor that forwards Ctrl-C sends them."""
    process = start("--state", state_file)
    for number in [signal.SIGINT, signal.SIGTERM] * 20:
        process.process.send_signal(number)
    assert (process.end(), state_file.exists()) == ((0, ""), True)


def test_leaving_loopback_is_said_aloud(start: Start) -> None:
    process = start("--host", "0.0.0.0", "--allow-host", "one", "--allow-host", "two", "--max-body", "10")
    statuses = [process.client.get("/", headers={"Host": host}).status_code for host in ("one", "two:80", "three")]
    assert (statuses, process.client.post("/", content=b"x" * 11).status_code) == ([200, 200, 403], 413)
    code, warning = process.end()
    assert (code, warning.count("\n")) == (0, 1)
    assert warning.startswith("The sandbox listens on 0.0.0.0, and not only for this machine: whoever reaches the port")
    assert "Requests must name the host localhost or one or two;" in warning


def test_a_state_file_is_used_by_one_process_at_a_time(state_file: Path, start: Start) -> None:
    process = start("--state", state_file)
    # The second process gets the port of the first, so that it ends even if the lock does not work.
    with pytest.raises(SystemExit) as caught:
        main(["--state", str(state_file), "--port", process.facts["base_url"].rpartition(":")[2]])
    advice = "another sandbox uses the file; stop that sandbox first, or name another file"
    assert str(caught.value) == f"--state {state_file}: {advice}"
    # The lock ends with its process, even if the process is killed.
    process.end(signal.SIGKILL)
    assert start("--state", state_file).end() == (0, "")


def test_a_state_that_cannot_be_saved_ends_the_process_with_an_error(state_file: Path, start: Start) -> None:
    process = start("--state", state_file)
    state_file.mkdir()
    reason = "cannot be saved: it is not a regular file; name another one"
    assert process.end() == (1, f"--state {state_file}: {reason}\n")


LACK = """
import sys
for library in sys.argv[1:]:
    sys.modules[library] = None
    try:
        from agent_session_platform_sandbox import Sandbox
    except ModuleNotFoundError as error:
        print(error)
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("agent_session_platform_sandbox", *sys.argv):
            del sys.modules[name]
"""


def test_a_library_that_a_vendored_copy_lacks_is_named_with_its_requirement() -> None:
    libraries = ["cronsim", "jsonschema", "python_multipart", "starlette"]
    done = subprocess.run([sys.executable, "-c", LACK, *libraries], capture_output=True, text=True, check=True)
    named = [line.partition(">=")[0] for line in done.stdout.splitlines()]
    assert named == [f"the sandbox needs {library}: pip install '{library.replace('_', '-')}" for library in libraries]
