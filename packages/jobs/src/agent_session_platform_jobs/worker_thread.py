"""Work on the disk in a thread of its own, so that the event loop goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, Self, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class WorkerThread:
    """A thread that does one piece of work after the other, and one last piece when it is closed.

    Work that was begun is always awaited, also by a task that is cancelled, however often: whatever comes after it may
    rely on its end.

    Args:
        last: The last piece of work, such as to close a file.
    """

    def __init__(self, last: Callable[[], None]) -> None:
        self._last = last
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="agent-session-platform")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def run(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do a piece of work.

        Args:
            work: A plain function.
            args: Its arguments.
            kwargs: Its keyword arguments.

        Returns:
            What it returns.

        Raises:
            Exception: What it raises.
        """
        return await _end_of(self._executor.submit(work, *args, **kwargs))

    async def close(self) -> None:
        """Do the last piece of work after what was submitted before, and end the thread.

        Raises:
            Exception: What the last piece of work raises.
        """
        # Submitted before anything is awaited: it is done even if this task is cancelled.
        last = self._executor.submit(self._last)
        self._executor.shutdown(wait=False)
        await _end_of(last)


async def _end_of(work: Future[R]) -> R:
    """Wait until a piece of work has ended, and return its result; a cancellation takes effect only then."""
    done = asyncio.wrap_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not done.done():
        try:
            # Unlike `await done`, this does not cancel what the thread has not begun.
            await asyncio.wait((done,))
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return done.result()
    # Its error is not needed any more, and asyncio would log one that is never retrieved.
    done.exception()
    raise cancelled
