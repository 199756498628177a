"""The attempts that run in the tasks of their callers, and the timer that ends those that take too long.

There is one timer for all of them: a timer for each, as of `asyncio.timeout`, takes longer than judging a response.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from .response.response import Outcome


class UnderWay:
    """An attempt that runs in the task of its caller.

    Attributes:
        task: That task.
        ends_at: When the attempt is ended, by the clock of the event loop.
        cancelling: How often the caller was being cancelled when the attempt began.
        ended: Whether it was ended here.
    """

    __slots__ = ("cancelling", "ended", "ends_at", "task")

    def __init__(self, task: asyncio.Task[Any], ends_at: float) -> None:
        self.task = task
        self.ends_at = ends_at
        self.cancelling = task.cancelling()
        self.ended = False

    def end(self) -> None:
        """End the attempt, once."""
        if not self.ended:
            self.ended = True
            self.task.cancel()


class Deadlines:
    """The attempts of a client that run in the tasks of their callers.

    Args:
        loop: The event loop.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._under_way: set[UnderWay] = set()
        self._timer: asyncio.Handle | None = None
        # Not asked of the timer: that of uvloop does not know its time if it is due at once.
        self._timer_at = 0.0

    async def run(self, exchange: Awaitable[Outcome], seconds: float) -> Outcome | None:
        """Run an attempt in the task of its caller.

        Returns:
            The outcome; None if there is none in time, or when the client is closed.
        """
        task: Any = asyncio.current_task(self._loop)
        attempt = UnderWay(task, self._loop.time() + seconds)
        self._under_way.add(attempt)
        if self._timer is None or self._timer_at > attempt.ends_at:
            self._set_timer(attempt.ends_at)
        try:
            return await exchange
        except asyncio.CancelledError:
            # The caller may have been cancelled as well.
            if not attempt.ended or task.cancelling() > attempt.cancelling + 1:
                raise
            return None
        finally:
            self._under_way.discard(attempt)
            if attempt.ended:
                task.uncancel()

    def end_all(self) -> bool:
        """End all attempts, and return whether there are any that have not ended yet."""
        if self._timer is not None:
            self._timer.cancel()
        for attempt in self._under_way:
            attempt.end()
        return bool(self._under_way)

    def _set_timer(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = self._loop.call_at(when, self._end_late), when

    def _end_late(self) -> None:
        self._timer = None
        now = self._loop.time()
        for attempt in self._under_way:
            if attempt.ends_at <= now:
                attempt.end()
        later = [attempt.ends_at for attempt in self._under_way if not attempt.ended]
        if later:
            self._set_timer(min(later))
