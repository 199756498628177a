"""Fixtures: the command as a process of its own, to be interrupted and killed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import pytest

from cli_tests.conftest import Asp

Spawn = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def spawn(asp: Asp) -> Iterator[Spawn]:
    """Return a function that starts the command; what is left of it is killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        started.append(asp.start(*arguments))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()
