"""The client behind the facade: it opens with the first request, sends all requests, and is closed once."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from ._api import (
    Download,
    EnterpriseScope,
    Follow,
    Follower,
    OpenList,
    OpenModel,
    Operation,
    OrganizationScope,
    OutcomeT,
    Page,
    PlatformScope,
    Request,
    Wait,
)
from .call import Call, Retries
from .configuration import Configuration
from .download import FileDownload
from .errors import CLIENT_CLOSED, AgentPlatformError, ClientClosedError, EventLoopError
from .lists import CursorPager, PagedList, read_as_page, warn_of_next_page
from .options import NO_OPTIONS, parse_options
from .polling.follow import ListFollower
from .polling.shared_polls import SharedPolls
from .polling.wait import WaitLoop
from .rate_limit.limiter import RateLimiter
from .reporting import call_span, complete_span
from .request.prepare import PreparedRequest, prepare
from .runtime import Runtime
from .transport.choose import TransportChoice

T = TypeVar("T")


class Client:
    """The sender of the facade's requests; it belongs to the event loop of the first request.

    Args:
        configuration: The settings.
        transport_choice: The transport, which the first request opens.
        rate_limiter: The rate limiter, which the first request opens.

    Attributes:
        base_url: The address of the server, without a slash at its end.
        rate_limiter: The argument of the same name.
    """

    def __init__(
        self, configuration: Configuration, transport_choice: TransportChoice, rate_limiter: RateLimiter
    ) -> None:
        self.base_url = configuration.base_url
        self._configuration = configuration
        self._transport_choice = transport_choice
        self.rate_limiter = rate_limiter
        self._limiter_is_open = False
        self._runtime: Runtime | None = None
        self._closing: asyncio.Future[None] | None = None
        self._closed = False
        # Shared polls by list. The references are weak, so the polls end with the last wait.
        self._polls: WeakValueDictionary[tuple[object, ...], SharedPolls[Any]] = WeakValueDictionary()

    def open(self) -> Runtime:
        """Bind the client to the running event loop.

        Raises:
            ClientClosedError: The client was closed.
            EventLoopError: The client belongs to another event loop, or the running loop is not asyncio's.
        """
        if self._closed:
            raise ClientClosedError(CLIENT_CLOSED)
        runtime = self._runtime
        if runtime is None:
            runtime = self._runtime = self._open_runtime()
        elif runtime.loop is not asyncio.get_running_loop():
            raise EventLoopError(
                "the client has been used in another event loop, and its connections belong to that loop; "
                "make one AgentPlatform for each event loop"
            )
        return runtime

    def _open_runtime(self) -> Runtime:
        """Open the rate limiter and the connections, in the event loop of the first request."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise EventLoopError(
                "no event loop of asyncio is running: the SDK runs on asyncio only; use asyncio.run(...)"
            ) from None
        configuration = self._configuration
        # A limiter can be opened only once. If opening the connections fails, the next call opens only the connections
        # again.
        if not self._limiter_is_open:
            self.rate_limiter.open(configuration.max_connections, configuration.rate_limit_key)
            self._limiter_is_open = True
        return Runtime(configuration, self._transport_choice.open_sender(), self.rate_limiter)

    async def aclose(self) -> None:
        """End the calls in flight and close the connections; a second call only waits until that is done.

        Raises:
            EventLoopError: The client belongs to another event loop, which is still open.
        """
        if self._runtime is None and not (self._closed or self._transport_choice.is_own):
            # A transport that was passed is closed even if no request was sent.
            self.open()
        runtime = self._runtime
        if runtime is not None and self._closing is None:
            if runtime.loop is not asyncio.get_running_loop() and not runtime.loop.is_closed():
                raise EventLoopError("the client belongs to another event loop, which must close it")
            # Close in a separate task, so that everything is closed even if the waiting caller is cancelled. If the
            # loop has ended, this lets the HTTP library know that nothing is left to close.
            self._closing = asyncio.ensure_future(runtime.aclose())
        self._closed = True
        if self._closing is not None:
            await asyncio.shield(self._closing)

    def __del__(self) -> None:
        # Do not warn about a client or transport that the caller passed: the caller closes it.
        if self._transport_choice.is_own and self._runtime is not None and not self._closed:
            warnings.warn(
                "an AgentPlatform was never closed; use `async with`, or `await platform.aclose()`",
                ResourceWarning,
                source=self,
                stacklevel=2,
            )

    @property
    def state(self) -> str:
        """One word for a repr: new, open or closed."""
        if self._closed:
            return "closed"
        if self._runtime is None:
            return "new"
        return "open"

    async def send(self, request: Request[T]) -> T:
        """Send one request, with retries where they are safe, and decode its response."""
        prepared = self._prepare(request)
        result: T = await self._call(prepared)
        if isinstance(result, OpenModel) and request.operation.method == "GET":
            warn_of_next_page(prepared, result)
        return result

    def paginate(self, request: Request[Page[T]], read_page: Callable[[Any], Page[T]] | None = None) -> CursorPager[T]:
        """Make the pager of a list; the arguments are checked now, and nothing is sent before the pager is consumed.

        Args:
            request: The request of the first page.
            read_page: Reads a response as a page, where the contract shows no page.
        """
        prepared = self._prepare(request)

        async def fetch(cursor: str | None) -> Page[T]:
            page: Page[T] = await self._call(prepared.at_cursor(cursor))
            if read_page is not None:
                return read_page(page)
            return page

        return CursorPager(PagedList(prepared, request.operation, fetch, self._configuration), prepared.cursor)

    def read_list(self, request: Request[T]) -> OpenList[T]:
        """Make the pager of a list whose pages the contract does not show; otherwise like `paginate`."""
        return self.paginate(cast("Request[Page[Any]]", request), read_as_page)

    def download(self, request: Request[Any]) -> Download:
        """Make the download of a file; the arguments are checked now, and nothing is sent before the file is read."""
        return FileDownload(self._prepare(request), self.open, self._call, self._configuration.max_body)

    def follow(self, follow: Follow[T]) -> Follower[T]:
        """Make the follower of a list; nothing is sent before it is consumed."""
        return ListFollower(follow, self._configuration, self.open)

    async def wait(self, wait: Wait[T, OutcomeT]) -> OutcomeT:
        """Wait until an object meets a condition; closing the client ends the wait."""
        return await WaitLoop(wait, self.open(), self._polls).run()

    def _prepare(self, request: Request[Any]) -> PreparedRequest:
        """Check the arguments of a call once, and return the prepared request."""
        options = NO_OPTIONS
        try:
            if request.options is not None:
                options = parse_options(request.options)
            return prepare(request, options)
        except AgentPlatformError as error:
            self._configuration.redact_error(error)
            raise

    async def _call(self, prepared: PreparedRequest, retries: Retries | None = None) -> Any:
        """Make a call, in a span if OpenTelemetry is in use; the first call opens the client."""
        call = Call(self.open(), prepared, self._read_back, retries)
        # A program that uses OpenTelemetry has imported it already, so the SDK does not import it for others.
        if "opentelemetry.trace" not in sys.modules:
            return await call.run()
        with call_span(call.operation, self.base_url) as span:
            try:
                return await call.run()
            finally:
                complete_span(span, call.received_response(), call.retries.attempts, call.retries.waited)

    async def _read_back(self, reader: Operation, ids: Sequence[Any]) -> Any:
        """Call the operation that reads what a write would have changed; for a list, return the first page.

        Args:
            reader: The operation.
            ids: Its path arguments; the organization comes first.
        """
        scope: Any = PlatformScope(self)
        if reader.scope == "organization":
            scope, ids = OrganizationScope(self, ids[0]), ids[1:]
        elif reader.scope == "enterprise":
            scope = EnterpriseScope(self)
        result = getattr(getattr(scope, reader.resource), reader.verb)(*ids)
        if isinstance(result, CursorPager):
            return await cast("Any", result).first_response()
        if reader.streamed:
            return result
        return await result
