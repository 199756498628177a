"""A server of sessions and messages in virtual time: what happens in them, when it can be seen, and what is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx
from agent_session_platform import AgentPlatform, OrganizationScope, RetryPolicy
from agent_session_platform_jobs import States

from tests.fixtures import URL
from tests.polling.waiting import run_planned
from tests.servers.fault_server import client

T = TypeVar("T")

STATES = States(
    done={"status": {"ready"}},
    waiting={"status": {"question"}},
    failed={"status": {"failed"}},
)
ID = "assistant-1"
PAGE = 100


class Talk(httpx.AsyncBaseTransport):
    """One server of sessions.

    Attributes:
        late: How many seconds later than it happens a message is listed.
        late_state: How many seconds later a change of a session is seen.
        losing: What becomes of the next texts that are sent: None arrives, "response" arrives and its response is lost,
            "request" is lost.
        statuses: The statuses of the next reads; None is a success.
        refusal: The response to reads of messages; None lists them.
        on_text: Called with the session and the text when a text arrives: the assistant.
        requests: The requests, as method and last part of the path.
    """

    def __init__(self) -> None:
        self.late = 0.0
        self.late_state = 0.0
        self.losing: list[str | None] = []
        self.statuses: list[int | None] = []
        self.refusal: httpx.Response | None = None
        self.on_text: Callable[[str, str], None] = lambda session_id, text: None
        self.requests: list[str] = []
        # What each session was from a time on, and when each message was sent.
        self.sessions: dict[str, list[tuple[float, dict[str, Any]]]] = {}
        self.messages: dict[str, list[tuple[float, dict[str, Any]]]] = {}
        self.count = 0

    def add(self, session_id: str = ID, **fields: Any) -> None:
        """Add a session with a state."""
        first = {"session_id": session_id, "org_id": "org-acme", "status": "working", **fields}
        self.sessions[session_id] = [(-1e9, first)]
        self.messages[session_id] = []

    def change(self, session_id: str = ID, **fields: Any) -> None:
        """Change members of a session."""
        log = self.sessions[session_id]
        log.append((now(), {**log[-1][1], **fields, "updated_at": len(log)}))

    def say(self, text: str, session_id: str = ID, *, source: str = "assistant") -> None:
        """Add a message to a session."""
        self.count += 1
        message = {"event_id": f"event-{self.count}", "created_at": 0, "message": text, "source": source}
        self.messages[session_id].append((now(), message))

    def receive(self, text: str, session_id: str = ID) -> None:
        """Receive a text of a program, and let the assistant work on it."""
        self.say(text, session_id, source="user")
        self.on_text(session_id, text)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Respond to a request."""
        path = request.url.path.split("/sessions")[1]
        self.requests.append(f"{request.method} {path}")
        _, session_id, part = f"{path}//".split("/")[:3]
        if request.method == "POST":
            return self._write(request, session_id)
        status = self.statuses.pop(0) if self.statuses else None
        if status is not None:
            return httpx.Response(status, json={"title": "refused"})
        if not session_id:
            return envelope([self._seen(name) for name in self.sessions], request)
        if session_id not in self.sessions:
            return httpx.Response(404, json={"title": "no session"})
        if part == "messages" and self.refusal is not None:
            return self.refusal
        if part == "messages":
            listed = [message for at, message in self.messages[session_id] if at + self.late <= now()]
            return envelope(listed, request)
        return httpx.Response(200, json=self._seen(session_id))

    def _write(self, request: httpx.Request, session_id: str) -> httpx.Response:
        body = json.loads(request.content)
        lost = self.losing.pop(0) if self.losing else None
        if lost == "request":
            raise httpx.ReadError("lost")
        if session_id:
            self.receive(body["message"], session_id)
            answer: dict[str, Any] = {}
        else:
            session_id = f"assistant-{len(self.sessions) + 1}"
            self.add(session_id)
            self.receive(body["prompt"], session_id)
            answer = self._seen(session_id)
        if lost == "response":
            raise httpx.ReadError("lost")
        return httpx.Response(200, json=answer)

    def _seen(self, session_id: str) -> dict[str, Any]:
        log = self.sessions[session_id]
        return [fields for at, fields in log if at + self.late_state <= now() or at < 0][-1]

    def run(
        self,
        job: Callable[[OrganizationScope], Awaitable[T]],
        plan: Mapping[float, Callable[[], object]] | None = None,
    ) -> T:
        """Run a job with a client, in virtual time; the functions of *plan* are called at their time."""
        return run_planned(self.client, job, plan)

    def client(self) -> AgentPlatform:
        """Return a client whose requests all come here."""
        return client(URL, self, retry=RetryPolicy.none())


def now() -> float:
    """Return the virtual time; the beginning before the loop runs."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return -1000.0


def envelope(items: list[dict[str, Any]], request: httpx.Request) -> httpx.Response:
    """Return one page of a list; a cursor is the number of the item that a page begins with."""
    begin = int(request.url.params.get("after") or 0)
    end = begin + PAGE
    more = end < len(items)
    cursor = str(end) if more else None
    return httpx.Response(
        200, json={"items": items[begin:end], "end_cursor": cursor, "has_next_page": more, "total": len(items)}
    )
