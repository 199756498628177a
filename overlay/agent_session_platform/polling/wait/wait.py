"""Wait for an object by polling it: until it is as it should be, and never longer than the timeout."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Generic, TypeVar, cast

from ...errors import (
    AgentPlatformError,
    DeadlineExceededError,
    InvalidArgumentError,
    NotFoundError,
    ProblemError,
)
from ...text import format_value
from ..interface import OutcomeT, PolledChange, Reason, Wait
from ..interval import WaitTimes, jittered
from ..transient import may_pass
from .condition import condition
from .progress import WaitProgress
from .reader import Reader
from .shared_poll import shared_polls

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")


async def wait(wait: Wait[T, OutcomeT], owner: object) -> OutcomeT:
    """Wait for an object.

    Args:
        wait: How to read the object, and when the wait ends.
        owner: The client; its waits share their polls.

    Returns:
        How the wait has ended.

    Raises:
        InvalidArgumentError: A setting is refused, or a condition names a field that the object does not have.
        NotFoundError: There is no such object at the first poll.
        AgentPlatformError: A poll failed in a way that will not pass.
    """
    times = WaitTimes(
        timeout=wait.timeout, every=wait.every, max_every=wait.max_every, stalled_after=wait.stalled_after
    )
    if wait.on_change is not None and not callable(wait.on_change):
        raise InvalidArgumentError(
            f"on_change must be a function that takes a PolledChange, not {format_value(wait.on_change)}"
        )
    until = condition("until", wait.until, every=True)
    unexpected = None if wait.unexpected is None else condition("unexpected", wait.unexpected, every=False)
    progress = WaitProgress(until, unexpected, wait.gone, wait.stalled_after)
    with shared_polls(wait, owner) as polls:
        return await Waiting(wait, times, progress, Reader(wait, progress, polls)).run()


class Waiting(Generic[T, OutcomeT]):
    """One wait under way."""

    def __init__(self, wait: Wait[T, OutcomeT], times: WaitTimes, progress: WaitProgress[T], reader: Reader[T]) -> None:
        self._wait = wait
        self._times = times
        self._progress = progress
        self._reader = reader
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._deadline = self._began + times.timeout
        self._error: AgentPlatformError | None = None

    async def run(self) -> OutcomeT:
        """Poll until the wait ends."""
        progress, due, interval = self._progress, self._began, self._times.every
        while (now := self._loop.time()) < self._deadline:
            limit = asyncio.timeout_at(self._deadline)
            try:
                async with limit:
                    item = await self._reader.read(due)
            except TimeoutError:
                if not limit.expired():
                    raise
                break
            except AgentPlatformError as error:
                if isinstance(error, NotFoundError) and progress.last is not None:
                    return self._end("gone", error)
                if not may_pass(error, again=progress.last is not None):
                    raise
                self._failed(error)
                change = None
            else:
                self._error = None
                change = progress.note(item, self._loop.time())
                if change is not None:
                    await self._report(change)
                if reason := progress.reason(self._loop.time()):
                    return self._end(reason)
            interval = self._times.every if change else self._times.longer(interval)
            now, before = self._loop.time(), due
            due = self._next(interval, now, max(0.0, now - before))
        if progress.last is None and self._error is None:
            text = f"no poll has ended within the {self._times.timeout:g} s of the wait"
            self._error = DeadlineExceededError(text, operation=self._wait.operation)
        return self._end("deadline")

    def _next(self, interval: float, now: float, took: float) -> float:
        """Return when to poll next; after the deadline, if no other poll would end before it."""
        asked = self._error.retry_after if isinstance(self._error, ProblemError) else None
        due = self._progress.due(now + jittered(interval), now)
        last = self._times.last_poll(self._deadline, took)
        due = max(min(due, last), now + (asked or 0.0))
        # Beyond the deadline nothing is sent.
        return due if last > now and due <= last else self._deadline + 1.0

    async def _report(self, change: PolledChange[T]) -> None:
        """Call `on_change`; what it raises ends the wait."""
        if self._wait.on_change is not None:
            result = self._wait.on_change(change)
            if isinstance(result, Awaitable):
                await cast("Awaitable[object]", result)

    def _failed(self, error: AgentPlatformError) -> None:
        """Keep why a poll has failed, and log the first failure of an outage."""
        if self._error is None and self._reader.is_new(error):
            logger.warning("%s: a poll has failed, and the wait goes on: %s", self._wait.operation, error)
        self._error = error

    def _end(self, reason: Reason, error: AgentPlatformError | None = None) -> OutcomeT:
        return self._wait.outcome(
            reason=reason,
            last=self._progress.last,
            elapsed=self._loop.time() - self._began,
            polls=self._progress.polls,
            error=error or self._error,
        )
