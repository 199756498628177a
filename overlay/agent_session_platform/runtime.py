"""The parts that the calls of an open client share: transport, rate limiter, event loop, attempts under way."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from .deadlines import Deadlines
from .errors import ClientClosedError, ConnectionFailedError, DeadlineExceededError
from .response.response import Failure, StreamedResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from ._api import Operation
    from .configuration import Configuration
    from .rate_limit.interface import RateLimiter
    from .rate_limit.permit import Permit
    from .response.response import Outcome
    from .transport.exchange import Exchange

# How long an abandoned attempt may go on while its connection is not needed. Mostly it ends by itself, and its
# connection is kept.
GRACE_SECONDS = 5.0

# How long a new attempt waits for an abandoned one that was cancelled to end; mostly a few turns of the event loop.
ENDING_SECONDS = 1.0

# How long each step of closing may take.
CLOSING_SECONDS = 5.0

logger = logging.getLogger("agent_session_platform")

T = TypeVar("T")


class ClientRuntime:
    """The parts that the calls of an open client share, in one event loop.

    With httpx each attempt runs in a task of its own, which goes on when its caller is cancelled: it loses a connection
    whose request is cancelled. With aiohttp, which closes such a connection, it runs in the task of its caller.

    Attributes:
        configuration: The settings of the client.
        exchange: What requests are sent through.
        rate_limiter: What decides when they may be sent.
        tickets: Numbers the calls in the order in which they were made.
        loop: The event loop.
        closing: Whether the client is being closed.
        tasks: The attempts under way, and the streams that are being closed.
        deadlines: The attempts that run in the tasks of their callers.
        abandoned: The attempts whose callers are gone, the oldest first, each with the timer that ends it.
    """

    def __init__(self, configuration: Configuration, exchange: Exchange, rate_limiter: RateLimiter) -> None:
        self.configuration = configuration
        self.exchange = exchange
        self.rate_limiter = rate_limiter
        self.tickets = itertools.count()
        self.loop = asyncio.get_running_loop()
        self.closing = False
        self._closed: asyncio.Future[None] = self.loop.create_future()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.deadlines = Deadlines(self.loop)
        self.abandoned: dict[asyncio.Task[Outcome], asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[Outcome]] = set()
        self._streams: dict[StreamedResponse, Permit | None] = {}
        # Of the waits, which run in the tasks of their callers.
        self._waits: set[asyncio.Timeout] = set()
        self._waits_ended = asyncio.Event()

    async def until_closed(self, job: Awaitable[T]) -> T:
        """Await a job in the task of its caller; raise ClientClosedError if the client is closed before its end."""
        timeout = asyncio.timeout(None)
        self._waits.add(timeout)
        try:
            async with timeout:
                return await job
        except TimeoutError:
            if not timeout.expired():
                raise
            raise ClientClosedError("the client was closed during the wait; make a new AgentPlatform") from None
        finally:
            self._waits.discard(timeout)
            if not self._waits:
                self._waits_ended.set()

    def abandon(self, task: asyncio.Task[Outcome]) -> None:
        """Let an attempt whose caller is gone go on for a while; a stream that it returns is closed."""
        self.abandoned[task] = self.loop.call_later(GRACE_SECONDS, self._end, task)
        task.add_done_callback(self._finish)

    async def make_room(self) -> None:
        """End the oldest abandoned attempts if the others need their connections, and wait until they have ended."""
        under_way = len(self.tasks) + len(self._streams) - len(self._ending)
        needed = max(0, under_way - self.configuration.max_connections)
        oldest = list(itertools.islice(self.abandoned, needed))
        for task in oldest:
            self._end(task)
        if oldest:
            await asyncio.wait(oldest, timeout=ENDING_SECONDS)

    def _end(self, task: asyncio.Task[Outcome]) -> None:
        """Cancel an abandoned attempt, once, as soon as it waits for the network.

        Between two steps that are both ready to run, httpx loses a connection whose request is cancelled.
        """
        if task in self.abandoned:
            self.abandoned.pop(task).cancel()
            self._ending.add(task)
        if task.done():
            return
        # Private, but as old as asyncio; a test watches it.
        waited_for: asyncio.Future[Any] | None = getattr(task, "_fut_waiter", task)
        if waited_for is None or waited_for.done():
            self.loop.call_soon(self._end, task)
        else:
            task.cancel()

    def _finish(self, task: asyncio.Task[Outcome]) -> None:
        """Forget an abandoned attempt that has ended, and close its stream."""
        self._ending.discard(task)
        if task in self.abandoned:
            self.abandoned.pop(task).cancel()
        if not task.cancelled() and task.exception() is None and isinstance(task.result(), StreamedResponse):
            self._track(task.result().aclose())  # type: ignore[union-attr]  # as was just checked

    def hold(self, stream: StreamedResponse, permit: Permit | None = None) -> None:
        """Keep the permit of a stream until it is closed; one of another server needs none."""
        self._streams[stream] = permit
        stream.on_close = lambda: self._release(stream)
        if permit is not None:
            self.rate_limiter.stream_accepted(permit)

    def _release(self, stream: StreamedResponse) -> None:
        permit = self._streams.pop(stream)
        if permit is not None:
            self.rate_limiter.release(permit, accepted=True, streamed=True)

    async def pause(self, seconds: float) -> None:
        """Sleep; raise ClientClosedError if the client is closed before the time is over."""
        await asyncio.wait((self._closed,), timeout=seconds)
        if self.closing:
            raise ClientClosedError("the client was closed while the call waited for its next attempt")

    async def aclose(self) -> None:
        """Fail the waiting calls, cancel what is in flight and close the connections."""
        self.closing = True
        if not self._closed.done():
            self._closed.set_result(None)
        self.rate_limiter.shut()
        self.configuration.credentials.close()
        for step in (self._end_attempts, self.exchange.aclose, self.rate_limiter.aclose):
            await bounded(step())
        if self.configuration.observe is not None:
            await bounded(asyncio.to_thread(self.configuration.observe.observer.save))

    async def _end_attempts(self) -> None:
        for task in self.tasks:
            task.cancel()
        while self.deadlines.end_all():
            await asyncio.sleep(0)
        if self._waits:
            self._waits_ended.clear()
            for timeout in self._waits:
                timeout.reschedule(self.loop.time())
            await self._waits_ended.wait()
        for stream in list(self._streams):
            self._track(stream.aclose())
        if self.tasks:
            await asyncio.wait(set(self.tasks))

    def _track(self, closing: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(closing)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


async def bounded(closing: Awaitable[None]) -> None:
    """Wait for a step of closing, for CLOSING_SECONDS at most; an error in it keeps no other step from running."""
    task = asyncio.ensure_future(closing)
    await asyncio.wait((task,), timeout=CLOSING_SECONDS)
    if not task.done():
        task.cancel()
        logger.warning("closing takes longer than %g s, and is not waited for any more", CLOSING_SECONDS)
    elif not task.cancelled() and (error := task.exception()) is not None:
        logger.warning("closing failed (%s)", type(error).__name__)


async def run_attempt(
    runtime: ClientRuntime,
    exchange: Coroutine[Any, Any, Outcome],
    operation: Operation,
    deadline: float,
    time_left: float,
    abandon: Callable[[], None] = lambda: None,
) -> Outcome:
    """Run an attempt, in a task of its own where it must go on when the caller is cancelled or the deadline passes.

    Args:
        runtime: The parts that the calls of a client share.
        exchange: The exchange of a request and its response.
        operation: The operation that is called.
        deadline: Seconds that the whole call may take, for the message.
        time_left: How many of them are left.
        abandon: Called if the attempt goes on without its caller.

    Returns:
        The outcome; a Failure if there is none in time.
    """
    closed = "the client was closed during the call"
    if not runtime.exchange.outlives_callers:
        outcome = await runtime.deadlines.run(exchange, time_left)
        if outcome is not None:
            return outcome
        if runtime.closing:
            return Failure(ClientClosedError(closed, operation=operation))
        return Failure(DeadlineExceededError(f"no response within {deadline:g} s", operation=operation))
    task = runtime.loop.create_task(exchange)
    runtime.tasks.add(task)
    task.add_done_callback(runtime.tasks.discard)
    try:
        await asyncio.wait((task,), timeout=time_left)
    except asyncio.CancelledError:
        if not task.done():
            abandon()
        runtime.abandon(task)
        raise
    if not task.done():
        abandon()
        runtime.abandon(task)
        return Failure(DeadlineExceededError(f"no response within {deadline:g} s", operation=operation))
    if task.cancelled():
        gave_up = ConnectionFailedError("the transport gave up", operation=operation, received=True)
        return Failure(ClientClosedError(closed, operation=operation) if runtime.closing else gave_up)
    return task.result()
