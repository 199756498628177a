"""The SDK as it comes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

from . import TOKEN


class Peer:
    START = "import agent_session_platform as sdk; client = sdk.AgentPlatform('https://platform.example.com', 'svc_x')"
    transport: Literal["httpx2", "aiohttp"] | None = None

    async def open(self, url: str, connections: int) -> None:
        from agent_session_platform import AgentPlatform

        self.platform = AgentPlatform(url, TOKEN, max_connections=connections, transport=self.transport)

    async def get(self, organization: str) -> Any:
        return await self.platform.organization(organization).sessions.get("assistant-1")

    async def items(self, organization: str) -> AsyncIterator[Any]:
        async for session in self.platform.organization(organization).sessions.list(first=200):
            assert session.session_id
            yield session

    async def aclose(self) -> None:
        await self.platform.aclose()
