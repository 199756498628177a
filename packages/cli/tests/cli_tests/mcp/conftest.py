"""Fixtures: the server in this process, called by the client of the protocol's SDK."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.mcp.operations import Selection
from agent_session_platform_cli.mcp.server import make_server
from mcp import Client
from mcp.types import Tool


@attrs.frozen
class Assistant:
    """Calls tools of a server in this process."""

    platform: AgentPlatform
    selection: Selection = attrs.field(factory=Selection)

    async def tools(self) -> dict[str, Tool]:
        async with Client(make_server(self.platform, self.selection)) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    async def answer(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Return whether a tool has failed, and its text."""
        async with Client(make_server(self.platform, self.selection)) as client:
            result = await client.call_tool(tool, arguments)
            [content] = result.content
            assert result.structured_content is None
            return bool(result.is_error), str(getattr(content, "text", ""))

    async def call(self, tool: str, **arguments: Any) -> Any:
        failed, text = await self.answer(tool, **arguments)
        assert not failed, text
        return json.loads(text)

    async def read(self, operation: str, **arguments: Any) -> Any:
        return await self.call("read", operation=operation, arguments=arguments)

    async def refusal(self, tool: str, **arguments: Any) -> str:
        failed, text = await self.answer(tool, **arguments)
        assert failed, text
        return text


@pytest.fixture
def assistant(platform: AgentPlatform) -> Assistant:
    """Return an assistant that may only read."""
    return Assistant(platform)
