"""A server with the messages of one session, and the follower of them, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx
from agent_session_platform import AgentPlatform, Follower, RetryPolicy
from agent_session_platform.models import SessionMessage

from benchmarks.virtual_time import run

T = TypeVar("T")

PROBLEM = {"content-type": "application/problem+json"}


class Messages:
    """A server with the messages of one session, in pages of three."""

    def __init__(self, count: int = 0) -> None:
        self.items = [message(number) for number in range(count)]
        self.requests: list[str | None] = []
        # The statuses of the next responses; None is a success.
        self.statuses: list[int | None] = []

    def add(self, count: int) -> None:
        self.items += [message(number) for number in range(len(self.items), len(self.items) + count)]

    def __call__(self, request: httpx.Request) -> httpx.Response:
        after = request.url.params.get("after")
        self.requests.append(after)
        status = self.statuses.pop(0) if self.statuses else None
        if status is not None:
            return httpx.Response(status, json={"title": "Refused", "status": status}, headers=PROBLEM)
        start = int(after or 0)
        items, more = self.items[start : start + 3], len(self.items) > start + 3
        return httpx.Response(
            200, json={"items": items, "has_next_page": more, "end_cursor": str(start + 3) if more else None}
        )


def message(number: int) -> dict[str, Any]:
    return {"event_id": f"event-{number}", "message": str(number), "created_at": 1, "source": "assistant"}


def use(
    server: Callable[[httpx.Request], httpx.Response], work: Callable[[AgentPlatform], Coroutine[Any, Any, T]]
) -> T:
    """Run *work* with a client of the server, in virtual time."""

    async def main() -> T:
        transport = httpx.MockTransport(server)
        retry = RetryPolicy.none()
        async with AgentPlatform("https://a.example.com", "svc_x", transport=transport, retry=retry) as platform:
            return await work(platform)

    return run(main())


def follow(platform: AgentPlatform, **settings: Any) -> Follower[SessionMessage]:
    return platform.enterprise.sessions.follow_messages("assistant-1", **settings)


def texts(messages: list[SessionMessage]) -> list[str | None]:
    return [each.message for each in messages]


def numbers(*parts: range) -> list[str]:
    return [str(number) for part in parts for number in part]


async def take(follower: Follower[SessionMessage], count: int) -> list[str | None]:
    """Return the next messages of a follower."""
    found: list[str | None] = []
    if count == 0:
        return found
    async for each in follower:
        found.append(each.message)
        if len(found) == count:
            break
    return found


class Wide(Messages):
    """A server whose one page has everything."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"items": self.items, "has_next_page": False, "end_cursor": None})


def without_ids(*parts: str) -> list[dict[str, Any]]:
    return [{"event_id": None, "message": text, "created_at": 1, "source": "assistant"} for text in parts]
