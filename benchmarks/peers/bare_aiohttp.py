"""Bare aiohttp, with `json.loads` and a loop over the cursors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from . import TOKEN


class Peer:
    START = """
import asyncio, aiohttp
async def main():
    async with aiohttp.ClientSession():
        pass
asyncio.run(main())
"""

    async def open(self, url: str, connections: int) -> None:
        import aiohttp

        connector = aiohttp.TCPConnector(limit=connections)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.client = aiohttp.ClientSession(url, connector=connector, headers=headers)

    async def get(self, organization: str) -> Any:
        async with self.client.get(f"/v3/organizations/{organization}/sessions/assistant-1") as response:
            response.raise_for_status()
            return json.loads(await response.read())

    async def items(self, organization: str) -> AsyncIterator[Any]:
        query: dict[str, str | int] = {"first": 200}
        while True:
            async with self.client.get(f"/v3/organizations/{organization}/sessions", params=query) as response:
                response.raise_for_status()
                page = json.loads(await response.read())
            for item in page["items"]:
                assert item["session_id"]
                yield item
            if not page["has_next_page"]:
                return
            query["after"] = page["end_cursor"]

    async def aclose(self) -> None:
        await self.client.close()
