"""The parts that the calls of an open client share: transport, rate limiter, event loop, attempts under way."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import TYPE_CHECKING, Any

from .errors import ClientClosedError
from .response.response import StreamedResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine

    from .configuration import Configuration
    from .rate_limit.interface import Permit, RateLimiter
    from .response.response import Outcome
    from .transport.interface import Transport

# How long an attempt may go on after its call was cancelled. Mostly it ends by itself, and its connection is kept.
GRACE_SECONDS = 5.0

# How long each step of closing may take.
CLOSING_SECONDS = 5.0

logger = logging.getLogger("agent_session_platform")


class ClientRuntime:
    """The parts that the calls of an open client share, in one event loop.

    Each attempt runs in a task of its own, which goes on when its caller is cancelled: httpx loses a connection whose
    request is cancelled.

    Attributes:
        configuration: The settings of the client.
        transport: What requests are sent through.
        rate_limiter: What decides when they may be sent.
        tickets: Numbers the calls in the order in which they were made.
        loop: The event loop.
        closing: Whether the client is being closed.
        tasks: The attempts under way, and the streams that are being closed.
    """

    def __init__(self, configuration: Configuration, transport: Transport, rate_limiter: RateLimiter) -> None:
        self.configuration = configuration
        self.transport = transport
        self.rate_limiter = rate_limiter
        self.tickets = itertools.count()
        self.loop = asyncio.get_running_loop()
        self.closing = False
        self._closed: asyncio.Future[None] = self.loop.create_future()
        self.tasks: set[asyncio.Task[Any]] = set()
        self._streams: dict[StreamedResponse, Permit | None] = {}

    def abandon(self, task: asyncio.Task[Outcome]) -> None:
        """Let the attempt of a cancelled call end: cancel it after a while, and close its stream."""
        timer = self.loop.call_later(GRACE_SECONDS, task.cancel)

        def finish(task: asyncio.Task[Outcome]) -> None:
            timer.cancel()
            if not task.cancelled() and task.exception() is None and isinstance(task.result(), StreamedResponse):
                self._track(task.result().aclose())  # type: ignore[union-attr]  # as was just checked

        task.add_done_callback(finish)

    def hold(self, stream: StreamedResponse, permit: Permit | None = None) -> None:
        """Keep the permit of a stream until it is closed; one of another server needs none."""
        self._streams[stream] = permit
        stream.on_close = lambda: self._release(stream)
        if permit is not None:
            self.rate_limiter.streaming(permit)

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
        for step in (self._end_attempts, self.transport.aclose, self.rate_limiter.aclose):
            await bounded(step())

    async def _end_attempts(self) -> None:
        for task in self.tasks:
            task.cancel()
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
