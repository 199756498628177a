"""The process of `asp mcp`: stdout, stderr, and its end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

INITIALIZE: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "stranger", "version": "1"},
}


class Process:
    """A server process. The messages are written by hand."""

    def __init__(self, asp: Asp) -> None:
        asp.environment |= {"AGENT_PLATFORM_LOG": "debug", "PYTHONWARNINGS": "error"}
        self.process = asp.start("mcp", stdin=subprocess.PIPE)
        self.send("initialize", INITIALIZE)
        self.receive()

    def send(self, method: str, params: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=self.process.stdin)
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())["result"]

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        self.send("tools/call", {"name": tool, "arguments": arguments})

    def end(self) -> tuple[int, str, str]:
        """Close stdin. Return the exit code, the rest of stdout, and stderr."""
        output, errors = self.process.communicate(timeout=30)
        assert "Traceback" not in errors
        return self.process.returncode, output, errors


@pytest.fixture
def server(asp: Asp) -> Process:
    return Process(asp)


def test_stdout_has_messages_only_and_logs_go_to_stderr(server: Process, sandbox: Sandbox) -> None:
    server.call("read", {"operation": "organization.sessions.list"})
    assert server.receive()["isError"] is False
    code, output, errors = server.end()
    assert (code, output, sandbox.token in errors) == (0, "", False)
    assert errors.startswith("asp: serving over stdio, it only reads\n")
    assert "organization.sessions.list" in errors


def test_a_byte_order_mark_before_the_first_message_is_left_out(asp: Asp) -> None:
    process = asp.start("mcp", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write("\ufeff")
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    output, _ = process.communicate(json.dumps(message) + "\n", timeout=30)
    assert json.loads(output)["result"]["serverInfo"]["name"] == "agent-session-platform"


def test_half_a_surrogate_pair_is_answered(server: Process) -> None:
    server.call("find_operations", {"words": "\ud800 sessions"})
    assert server.receive()["isError"] is False
    assert server.end()[0] == 0


def test_an_assistant_that_reads_no_more_is_no_failure(server: Process) -> None:
    assert server.process.stdout is not None
    server.process.stdout.close()
    server.call("find_operations", {"words": "sessions"})
    code, _, errors = server.end()
    assert (code, "Error" in errors) == (0, False)


def test_the_end_of_stdin_ends_a_call_that_is_under_way(server: Process, sandbox: Sandbox) -> None:
    sandbox.faults.add("organization.sessions.list", latency=3600)
    server.call("read", {"operation": "organization.sessions.list"})
    assert server.end()[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a signal")
@pytest.mark.parametrize(("number", "expected"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_the_process_while_stdin_is_open(server: Process, number: int, expected: int) -> None:
    server.process.send_signal(number)
    assert server.process.wait(timeout=30) == expected
