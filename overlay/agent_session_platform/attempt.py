"""The tries that are under way, each in a task of its own: httpx loses a connection whose request is cancelled."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import ClientClosedError, ConnectionFailedError
from .response.response import Answer
from .response.retry_after import parse_retry_after
from .response.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .rate_limit.interface import Permit, RateLimiter

R = TypeVar("R", Answer, "Answer | Stream")

# How long a try may go on for which nobody waits any more. Mostly it ends by itself, and its connection is kept.
GRACE_SECONDS = 5.0

# How much later than the call httpx gives up at the deadline: so late that the call tells it, so early that httpx ends
# the try by itself.
LATER_SECONDS = 0.5


class DeadlinePassed(Exception):  # noqa: N818  # never leaves the send path
    """The deadline of the call has passed during a try."""


class Attempts:
    """Runs tries, each of which holds a permit of *gate* until it really ends."""

    def __init__(self, rate_limiter: RateLimiter) -> None:
        self._rate_limiter = rate_limiter
        self._closing = False
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Future[Any]] = set()
        self._streams: set[Stream] = set()

    async def run(
        self,
        exchange: Callable[[float], Awaitable[R]],
        silence: float,
        deadline: float,
        permit: Permit,
        max_retry_after: float,
    ) -> R:
        """Run one try, for which *permit* was granted, and go on with it when the caller is cancelled.

        *exchange* is called with the seconds of silence after which it shall give up. Raises DeadlinePassed at
        *deadline*, ClientClosedError when the client is closed meanwhile, and whatever *exchange* raises.
        """
        remaining = max(0.0, deadline - self._loop.time())
        task = self._loop.create_task(caught(exchange, min(silence, remaining + LATER_SECONDS)))
        self._tasks.add(task)
        task.add_done_callback(lambda task: self._finished(task, permit, max_retry_after))
        try:
            await asyncio.wait((task,), timeout=remaining)
        except asyncio.CancelledError:
            self._abandon(task)
            raise
        if not task.done():
            self._abandon(task)
            raise DeadlinePassed
        if task.cancelled():
            if self._closing:
                raise ClientClosedError("the client was closed during the call")
            raise ConnectionFailedError("the transport gave up", received=True)
        outcome = task.result()
        if not isinstance(outcome, Exception):
            return outcome
        try:
            raise outcome
        finally:
            # Else the error, its traceback and this frame would keep each other alive.
            del outcome, task

    def _abandon(self, task: asyncio.Task[Any]) -> None:
        """See to a try for which nobody waits any more: it ends soon, and a stream is closed."""
        timer = self._loop.call_later(GRACE_SECONDS, task.cancel)

        def close(task: asyncio.Task[Any]) -> None:
            timer.cancel()
            if isinstance(stream := outcome_of(task), Stream):
                closing = asyncio.ensure_future(stream.aclose())
                self._tasks.add(closing)
                closing.add_done_callback(self._tasks.discard)

        task.add_done_callback(close)

    def _finished(self, task: asyncio.Task[Any], permit: Permit, max_retry_after: float) -> None:
        self._tasks.discard(task)
        outcome = outcome_of(task)
        accepted = isinstance(outcome, Answer | Stream) and outcome.status != 429
        if isinstance(outcome, Answer | Stream) and not accepted:
            self._learn(outcome, permit, max_retry_after)
        if isinstance(outcome, Stream):
            # The permit is the stream's until its body has been read.
            self._streams.add(outcome)
            self._rate_limiter.streaming(permit)
            outcome.on_close = lambda: self._stream_closed(outcome, permit)
        else:
            self._rate_limiter.release(permit, accepted=accepted)

    def _learn(self, outcome: Answer | Stream, permit: Permit, max_retry_after: float) -> None:
        """Tell the rate_limiter, before it lets the next one through, and also of a try for which nobody waits."""
        hint = parse_retry_after(outcome.retry_after, datetime.now(UTC)) if isinstance(outcome, Answer) else None
        if hint is not None and hint > max_retry_after:
            # For nobody to wait for: whoever comes is told so by the server.
            hint = 0.0
        self._rate_limiter.refused(permit, hint)

    def _stream_closed(self, stream: Stream, permit: Permit) -> None:
        self._streams.discard(stream)
        self._rate_limiter.release(permit, streamed=True)

    async def aclose(self) -> None:
        """Cancel what is under way, and close the streams."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        ending = [*self._tasks, *(self._loop.create_task(stream.aclose()) for stream in list(self._streams))]
        if ending:
            await asyncio.wait(ending)


def outcome_of(task: asyncio.Task[Any]) -> Any:
    """What a task has ended with, or None for one that was cancelled, or let out what is no Exception."""
    return None if task.cancelled() or task.exception() is not None else task.result()


async def caught(exchange: Callable[[float], Awaitable[R]], timeout: float) -> R | Exception:
    """The outcome, or the error as a value: of a task that nobody waits for, asyncio would report a lost exception."""
    try:
        return await exchange(timeout)
    except Exception as error:
        return error
