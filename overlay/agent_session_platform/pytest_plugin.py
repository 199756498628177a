"""Pytest fixtures for users of the SDK: a sandbox for each test, and a client of it.

The package's entry point registers them. The sandbox is imported only when a test uses it, so that pytest runs without
the extra, too.
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
    """Return a fixture of pytest-asyncio if that is installed, else a plain one, which the plugin of anyio runs."""
    module: Any = import_module("pytest_asyncio") if importlib.util.find_spec("pytest_asyncio") else pytest
    fixture: F = module.fixture(function)
    return fixture


class UnusedFaultWarning(UserWarning):
    """A test added a fault to its sandbox that fewer requests met than the test expected."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the fixtures."""
    group = parser.getgroup("agent-session-platform")
    group.addoption("--agent-platform-tcp", action="store_true", help="let the client use a real socket")
    group.addoption(
        "--agent-platform-now",
        metavar="ISO",
        type=_parse_now,
        help="time that the sandbox's clock is set to, with a timezone",
    )


def _parse_now(text: str) -> datetime:
    """Parse an ISO 8601 date-time for argparse; without a timezone it would depend on the machine."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or parsed.tzinfo is None:
        raise argparse.ArgumentTypeError(f"must be a date-time with a timezone, such as 2030-01-01T00:00:00Z: {text!r}")
    return parsed


@pytest.fixture
def agent_platform_sandbox(request: pytest.FixtureRequest) -> Generator[Sandbox]:
    """Yield a sandbox for this test, whose clock is fixed; warn of faults that too few requests met."""
    from .sandbox import Sandbox
    from .sandbox.time import START

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
    """Yield a client of `agent_platform_sandbox`, in process, or over TCP with --agent-platform-tcp."""
    if not request.config.getoption("--agent-platform-tcp"):
        async with agent_platform_sandbox.client() as platform:
            yield platform
        return
    from .platform import AgentPlatform

    with agent_platform_sandbox.serve() as base_url:
        async with AgentPlatform(base_url, agent_platform_sandbox.token, organization="org-acme") as platform:
            yield platform
