"""A sandbox in process, over TCP, and independent of any other."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, AuthenticationError, BadRequestError, ConfigurationError
from agent_session_platform_sandbox import Sandbox

pytestmark = pytest.mark.filterwarnings("ignore:organization.schedules.create is deprecated:DeprecationWarning")


async def test_two_sandboxes_share_nothing() -> None:
    one, other = Sandbox(), Sandbox()
    one.add_session()
    async with other.client() as platform:
        assert await platform.organization().sessions.list().collect() == []


async def test_requests_over_tcp_have_the_same_responses(sandbox: Sandbox, address: str) -> None:
    for _ in range(250):
        sandbox.add_session()
    async with AgentPlatform(address, sandbox.token, organization="org-acme") as platform:
        assert len(await platform.organization().sessions.list().collect()) == 250
        with pytest.raises(BadRequestError):
            await platform.organization().schedules.create(name="n", prompt="p", frequency="* * * * *", platform="x")
    async with AgentPlatform(address, "svc_nobody", organization="org-acme") as platform:
        with pytest.raises(AuthenticationError):
            await platform.organization().sessions.get("assistant-1")


async def test_two_sandboxes_show_the_same_bytes() -> None:
    async def story() -> list[Any]:
        sandbox = Sandbox()
        async with sandbox.client() as platform:
            org = platform.organization()
            await org.schedules.create(name="Hourly", prompt="p", frequency="0 * * * *")
            sandbox.clock.advance(hours=3)
            return [session.to_dict() async for session in org.sessions.list()]

    assert await story() == await story()


@pytest.mark.parametrize("transport", ["aiohttp", "httpx2", "httpx"])
def test_a_transport_by_name_needs_a_port(sandbox: Sandbox, transport: str) -> None:
    with pytest.raises(ConfigurationError, match=f"transport='{transport}' needs a port: pass base_url="):
        sandbox.client(transport=transport)
