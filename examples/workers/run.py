"""Queue the chunks of a batch, and wait until the workers have done them; see tasks.py."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from taskiq import AsyncTaskiqTask
from workers.tasks import IDLE, broker, connect, create_sessions, wake

CHUNK = 25


async def run_batch(run: str, rows: dict[str, str]) -> Counter[str]:
    """Create a session for each row, and return how many rows are in each state.

    Args:
        run: Name of the run. With the name and the rows of an earlier run, that run is continued.
        rows: The prompts by key.
    """
    left = iter(rows.items())
    chunks = list(iter(lambda: dict(islice(left, CHUNK)), {}))
    told: set[str] = set()
    await broker.startup()
    async with connect() as redis:
        tasks = [await create_sessions.kiq(run, number, chunk) for number, chunk in enumerate(chunks)]
        while len(done := await redis.hgetall(f"batch:{run}")) < len(chunks):
            await asyncio.sleep(IDLE / 4)
            await wake.kiq()
            for task in tasks:
                await tell_error(task, told)
    await broker.shutdown()
    return Counter(state for states in done.values() for state in states.split(","))


async def tell_error(task: AsyncTaskiqTask[Any], told: set[str]) -> None:
    """Print why a chunk has failed, once for each text. Its message comes again to a worker after IDLE seconds."""
    if not await task.is_ready():
        return
    error = (await task.get_result()).error
    text = f"{type(error).__name__}: {error}"
    if error is not None and text not in told:
        told.add(text)
        print(f"{text}; tried again in {IDLE:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    prompts = {str(number): line for number, line in enumerate(path.read_text(encoding="utf-8").splitlines())}
    print(asyncio.run(run_batch(path.stem, prompts)))
