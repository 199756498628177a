"""Bare pyreqwest, a client in Rust, with `json.loads` and a loop over the cursors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from . import TOKEN


class Peer:
    START = "from pyreqwest.client import ClientBuilder; client = ClientBuilder().build()"

    async def open(self, url: str, connections: int) -> None:
        from pyreqwest.client import ClientBuilder

        headers = {"Authorization": f"Bearer {TOKEN}"}
        builder = ClientBuilder().base_url(f"{url}/").default_headers(headers).max_connections(connections)
        self.client = builder.error_for_status().build()

    async def get(self, organization: str) -> Any:
        response = await self.client.get(f"v3/organizations/{organization}/sessions/assistant-1").build().send()
        return json.loads(bytes(await response.bytes()))

    async def items(self, organization: str) -> AsyncIterator[Any]:
        query: dict[str, str | int] = {"first": 200}
        while True:
            request = self.client.get(f"v3/organizations/{organization}/sessions").query(query)
            page = json.loads(bytes(await (await request.build().send()).bytes()))
            for item in page["items"]:
                assert item["session_id"]
                yield item
            if not page["has_next_page"]:
                return
            query["after"] = page["end_cursor"]

    async def aclose(self) -> None:
        await self.client.close()
