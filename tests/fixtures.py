"""Fixtures: a new sandbox for each test, and a client of it."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from zlib import crc32

import pytest
from agent_session_platform import AgentPlatform, RetryPolicy
from agent_session_platform._api import Operation
from agent_session_platform_sandbox import Sandbox

from benchmarks.virtual_time import run

P = ParamSpec("P")
T = TypeVar("T")

ROOT = Path(__file__).parent.parent
# The address of a server that no test connects to.
URL = "https://platform.example.com"

# Retries without a delay, for tests of whether a call is retried.
QUICK = RetryPolicy(backoff_base=0.0, backoff_cap=0.0)
ONE_ATTEMPT = RetryPolicy.none()

# For each HTTP library, a transport of the SDK (OWN), and a client that the caller passes (PASSED).
OWN = {"httpx": None, "httpx2": "httpx2", "aiohttp": "aiohttp"}
PASSED = {f"http_client {library}": f"http_client {library}" for library in OWN}
all_transports = pytest.mark.parametrize("transport", OWN.values(), ids=OWN)
# The transports that speak SOCKS.
httpx_transports = pytest.mark.parametrize("transport", ["httpx", "httpx2"])
all_clients = pytest.mark.parametrize("transport", [*OWN.values(), *PASSED], ids=[*OWN, *PASSED])


def make_operation(**fields: Any) -> Operation:
    """Make an operation that the contract has not."""
    return Operation(**{"id": "do", "method": "GET", "path": "/x", "scope": "", "resource": "", "verb": "", **fields})


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Let a test run in virtual time. None of its fixtures may need the event loop."""

    @wraps(test)
    def run_test(*arguments: P.args, **named: P.kwargs) -> T:
        return run(test(*arguments, **named))

    return run_test


async def until(condition: Callable[[], Any]) -> None:
    """Wait until a condition holds, for 20 seconds at most."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0)


@pytest.fixture
def transport(request: pytest.FixtureRequest) -> str | None:
    """Choose a client by the name of the test, so that the cases of a table are spread over all of them."""
    clients = [*OWN.values(), *PASSED]
    return clients[crc32(request.node.name.encode()) % len(clients)]


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Give bytes that are no short text a number as their id, because ids must be readable and the same in each run."""
    readable = isinstance(val, bytes) and len(val) < 60 and val.isascii() and val.decode().isprintable()
    return argname if isinstance(val, bytes) and not readable else None


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the settings of the machine."""
    for name in ("BASE_URL", "TOKEN", "TOKEN_FILE", "ORG_ID", "LOG", "OBSERVE", "PROFILE"):
        monkeypatch.delenv(f"AGENT_PLATFORM_{name}", raising=False)
    # A command with --debug sets the level for its process.
    logging.getLogger("agent_session_platform").setLevel(logging.NOTSET)
    monkeypatch.setenv("AGENT_PLATFORM_CONFIG", os.devnull)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(ROOT / "tests/servers/certificates/authority.pem"))


@pytest.fixture
def root() -> Path:
    """Return the root of the checkout."""
    return ROOT


@pytest.fixture
def sandbox() -> Sandbox:
    """Make a sandbox in this process."""
    return Sandbox()


@pytest.fixture
async def platform(sandbox: Sandbox) -> AsyncIterator[AgentPlatform]:
    """Make a client of the sandbox, without a socket."""
    async with sandbox.client(retry=QUICK) as client:
        yield client


@pytest.fixture
def org(platform: AgentPlatform) -> Any:
    """Return the scope of the organization org-acme."""
    return platform.organization("org-acme")


@pytest.fixture
def address(sandbox: Sandbox) -> Iterator[str]:
    """Serve the sandbox on a port, and return its base URL."""
    with sandbox.serve() as base_url:
        yield base_url


@pytest.fixture
def full() -> Iterator[socket.socket]:
    """A listening socket with a full backlog: further connections have to wait."""
    with socket.socket() as sock, ExitStack() as waiting:
        sock.bind(("127.0.0.1", 0))
        sock.listen(0)
        for _ in range(4):
            other = waiting.enter_context(socket.socket())
            other.setblocking(False)
            other.connect_ex(sock.getsockname())
        yield sock
