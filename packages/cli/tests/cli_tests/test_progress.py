"""The progress bar, which only a terminal shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from agent_session_platform_cli.progress import show_bar
from agent_session_platform_cli.settings import Settings
from agent_session_platform_sandbox import Sandbox, Turn

from cli_tests.conftest import Asp

LIST = "organization.sessions.list"
MESSAGES = "organization.sessions.list_messages"
BAR = "━"


def environment_of(asp: Asp) -> dict[str, str]:
    given = {name: value for name, value in asp.environment.items() if value is not None}
    return {**os.environ, **given, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}


def on_a_terminal(asp: Asp, *arguments: str) -> str:
    """Run the command on a pseudo-terminal of 24 x 80, and return its output."""
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "agent_session_platform_cli", *arguments]
    with subprocess.Popen(command, env=environment_of(asp), stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        shown = b""
        try:
            while chunk := os.read(mine, 65536):
                shown += chunk
        except OSError:
            # Linux reports the end of a pseudo-terminal like this.
            pass
        os.close(mine)
    assert process.returncode == 0, shown
    return shown.decode()


def test_a_terminal_shows_a_table_and_a_bar(asp: Asp, sandbox: Sandbox) -> None:
    for number in range(120):
        sandbox.add_session(title=f"task {number}")
    sandbox.faults.add(LIST, latency=0.3, every=2)
    shown = on_a_terminal(asp, "call", LIST, "--first", "60", "--columns", "session_id,title")
    assert re.search(r"session_id +title\r\n", shown)
    assert "task 119\r\n" in shown
    assert BAR in shown
    assert LIST in shown
    assert "{" not in shown


def test_a_file_that_is_saved_moves_a_bar(asp: Asp, sandbox: Sandbox, tmp_path: Any) -> None:
    file = tmp_path / "report.txt"
    file.write_bytes(b"x" * 100_000)
    shown = on_a_terminal(asp, "call", "organization.attachments.upload", "--file", str(file), "-o", "json")
    assert BAR in shown


def test_a_turn_shows_the_state_of_its_session_and_its_last_message(asp: Asp, sandbox: Sandbox) -> None:
    sandbox.on_message(lambda _: Turn("I look at it.", fields={"status": "working"}))

    def finish() -> None:
        while len([each for each in sandbox.journal if each.operation == MESSAGES]) < 3:
            time.sleep(0.01)
        sandbox.update_session("assistant-1", status="ready")

    with ThreadPoolExecutor() as threads:
        finished = threads.submit(finish)
        shown = on_a_terminal(asp, "ask", "Fix it", "--done", "status=ready", "--every", "0.3")
        finished.result()
    assert re.search(r"asp: session \S*assistant-1\r\n", shown)
    assert "working: I look at it." in shown
    assert shown.rstrip().endswith("I look at it.")


def test_without_a_terminal_rich_is_not_imported() -> None:
    code = (
        "import sys\n"
        "from agent_session_platform_cli.progress import show_bar\n"
        "from agent_session_platform_cli.settings import Settings\n"
        "with show_bar('x', Settings()) as bar: bar.advance(1)\n"
        "print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_bar_that_is_not_shown_can_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    with show_bar("x", Settings()) as bar, bar.hidden():
        bar.advance(1, total=2)
    assert (bar.progress, capsys.readouterr().err) == (None, "")
