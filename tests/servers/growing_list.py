"""A server of one list, which grows, fails and refuses cursors as a test says."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

import httpx
from agent_session_platform import AgentPlatform

from tests.fixtures import ONE_ATTEMPT, URL
from tests.servers.fault_server import client


class GrowingList(httpx.AsyncBaseTransport):
    """Responds to every request with a page of `items`; a cursor is the number of the item that a page begins with.

    Attributes:
        items: The items, as JSON values.
        size: How many a page has.
        requested: The cursors of all requests.
        failing: Status by cursor, for requests that fail.
        statuses: The statuses of the next responses; None is a success.
        retry_after: The Retry-After of the responses that fail; empty for none.
        shifted: How many items a page repeats of the one before it.
    """

    def __init__(self, items: list[Any], size: int = 2) -> None:
        self.items = items
        self.size = size
        self.requested: list[str | None] = []
        self.failing: dict[str | None, int] = {}
        self.statuses: list[int | None] = []
        self.retry_after = ""
        self.shifted = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        cursor = parse_qs(request.url.query.decode()).get("after", [None])[0]
        self.requested.append(cursor)
        status = self.statuses.pop(0) if self.statuses else self.failing.get(cursor)
        if status is not None:
            headers = {"Retry-After": self.retry_after} if self.retry_after else {}
            return httpx.Response(status, json={"title": "refused"}, headers=headers)
        begin = int(cursor or 0)
        end = begin + self.size
        more = end < len(self.items)
        page = self.items[max(0, begin - self.shifted) : end]
        envelope = {"items": page, "end_cursor": str(end) if more else None, "has_next_page": more, "total": None}
        return httpx.Response(200, content=json.dumps(envelope), headers={"Content-Type": "application/json"})

    def client(self) -> AgentPlatform:
        """Return a client whose requests all come here."""
        return client(URL, self, retry=ONE_ATTEMPT)
