"""Fixtures for tests of what uses the SDK: a sandbox of its own for each test, and a client on it.

Registered by its entry point when the package is installed. Nothing of the sandbox is imported before a test asks for
it, so that pytest runs without the extra, too.
"""

from __future__ import annotations

import argparse
import importlib.util
import warnings
from collections.abc import AsyncGenerator, Generator
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from .platform import AgentPlatform
    from .sandbox import Sandbox

F = TypeVar("F")


def async_fixture(function: F) -> F:
    """A fixture of pytest-asyncio where that is installed; the plugin of anyio runs those that are plain."""
    module: Any = import_module("pytest_asyncio") if importlib.util.find_spec("pytest_asyncio") else pytest
    made: F = module.fixture(function)
    return made


class UnusedFaultWarning(UserWarning):
    """A test added a fault to its sandbox that no request met, or fewer than it was to."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("agent-session-platform")
    group.addoption("--agent-platform-tcp", action="store_true", help="let the client use a real socket")
    group.addoption(
        "--agent-platform-now", metavar="ISO", type=moment, help="where the sandbox's clock stands, with a timezone"
    )


def moment(text: str) -> datetime:
    """A date-time in ISO 8601 with a timezone, for argparse: without one it would be another on each machine."""
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        given = None
    if given is None or given.tzinfo is None:
        raise argparse.ArgumentTypeError(f"must be a date-time with a timezone, such as 2030-01-01T00:00:00Z: {text!r}")
    return given


@pytest.fixture
def agent_platform_sandbox(request: pytest.FixtureRequest) -> Generator[Sandbox]:
    """A sandbox of the test's own, whose clock stands still; a fault that was not met as often as it
    was to is told as a warning.
    """
    from .sandbox import Sandbox
    from .sandbox.time.clock import START

    given = request.config.getoption("--agent-platform-now")
    sandbox = Sandbox(now=START if given is None else given)
    yield sandbox
    for fault in sandbox.faults.unused:
        met = f"only {fault.met} of {fault.times} requests met" if fault.met else "no request met"
        warnings.warn(f"{met} {fault}", UnusedFaultWarning, stacklevel=2)


@async_fixture
async def agent_platform(
    request: pytest.FixtureRequest, agent_platform_sandbox: Sandbox
) -> AsyncGenerator[AgentPlatform]:
    """A client of `agent_platform_sandbox`, in process, or over TCP with --agent-platform-tcp."""
    if not request.config.getoption("--agent-platform-tcp"):
        async with agent_platform_sandbox.client() as platform:
            yield platform
        return
    from .platform import AgentPlatform

    with agent_platform_sandbox.serve() as base_url:
        async with AgentPlatform(base_url, agent_platform_sandbox.token, organization="org-acme") as platform:
            yield platform
