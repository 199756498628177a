"""Fixtures: the server in this process, and the client of the protocol's SDK."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import attrs
import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.mcp.operations import Selection
from agent_session_platform_cli.mcp.server import make_server
from mcp import Client
from mcp.types import Tool

TOKEN = "pat-0123456789abcdef"


@attrs.define
class Assistant:
    """Calls tools of a server in this process.

    Attributes:
        platform: The client of the server.
        selection: The operations that it may call.
        response: What the platform sends, where it is no sandbox.
        respond: Returns what it sends to a query; None sends `response`.
    """

    platform: AgentPlatform
    selection: Selection = attrs.field(factory=Selection)
    response: bytes = b""
    respond: Callable[[Mapping[str, str]], bytes] | None = None

    def allowed(self, *names: str) -> Assistant:
        """Return an assistant that may also write."""
        return Assistant(self.platform, Selection(allow=names))

    async def tools(self) -> dict[str, Tool]:
        async with Client(make_server(self.platform, self.selection)) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    async def answer(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Return whether a tool failed, and its text."""
        async with Client(make_server(self.platform, self.selection)) as client:
            result = await client.call_tool(tool, arguments)
            [content] = result.content
            assert result.structured_content is None
            return bool(result.is_error), str(getattr(content, "text", ""))

    async def call(self, tool: str, **arguments: Any) -> Any:
        failed, text = await self.answer(tool, **arguments)
        assert not failed, text
        assert text.isprintable()
        return json.loads(text, parse_constant=pytest.fail)

    async def read(self, operation: str, **arguments: Any) -> Any:
        return await self.call("read", operation=operation, arguments=arguments)

    async def refusal(self, tool: str, **arguments: Any) -> str:
        failed, text = await self.answer(tool, **arguments)
        assert failed, text
        assert "Traceback" not in text
        return text


@pytest.fixture
def assistant(platform: AgentPlatform) -> Assistant:
    """Return an assistant that may only read."""
    return Assistant(platform)


@pytest.fixture
async def echo() -> AsyncIterator[Assistant]:
    """Return an assistant whose platform sends its `response`."""

    def respond(request: httpx.Request) -> httpx.Response:
        content = found.response
        if found.respond is not None:
            content = found.respond(request.url.params)
        status = 422 if b"detail" in content else 200
        return httpx.Response(status, content=content, headers={"content-type": "application/json"})

    async with httpx.AsyncClient(transport=httpx.MockTransport(respond)) as client:
        platform = AgentPlatform(base_url="https://x.invalid", token=TOKEN, organization="org-a", http_client=client)
        async with platform:
            found = Assistant(platform)
            yield found
