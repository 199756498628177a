"""The life of a client: opened by its first request, bound to that event loop, closed once."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from .call import Pipeline
from .errors import ClientClosedError, ConfigurationError, EventLoopError
from .options import resolved
from .pager import CursorPager
from .request.arguments import prepare
from .response.download import FileDownload

if TYPE_CHECKING:
    from ._api import CallOptions, Download, Page, Pager, Request
    from .response.stream import Stream

T = TypeVar("T")


class Sender:
    """What the facade sends through. *make_pipeline* is called in the event loop of the first request.

    A client that *owns_connections* and is never closed is told of with a ResourceWarning.
    """

    def __init__(
        self,
        make_pipeline: Callable[[], Pipeline],
        redact: Callable[[str], str],
        max_body: int,
        *,
        owns_connections: bool,
    ) -> None:
        self._redact = redact
        self._owns_connections = owns_connections
        self._make_pipeline = make_pipeline
        self._max_body = max_body
        self._pipeline: Pipeline | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._entered = False
        self._closing: asyncio.Future[None] | None = None
        self._closed = False

    async def send(self, request: Request[T], options: CallOptions | None) -> T:
        """Send one request and decode its answer."""
        return await self.open().send(request, options)

    def paginate(self, request: Request[Page[T]], options: CallOptions | None) -> Pager[T]:
        """Make the pager of a list; nothing is sent before it is consumed, but its arguments are checked now."""
        prepare(request, resolved(options))

        async def fetch(cursor: str | None) -> Page[T]:
            return await self.send(request.with_query(after=cursor), options)

        return CursorPager(request.operation, fetch, request.query.get("after"), self._redact)

    def download(self, request: Request[Any], options: CallOptions | None) -> Download:
        """Make the download of a file; nothing is sent before it is consumed, but its arguments are checked now."""
        prepare(request, resolved(options))

        async def open_stream() -> Stream:
            return await self.open().open(request, options)

        return FileDownload(request.operation, open_stream, self._max_body)

    def enter(self) -> None:
        """Open, for an `async with` that closes: there is one at most, or the first would close it for the other."""
        self.open()
        if self._entered:
            raise ConfigurationError(
                "the client is in an `async with` already, which closes it at its end; use it without another one"
            )
        self._entered = True

    def open(self) -> Pipeline:
        """Bind to the running event loop; raises ClientClosedError or EventLoopError."""
        if self._closed:
            raise ClientClosedError("the client is closed; make a new AgentPlatform")
        loop = asyncio.get_running_loop()
        if self._pipeline is None:
            self._pipeline = self._make_pipeline()
            self._loop = loop
        elif self._loop is not loop:
            raise EventLoopError(
                "the client has been used in another event loop, and its connections belong to that one; "
                "make one AgentPlatform for each event loop"
            )
        return self._pipeline

    async def aclose(self) -> None:
        """End what is in flight and close the connections; doing it again does nothing but wait for that.

        Raises EventLoopError in another event loop than the client's, unless that is no more: then so are its
        connections.
        """
        if self._pipeline is not None and self._loop is not asyncio.get_running_loop() and not self._loop_is_over():
            raise EventLoopError("the client belongs to another event loop, which must close it")
        self._closed = True
        if self._pipeline is None or self._loop_is_over():
            return
        if self._closing is None:
            # In a task of its own: who is cancelled while he waits for it leaves nothing half closed.
            self._closing = asyncio.ensure_future(self._pipeline.aclose())
        await asyncio.shield(self._closing)

    def _loop_is_over(self) -> bool:
        return self._loop is not None and self._loop.is_closed()

    def __del__(self) -> None:
        # Connections of a transport or an httpx client that was passed are for its owner to care about.
        if self._owns_connections and self._pipeline is not None and not self._closed:
            warnings.warn(
                "an AgentPlatform was never closed; use `async with`, or `await platform.aclose()`",
                ResourceWarning,
                source=self,
                stacklevel=2,
            )

    @property
    def state(self) -> str:
        """One word for a repr."""
        return "closed" if self._closed else "new" if self._pipeline is None else "open"
