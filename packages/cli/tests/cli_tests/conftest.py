"""Fixtures: the command in this process, against a sandbox on a real socket."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest
from agent_session_platform import operations
from agent_session_platform.contract import load
from agent_session_platform_cli.group import asp as group
from agent_session_platform_sandbox import Sandbox
from click.testing import CliRunner, Result

from cli_tests.ctrl_c import HEED_CTRL_C


class Asp:
    """The command `asp` with settings of its own."""

    def __init__(self, environment: dict[str, str | None]) -> None:
        self.environment = environment
        self.started: list[subprocess.Popen[str]] = []

    def __call__(self, *arguments: str, input: bytes | None = None, **environment: str | None) -> Result:
        """Run the command.

        Args:
            arguments: Its arguments.
            input: What it reads from stdin.
            environment: Variables besides those of the fixture.
        """
        return CliRunner().invoke(group, [*arguments], input=input, env={**self.environment, **environment})

    def start(self, *arguments: str, **settings: Any) -> subprocess.Popen[str]:
        """Start the command in a new process that reacts to Ctrl-C."""
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": HEED_CTRL_C}
        environment = {**os.environ, **{name: value for name, value in self.environment.items() if value is not None}}
        words = [sys.executable, "-m", "agent_session_platform_cli", *arguments]
        process = subprocess.Popen(words, env=environment, text=True, **pipes | settings)
        self.started.append(process)
        return process


@pytest.fixture
def asp(address: str, sandbox: Sandbox) -> Iterator[Asp]:
    """Return the command for the organization org-acme of the sandbox. At the end its processes are killed."""
    command = Asp(
        {
            "AGENT_PLATFORM_BASE_URL": address,
            "AGENT_PLATFORM_TOKEN": sandbox.token,
            "AGENT_PLATFORM_ORG_ID": "org-acme",
            "NO_COLOR": "1",
        }
    )
    yield command
    for process in command.started:
        process.kill()
        process.communicate()


@pytest.fixture
def offline() -> Asp:
    """Return the command without a server."""
    return Asp({"AGENT_PLATFORM_BASE_URL": None, "COLUMNS": "80"})


@pytest.fixture
def named_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the contract name the states of a session, and the member that takes a schema, as a private build may."""
    states = cast("dict[str, Any]", operations["organization.sessions.get"].states)
    monkeypatch.setitem(states, "done", {"status": ["ready"]})
    monkeypatch.setitem(states, "waiting", {"status": ["question"]})
    create = load().endpoints[operations["organization.sessions.create"].id].node
    monkeypatch.setitem(create, "x-turn", {"text": "prompt", "result_schema": "output_schema"})
