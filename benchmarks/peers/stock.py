"""What openapi-python-client makes of openapi.yaml by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from . import TOKEN


class Peer:
    START = """
from stock_client import AuthenticatedClient
from stock_client.api.sessions import get_organization_session
client = AuthenticatedClient('https://platform.example.com', 'x')
client.get_async_httpx_client()
"""

    async def open(self, url: str, connections: int) -> None:
        import httpx
        from stock_client import AuthenticatedClient
        from stock_client.api.sessions import get_organization_session, list_organization_sessions

        self.get_session, self.list_sessions = get_organization_session, list_organization_sessions
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        self.client = AuthenticatedClient(
            base_url=url, token=TOKEN, timeout=httpx.Timeout(30), httpx_args={"limits": limits}
        )

    async def get(self, organization: str) -> Any:
        return await self.get_session.asyncio(organization, "assistant-1", client=self.client)

    async def items(self, organization: str) -> AsyncIterator[Any]:
        query: dict[str, Any] = {"first": 200}
        while True:
            page = await self.list_sessions.asyncio(organization, client=self.client, **query)
            for session in page.items:
                assert session.session_id
                yield session
            if not page.has_next_page:
                return
            query["after"] = page.end_cursor

    async def aclose(self) -> None:
        await self.client.get_async_httpx_client().aclose()
