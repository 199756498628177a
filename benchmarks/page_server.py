"""A server that needs little time: raw asyncio, and responses that are made only once.

The server runs in a separate process, so that only the clients are measured. The organization in the path says what is
served: `/v3/organizations/org-100-20/sessions` is a list of 100 pages, each served after 20 ms. Any other path of an
organization is one session.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

ITEMS = 200
SESSION: dict[str, Any] = {
    "session_id": "assistant-0123456789abcdef",
    "org_id": "org-0123456789abcdef",
    "url": "https://platform.example.com/sessions/0123456789abcdef",
    "status": "running",
    "status_detail": "working",
    "created_at": 1760000000,
    "updated_at": 1760000060,
    "acus_consumed": 1.25,
    "on_demand_usage": 0.0,
    "tags": ["nightly", "ci"],
    "pull_requests": [{"pr_url": "https://git.example.com/acme/shop/pull/7", "pr_state": "open"}],
    "automation_id": None,
    "category": "bug",
    "subcategory": "flaky test",
    "title": "Fix the flaky test in the login flow",
    "child_session_ids": [],
    "parent_session_id": None,
    "assistant_mode": "fast",
    "is_advanced": False,
    "is_archived": False,
    "origin": "api",
    "playbook_id": None,
    "security_profile": {"selection": "inherit", "profile_id": None},
    "service_user_id": "user-0123456789",
    "user_id": None,
    "structured_output": {"summary": "done", "steps": [1, 2, 3]},
}


def sessions(count: int) -> list[dict[str, Any]]:
    """Return sessions that differ from each other in the same members as real sessions do."""
    return [
        SESSION
        | {
            "session_id": f"assistant-{number:016x}",
            "url": f"https://platform.example.com/sessions/{number:016x}",
            "created_at": SESSION["created_at"] + number,
            "updated_at": SESSION["updated_at"] + number,
            "title": f"Fix the flaky test {number} in the login flow",
        }
        for number in range(count)
    ]


def encode(value: object) -> bytes:
    """Write JSON as most servers do."""
    return json.dumps(value, separators=(",", ":")).encode()


@cache
def page(number: int, count: int) -> bytes:
    """Return page *number* of a list of *count* pages."""
    following = str(number + 1) if number + 1 < count else None
    rest = {"end_cursor": following, "has_next_page": following is not None, "total": count * ITEMS}
    return encode({"items": sessions(ITEMS), **rest})


class Connection(asyncio.Protocol):
    """A connection that responds to one request after the other. Requests have no body."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]  # TCP
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head, self.received = self.received[:end], self.received[end + 4 :]
            self.respond(head.split(b" ", 2)[1].decode())

    def respond(self, target: str) -> None:
        url = urlsplit(target)
        segments = url.path.split("/")
        _, count, latency = segments[segments.index("organizations") + 1].split("-")
        if segments[-1] == "sessions":
            body = page(int(parse_qs(url.query).get("after", ["0"])[0]), int(count))
        else:
            body = encode(SESSION)
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
        if latency == "0":
            self.transport.write(head + body)
        else:
            asyncio.get_running_loop().call_later(int(latency) / 1e3, self.transport.write, head + body)


async def serve() -> None:
    """Print the port, and serve until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


@contextmanager
def page_server() -> Iterator[str]:
    """Run the server in a separate process, and yield its address."""
    command = [sys.executable, "-m", "benchmarks.page_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.stdin.close()


if __name__ == "__main__":
    asyncio.run(serve())
