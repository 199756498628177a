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
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from agent_session_platform import AgentPlatform

    from . import Sandbox
else:
    # Checkers of types at run time read the annotations, and pytest loads this module in every project.
    AgentPlatform = Sandbox = Any

# What the fixture `agent_platform_environment` does with each variable that the SDK, its companions and `asp` read. A
# test must not reach another platform than the sandbox, so a variable that could name one is set or removed. The
# variables of proxies stay: the SDK uses no proxy for a server of this machine.
SET: Final = "set"
REMOVED: Final = "removed"
KEPT: Final = "kept"
VARIABLES: Final = {
    "AGENT_PLATFORM_BASE_URL": SET,
    "AGENT_PLATFORM_TOKEN": SET,
    "AGENT_PLATFORM_ORG_ID": SET,
    # The profiles of the developer: the file that is named instead does not exist.
    "AGENT_PLATFORM_CONFIG": SET,
    "AGENT_PLATFORM_PROFILE": REMOVED,
    "AGENT_PLATFORM_TOKEN_FILE": REMOVED,
    # Requests of a test must not be mixed with what was observed of a deployment.
    "AGENT_PLATFORM_OBSERVE": REMOVED,
    "AGENT_PLATFORM_OBSERVE_PATHS": REMOVED,
    "AGENT_PLATFORM_LOG": KEPT,
}


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
    agent_platform_base_url: str, agent_platform_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> str:
    """Let each `AgentPlatform()` without arguments be a client of `agent_platform_sandbox`; return its base URL.

    The fixture sets AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and AGENT_PLATFORM_ORG_ID, also for processes that
    the test starts. It removes the variables that could name another platform, and hides the profiles of `asp`.
    """
    from .population import ORGANIZATIONS

    values = {
        "AGENT_PLATFORM_BASE_URL": agent_platform_base_url,
        "AGENT_PLATFORM_TOKEN": agent_platform_sandbox.token,
        "AGENT_PLATFORM_ORG_ID": ORGANIZATIONS[0],
        "AGENT_PLATFORM_CONFIG": str(tmp_path / "no-profiles.toml"),
    }
    for name, treatment in VARIABLES.items():
        if treatment is SET:
            monkeypatch.setenv(name, values[name])
        if treatment is REMOVED:
            monkeypatch.delenv(name, raising=False)
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


def _make_client_function() -> Callable[..., AsyncGenerator[AgentPlatform]]:
    """Return the function of a fixture; each fixture needs its own."""

    async def client(agent_platform_factory: Callable[..., AgentPlatform]) -> AsyncGenerator[AgentPlatform]:
        async with agent_platform_factory() as platform:
            yield platform

    return client


def _client_in_loop(scope: str) -> Any:
    """Return a fixture of pytest-asyncio: a client for the event loop of a scope. None without pytest-asyncio."""
    if importlib.util.find_spec("pytest_asyncio") is None:
        return None
    pytest_asyncio: Any = import_module("pytest_asyncio")
    client, name = _make_client_function(), f"_agent_platform_in_{scope}_loop"
    try:
        return pytest_asyncio.fixture(client, loop_scope=scope, name=name)
    except TypeError:
        # Before version 0.24, an event loop has the scope of the fixture.
        return pytest_asyncio.fixture(client, name=name)


_client_in_function_loop = _client_in_loop("function")
_client_in_class_loop = _client_in_loop("class")
_client_in_module_loop = _client_in_loop("module")
_client_in_package_loop = _client_in_loop("package")
_client_in_session_loop = _client_in_loop("session")
# The plugin of anyio runs a plain asynchronous fixture in the event loop of the test.
_client_of_anyio = pytest.fixture(_make_client_function(), name="_agent_platform_of_anyio")


@pytest.fixture
def agent_platform(request: pytest.FixtureRequest) -> AgentPlatform:
    """Return an open client of `agent_platform_sandbox`, in the event loop of the test, whatever the loop's scope is.

    An application that opens a client itself gets its own from `agent_platform_factory`.
    """
    platform: AgentPlatform = request.getfixturevalue(_client_fixture(request))
    return platform


def _client_fixture(request: pytest.FixtureRequest) -> str:
    """Return the name of the fixture whose client belongs to the event loop of the test."""
    marker = request.node.get_closest_marker("asyncio")
    of_anyio = marker is None and request.node.get_closest_marker("anyio") is not None
    if of_anyio or not request.config.pluginmanager.hasplugin("asyncio"):
        return "_agent_platform_of_anyio"
    scope = None
    if marker is not None:
        # `scope` is the former name of the argument.
        scope = marker.kwargs.get("loop_scope") or marker.kwargs.get("scope")
    scope = scope or _setting(request.config, "asyncio_default_test_loop_scope") or "function"
    return f"_agent_platform_in_{scope}_loop"


def _setting(config: pytest.Config, name: str) -> str | None:
    """Return a setting of another plugin; None if its version does not have the setting."""
    try:
        return str(config.getini(name))
    except (KeyError, ValueError):
        return None
