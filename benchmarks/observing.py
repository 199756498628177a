"""The CPU that an observer costs a call and a page of 200 items, after the first bodies were read.

`python observing.py` runs a client with and one without an observer in turn, and prints the median of the ratios.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from agent_session_platform import AgentPlatform
from agent_session_platform_observe import Observations
from page_server import page_server

ROUNDS = 9
# As many calls as there are between two bodies that are read, so that each round has one.
CALLS = 512
PAGES = 512
# Longer than the measurement: writing the file is a cost of time, and not of calls.
SECONDS = 1e6


async def call(platform: AgentPlatform, times: int) -> None:
    """Get one session so many times."""
    sessions = platform.organization("org-1-0").sessions
    for _ in range(times):
        await sessions.get("assistant-1")


async def pages(platform: AgentPlatform, times: int) -> None:
    """List so many pages."""
    await platform.organization(f"org-{times}-0").sessions.list().collect()


async def measure(url: str, transport: str, directory: str) -> None:
    """Measure on one transport, and print a line for a call and for a page."""
    observations = Observations(Path(directory) / f"{transport}.json", interval=SECONDS)
    async with (
        AgentPlatform(url, "svc_bench", transport=transport) as plain,  # type: ignore[arg-type]  # one of the names
        AgentPlatform(url, "svc_bench", transport=transport, on_exchange=observations) as observed,  # type: ignore[arg-type]  # as above
    ):
        for what, work, times in (("call", call, CALLS), ("page", pages, PAGES)):
            await work(plain, 60)
            await work(observed, 60)
            seconds: dict[AgentPlatform, list[float]] = {plain: [], observed: []}
            for number in range(ROUNDS):
                for platform in (plain, observed) if number % 2 else (observed, plain):
                    gc.collect()
                    began = time.process_time()
                    await work(platform, times)
                    seconds[platform].append((time.process_time() - began) / times)
            ratio = statistics.median(on / off for off, on in zip(seconds[plain], seconds[observed], strict=True))
            best = [min(seconds[each]) * 1e6 for each in (plain, observed)]
            print(f"{transport:<10}{what:<6}{best[0]:8.1f} µs, observed {best[1]:8.1f} µs, median ratio {ratio:.3f}")


def main() -> None:
    """Measure on the transports that are named, or on both."""
    with page_server() as url, TemporaryDirectory() as directory:
        for transport in sys.argv[1:] or ("httpx", "aiohttp"):
            asyncio.run(measure(url, transport, directory))


if __name__ == "__main__":
    main()
