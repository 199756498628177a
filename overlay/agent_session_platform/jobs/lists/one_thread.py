"""Work on the disk in one thread of its own, so that the event loop goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, Self, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class OneThread:
    """A thread that does one piece of work after the other."""

    async def __aenter__(self) -> Self:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="agent-session-platform")
        return self

    async def __aexit__(self, *_: object) -> None:
        # All work was awaited, but what a cancelled task began still ends by itself.
        self._executor.shutdown(wait=False)

    async def run(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do a piece of work, and return what it returns; a task that is cancelled waits for its end."""
        future = asyncio.get_running_loop().run_in_executor(self._executor, lambda: work(*args, **kwargs))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            await asyncio.wait((future,))
            # Its error is not needed any more.
            _: Any = future.cancelled() or future.exception()
            raise
