"""Fixtures: the server in this process, called by the client of the protocol's SDK."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.mcp.selection import Selection
from agent_session_platform_cli.mcp.server import make_server
from mcp import Client
from mcp.types import CallToolResult


@attrs.frozen
class Assistant:
    """Calls tools of a server in this process."""

    platform: AgentPlatform
    selection: Selection = attrs.field(factory=Selection)

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        async with Client(make_server(self.platform, self.selection)) as client:
            return await client.call_tool(tool, arguments)


@pytest.fixture
def assistant(platform: AgentPlatform) -> Assistant:
    """Return an assistant that may only read."""
    return Assistant(platform)
