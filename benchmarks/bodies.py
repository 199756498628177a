"""Measure for how long a body of 16 MiB stops the event loop, and how much memory it takes.

`python -m benchmarks.bodies` measures each kind of body in a separate process; SECURITY.md states the worst.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
from agent_session_platform import AgentPlatform, AgentPlatformError, RetryPolicy

from benchmarks.page_server import SESSION, encode

# In bytes: just below the default of max_body.
SIZE = 16 * 1024 * 1024 - 1024


def page(item: bytes, size: int = SIZE) -> bytes:
    """Return a page of *size* bytes at most, filled with copies of one item."""
    items = (item + b",") * ((size - 100) // (len(item) + 1))
    return b'{"end_cursor":null,"has_next_page":false,"items":[' + items[:-1] + b"]}"


BODIES: dict[str, Callable[[], bytes]] = {
    "page of 200 sessions": lambda: page(encode(SESSION), 200 * len(encode(SESSION)) + 400),
    "sessions": lambda: page(encode(SESSION)),
    "numbers": lambda: page(b"0"),
    "numbers of 4,000 digits": lambda: page(b"9" * 4000),
    "texts": lambda: page(b'"ab"'),
    "empty arrays": lambda: page(b"[]"),
    "empty objects": lambda: page(b"{}"),
    "objects in objects": lambda: page(b'{"a":{}}'),
    "objects nested 80 deep": lambda: page(b'{"":' * 80 + b"0" + b"}" * 80),
    "arrays nested without end": lambda: b"[" * SIZE,
    "names": lambda: b"{" + b",".join(b'"%07d":0' % number for number in range(SIZE // 12)) + b"}",
}


def peak() -> int:
    """Return the peak memory of this process in MiB; getrusage would include the memory of the parent."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text("ascii"))[0]) // 1024


async def measure(name: str) -> None:
    """List sessions beside a task that notices when the loop stops; print the longest stop, in CPU time."""
    body = BODIES[name]()
    response = httpx.Response(200, content=body, headers={"Content-Type": "application/json"})
    transport = httpx.MockTransport(lambda request: response)
    longest = 0.0

    async def beat() -> None:
        nonlocal longest
        last = time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            now = time.thread_time()
            longest, last = max(longest, now - last), now

    async with AgentPlatform("https://e.example", "svc_x", transport=transport, retry=RetryPolicy.none()) as platform:
        beating = asyncio.create_task(beat())
        await asyncio.sleep(0.01)
        try:
            items = await platform.organization("org-acme").sessions.list().collect()
            outcome = f"{len(items):,} items"
        except AgentPlatformError as error:
            outcome = type(error).__name__
        # Let `beat` measure the last stop.
        await asyncio.sleep(0.05)
        beating.cancel()
    print(f"{name:<28}stops the loop for {longest:6.3f} s, takes {peak():5,} MiB: {outcome}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        asyncio.run(measure(sys.argv[1]))
    else:
        for body in BODIES:
            subprocess.run([sys.executable, "-m", "benchmarks.bodies", body], check=True)
