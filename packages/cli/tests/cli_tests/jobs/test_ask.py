"""`asp ask`, against a sandbox: the answer, the exit codes, and how a turn goes on after Ctrl-C and crashes."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox, Turn

from cli_tests.conftest import Asp

TEXT = "Fix the flaky test"
QUICK = ("--every", "0.01")
STATES = ("--done", "status=ready", "--waiting", "status=question", "--failed", "status=failed")
CREATE = "organization.sessions.create"
SEND = "organization.sessions.send_message"
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")


@pytest.fixture(autouse=True)
def assistant(sandbox: Sandbox) -> None:
    """Let the assistant answer at once, in two messages."""
    sandbox.on_message(lambda _: [Turn("It is fixed."), Turn("I have run it.", fields={"status": "ready"})])


def bodies(sandbox: Sandbox) -> list[Any]:
    """Return the bodies of the writes."""
    return [each.body for each in sandbox.journal if each.method == "POST"]


def test_a_new_session_gets_the_text_and_its_answer_is_printed(asp: Asp, sandbox: Sandbox) -> None:
    result = asp("ask", TEXT, *STATES, *QUICK)
    assert (result.exit_code, result.stdout) == (0, "It is fixed.\n\nI have run it.\n")
    assert re.fullmatch(r"asp: session \S*assistant-1\n", result.stderr)
    assert bodies(sandbox) == [{"prompt": TEXT}]


def test_a_session_gets_the_text_and_further_members(asp: Asp, sandbox: Sandbox) -> None:
    session = sandbox.add_session(status="ready")
    result = asp("ask", "-", "--session", session, *STATES, *QUICK, "--extra", "n:=1", input=b"And the docs")
    assert (result.exit_code, bodies(sandbox)) == (0, [{"message": "And the docs", "n": 1}])


def test_programs_get_one_object(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.on_message(lambda _: Turn("Done.", fields={"status": "ready", "structured_output": {"passed": True}}))
    result = asp("ask", TEXT, *STATES, *QUICK, "-o", "json")
    turn = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert {name: turn[name] for name in ("reason", "session_id", "answer", "interrupted", "result", "error")} == {
        "reason": "done",
        "session_id": "assistant-1",
        "answer": ["Done."],
        "interrupted": False,
        "result": {"passed": True},
        "error": None,
    }
    assert turn["session"]["session_id"] == turn["position"]["session_id"] == "assistant-1"
    assert turn["pull_requests"] == []


@pytest.mark.parametrize(
    ("status", "arguments", "code", "said"),
    [
        ("question", (), 15, "the turn ended: waiting after "),
        ("failed", (), 16, "the turn ended: failed after "),
        ("working", ("--timeout", "0.05"), 13, "continue with: asp ask "),
        ("working", ("--stalled-after", "0.02"), 12, "continue with: asp ask "),
    ],
)
def test_each_other_end_has_its_exit_code(
    asp: Asp, sandbox: Sandbox, status: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    sandbox.on_message(lambda _: Turn("Well.", fields={"status": status}))
    result = asp("ask", TEXT, *STATES, *QUICK, *arguments)
    assert (result.exit_code, result.stdout, said in result.stderr) == (code, "Well.\n", True), result.stderr


def test_a_session_that_is_archived_is_gone(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.on_message(lambda _: Turn(fields={"is_archived": True}))
    assert asp("ask", TEXT, *STATES, *QUICK).exit_code == 11


def test_a_creation_in_doubt_is_unknown_and_not_sent_again(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.faults.add(CREATE, lose=True, times=1)
    again = ("ask", TEXT, *STATES, *QUICK, "--state", str(tmp_path / "turn.json"))
    assert asp(*again).exit_code == 7
    result = asp(*again)
    assert (result.exit_code, "an earlier run was cut off" in result.stderr, len(bodies(sandbox))) == (2, True, 1)


def test_the_next_run_with_the_state_sends_nothing(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    again = ("ask", TEXT, *STATES, *QUICK, "--state", str(tmp_path / "turn.json"))
    first = asp(*again)
    second = asp(*again)
    assert (first.exit_code, first.stdout) == (second.exit_code, second.stdout)
    assert len(bodies(sandbox)) == 1


def test_a_turn_that_has_no_state_continues_with_the_printed_command(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.on_message(lambda _: None)
    late = asp("ask", "-", *STATES, *QUICK, "--timeout", "0.05", input=TEXT.encode())
    sandbox.add_message("assistant-1", "Later.", source="assistant")
    sandbox.update_session("assistant-1", status="ready")
    path = Path(shlex.split(late.stderr.strip())[-1])
    result = asp("ask", "-", *STATES, *QUICK, "--state", str(path))
    path.unlink()
    assert (result.exit_code, result.stdout, len(bodies(sandbox))) == (0, "Later.\n", 1)


def test_the_printed_command_is_right_for_a_text_that_begins_with_a_hyphen(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.on_message(lambda _: Turn("Well.", fields={"status": "working"}))
    late = asp("ask", *STATES, *QUICK, "--timeout", "0.05", "--", "--fix it")
    command = shlex.split(late.stderr.rpartition("continue with: ")[2])
    Path(command[-3]).unlink()
    assert (command[-4], command[-2:]) == ("--state", ["--", "--fix it"])


@pytest.mark.parametrize(("operation", "more"), [(CREATE, ()), (SEND, ("--session", "assistant-1"))])
def test_a_text_that_is_refused_leaves_no_state(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, operation: str, more: tuple[str, ...]
) -> None:
    sandbox.add_session(status="ready")
    sandbox.faults.add(operation, status=422)
    state = tmp_path / "turn.json"
    result = asp("ask", TEXT, *STATES, *QUICK, *more, "--state", str(state))
    assert (result.exit_code, state.exists(), "continue" in result.stderr) == (2, False, False)


def test_an_error_names_the_command_that_continues(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.faults.add("organization.sessions.get", status=403)
    sandbox.faults.add("organization.sessions.list", status=403)
    state = str(tmp_path / "turn.json")
    result = asp("ask", TEXT, *STATES, *QUICK, "--state", state, "-o", "json")
    report = json.loads(result.stderr)
    assert (report["exit_code"], state in report["continue_with"]) == (3, True)


def test_an_answer_that_could_not_be_printed_can_be_printed_again(asp: Asp) -> None:
    result = asp("ask", TEXT, *STATES, *QUICK, "--columns", "anser")
    command = shlex.split(result.stderr.partition("continue with: ")[2].splitlines()[0])
    assert (result.exit_code, "did you mean 'answer'" in result.stderr) == (2, True)
    assert "It is fixed." in asp(*command[1:], "--columns", "answer").stdout
    Path(command[-1]).unlink()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "it is not the position of a turn"),
        ("[]", "it is not the position of a turn"),
        ('{"text": "x"}', "an earlier run was cut off"),
        ('{"text": "x", "session_id": "assistant-1", "before": {}, "is_sent": true}', "another text or session"),
    ],
)
def test_a_state_of_another_turn_is_refused(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, content: str, said: str
) -> None:
    state = tmp_path / "turn.json"
    state.write_text(content)
    result = asp("ask", TEXT, *STATES, "--state", str(state))
    assert (result.exit_code, said in result.stderr, state.read_text()) == (2, True, content)
    assert [*sandbox.journal] == []


@pytest.mark.parametrize(
    ("arguments", "input", "said"),
    [
        ((TEXT,), None, "--done NAME=VALUE, such as --done status=ready"),
        ((TEXT, "--done", "ready"), None, "--done takes NAME=VALUE"),
        (("-", *STATES), b"\xff", "stdin is not UTF-8"),
        ((" ", *STATES), None, "text must not be empty"),
        ((TEXT, *STATES, "--result-schema", __file__), None, f"no member of {CREATE} that takes a schema"),
    ],
)
def test_a_wrong_command_sends_nothing(
    asp: Asp, sandbox: Sandbox, arguments: tuple[str, ...], input: bytes | None, said: str
) -> None:
    result = asp("ask", *arguments, input=input)
    assert (result.exit_code, said in result.stderr, [*sandbox.journal]) == (2, True, []), result.stderr


def test_the_contract_may_name_the_states_and_the_member_of_the_schema(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, named_states: None
) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "object"}')
    result = asp("ask", TEXT, *QUICK, "--result-schema", str(schema))
    assert (result.exit_code, bodies(sandbox)) == (0, [{"prompt": TEXT, "output_schema": {"type": "object"}}])


@not_on_windows
def test_ctrl_c_leaves_the_session_alone_and_prints_the_command_that_continues(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.on_message(lambda _: Turn("I look at it.", fields={"status": "working"}))
    process = asp.start("ask", TEXT, *STATES, *QUICK)
    assert process.stderr is not None
    assert process.stderr.readline() != ""
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    command = shlex.split(said.partition("continue with: ")[2])
    assert (process.returncode, command[:3], len(bodies(sandbox))) == (130, ["asp", "ask", TEXT], 1)
    sandbox.update_session("assistant-1", status="ready")
    result = asp(*command[1:])
    Path(command[-1]).unlink()
    assert (result.exit_code, result.stdout, len(bodies(sandbox))) == (0, "I look at it.\n", 1)
