"""Fixtures: the command as a process of its own, to be interrupted and killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from cli_tests.conftest import Asp
from cli_tests.ctrl_c import HEED_CTRL_C

Spawn = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def spawn(asp: Asp) -> Iterator[Spawn]:
    """Return a function that starts the command; what is left of it is killed at the end."""
    started: list[subprocess.Popen[str]] = []
    environment = os.environ | {name: value for name, value in asp.environment.items() if value is not None}

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "agent_session_platform_cli", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=HEED_CTRL_C,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
