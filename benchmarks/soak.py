"""A client that meets random faults, cancellations and deadlines for a while, and must leave nothing behind.

`python benchmarks/soak.py [SECONDS] [httpx|httpx2|aiohttp]` exits non-zero when something leaked or a plain call
failed.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import resource
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from agent_session_platform import AgentPlatform, AgentPlatformError, RequestOptions, RetryPolicy

from tests.servers.fault_server import Connection, FaultServer, Request, fault_server
from tests.servers.scripts import gzip_response, response

POOL = 10
WORKERS = 20
PLAIN_CALLS = 10
ROUND_SECONDS = 5.0
# What the interpreter and the allocator need to settle: in objects, and in bytes of memory.
SLACK_OBJECTS = 2_000
SLACK_MEMORY = 16 * 1024 * 1024

PAGE = {"items": [{"session_id": "assistant-1"}] * 20, "has_next_page": True, "end_cursor": "next", "total": 40}
LAST_PAGE = {**PAGE, "has_next_page": False, "end_cursor": None}
HASTY = RetryPolicy(attempts=3, backoff_base=0.01, backoff_cap=0.05)


@dataclass
class Report:
    """Result of a soak test; `leaks` names what was left behind."""

    calls: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    leaks: list[str] = field(default_factory=list)

    def expect(self, what: str, found: float, most: float) -> None:
        """Note a leak when *found* is more than *most*."""
        if found > most:
            self.leaks.append(f"{what}: {found:g}, not more than {most:g}")


class Faults:
    """A server script with random faults, while they are on."""

    def __init__(self) -> None:
        self.on = True

    async def __call__(self, request: Request, connection: Connection) -> None:
        good = response(LAST_PAGE if "after" in request.query else PAGE)
        if not self.on:
            return await connection.send(good)
        await asyncio.sleep(random.uniform(0.0, 0.02))
        match random.randrange(14):
            case 0:
                connection.reset()
            case 1:
                await connection.send(good[: random.randrange(len(good))])
                connection.close()
            case 2:
                await connection.send(good[: random.randrange(len(good))])
                connection.reset()
            case 3:
                busy = response({"title": "busy"}, "429 Too Many Requests", "Retry-After: 0.01")
                await connection.send(busy if random.random() < 0.1 else good)
            case 4:
                await connection.send(response(b"<html>", "502 Bad Gateway", media_type="text/html"))
            case 5:
                await connection.send(gzip_response(b'{"data": []}', keep=random.randrange(1, 20)))
            case 6:
                await connection.send(response(b"<html>", media_type="text/html"))
            case 7:
                for piece in (good[:10], good[10:50], good[50:]):
                    await connection.send(piece)
                    await asyncio.sleep(random.uniform(0.0, 0.01))
            case 8:
                await connection.reader.read()
            case _:
                await connection.send(good)
        return None


async def one_call(platform: AgentPlatform) -> None:
    """Make one of the calls that a user makes, with a deadline or without."""
    policy = RetryPolicy(attempts=3, deadline=random.uniform(0.01, 0.2), backoff_base=0.01)
    options = RequestOptions(retry=policy, timeout=0.1) if random.random() < 0.3 else None
    match random.randrange(4):
        case 0:
            await platform.enterprise.reviews.create(pr_url="https://git.example.com/acme/shop/pull/7", options=options)
        case 1:
            async for _ in platform.organization("org-acme").sessions.list(options=options):
                if random.random() < 0.03:
                    break
        case 2:
            download = platform.organization("org-acme").attachments.download("uuid", "name", options=options)
            await download.read()
        case _:
            await platform.enterprise.blueprints.list(options=options)


async def worker(platform: AgentPlatform, end: float, report: Report) -> None:
    """Make one call after the other, and cancel half of them at a random time."""
    while time.monotonic() < end:
        call = asyncio.ensure_future(one_call(platform))
        report.calls += 1
        if random.random() < 0.5:
            await asyncio.sleep(random.uniform(0.0, 0.05))
            call.cancel()
        try:
            await call
            report.outcomes["good"] += 1
        except (AgentPlatformError, asyncio.CancelledError) as error:
            report.outcomes[type(error).__name__] += 1


async def soak(seconds: float, transport: Any = None) -> Report:
    """Run with faults for *seconds*, in rounds, and look for leaks after each round and at the end."""
    report = Report()
    faults = Faults()
    async with fault_server(faults) as server:
        before = resources()
        objects: list[int] = []
        memory: list[int] = []
        async with AgentPlatform(
            server.base_url, "svc_soak", transport=transport, max_connections=POOL, retry=HASTY, timeout=1.0
        ) as platform:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                faults.on = True
                round_end = min(end, time.monotonic() + ROUND_SECONDS)
                await asyncio.gather(*(worker(platform, round_end, report) for _ in range(WORKERS)))
                faults.on = False
                await plain_calls(platform, report)
                await at_rest(platform, server, report)
                # The memory of the server is not the subject.
                server.requests.clear()
                gc.collect()
                objects.append(len(gc.get_objects()))
                memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
        # The first round fills caches.
        report.expect("objects", objects[-1] - objects[min(1, len(objects) - 1)], SLACK_OBJECTS)
        report.expect("bytes of memory", memory[-1] - memory[min(1, len(memory) - 1)], SLACK_MEMORY)
        while server.opened and time.monotonic() < end + 5:
            await asyncio.sleep(0.01)
        report.expect("connections of a client that is closed", len(server.opened), 0)
        for what, count in resources().items():
            report.expect(what, count, before[what])
    return report


async def plain_calls(platform: AgentPlatform, report: Report) -> None:
    """Check that plain calls succeed after the faults."""
    for _ in range(PLAIN_CALLS):
        try:
            await platform.enterprise.blueprints.list(options=RequestOptions(retry=RetryPolicy(deadline=20)))
        except AgentPlatformError as error:
            report.leaks.append(f"a plain call failed: {error}")


async def at_rest(platform: AgentPlatform, server: FaultServer, report: Report) -> None:
    """Wait until cancelled requests have ended; then no permit and no extra connection may be held."""
    end = time.monotonic() + 10
    while platform.rate_limiter.stats().in_flight and time.monotonic() < end:
        await asyncio.sleep(0.01)
    report.expect("permits", platform.rate_limiter.stats().in_flight, 0)
    report.expect("connections", len(server.opened), POOL)


def resources() -> dict[str, int]:
    """Count what the process holds: open descriptors, and tasks of the loop."""
    descriptors = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    return {"descriptors": descriptors, "tasks": len(asyncio.all_tasks())}


def main(seconds: str = "60", transport: str = "httpx") -> int:
    report = asyncio.run(soak(float(seconds), None if transport == "httpx" else transport))
    print(f"{transport}: {report.calls} calls in {seconds} s:", dict(report.outcomes.most_common()))
    print("\n".join(report.leaks) or "nothing leaked")
    return 1 if report.leaks else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
