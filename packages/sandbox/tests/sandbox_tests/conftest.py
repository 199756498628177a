"""Fixtures for the tests of the sandbox: a plain HTTP client, and the scopes of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.odd import OddSandbox


@pytest.fixture
async def http(sandbox: Sandbox) -> AsyncIterator[httpx.AsyncClient]:
    """A plain HTTP client of the sandbox, in process, without a credential."""
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        yield client


@pytest.fixture
def tcp(address: str) -> Iterator[httpx.Client]:
    """A plain HTTP client of the sandbox on a port, without a credential; making one takes as long as 20 requests."""
    with httpx.Client(base_url=address) as client:
        yield client


@pytest.fixture
async def odd() -> AsyncIterator[OddSandbox]:
    """A sandbox of the odd contract."""
    made = OddSandbox()
    async with made.client:
        yield made


@pytest.fixture
def enterprise(platform: AgentPlatform) -> Any:
    """The enterprise scope."""
    return platform.enterprise


@pytest.fixture
def scopes(platform: AgentPlatform, org: Any) -> dict[str, Any]:
    """The sessions of org-acme in both scopes."""
    return {"organization": org.sessions, "enterprise": platform.enterprise.sessions}
