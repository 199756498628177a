"""`asp follow`, against a sandbox: also with Ctrl-C, and with a reader that stops early."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

FOLLOW = ("follow", "enterprise.sessions.list_messages")
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")


@pytest.fixture
def session(sandbox: Sandbox) -> str:
    session = sandbox.add_session(title="a")
    sandbox.add_message(session, "one")
    return session


def texts(output: str) -> list[str]:
    return [json.loads(line)["message"] for line in output.splitlines()]


def test_once_prints_what_is_new_since_the_last_time(asp: Asp, sandbox: Sandbox, session: str, tmp_path: Path) -> None:
    again = (*FOLLOW, session, "--once", "--state", str(tmp_path / "state"))
    assert texts(asp(*again).stdout) == ["one"]
    assert texts(asp(*again).stdout) == []
    sandbox.add_message(session, "two")
    result = asp(*again)
    assert (result.exit_code, texts(result.stdout)) == (0, ["two"])


def test_only_new_passes_over_what_is_there_and_only_once(
    asp: Asp, sandbox: Sandbox, session: str, tmp_path: Path
) -> None:
    again = (*FOLLOW, session, "--once", "--only-new", "--state", str(tmp_path / "state"))
    assert texts(asp(*again).stdout) == []
    sandbox.add_message(session, "two")
    assert texts(asp(*again).stdout) == ["two"]


@pytest.mark.parametrize("content", ["", "[]", '{"position": 3}', "\x00", None], ids=repr)
def test_a_state_of_another_list_or_of_something_else_is_refused(
    asp: Asp, session: str, tmp_path: Path, content: str | None
) -> None:
    state = tmp_path / "state"
    if content is None:
        assert asp(*FOLLOW, session, "--once", "--state", str(state)).exit_code == 0
    else:
        state.write_text(content)
    before = state.read_bytes()
    result = asp("follow", "organization.sessions.list_messages", session, "--once", "--state", str(state))
    assert (result.exit_code, result.stdout, f"--state {state}: start" in result.stderr) == (2, "", True)
    assert state.read_bytes() == before


@not_on_windows
@pytest.mark.parametrize("is_dangling", [True, False], ids=["dangling", "to a file"])
def test_a_state_that_is_a_link_is_refused_and_its_target_is_left_alone(
    asp: Asp, session: str, tmp_path: Path, is_dangling: bool
) -> None:
    state, target = tmp_path / "state", tmp_path / "target"
    state.symlink_to(target)
    if not is_dangling:
        target.write_text("mine")
    result = asp(*FOLLOW, session, "--once", "--state", str(state))
    assert (result.exit_code, "must be a regular file or a new one, not a link" in result.stderr) == (2, True)
    assert (target.exists(), state.is_symlink()) == (not is_dangling, True)
    assert is_dangling or target.read_text() == "mine"


def test_a_state_may_begin_with_a_byte_order_mark(asp: Asp, session: str, tmp_path: Path) -> None:
    again = (*FOLLOW, session, "--once", "--state", str(tmp_path / "state"))
    asp(*again)
    (tmp_path / "state").write_text((tmp_path / "state").read_text(), encoding="utf-8-sig")
    result = asp(*again)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_list_whose_form_is_not_shown_is_followed(asp: Asp, tmp_path: Path) -> None:
    once = ("follow", "organization.audit_logs.list", "--once", "--state", str(tmp_path / "state"))
    assert asp("call", "organization.sessions.create").exit_code == 0
    assert len(asp(*once).stdout.splitlines()) == 1
    assert asp(*once).stdout == ""


@not_on_windows
@pytest.mark.parametrize("only_new", [False, True])
def test_ctrl_c_ends_it_with_130_and_keeps_the_position(
    asp: Asp, sandbox: Sandbox, session: str, tmp_path: Path, only_new: bool
) -> None:
    state = tmp_path / "state"
    again = (*FOLLOW, session, "--every", "0.05", "--state", str(state))
    process = asp.start(*again, *(["--only-new"] if only_new else []))
    assert process.stdout is not None
    if only_new:
        end = time.monotonic() + 60
        while not state.exists():
            assert time.monotonic() < end
    else:
        assert texts(process.stdout.readline()) == ["one"]
    sandbox.add_message(session, "two")
    assert texts(process.stdout.readline()) == ["two"]
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    command = f"asp {' '.join(again)}{' --only-new' if only_new else ''}"
    assert (process.returncode, output, errors.strip()) == (130, "", f"asp: stopped; continue with: {command}")
    sandbox.add_message(session, "three")
    assert texts(asp(*again, "--once").stdout) == ["three"]


@not_on_windows
def test_a_reader_that_goes_away_ends_it_quietly_and_misses_nothing(
    asp: Asp, sandbox: Sandbox, session: str, tmp_path: Path
) -> None:
    again = (*FOLLOW, session, "--every", "0.05", "--state", str(tmp_path / "state"))
    process = asp.start(*again)
    assert process.stdout is not None
    assert process.stderr is not None
    assert texts(process.stdout.readline()) == ["one"]
    process.stdout.close()
    sandbox.add_message(session, "two")
    assert (process.wait(timeout=30), process.stderr.read()) == (0, "")
    assert texts(asp(*again, "--once").stdout) == ["two"]
