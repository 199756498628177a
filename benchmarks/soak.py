"""Run a client against random faults, broken responses, cancellations and deadlines, and look for leaks.

`python -m benchmarks.soak [SECONDS] [TRANSPORT]` exits non-zero when something leaked, a plain call failed, or a call
ended with neither a result nor an error of the SDK.
"""

from __future__ import annotations

import asyncio
import gc
import gzip
import os
import pickle
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Awaitable
from typing import Any

from agent_session_platform import AgentPlatform, AgentPlatformError, RequestOptions, RetryPolicy

from tests.servers.fault_server import TOKEN, Connection, FaultServer, Request, fault_server
from tests.servers.scripts import response

POOL = 10
WORKERS = 20
ROUND_SECONDS = 5.0
# Growth that the interpreter and the allocator may cause without a leak.
SLACK = {"objects": 2_000, "bytes of memory": 16 * 1024 * 1024}
LONGEST_MESSAGE = 2_000

PAGE = {"items": [{"session_id": "assistant-1"}] * 20, "has_next_page": True, "end_cursor": "next", "total": 40}
LAST_PAGE = {**PAGE, "has_next_page": False, "end_cursor": None}
PROBLEM = {"title": "Invalid", "errors": [{"loc": ["body", "x"], "msg": "bad", "type": "value_error"}]}
RESPONSES = [
    response(LAST_PAGE),
    response({"status": "pending", "session_id": "assistant-1", "pull_requests": [{"pr_url": None}]}),
    response(PROBLEM, "422 Unprocessable Content", media_type="application/problem+json"),
    response(b"<html>", "503 Unavailable", "Retry-After: 0", media_type="text/html"),
    response(b"", "307 Elsewhere", "Location: https://elsewhere.example.com/a?signature=secret"),
    response(gzip.compress(b'{"data": [{"blueprint_id": "b"}]}', mtime=0), "200 OK", "Content-Encoding: gzip"),
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
]
PIECES = [
    b"\x00", b"\xff\xfe", b"\r\n", b"\r\n\r\n", b"{", b"]" * 200, b"[" * 2000, b"9" * 5000, b"1e999", b"NaN", b"null",
    b"\\ud800", b"\xed\xa0\x80", b'"', b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"HTTP/1.1 200 OK",
    b"Content-Encoding: gzip, gzip\r\n", b"Content-Type: text/plain; charset=utf-7\r\n", b"Location: //\r\n", b"-1",
    TOKEN.encode(), b"0\r\n\r\n", b";", b"\xf0\x9f\x92\xa9",
]  # fmt: skip


def mutate(data: bytes) -> bytes:
    """Change some bytes of a response: remove, replace, insert, or cut off."""
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 8, 64)))
        piece = random.choice([b"", random.randbytes(end - at), *PIECES])
        data = data[:at] + piece + data[random.choice([at, end, end, len(data)]) :]
    return data


class Faults:
    """A script of the fault server: it causes random faults while `on` is true."""

    def __init__(self) -> None:
        self.on = True

    async def __call__(self, request: Request, connection: Connection) -> None:
        good = response(LAST_PAGE if "after" in request.query else PAGE)
        cut = good[: random.randrange(len(good))]
        fault = random.randrange(14) if self.on else None
        if self.on:
            await asyncio.sleep(random.uniform(0.0, 0.02))
        match fault:
            case 0:
                connection.reset()
            case 1:
                await connection.send(cut)
                connection.close()
            case 2:
                await connection.send(cut)
                connection.reset()
            case 3 if random.random() < 0.1:
                await connection.send(response({"title": "busy"}, "429 Too Many Requests", "Retry-After: 0.01"))
            case 4:
                # Send nothing until the client closes the connection.
                await connection.reader.read()
            case 5 | 6 | 7 | 8 | 9:
                await connection.send(mutate(random.choice(RESPONSES)))
                connection.close()
            case _:
                await connection.send(good)


