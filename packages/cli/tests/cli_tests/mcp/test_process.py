"""The process of `asp mcp`: what it writes where, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.ctrl_c import HEED_CTRL_C

INITIALIZE: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "stranger", "version": "1"},
}


class Process:
    """A server, with messages written by hand."""

    def __init__(self, address: str, token: str) -> None:
        settings = {"BASE_URL": address, "TOKEN": token, "ORG_ID": "org-acme", "LOG": "debug"}
        environment = os.environ | {f"AGENT_PLATFORM_{name}": value for name, value in settings.items()}
        command = [sys.executable, "-W", "error", "-m", "agent_session_platform_cli", "mcp", "--only", "sessions"]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=HEED_CTRL_C,
        )
        self.send("initialize", INITIALIZE)
        self.greeting = self.receive()

    def send(self, method: str, params: dict[str, Any], number: int = 1) -> None:
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.process.stdin.write(f"{json.dumps(message)}\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        self.send("tools/call", {"name": tool, "arguments": arguments}, number=2)

    def end(self) -> tuple[int, str, str]:
        """Close stdin, and return status, the rest of stdout, and stderr."""
        output, errors = self.process.communicate(timeout=30)
        return self.process.returncode, output, errors


@pytest.fixture
def server(address: str, sandbox: Sandbox) -> Iterator[Process]:
    started = Process(address, sandbox.token)
    yield started
    started.process.kill()
    started.process.communicate()


def test_stdout_has_messages_only_and_logs_go_to_stderr(server: Process, sandbox: Sandbox) -> None:
    server.call("read", {"operation": "organization.sessions.list"})
    assert server.receive()["result"]["isError"] is False
    code, output, errors = server.end()
    assert (code, output) == (0, "")
    assert errors.startswith("asp: serving over stdio, it only reads\n")
    assert "organization.sessions.list" in errors
    assert sandbox.token not in errors


def test_half_a_surrogate_pair_is_answered(server: Process) -> None:
    server.call("find_operations", {"words": "\ud800 sessions"})
    assert server.receive()["result"]["isError"] is False
    assert server.end()[0] == 0


def test_the_end_of_stdin_ends_a_call_that_is_under_way(server: Process, address: str) -> None:
    httpx.post(f"{address}/_sandbox/faults", json={"latency": 3600})
    server.call("read", {"operation": "organization.sessions.list"})
    code, _, errors = server.end()
    assert (code, "Traceback" in errors) == (0, False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a signal")
@pytest.mark.parametrize(("number", "expected"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_the_process_while_stdin_is_open(server: Process, number: int, expected: int) -> None:
    server.process.send_signal(number)
    assert server.process.wait(timeout=30) == expected
    assert server.process.stderr is not None
    assert "Traceback" not in server.process.stderr.read()
