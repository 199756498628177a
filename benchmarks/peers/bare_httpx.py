"""The measure of all: httpx alone, with `json.loads` and a loop over the cursors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from . import TOKEN


class Peer:
    START = "import httpx; client = httpx.AsyncClient()"

    async def open(self, url: str, connections: int) -> None:
        import httpx

        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.client = httpx.AsyncClient(base_url=url, limits=limits, headers=headers, timeout=30)

    async def get(self, organization: str) -> Any:
        response = await self.client.get(f"/v3/organizations/{organization}/sessions/assistant-1")
        response.raise_for_status()
        return json.loads(response.content)

    async def items(self, organization: str) -> AsyncIterator[Any]:
        query: dict[str, str | int] = {"first": 200}
        while True:
            response = await self.client.get(f"/v3/organizations/{organization}/sessions", params=query)
            response.raise_for_status()
            page = json.loads(response.content)
            for item in page["items"]:
                assert item["session_id"]
                yield item
            if not page["has_next_page"]:
                return
            query["after"] = page["end_cursor"]

    async def aclose(self) -> None:
        await self.client.aclose()
