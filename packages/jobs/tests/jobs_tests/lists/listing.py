"""A server of one list, which grows, fails and refuses cursors as a test says."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import httpx
from agent_session_platform import AgentPlatform, RetryPolicy
from agent_session_platform_jobs import export


class Listing(httpx.AsyncBaseTransport):
    """Responds to every request with a page of `items`; a cursor is the number of the item that a page begins with.

    Attributes:
        items: The items, as JSON values.
        size: How many a page has.
        requested: The cursors of all requests.
        failing: Status by cursor, for requests that fail.
        shifted: How many items a page repeats of the one before it.
    """

    def __init__(self, items: list[Any], size: int = 2) -> None:
        self.items = items
        self.size = size
        self.requested: list[str | None] = []
        self.failing: dict[str | None, int] = {}
        self.shifted = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        cursor = parse_qs(request.url.query.decode()).get("after", [None])[0]
        self.requested.append(cursor)
        if cursor in self.failing:
            return httpx.Response(self.failing[cursor], json={"title": "refused"})
        begin = int(cursor or 0)
        end = begin + self.size
        more = end < len(self.items)
        page = self.items[max(0, begin - self.shifted) : end]
        envelope = {"items": page, "end_cursor": str(end) if more else None, "has_next_page": more, "total": None}
        return httpx.Response(200, content=json.dumps(envelope), headers={"Content-Type": "application/json"})

    def client(self) -> AgentPlatform:
        """Return a client whose requests all come here."""
        return AgentPlatform(
            "https://example.com", "svc_x", organization="org-acme", transport=self, retry=RetryPolicy.none()
        )


def sessions(*numbers: int, **fields: Any) -> list[dict[str, Any]]:
    """Return sessions with these numbers."""
    return [{"session_id": f"assistant-{number}", "status": "new", **fields} for number in numbers]


def messages(*texts: str) -> list[dict[str, Any]]:
    """Return messages with these texts, which have no id."""
    return [{"message": text, "source": "user"} for text in texts]


def read(path: Path) -> list[Any]:
    content = path.read_text(encoding="utf-8")
    assert content.endswith("\n") or not content
    return [json.loads(line) for line in content.split("\n")[:-1]]


async def run(listing: Listing, path: Path, **arguments: Any) -> Any:
    """Export the sessions of an organization."""
    async with listing.client() as platform:
        return await export(platform.organization().sessions.list, path, **arguments)


async def run_messages(listing: Listing, path: Path, **arguments: Any) -> Any:
    async with listing.client() as platform:
        source = partial(platform.enterprise.sessions.list_messages, "assistant-1")
        return await export(source, path, chronological=True, **arguments)
