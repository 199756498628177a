"""Pytest fixtures for users of the SDK: a sandbox for each test, and clients of it.

The entry point of the distribution registers these fixtures.
"""

from __future__ import annotations

import argparse
import importlib.util
import warnings
from collections.abc import AsyncGenerator, Callable, Generator
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from agent_session_platform import AgentPlatform

    from . import Sandbox

F = TypeVar("F")


def async_fixture(function: F) -> F:
    """Return a fixture of pytest-asyncio if it is installed, else a plain fixture, which the plugin of anyio runs."""
    module: Any = import_module("pytest_asyncio") if importlib.util.find_spec("pytest_asyncio") else pytest
    fixture: F = module.fixture(function)
    return fixture


class UnusedFaultWarning(UserWarning):
    """Fewer requests met a fault than its test expected."""


class UnclosedClientWarning(UserWarning):
    """A test left a client of `agent_platform_factory` open."""


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
    from .clock import parse_datetime

    try:
        return parse_datetime(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}, such as 2030-01-01T00:00:00Z: {text!r}") from None


@pytest.fixture
def agent_platform_sandbox(request: pytest.FixtureRequest) -> Generator[Sandbox]:
    """Yield a sandbox for this test, whose clock is fixed; warn of faults that too few requests met."""
    from . import Sandbox
    from .clock import START

    given = request.config.getoption("--agent-platform-now")
    sandbox = Sandbox(now=START if given is None else given)
    yield sandbox
    for fault in sandbox.faults.unused:
        met = f"only {fault.met} of {fault.times} requests met" if fault.met else "no request met"
        warnings.warn(f"{met} {fault}", UnusedFaultWarning, stacklevel=2)


@pytest.fixture
def agent_platform_base_url(agent_platform_sandbox: Sandbox) -> Generator[str]:
    """Serve `agent_platform_sandbox` on a port of the loopback interface, and yield its base URL."""
    with agent_platform_sandbox.serve() as base_url:
        yield base_url


@pytest.fixture
def agent_platform_environment(
    agent_platform_base_url: str, agent_platform_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Let each `AgentPlatform()` without arguments be a client of `agent_platform_sandbox`; return its base URL.

    The fixture sets AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and AGENT_PLATFORM_ORG_ID, also for processes that
    the test starts.
    """
    from .population import ORGANIZATIONS

    monkeypatch.setenv("AGENT_PLATFORM_BASE_URL", agent_platform_base_url)
    monkeypatch.setenv("AGENT_PLATFORM_TOKEN", agent_platform_sandbox.token)
    monkeypatch.setenv("AGENT_PLATFORM_ORG_ID", ORGANIZATIONS[0])
    return agent_platform_base_url


@pytest.fixture
def agent_platform_factory(
    request: pytest.FixtureRequest, agent_platform_sandbox: Sandbox
) -> Generator[Callable[..., AgentPlatform]]:
    """Yield a function that makes a new client of `agent_platform_sandbox`; warn of clients that were left open.

    The function takes the arguments of `AgentPlatform`, such as `token=` and `retry=`. The client is not open yet. The
    code that opens it, in any thread and event loop, must close it. So each application gets its own client. The client
    is in process, or connects over TCP with --agent-platform-tcp.
    """
    over_tcp = bool(request.config.getoption("--agent-platform-tcp"))
    address: dict[str, Any] = {"base_url": request.getfixturevalue("agent_platform_base_url")} if over_tcp else {}
    made: list[AgentPlatform] = []

    def make(**settings: Any) -> AgentPlatform:
        platform = agent_platform_sandbox.client(**{**address, **settings})
        made.append(platform)
        return platform

    yield make
    for platform in made:
        if platform.is_open:
            warnings.warn(
                f"a test left {platform!r} open; use `async with`, or `await platform.aclose()`",
                UnclosedClientWarning,
                stacklevel=2,
            )


@async_fixture
async def agent_platform(agent_platform_factory: Callable[..., AgentPlatform]) -> AsyncGenerator[AgentPlatform]:
    """Yield an open client of `agent_platform_sandbox`, for the event loop of the test.

    An application that opens a client itself gets its own from `agent_platform_factory`.
    """
    async with agent_platform_factory() as platform:
        yield platform
