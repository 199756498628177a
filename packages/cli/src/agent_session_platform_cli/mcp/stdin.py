"""The lines of stdin, which a signal can interrupt: those of the protocol's SDK wait in a thread until stdin ends."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress


async def read_lines() -> AsyncIterator[str]:
    """Iterate over the lines of stdin, in UTF-8, until it ends."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        # The event loop may be closed when a line comes.
        with suppress(RuntimeError):
            # Not `sys.stdin`: Python waits for its lock at the end.
            with open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False) as stream:
                for line in stream:
                    loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line
