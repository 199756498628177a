"""What openapi-generator makes of openapi.yaml, with its httpx library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from . import TOKEN


class Peer:
    START = """
import openapi_generator_client as made
client = made.ApiClient(made.Configuration(host='https://platform.example.com', access_token='x'))
"""

    async def open(self, url: str, connections: int) -> None:
        import openapi_generator_client as made

        configuration = made.Configuration(host=url, access_token=TOKEN)
        configuration.connection_pool_maxsize = connections
        self.client = made.ApiClient(configuration)
        self.sessions = made.SessionsApi(self.client)

    async def get(self, organization: str) -> Any:
        return await self.sessions.get_organization_session(organization, "assistant-1")

    async def items(self, organization: str) -> AsyncIterator[Any]:
        query: dict[str, Any] = {"first": 200}
        while True:
            page = await self.sessions.list_organization_sessions(organization, **query)
            for session in page.items:
                assert session.session_id
                yield session
            if not page.has_next_page:
                return
            query["after"] = page.end_cursor

    async def aclose(self) -> None:
        await self.client.close()
