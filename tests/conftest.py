"""Fixtures: a sandbox of its own for each test, and a client on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, RetryPolicy
from agent_session_platform.sandbox import Sandbox
from agent_session_platform_api import contract as generated_contract

ROOT = Path(__file__).parent.parent

# Retries without a delay, for tests of whether a call is retried.
QUICK = RetryPolicy(backoff_base=0.0, backoff_cap=0.0)
ONE_ATTEMPT = RetryPolicy.none()

both_transports = pytest.mark.parametrize("transport", [None, "aiohttp"], ids=["httpx", "aiohttp"])


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Number bytes that are no short text: as an id they cannot be read, and where they hold a time they change."""
    readable = isinstance(val, bytes) and len(val) < 60 and val.isascii() and val.decode().isprintable()
    return argname if isinstance(val, bytes) and not readable else None


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the machine reaches a test."""
    for name in ("BASE_URL", "TOKEN", "ORG_ID"):
        monkeypatch.delenv(f"AGENT_PLATFORM_{name}", raising=False)


@pytest.fixture
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture
def sandbox() -> Sandbox:
    """A sandbox in process."""
    return Sandbox()


@pytest.fixture
async def platform(sandbox: Sandbox) -> AsyncIterator[AgentPlatform]:
    """A client of the sandbox, in process."""
    async with sandbox.client(retry=QUICK) as client:
        yield client


@pytest.fixture
def org(platform: AgentPlatform) -> Any:
    """The organization scope of org-acme."""
    return platform.organization("org-acme")


@pytest.fixture
def address(sandbox: Sandbox) -> Iterator[str]:
    """The sandbox on a real port."""
    with sandbox.serve() as base_url:
        yield base_url


@pytest.fixture(scope="session")
def contract() -> dict[str, Any]:
    """The contract as the generated package has it."""
    return generated_contract.load()
