"""The gate before every send: closed for all tasks by one 429, and bounding how many requests are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GateStats:
    """What a gate is doing: `closed_for` in seconds from now, requests in flight, tasks waiting, and 429s seen."""

    closed_for: float
    in_flight: int
    waiting: int
    rate_limited: int


class Gate:
    """Lets at most *limit* requests through at a time, in order of arrival, and none while it is closed.

    Made for one event loop. A passage that was granted must be given back with `leave`.
    """

    def __init__(self, limit: int, clock: Callable[[], float]) -> None:
        self._slots = asyncio.Semaphore(limit)
        self._clock = clock
        self._closed_until = 0.0
        self._in_flight = 0
        self._waiting = 0
        self._rate_limited = 0

    async def enter(self, deadline: float) -> None:
        """Wait for the gate to be open and a passage free; raises TimeoutError at *deadline* (clock time)."""
        if not self._slots.locked() and self._closed_until <= self._clock():
            # Nobody waits: taking the slot does not suspend.
            await self._slots.acquire()
            self._in_flight += 1
            return
        self._waiting += 1
        try:
            async with asyncio.timeout_at(deadline):
                await self._slots.acquire()
                try:
                    # It may be closed again, or for longer, while this task sleeps.
                    while (wait := self._closed_until - self._clock()) > 0:
                        await asyncio.sleep(wait)
                except BaseException:
                    self._slots.release()
                    raise
        finally:
            self._waiting -= 1
        self._in_flight += 1

    def leave(self) -> None:
        """Give a passage back."""
        self._in_flight -= 1
        self._slots.release()

    def close(self, seconds: float) -> None:
        """Let nobody through for *seconds*, or for longer if it is closed for longer already."""
        self._rate_limited += 1
        self._closed_until = max(self._closed_until, self._clock() + seconds)

    def stats(self) -> GateStats:
        """What the gate is doing now."""
        closed_for = max(0.0, self._closed_until - self._clock())
        return GateStats(closed_for, self._in_flight, self._waiting, self._rate_limited)
