"""One point of a curve: `python scale.py PEER URL FIGURE COUNT` prints it."""

from __future__ import annotations

import asyncio
import sys

from measure import listed, timed
from peers import peer
from shapes import ITEMS

CALLS = 1000


async def item_cpu(name: str, url: str, pages: int) -> float:
    """CPU seconds of an item in a list of so many pages."""
    client = peer(name)
    await client.open(url, 100)
    await listed(client, "org-1-0")
    tries = max(1, 12 // pages)
    _, cpu = await timed(lambda: listed(client, f"org-{pages}-0"), pages * ITEMS, tries)
    await client.aclose()
    return cpu


async def throughput(name: str, url: str, concurrency: int) -> float:
    """Calls a second, with so many workers, each of which sends one call after the other."""
    client = peer(name)
    await client.open(url, 100)
    left = 0

    async def work() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await client.get("org-1-0")

    async def together() -> None:
        nonlocal left
        left = CALLS
        await asyncio.gather(*(work() for _ in range(concurrency)))

    await client.get("org-1-0")
    wall, _ = await timed(together, CALLS, tries=3)
    await client.aclose()
    return 1 / wall


if __name__ == "__main__":
    point = {"item_cpu": item_cpu, "throughput": throughput}[sys.argv[3]]
    print(asyncio.run(point(sys.argv[1], sys.argv[2], int(sys.argv[4]))))
