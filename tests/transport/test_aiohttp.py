"""The aiohttp transport."""

from __future__ import annotations

import sys

import pytest
from agent_session_platform import AgentPlatform, ConfigurationError
from agent_session_platform.sandbox import Sandbox


async def test_a_call_works(sandbox: Sandbox, address: str) -> None:
    sandbox.add_blueprint()
    async with AgentPlatform(address, sandbox.token, transport="aiohttp") as platform:
        assert len((await platform.enterprise.blueprints.list()).data or ()) == 1


async def test_without_the_extra_the_error_names_it(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx_aiohttp", None)
    platform = AgentPlatform(address, "svc_x", transport="aiohttp")
    with pytest.raises(ConfigurationError, match=r"pip install 'agent-session-platform\[aiohttp\]'"):
        await platform.enterprise.blueprints.list()
