"""A server that costs next to nothing: raw asyncio, and answers that were written before the first request.

In a process of its own, so that only the clients are measured. The organization of a path says what is served:
`/v3/organizations/org-100-20/sessions` is a list of 100 pages, each answered after 20 ms. Any other path below it is
one session.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

from shapes import ITEMS, SESSION, page, written

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
ONE = written(SESSION)


class Connection(asyncio.Protocol):
    """One connection: a request after the other, none of which has a body."""

    pages: ClassVar[dict[tuple[str, int], bytes]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]  # TCP
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head, self.received = self.received[:end], self.received[end + 4 :]
            self.answer(head.split(b" ", 2)[1].decode())

    def answer(self, target: str) -> None:
        url = urlsplit(target)
        segments = url.path.split("/")
        # Clients that know no base URL with a path of its own ask with another one: /v3 is found wherever it is.
        organization = segments[segments.index("organizations") + 1]
        _, count, latency = organization.split("-")
        body = ONE
        if segments[-1] == "sessions":
            after = parse_qs(url.query).get("after", ["0"])[0]
            body = self.page(int(count), int(after))
        answer = HEAD % len(body) + body
        if latency != "0":
            asyncio.get_running_loop().call_later(int(latency) / 1e3, self.transport.write, answer)
        else:
            self.transport.write(answer)

    def page(self, count: int, number: int) -> bytes:
        following = str(number + 1) if number + 1 < count else None
        key = (following or "", count)
        if key not in self.pages:
            self.pages[key] = page(following, count * ITEMS)
        return self.pages[key]


async def serve() -> None:
    """Serve until standard input ends; the port is the first thing that is printed."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


@contextmanager
def page_server() -> Iterator[str]:
    """Run the server in a process of its own, and give its address."""
    with subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.stdin.close()


if __name__ == "__main__":
    asyncio.run(serve())
