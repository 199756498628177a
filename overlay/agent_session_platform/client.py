"""The life of a client, and what the facade sends through: opened by its first request, closed once."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ._api import UNSET
from .call import Call
from .errors import AgentPlatformError, ClientClosedError, ConfigurationError, EventLoopError, OutcomeUnknownError
from .options import DEFAULTS, RequestOptions, resolve
from .polling.follow.follower import ListFollower
from .polling.wait.wait import wait as wait_until
from .request.credentials import preflight
from .request.prepare import PreparedRequest, prepare
from .response.decode import decode
from .response.response import Response, StreamedResponse
from .runtime import ClientRuntime

if TYPE_CHECKING:
    from ._api import Download, Follow, Follower, JsonLines, OutcomeT, Page, Pager, Request, Wait
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
        self._redact = configuration.redact
        self._open_runtime = open_runtime
        self._owns_connections = owns_connections
        self._runtime: ClientRuntime | None = None
        self._entered = False
        self._closing: asyncio.Future[None] | None = None
        self._closed = False

    @property
    def base_url(self) -> str:
        """The address of the server, without a slash at its end."""
        return self._configuration.base_url

    async def send(self, request: Request[T]) -> T:
        """Send one request, again where that is safe, and decode its response; `request` is used up if it fails."""
        try:
            # In one expression: an error reporter shows the local variables of this frame.
            return await decode(request, await self._run(*self._prepare(request)), self._redact)  # type: ignore[arg-type]  # its operation is not streamed
        except BaseException as error:
            self.redact_error(error, request)
            request.clear()
            raise

    def paginate(self, request: Request[Page[T]]) -> Pager[T]:
        """Make the pager of a list; its arguments are checked now, and nothing is sent before it is consumed."""
        # Imported with the first list, because it would add to the start-up of every program.
        from .pager import CursorPager

        prepared, resolved = self._prepare(request)

        def fetch(cursor: str | None) -> Awaitable[Page[T]]:
            return self._fetch_page(request, prepared, resolved, cursor)

        name = request.operation.cursor
        given = request.query if name in request.query else request.body
        after = given.get(name)
        return CursorPager(request.operation, fetch, None if after is UNSET else after, self._redact, request.path)

    def download(self, request: Request[Any]) -> Download:
        """Make the download of a file; its arguments are checked now, and nothing is sent before it is consumed."""
        # Imported with the first download, because it would add to the start-up of every program.
        from .download.download import FileDownload
        from .download.source import Source

        run = partial(self._open_stream, request)
        return FileDownload(Source(*self._prepare(request), self._configuration, run, self.open))

    def stream(self, request: Request[T]) -> JsonLines[T]:
        """Make the stream of a response in JSON Lines; as for `download`, nothing is sent before it is consumed."""
        # Imported with the first stream, because it would add to the start-up of every program.
        from .response.lines import ResponseLines

        run = partial(self._open_stream, request, *self._prepare(request))
        return ResponseLines(request.operation, run, request.decode, self._configuration.max_body, self._redact)

    def follow(self, follow: Follow[T]) -> Follower[T]:
        """Make the follower of a list; nothing is sent before it is consumed."""
        return ListFollower(follow)

    async def wait(self, wait: Wait[T, OutcomeT]) -> OutcomeT:
        """Wait until an object is as it should be; closing the client ends the wait."""
        runtime = self.open()
        return await runtime.until_closed(wait_until(wait, self))

    async def _fetch_page(
        self, request: Request[Page[T]], prepared: PreparedRequest, options: RequestOptions, cursor: str | None
    ) -> Page[T]:
        try:
            response = await self._run(prepared.at_cursor(cursor), options)
            return await decode(request, response, self._redact)  # type: ignore[arg-type]  # its operation is not streamed
        except BaseException as error:
            self.redact_error(error, request)
            del request, prepared, options
            raise

    async def _open_stream(
        self, request: Request[Any], prepared: PreparedRequest, options: RequestOptions
    ) -> StreamedResponse:
        try:
            return await self._run(prepared, options)  # type: ignore[return-value]  # its operation is streamed
        except BaseException as error:
            self.redact_error(error, request)
            del request, prepared, options
            raise

    def redact_error(self, error: BaseException, request: Request[Any] | None = None) -> None:
        """Take credentials and what was sent out of an error and its traceback before it leaves the SDK.

        An OutcomeUnknownError also gets what its `read` needs.

        Args:
            error: The error that passes.
            request: The request that failed; None where there is none yet.
        """
        # Imported with the first error, because it would add to the start-up of every program.
        from .tracebacks import clear_locals

        clear_locals(error)
        if isinstance(error, AgentPlatformError):
            # A caller may have passed the credential in the wrong place.
            error.args = tuple(self._redact(each) if isinstance(each, str) else each for each in error.args)
        if isinstance(error, OutcomeUnknownError) and error.reader and error.operation and request:
            from .unknown_outcome import state_reader

            error.connect(state_reader(self, error.reader, error.operation, request.path))

    def _prepare(self, request: Request[Any]) -> tuple[PreparedRequest, RequestOptions]:
        """Check the arguments of a call, once, and return its request and its options."""
        options = DEFAULTS
        try:
            if request.options is not None:
                options = resolve(request.options)
            return prepare(request, options), options
        except BaseException as error:
            self.redact_error(error, request)
            request.clear()
            options = DEFAULTS
            raise

    async def _run(self, prepared: PreparedRequest, options: RequestOptions) -> Response | StreamedResponse:
        """Run a call; in a span of its own where OpenTelemetry is in use."""
        configuration = self._configuration
        credential = configuration.credentials.fixed
        # A cheap test first: most calls need no further look at the credential. One that may change is the call's.
        if credential and configuration.preflight and credential.kind not in prepared.operation.credentials:
            preflight(credential, prepared.operation)
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
            EventLoopError: It belongs to another event loop, or the running loop is not asyncio's.
        """
        runtime = self._runtime
        if self._closed:
            raise ClientClosedError("the client is closed; make a new AgentPlatform")
        loop = running_loop()
        if runtime is None:
            self._runtime = runtime = self._open_runtime()
        elif runtime.loop is not loop:
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
        if runtime is not None and loop_is_open and runtime.loop is not running_loop():
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


def running_loop() -> asyncio.AbstractEventLoop:
    """Return the running event loop.

    Raises:
        EventLoopError: None of asyncio is running.
    """
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise EventLoopError(
            "no asyncio event loop is running: the SDK runs on asyncio, and neither on trio nor without an event "
            "loop; use asyncio.run(...)"
        ) from None
