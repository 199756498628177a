"""The transports of httpx, and of its successor httpx2, which has the same classes: neither is imported here.

Each of the SDK's own connections is in a pool of its own, and carries one request at a time. In a large pool, httpx
looks through all connections for each request, and may give one to two requests at once. It loses the connection of a
request that is cancelled, or whose tunnel fails: such a pool is closed.
"""

from __future__ import annotations

import asyncio
import functools
import math
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from ..configuration import Configuration
from ..network import Proxy, make_context
from ..request.body import Form
from .failures import NETWORK_ERRORS, FailureKind, FailureKinds, RefusedRequestError, find_failure_kind
from .protocol import KEEP_ALIVE_SECONDS, TransportRequest, TransportResponse

# How many parsed URLs are kept: many requests repeat a target, such as a session that is polled.
CACHED_URLS = 256

# A connection that was idle for longer may have been closed by the server, so a request may have to connect again.
# Looking at each request for that would make it slower by 3 %.
RECONNECT_SECONDS = 1.0

# The packages of httpx and httpx2. An error of a lower one may come through as it is, such as an error of h2 when a
# server breaks the rules of HTTP/2 in a body (in a client that was passed).
LIBRARY_PACKAGES = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "h11", "h2", "anyio"})


class HttpxTransport:
    """What both transports share: their requests, their responses and the meaning of their errors.

    Args:
        library: The module `httpx` or `httpx2`.
    """

    def __init__(self, library: Any) -> None:
        self.agent = f"{library.__name__}/{library.__version__}"
        self._module = library
        # Parsing a URL takes longer than everything else that is done for a request.
        self._cached_url = functools.lru_cache(CACHED_URLS)(library.URL)
        self._in_process = False
        # The first class that matches counts.
        self._failure_kinds: FailureKinds = (
            (library.PoolTimeout, FailureKind.POOL_TIMEOUT),
            (library.ConnectTimeout, FailureKind.CONNECT_TIMEOUT),
            ((library.ConnectError, library.ProxyError), FailureKind.NOT_CONNECTED),
            ((library.InvalidURL, RefusedRequestError), FailureKind.UNWRITTEN),
            (library.TimeoutException, FailureKind.TIMEOUT),
            (library.HTTPError, FailureKind.BROKEN_OFF),
        )

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of the library; see `Transport.classify`."""
        if isinstance(error, self._module.ProxyError) and str(error).startswith("407 "):
            # The library states the status only in the message.
            return FailureKind.PROXY_UNAUTHORIZED
        kind = find_failure_kind(error, self._failure_kinds)
        # An application in the same process may have raised any other error.
        if kind is not None or self._in_process:
            return kind
        package = type(error).__module__.partition(".")[0]
        if package == "socksio":
            # The proxy has not connected to the server.
            return FailureKind.NOT_CONNECTED
        if isinstance(error, NETWORK_ERRORS) or package in LIBRARY_PACKAGES:
            return FailureKind.BROKEN_OFF
        return None

    def _to_library(self, request: TransportRequest, make: Callable[..., Any]) -> Any:
        """Return a request of the library; *make* is its class, or a method of a client."""
        content = request.content or None
        files: list[Any] = []
        if isinstance(content, Form):
            for part in content.parts:
                # A text is a file without a name.
                file = (part.filename, part.content, part.media_type)
                files.append((part.name, file))
            content = None
        # A URL with a query is not kept: most cursors are used only once.
        parse_url = self._cached_url
        if "?" in request.url:
            parse_url = self._module.URL
        return make(
            request.method,
            parse_url(request.url),
            headers=request.headers,
            content=content,
            files=files or None,
            extensions={"timeout": self._module.Timeout(request.timeout).as_dict()},
        )


class Pool:
    """A pool of a single connection to the server, which carries one request at a time.

    Args:
        transport: The transport of the library.

    Attributes:
        used_at: When a request was last given back, by the clock of the event loop; before the first one long ago.
    """

    def __init__(self, transport: Any) -> None:
        self.transport = transport
        self.used_at = -math.inf
        # The socket until TLS is established: httpcore forgets it if the request is cancelled before.
        self._handshake: Any = None

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Note what httpcore does, as the function of its request extension `trace`."""
        if event.endswith(".connect_tcp.complete"):
            self._handshake = info["return_value"]
        elif event.endswith(".start_tls.complete"):
            self._handshake = None

    async def aclose(self) -> None:
        """Close the connection. Nobody waits for this, so nobody could be told of an error."""
        with suppress(Exception):
            await self.transport.aclose()
        if self._handshake is not None:
            with suppress(Exception):
                await self._handshake.aclose()


