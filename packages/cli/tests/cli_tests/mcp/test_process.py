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


@pytest.mark.parametrize("half", [r"\ud800", r"\uD800"])
def test_half_a_surrogate_pair_is_answered(server: Process, half: str) -> None:
    message = {"name": "find_operations", "arguments": {"words": "HALF sessions"}}
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": message})
    assert server.process.stdin is not None
    print(text.replace("HALF", half), file=server.process.stdin, flush=True)
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
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_ends_the_process_while_stdin_is_open(server: Process, name: str) -> None:
    number = getattr(signal, name)
    server.process.send_signal(number)
    assert server.process.wait(timeout=30) == 128 + number


PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'


@pytest.mark.parametrize(
    ("line", "id", "code"),
    [
        (PING.decode().encode("utf-16"), None, -32700),
        (PING.decode().encode("utf-16-le"), None, -32700),
        (PING.decode().encode("utf-16-be"), None, -32700),
        (b"hello\n", None, -32700),
        (b"[" + PING.strip() + b"]\n", None, -32600),
        (b'{"jsonrpc": "2.0", "id": 7}\n', 7, -32600),
        (b'{"jsonrpc": "2.0", "id": true}\n', None, -32600),
        (b"[" * 100_000 + b"\n", None, -32700),
        (b"[" * 100_000 + b"\\ud800\n", None, -32700),
    ],
)
def test_a_line_that_is_no_message_is_answered_with_an_error(asp: Asp, line: bytes, id: Any, code: int) -> None:
    process = asp.start("mcp", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.buffer.write(line)
    output, _ = process.communicate(timeout=30)
    answer = json.loads(output.splitlines()[0])
    assert (answer["id"], answer["error"]["code"], process.returncode) == (id, code, 0)
