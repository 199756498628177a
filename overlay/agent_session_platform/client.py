"""The life of a client, and what the facade sends through: opened by its first request, closed once."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ._api import UNSET
from .call import Call
from .errors import ClientClosedError, ConfigurationError, EventLoopError
from .options import DEFAULTS, RequestOptions, resolve
from .request.credentials import preflight
from .request.prepare import PreparedRequest, prepare
from .response.decode import decode
from .response.response import Response, StreamedResponse
from .runtime import ClientRuntime

if TYPE_CHECKING:
    from ._api import CallOptions, Download, JsonLines, Page, Pager, Request
    from .configuration import Configuration

T = TypeVar("T")


class Client:
    """The sender of the facade's requests, in the event loop of the first one.

    Args:
        configuration: The settings.
        open_runtime: Opens the client; called in the event loop of the first request.
        owns_connections: Whether the client must close the connections; then `__del__` warns if it did not.
    """

    def __init__(
        self, configuration: Configuration, open_runtime: Callable[[], ClientRuntime], *, owns_connections: bool
    ) -> None:
        self._configuration = configuration
        self._open_runtime = open_runtime
        self._owns_connections = owns_connections
        self._runtime: ClientRuntime | None = None
        self._entered = False
        self._closing: asyncio.Future[None] | None = None
        self._closed = False

    async def send(self, request: Request[T], options: CallOptions | None) -> T:
        """Send one request, again where that is safe, and decode its response."""
        response = await self._run(*prepared_call(request, options))
        return await decode(request, response, self._configuration.credential.redact)  # type: ignore[arg-type]  # its operation is not streamed

    def paginate(self, request: Request[Page[T]], options: CallOptions | None) -> Pager[T]:
        """Make the pager of a list; its arguments are checked now, and nothing is sent before it is consumed."""
        # Imported with the first list, because it would add to the start-up of every program.
        from .pager import CursorPager

        prepared, resolved = prepared_call(request, options)
        redact = self._configuration.credential.redact

        async def fetch(cursor: str | None) -> Page[T]:
            response = await self._run(prepared.at_cursor(cursor), resolved)
            return await decode(request, response, redact)  # type: ignore[arg-type]  # its operation is not streamed

        name = request.operation.cursor
        given = request.query if name in request.query else request.body
        after = given.get(name)
        return CursorPager(request.operation, fetch, None if after is UNSET else after, redact)

    def download(self, request: Request[Any], options: CallOptions | None) -> Download:
        """Make the download of a file; its arguments are checked now, and nothing is sent before it is consumed."""
        # Imported with the first download, because it would add to the start-up of every program.
        from .download.download import FileDownload
        from .download.source import Source

        return FileDownload(Source(*prepared_call(request, options), self._configuration, self._run, self.open))

    def stream(self, request: Request[T], options: CallOptions | None) -> JsonLines[T]:
        """Make the stream of a response in JSON Lines; as for `download`, nothing is sent before it is consumed."""
        # Imported with the first stream, because it would add to the start-up of every program.
        from .response.lines import ResponseLines

        configuration = self._configuration
        prepared, resolved = prepared_call(request, options)

        async def fetch() -> StreamedResponse:
            return await self._run(prepared, resolved)  # type: ignore[return-value]  # its operation is streamed

        return ResponseLines(
            request.operation, fetch, request.decode, configuration.max_body, configuration.credential.redact
        )

    async def _run(self, prepared: PreparedRequest, options: RequestOptions) -> Response | StreamedResponse:
        """Run a call; in a span of its own where OpenTelemetry is in use."""
        configuration = self._configuration
        # A cheap test first: most calls need no further look at the credential.
        if configuration.preflight and configuration.credential.kind not in prepared.operation.credentials:
            preflight(configuration.credential, prepared.operation)
        call = Call(self.open(), prepared, options)
        if "opentelemetry.trace" not in sys.modules:
            return await call.run()
        from .transport.tracing import call_span

        with call_span(call):
            return await call.run()

    def enter(self) -> None:
        """Open for an `async with`; there may be one, because the first to end closes the client for all."""
        self.open()
        if self._entered:
            raise ConfigurationError(
                "the client is in an `async with` already, which closes it at its end; use it without another one"
            )
        self._entered = True

    def open(self) -> ClientRuntime:
        """Bind the client to the running event loop.

        Raises:
            ClientClosedError: The client was closed.
            EventLoopError: It belongs to another event loop.
        """
        runtime = self._runtime
        if self._closed:
            raise ClientClosedError("the client is closed; make a new AgentPlatform")
        if runtime is None:
            self._runtime = runtime = self._open_runtime()
        elif runtime.loop is not asyncio.get_running_loop():
            raise EventLoopError(
                "the client has been used in another event loop, and its connections belong to that one; "
                "make one AgentPlatform for each event loop"
            )
        return runtime

    async def aclose(self) -> None:
        """End what is in flight and close the connections; closing again only waits for that.

        Raises:
            EventLoopError: The client's event loop is another one and still open.
        """
        runtime = self._runtime
        loop_is_open = runtime is not None and not runtime.loop.is_closed()
        if runtime is not None and loop_is_open and runtime.loop is not asyncio.get_running_loop():
            raise EventLoopError("the client belongs to another event loop, which must close it")
        self._closed = True
        if runtime is None or not loop_is_open:
            return
        if self._closing is None:
            # In a task of its own: a caller that is cancelled while it waits leaves nothing half closed.
            self._closing = asyncio.ensure_future(runtime.aclose())
        await asyncio.shield(self._closing)

    def __del__(self) -> None:
        # Connections of a transport or an httpx client that was passed are their owner's.
        if self._owns_connections and self._runtime is not None and not self._closed:
            warnings.warn(
                "an AgentPlatform was never closed; use `async with`, or `await platform.aclose()`",
                ResourceWarning,
                source=self,
                stacklevel=2,
            )

    @property
    def state(self) -> str:
        """One word for a repr: new, open or closed."""
        return "closed" if self._closed else "new" if self._runtime is None else "open"


def prepared_call(request: Request[Any], options: CallOptions | None) -> tuple[PreparedRequest, RequestOptions]:
    """Check the arguments of a call, once, and return its request and its options."""
    resolved = DEFAULTS if options is None else resolve(options)
    return prepare(request, resolved), resolved
