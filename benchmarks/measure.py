"""Measure one peer in this process: `python -m benchmarks.measure PEER URL PAGES` prints the figures as JSON.

`compare.py` runs it for each peer in turn. Times are in seconds, memory in bytes. With `first` in place of PAGES,
the process only gets one session, and the caller measures the process.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
import tracemalloc
from collections.abc import Awaitable, Callable

from benchmarks.page_server import ITEMS
from benchmarks.peers import PEERS, Peer

CALLS = 50
AT_ONCE = 100
PAGES = 4
LATENCY = 20
# The best of this many runs counts: on a busy machine, slower runs measure the load of the machine.
REPETITIONS = 6


async def timed(work: Callable[[], Awaitable[object]], count: int, repetitions: int) -> tuple[float, float]:
    """Return the least wall and CPU seconds of *work*, divided by *count*, the number of calls or items in *work*."""
    walls: list[float] = []
    cpus: list[float] = []
    for _ in range(repetitions):
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        await work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls) / count, min(cpus) / count


async def figures(peer: Peer, pages: int) -> dict[str, float]:
    """Measure an open client, and return all figures."""

    async def one_by_one() -> None:
        for _ in range(CALLS):
            await peer.get("org-1-0")

    async def at_once() -> None:
        await asyncio.gather(*(peer.get("org-1-0") for _ in range(AT_ONCE)))

    async def listed() -> None:
        async for _ in peer.items(f"org-{PAGES}-0"):
            pass

    async def listed_with_work() -> None:
        """Wait a millisecond for every 20 items, as a write to a database does."""
        count = 0
        async for _ in peer.items(f"org-{pages}-{LATENCY}"):
            count += 1
            if count % 20 == 0:
                await asyncio.sleep(0.001)

    found: dict[str, float] = {}
    await one_by_one()
    found["call_wall"], found["call_cpu"] = await timed(one_by_one, CALLS, REPETITIONS)
    _, found["item_cpu"] = await timed(listed, PAGES * ITEMS, REPETITIONS)
    await at_once()
    found["at_once_wall"], _ = await timed(at_once, AT_ONCE, REPETITIONS)
    found["late_wall"], _ = await timed(listed_with_work, pages, 1)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [item async for item in peer.items(f"org-{PAGES}-0")]
    gc.collect()
    found["held"] = (tracemalloc.get_traced_memory()[0] - before) / len(kept)
    return found


async def main(name: str, url: str, pages: str) -> None:
    """Open the client, and measure it or get one session."""
    peer = PEERS[name]()
    await peer.open(url)
    if pages == "first":
        await peer.get("org-1-0")
    else:
        print(json.dumps(await figures(peer, int(pages))))
    await peer.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
