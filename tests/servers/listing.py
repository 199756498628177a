"""A list that a script serves: a cursor leads to a page, or to an error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import httpx
from agent_session_platform import AgentPlatform, Pager, RetryPolicy
from agent_session_platform.models import Session


class Listing:
    """Serves pages of sessions from a script.

    Args:
        pages: The page at each cursor, None for the first; an exception is raised, a response sent as it is.

    Attributes:
        fetched: The cursors that were requested, in order.
    """

    def __init__(self, pages: Mapping[str | None, dict[str, Any] | Exception | httpx.Response]) -> None:
        self.pages = dict(pages)
        self.fetched: list[str | None] = []
        self.platform = AgentPlatform(
            "https://platform.example.com",
            "svc_listing",
            organization="org-acme",
            transport=httpx.MockTransport(self.respond),
            retry=RetryPolicy.none(),
        )

    def respond(self, request: httpx.Request) -> httpx.Response:
        """Respond to a request for a page."""
        cursor = request.url.params.get("after")
        self.fetched.append(cursor)
        page = self.pages[cursor]
        if isinstance(page, Exception):
            raise page
        if isinstance(page, httpx.Response):
            return page
        return httpx.Response(200, content=json.dumps(page), headers={"content-type": "application/json"})

    def pager(self, after: str | None = None) -> Pager[Session]:
        """Return the pager of the list."""
        return self.platform.organization().sessions.list(after=after)


def page(items: Iterable[str], end_cursor: object = None, has_next_page: object = None, **more: Any) -> dict[str, Any]:
    """Return a page with these ids."""
    following = end_cursor is not None if has_next_page is None else has_next_page
    sessions = [{"session_id": each} for each in items]
    return {"items": sessions, "end_cursor": end_cursor, "has_next_page": following, **more}


async def pour(pager: Any, into: list[Any]) -> None:
    """Append the ids of all items one by one, so that those before an error are kept."""
    async for session in pager:
        into.append(session.session_id)  # noqa: PERF401