class Soak:
    """One run on one transport; `leaks` lists what went wrong.

    Args:
        transport: The argument of AgentPlatform.
    """

    def __init__(self, transport: Any = None) -> None:
        self.transport = transport
        self.outcomes: Counter[str] = Counter()
        self.leaks: list[str] = []

    def expect(self, what: str, count: float, most: float) -> None:
        """Record a leak if *count* is more than *most*."""
        if count > most:
            self.leaks.append(f"{what}: {count:g}, but at most {most:g} are allowed")

    async def judge(self, call: Awaitable[Any]) -> None:
        """Await a call; record an outcome that is not documented."""
        try:
            await call
            self.outcomes["good"] += 1
        except AgentPlatformError as error:
            self.outcomes[type(error).__name__] += 1
            if TOKEN in f"{error}{error!r}" or len(str(error)) > LONGEST_MESSAGE:
                self.leaks.append(f"a message that shows too much: {error!r:.200}")
            if str(pickle.loads(pickle.dumps(error))) != str(error):
                self.leaks.append(f"an error is not the same after pickling: {type(error).__name__}")
        except asyncio.CancelledError:
            self.outcomes["cancelled"] += 1
        except Exception as error:
            self.leaks.append(f"not documented: {error!r:.200}")

    async def work(self, platform: AgentPlatform, end: float) -> None:
        """Make one call after the other, and cancel half of them after some steps of the event loop or some time."""
        while time.monotonic() < end:
            call = asyncio.ensure_future(one_call(platform))
            judged = asyncio.ensure_future(self.judge(call))
            match random.randrange(4):
                case 0:
                    for _ in range(random.randrange(60)):
                        await asyncio.sleep(0)
                    call.cancel()
                case 1:
                    await asyncio.sleep(random.uniform(0.0, 0.05))
                    call.cancel()
            await judged

    async def rest(self, platform: AgentPlatform, server: FaultServer) -> None:
        """Check that ten plain calls succeed, and that no permit and no extra connection is held."""
        for _ in range(10):
            try:
                await platform.enterprise.blueprints.list(options=RequestOptions(retry=RetryPolicy(deadline=20)))
            except AgentPlatformError as error:
                self.leaks.append(f"a plain call failed: {error}")
        end = time.monotonic() + 10
        while platform.rate_limiter.stats().in_flight and time.monotonic() < end:
            await asyncio.sleep(0.01)
        self.expect("permits", platform.rate_limiter.stats().in_flight, 0)
        self.expect("connections", len(server.opened), POOL)
        # Forget the requests, because the memory of the server is not measured.
        server.requests.clear()
        gc.collect()

    async def run(self, seconds: float) -> None:
        """Run with faults for *seconds*, in rounds, and look for leaks after each round and at the end."""
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: self.leaks.append(f"the event loop reports {context.get('message')}")
        )
        faults = Faults()
        async with fault_server(faults) as server:
            before = resources()
            held: list[dict[str, float]] = []
            retry = RetryPolicy(attempts=3, backoff_base=0.01, backoff_cap=0.05, max_retry_after=0.05)
            async with server.client(self.transport, max_connections=POOL, retry=retry, timeout=0.2) as platform:
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    faults.on = True
                    round_end = min(end, time.monotonic() + ROUND_SECONDS)
                    await asyncio.gather(*(self.work(platform, round_end) for _ in range(WORKERS)))
                    faults.on = False
                    await self.rest(platform, server)
                    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
                    held.append({"objects": len(gc.get_objects()), "bytes of memory": memory})
            # The first round fills caches, so the growth counts from the second round.
            for what, slack in SLACK.items():
                self.expect(what, held[-1][what] - held[min(1, len(held) - 1)][what], slack)
            while server.opened and time.monotonic() < end + 5:
                await asyncio.sleep(0.01)
            self.expect("connections of a client that is closed", len(server.opened), 0)
            for what, count in resources().items():
                # An event loop may keep one descriptor.
                self.expect(what, count, before[what] + (what == "descriptors"))


async def one_call(platform: AgentPlatform) -> None:
    """Make one of the calls that a user makes, with a deadline or without."""
    hasty = RetryPolicy(attempts=3, deadline=random.uniform(0.01, 0.2), backoff_base=0.01, max_retry_after=0.05)
    options = RequestOptions(retry=hasty, timeout=0.1) if random.random() < 0.3 else None
    organization = platform.organization("org-acme")
    match random.randrange(6):
        case 0:
            await platform.enterprise.reviews.create(pr_url="https://git.example.com/acme/shop/pull/7", options=options)
        case 1:
            async for _ in organization.sessions.list(options=options):
                if random.random() < 0.03:
                    break
        case 2:
            await organization.attachments.download("uuid", "name", options=options).read()
        case 3:
            await organization.sessions.get("assistant-1", options=options)
        case 4:
            await platform.request("DELETE", "/v3/enterprise/anything", options=options)
        case _:
            await platform.enterprise.blueprints.list(options=options)


def resources() -> dict[str, int]:
    """Count what the process holds: open descriptors, and tasks of the loop."""
    descriptors = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    return {"descriptors": descriptors, "tasks": len(asyncio.all_tasks())}


def main(seconds: str = "60", transport: str = "httpx") -> int:
    soak = Soak(None if transport == "httpx" else transport)
    asyncio.run(soak.run(float(seconds)))
    print(f"{transport}: {soak.outcomes.total()} calls in {seconds} s:", dict(soak.outcomes.most_common()))
    print("\n".join(f"{count} x {what}" for what, count in Counter(soak.leaks).items()) or "nothing leaked")
    return 1 if soak.leaks else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
