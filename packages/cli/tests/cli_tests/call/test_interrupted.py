"""Ctrl-C during a call that is no list."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

CREATE = "organization.sessions.create"
GET = "organization.sessions.get"

# Seconds that a process may take until it has sent its request, on a busy machine.
PATIENCE = 90

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")


def stopped(asp: Asp, sandbox: Sandbox, *words: str) -> tuple[int, str]:
    """Interrupt a call while the sandbox has its request; return its exit code and what it wrote to stderr."""
    fault = sandbox.faults.add(words[0], latency=PATIENCE, times=1)
    with asp.start("call", *words) as process:
        end = time.monotonic() + PATIENCE
        while fault.unused:
            assert time.monotonic() < end, "the request did not come"
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    # An empty line ends that of the ^C, which a terminal shows.
    return process.returncode, errors.strip()


def test_a_write_says_that_its_outcome_is_unknown(asp: Asp, sandbox: Sandbox) -> None:
    code, errors = stopped(asp, sandbox, CREATE)
    assert (code, errors.count("\n")) == (130, 0)
    assert errors.startswith(f"asp: stopped: {CREATE} may have been carried out, or not; read the state")


def test_a_read_says_nothing(asp: Asp, sandbox: Sandbox) -> None:
    assert stopped(asp, sandbox, GET, "x") == (130, "")


def test_reading_a_body_from_a_terminal_is_ended(asp: Asp) -> None:
    """In the event loop it would be ended by a second Ctrl-C only."""
    terminal, other = os.openpty()
    with asp.start("call", CREATE, "--body", "-", stdin=other) as process:
        os.close(other)
        assert process.stderr is not None
        assert process.stderr.readline() == "asp: type the body, and end it with Ctrl-D on a line of its own\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    os.close(terminal)
    assert process.returncode == 130