class PooledTransport(HttpxTransport):
    """The SDK's own connections through httpx or httpx2.

    Args:
        library: The module `httpx` or `httpx2`.
        configuration: The settings of the client.
        proxy: The proxy to send through, if any.
    """

    def __init__(self, library: Any, configuration: Configuration, proxy: Proxy | None) -> None:
        super().__init__(library)
        # Certificates are read once for a client, not once for a pool; without TLS none is needed. The value is never
        # False, because then every certificate would be trusted.
        verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if configuration.base_url.startswith("https:"):
            verify = make_context(configuration.verify)
        self._open_transport: Callable[[], Any] = functools.partial(
            library.AsyncHTTPTransport,
            verify=verify,
            trust_env=False,
            limits=library.Limits(max_connections=1, keepalive_expiry=KEEP_ALIVE_SECONDS),
            proxy=to_proxy(library, proxy, configuration.verify),
        )
        # The pools that are free, the latest at the end.
        self._idle: list[Pool] = []
        self._closing: set[asyncio.Task[None]] = set()
        self._now = asyncio.get_running_loop().time

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        outgoing = self._to_library(request, self._module.Request)
        pool = self._take_pool()
        if self._now() - pool.used_at >= RECONNECT_SECONDS:
            outgoing.extensions["trace"] = pool.trace
        try:
            response = await pool.transport.handle_async_request(outgoing)
        except BaseException:
            self._close_later(pool)
            raise
        response.request = outgoing
        return to_response(response, functools.partial(self._close, pool, response))

    async def aclose(self) -> None:
        """Close all connections; the caller has ended all requests."""
        for pool in self._idle:
            self._close_later(pool)
        if self._closing:
            await asyncio.wait(self._closing)

    def _take_pool(self) -> Pool:
        """Return the free pool that was used last, or else a new one; close those that were idle for too long."""
        expired = self._now() - KEEP_ALIVE_SECONDS
        while self._idle and self._idle[0].used_at <= expired:
            self._close_later(self._idle.pop(0))
        if self._idle:
            return self._idle.pop()
        return Pool(self._open_transport())

    async def _close(self, pool: Pool, response: Any) -> None:
        """Close a response, and let the next request have its pool."""
        try:
            await response.aclose()
        except BaseException:
            self._close_later(pool)
            raise
        pool.used_at = self._now()
        self._idle.append(pool)

    def _close_later(self, pool: Pool) -> None:
        """Close a pool in a separate task, because the caller may be cancelled."""
        task = asyncio.ensure_future(pool.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


def to_proxy(library: Any, proxy: Proxy | None, verify: Any) -> Any:
    """Return a proxy of the library. A context of the caller, with its client certificate, is for the server only."""
    if proxy is None:
        return None
    context = None
    if proxy.has_tls:
        if isinstance(verify, ssl.SSLContext):
            verify = True
        context = make_context(verify)
    return library.Proxy(proxy.url, auth=proxy.login, ssl_context=context)


class CallerTransport(HttpxTransport):
    """A transport, or a client with its event hooks, that the caller has made.

    Args:
        library: The module `httpx` or `httpx2`.
        passed: A transport of the library, which is closed with this object, or a client, which the caller closes.
    """

    def __init__(self, library: Any, passed: Any) -> None:
        super().__init__(library)
        self._passed = passed
        self._is_client = isinstance(passed, library.AsyncClient)
        self._make = library.Request
        if self._is_client:
            # It adds the headers and cookies of the client.
            self._make = passed.build_request
        self._in_process = isinstance(passed, library.MockTransport | library.ASGITransport)

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        outgoing = self._to_library(request, self._make)
        if not self._is_client:
            send = self._passed.handle_async_request
        elif self._passed.is_closed:
            raise RefusedRequestError("the AsyncClient is closed")
        else:
            # Following a redirect would carry a write, or the credential, to another server.
            send = functools.partial(self._passed.send, stream=True, auth=None, follow_redirects=False)
        try:
            response = await send(outgoing)
            response.request = outgoing
        except self._module.HTTPStatusError as error:
            # An event hook has called `raise_for_status`: the call makes its own error. Without its body, if the hook
            # has not read it, because the library has closed the response.
            response = error.response
            if not response.is_stream_consumed:
                response = self._module.Response(response.status_code, headers=response.headers)
        except (self._module.RequestError, self._module.InvalidURL) as error:
            # A client notes its request in every error of its transport.
            failed_request = getattr(error, "_request", None)
            is_of_this_request = failed_request is outgoing or (failed_request is None and not self._is_client)
            if is_of_this_request:
                raise
            # A hook, or an application in this process, has made a request of its own: ours may have arrived.
            reason = f"{type(error).__name__}: {error}"
            raise self._module.ReadError(reason, request=outgoing) from None
        return to_response(response, response.aclose)

    async def aclose(self) -> None:
        """Close a transport that was passed. A client is closed by its caller."""
        if not self._is_client:
            await self._passed.aclose()


def to_response(response: Any, close: Callable[[], Awaitable[None]]) -> TransportResponse:
    """Return a response of the library with its body still to be read."""
    headers = response.headers.raw
    if not response.is_stream_consumed:
        # `aiter_raw` would close the response at its end, and a call that is cancelled meanwhile lose the connection.
        return TransportResponse(response.status_code, headers, aiter(response.stream), close)
    # The library has decoded a response that was made by hand, or that a hook has read.
    if "content-encoding" in response.headers:
        headers = [(name, value) for name, value in headers if name.lower() != b"content-encoding"]
    return TransportResponse(response.status_code, headers, response.aiter_bytes(), close)
