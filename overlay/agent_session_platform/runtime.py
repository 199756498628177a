"""The parts that the calls of a client share, and how they are closed."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Coroutine
from typing import TypeVar
from weakref import WeakSet

from .configuration import Configuration
from .errors import CLIENT_CLOSED, ClientClosedError
from .rate_limit.limiter import RateLimiter
from .response.exchange import StreamedResponse
from .transport.sender import Sender

# How long each step of closing may take.
CLOSING_SECONDS = 5.0

logger = logging.getLogger("agent_session_platform")

T = TypeVar("T")


class TimeUpError(Exception):
    """A job took longer than allowed; this error never leaves the SDK."""


class Runtime:
    """The parts that the calls of an open client share, in one event loop.

    Args:
        configuration: The settings of the client.
        sender: Sends their requests.
        rate_limiter: Decides when a request may be sent.

    Attributes:
        loop: The event loop.
        closing: Whether the client is being closed.
        streams: The bodies that are read as they come; closing the client closes them.
        has_succeeded: Whether any call has succeeded: then the API is at the base URL.
    """

    def __init__(self, configuration: Configuration, sender: Sender, rate_limiter: RateLimiter) -> None:
        self.configuration = configuration
        self.sender = sender
        self.rate_limiter = rate_limiter
        self.loop = asyncio.get_running_loop()
        self.closing = False
        self.has_succeeded = False
        self._under_way: set[asyncio.Timeout] = set()
        self._none_under_way = asyncio.Event()
        # The references are weak, so that a stream that is closed and no longer used can be freed.
        self.streams: WeakSet[StreamedResponse] = WeakSet()
        self._warned_of: set[str] = set()

    async def while_open(self, job: Awaitable[T], *, at_most: float = math.inf) -> T:
        """Await a job in the task of its caller, but no longer than *at_most*; closing the client ends it.

        Args:
            job: The job.
            at_most: How many seconds it may take.

        Raises:
            TimeUpError: The job takes longer.
            ClientClosedError: The client is closed before the job has ended.
        """
        if self.closing:
            if isinstance(job, Coroutine):
                job.close()
            raise ClientClosedError(CLIENT_CLOSED)
        timeout = asyncio.timeout(None)
        if at_most != math.inf:
            timeout = asyncio.timeout(at_most)
        self._under_way.add(timeout)
        try:
            async with timeout:
                return await job
        except TimeoutError:
            if not timeout.expired():
                # The job itself has raised this TimeoutError.
                raise
            if self.closing:
                raise ClientClosedError("the client was closed during the call; make a new AgentPlatform") from None
            raise TimeUpError from None
        finally:
            self._under_way.discard(timeout)
            if self.closing and not self._under_way:
                self._none_under_way.set()
            # The timeout keeps its task, and the task its error, whose traceback keeps this frame: a circle.
            del timeout

    def notify(self, name: str, function: Callable[[T], None], event: T) -> None:
        """Call a function of the caller, such as `on_exchange`; the first error that it raises is logged."""
        try:
            function(event)
        except Exception:
            if name not in self._warned_of:
                self._warned_of.add(name)
                logger.warning("%s has failed; calls are not affected", name, exc_info=True)

    async def aclose(self) -> None:
        """Fail the waiting calls, end what is in flight and close the connections."""
        self.closing = True
        for step in (self._end_all, self.sender.aclose, self.rate_limiter.aclose):
            await end_step(step())
        # No call waits for a credential any longer.
        self.configuration.credential_provider.close()

    async def _end_all(self) -> None:
        for timeout in self._under_way:
            if not timeout.expired():
                # Let the timeout of each job fire now. It ends the job, and `while_open` then sees that the client is
                # closing.
                timeout.reschedule(self.loop.time())
        if self._under_way:
            await self._none_under_way.wait()
        for stream in list(self.streams):
            await stream.aclose()


async def end_step(closing: Awaitable[None]) -> None:
    """Wait for a step of closing, at most CLOSING_SECONDS; log its error, so that the next step still runs."""
    task = asyncio.ensure_future(closing)
    await asyncio.wait((task,), timeout=CLOSING_SECONDS)
    if not task.done():
        task.cancel()
        logger.warning("closing takes longer than %g s; the client no longer waits for it", CLOSING_SECONDS)
        return
    if not task.cancelled() and task.exception() is not None:
        logger.warning("closing failed (%s)", type(task.exception()).__name__)
