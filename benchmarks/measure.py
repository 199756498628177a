"""Measure one peer in this process: `python measure.py PEER URL LATE_PAGES FIGURE...`; the figures come out as JSON.

`compare.py` runs this, each peer in turn and in a process of its own. Times are in seconds, memory in bytes.
"""

from __future__ import annotations

import asyncio
import asyncio.events
import gc
import json
import resource
import sys
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from typing import Any

from peers import Client, peer
from shapes import ITEMS

CALLS = 50
PAGES = 4
AT_ONCE = 100
# Each time is the best of so many: on a busy machine the others tell of the machine.
TRIES = 6
HELD_PAGES = 5
PEAK_PAGES = 100
LATENCY = 20
# Between items, ten milliseconds of work a page: a pause that waits for something else, as a write to a database does.
PAUSE_EVERY = 20
PAUSE = 0.001

Figures = dict[str, float]


async def timed(work: Callable[[], Awaitable[object]], count: int, tries: int = TRIES) -> tuple[float, float]:
    """Wall and CPU seconds of *work* at best, for each of the *count* things that it does."""
    walls: list[float] = []
    cpus: list[float] = []
    for _ in range(tries):
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        await work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls) / count, min(cpus) / count


async def calls(client: Client) -> Figures:
    """A call after the other."""

    async def one_by_one() -> None:
        for _ in range(CALLS):
            await client.get("org-1-0")

    wall, cpu = await timed(one_by_one, CALLS)
    return {"call_wall": wall, "call_cpu": cpu}


async def at_once(client: Client) -> Figures:
    """A hundred calls at once, and once more when the connections stand."""

    async def together() -> None:
        await asyncio.gather(*(client.get("org-1-0") for _ in range(AT_ONCE)))

    cold, _ = await timed(together, AT_ONCE, tries=1)
    wall, cpu = await timed(together, AT_ONCE)
    return {"at_once_cold_wall": cold, "at_once_wall": wall, "at_once_cpu": cpu}


async def items(client: Client) -> Figures:
    """The items of pages of 200, as they are listed."""
    wall, cpu = await timed(lambda: listed(client, f"org-{PAGES}-0"), PAGES * ITEMS)
    return {"item_wall": wall, "item_cpu": cpu}


async def listed(client: Client, organization: str) -> int:
    count = 0
    async for _ in client.items(organization):
        count += 1
    return count


async def held(client: Client) -> Figures:
    """What an item takes that is kept."""
    await listed(client, "org-1-0")
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [item async for item in client.items(f"org-{HELD_PAGES}-0")]
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {"held": (after - before) / len(kept)}


async def blocked(client: Client) -> Figures:
    """For how long the event loop does nothing else, because of one page: the longest single step, at best."""
    longest: list[float] = []
    for _ in range(10):
        with longest_step() as steps:
            await listed(client, "org-1-0")
        longest.append(max(steps, default=0.0))
    return {"blocked": min(longest)}


@contextmanager
def longest_step() -> Any:
    steps: list[float] = []
    run = asyncio.events.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        begun = time.perf_counter()
        run(handle)  # type: ignore[arg-type]  # the method of the same class
        steps.append(time.perf_counter() - begun)

    asyncio.events.Handle._run = measured  # type: ignore[assignment, method-assign]  # there is no hook
    try:
        yield steps
    finally:
        asyncio.events.Handle._run = run  # type: ignore[method-assign]


async def peak(client: Client) -> Figures:
    """The most memory that the process ever had, with a hundred pages listed and none kept."""
    await listed(client, f"org-{PEAK_PAGES}-0")
    return {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}


async def late(client: Client, pages: int) -> Figures:
    """Pages from a server that takes 20 ms for each, without anything to do between items, and with something."""
    organization = f"org-{pages}-{LATENCY}"

    async def busy() -> None:
        count = 0
        async for _ in client.items(organization):
            count += 1
            if count % PAUSE_EVERY == 0:
                await asyncio.sleep(PAUSE)

    idle_wall, _ = await timed(lambda: listed(client, organization), 1, tries=1)
    busy_wall, _ = await timed(busy, 1, tries=1)
    return {"late_wall": idle_wall, "late_busy_wall": busy_wall}


FIGURES: dict[str, Callable[[Client], Awaitable[Figures]]] = {
    each.__name__: each for each in (at_once, calls, items, held, blocked, peak)
}


async def measure(name: str, url: str, late_pages: int, figures: list[str]) -> Figures:
    """The figures, each of a client of its own."""
    measured: Figures = {}
    for figure in figures:
        client = peer(name)
        await client.open(url, 100)
        if figure != "at_once":
            for _ in range(5):
                await client.get("org-1-0")
        measured |= await (late(client, late_pages) if figure == "late" else FIGURES[figure](client))
        await client.aclose()
    return measured


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]))))
