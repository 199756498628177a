"""The transports of httpx, and of its successor httpx2, which has the same classes: neither is imported here.

The SDK's own connections are in several small pools instead of a large one, for two reasons. For each request httpx
looks through all connections of its pool, and again for each idle connection: with a hundred connections this is most
of the cost of a call. And httpx may lose the connection of a cancelled request; then a small pool can be given up.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable
from typing import Any

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import ProxyResolver, context_without_tls, make_context
from ..request.body import Form
from .interface import (
    KEEP_ALIVE_SECONDS,
    NETWORK_ERRORS,
    FailureKind,
    TransportRequest,
    TransportResponse,
)

# How many connections a pool has: so few that looking through them costs almost nothing.
POOL_SIZE = 10

# How many parsed URLs are kept: many requests repeat a target, such as a session that is polled.
CACHED_URLS = 256


class Pool:
    """One pool of connections.

    Args:
        transport: The transport of the library.
        has_proxy: Whether its connections lead through a proxy.

    Attributes:
        in_use: How many connections of the pool have a request.
        used_at: When a connection was last given back, in seconds of the monotonic clock.
        given_up: Whether the pool gets no further request, because it may have lost a connection.
    """

    def __init__(self, transport: Any, *, has_proxy: bool) -> None:
        self.transport = transport
        self.has_proxy = has_proxy
        self.in_use = 0
        self.used_at = 0.0
        self.given_up = False

    def give_up_after(self, error: BaseException) -> None:
        """Give the pool up if httpx may have lost the connection of a failed request.

        That happens when the request is cancelled, and when TLS fails within the tunnel of a proxy.
        """
        is_cancelled = not isinstance(error, Exception)
        if is_cancelled or self.has_proxy:
            self.given_up = True


class PooledTransport:
    """The SDK's own connections through httpx or httpx2.

    Args:
        library: The module `httpx` or `httpx2`.
        configuration: The settings of the client.
        proxies: The proxies to send through.

    Raises:
        ConfigurationError: Certificates or a proxy cannot be used.
    """

    # No application is behind this transport, so every error is a network error.
    network_errors: tuple[type[Exception], ...] = (Exception,)

    def __init__(self, library: Any, configuration: Configuration, proxies: ProxyResolver) -> None:
        self.agent = f"{library.__name__}/{library.__version__}"
        self._module = library
        self._base_url = configuration.base_url
        self._network = configuration.network
        self._proxies = proxies
        self._max_connections = configuration.max_connections
        # With HTTP/2 one connection carries many requests, so one pool is enough.
        self._pool_size = self._max_connections if self._network.http2 else POOL_SIZE
        # Certificates are read once for a client, not once for a pool. HTTP/2 needs a context of its own, because httpx
        # sets the ALPN protocols of a context.
        self._context = functools.cache(self._make_context)
        # The first pool is made now, so that a wrong setting is an error when the client is opened.
        self._pools = [self._open_pool()]
        self._other_pools: dict[str | None, Pool] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        outgoing = make_request(self._module, request)
        pool = self._pool_for(request.url) if request.to_other_server else self._choose_pool()
        pool.in_use += 1
        try:
            response = await pool.transport.handle_async_request(outgoing)
        except BaseException as error:
            pool.give_up_after(error)
            self._give_back(pool)
            raise
        response.request = outgoing
        return to_response(response, functools.partial(self._close, pool, response))

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of the library; see `Transport.classify`."""
        kind = classify(self._module, error)
        # An HTTP/2 server may end a request while it is being sent. httpx reports this like a request that cannot be
        # written.
        return FailureKind.BROKEN_OFF if kind is FailureKind.UNWRITTEN and self._network.http2 else kind

    async def aclose(self) -> None:
        """Close all connections."""
        for pool in (*self._pools, *self._other_pools.values()):
            await pool.transport.aclose()
        if self._closing:
            await asyncio.wait(self._closing)

    def _choose_pool(self) -> Pool:
        """Return the first pool with a free connection, so that open connections are used again."""
        idle_since = time.monotonic() - KEEP_ALIVE_SECONDS
        for pool in self._pools[1:]:
            # httpx closes an idle connection only when its pool is used again.
            if not pool.in_use and pool.used_at < idle_since:
                self._pools.remove(pool)
                self._close_later(pool)
        for pool in self._pools:
            if pool.in_use < self._pool_size and not pool.given_up:
                return pool
        self._pools.append(self._open_pool())
        return self._pools[-1]

    async def _close(self, pool: Pool, response: Any) -> None:
        """Close a response, and give its connection back."""
        try:
            await response.aclose()
        except BaseException as error:
            pool.give_up_after(error)
            raise
        finally:
            self._give_back(pool)

    def _give_back(self, pool: Pool) -> None:
        pool.in_use -= 1
        pool.used_at = time.monotonic()
        if pool.given_up and not pool.in_use:
            self._pools = [other for other in self._pools if other is not pool]
            self._close_later(pool)

    def _close_later(self, pool: Pool) -> None:
        """Close a pool in a separate task, because the caller that gave it up may be cancelled."""
        task = asyncio.ensure_future(pool.transport.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _open_pool(self) -> Pool:
        """Open a pool of connections to the platform."""
        return self._make_pool(self._base_url, self._pool_size, self._network.unix_socket, shows_cert=True)

    def _pool_for(self, url: str) -> Pool:
        """Return the pool for another server; there is one pool for each proxy.

        Such a pool trusts the same authorities as the pools to the platform, but shows no client certificate.
        """
        proxy = self._proxies.proxy_for(url)
        key = None if proxy is None else proxy.url
        pool = self._other_pools.get(key)
        if pool is None or pool.given_up:
            self._other_pools[key] = pool = self._make_pool(url, self._max_connections, None, shows_cert=False)
        return pool

    def _make_pool(self, url: str, size: int, unix_socket: str | None, *, shows_cert: bool) -> Pool:
        library, http2, proxy = self._module, self._network.http2, self._proxies.proxy_for(url)
        if proxy is not None:
            # The context has no HTTP/2, because otherwise HTTP/2 would be offered to the proxy as well.
            context = self._context(shows_cert, False) if proxy.has_tls else None
            proxy = library.Proxy(proxy.url, auth=proxy.login, ssl_context=context)
        transport = library.AsyncHTTPTransport(
            # The value is never False, because then every certificate would be trusted.
            verify=self._context(shows_cert, http2) if url.startswith("https:") else context_without_tls(),
            trust_env=False,
            http2=http2,
            uds=unix_socket,
            limits=library.Limits(
                max_connections=size, max_keepalive_connections=size, keepalive_expiry=KEEP_ALIVE_SECONDS
            ),
            proxy=proxy,
        )
        return Pool(transport, has_proxy=proxy is not None)

    def _make_context(self, shows_cert: bool, http2: bool) -> Any:
        """Make a context; *http2* is only a part of the key under which it is cached."""
        return make_context(self._network.verify, self._network.cert if shows_cert else None)


class PassedTransport:
    """A transport, or a client with its event hooks, that the caller has made.

    Args:
        library: The module `httpx` or `httpx2`.
        passed: A transport of the library, which is closed with this object, or a client, which the caller closes.
    """

    def __init__(self, library: Any, passed: Any) -> None:
        self.agent = f"{library.__name__}/{library.__version__}"
        self._module = library
        self._passed = passed
        self._is_client = isinstance(passed, library.AsyncClient)
        in_process = isinstance(passed, library.MockTransport | library.ASGITransport)
        self.network_errors: tuple[type[Exception], ...] = () if in_process else NETWORK_ERRORS
        self.classify = functools.partial(classify, library)

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        if not self._is_client:
            outgoing = make_request(self._module, request)
            response = await self._passed.handle_async_request(outgoing)
            response.request = outgoing
            return to_response(response, response.aclose)
        if self._passed.is_closed:
            raise ConfigurationError("the http_client that was passed is closed")
        # The headers and cookies of a client are for the platform, not for the target of a redirect.
        build = self._module.Request if request.to_other_server else self._passed.build_request
        outgoing = make_request(self._module, request, build)
        try:
            # Following a redirect would carry a write, or the credential, to a server that the caller did not choose.
            response = await self._passed.send(outgoing, stream=True, auth=None, follow_redirects=False)
        except self._module.HTTPStatusError as error:
            # An event hook has called `raise_for_status`: the call makes its own error. Without its body, if the hook
            # has not read it, because the library has closed the response.
            response = error.response
            if not response.is_stream_consumed:
                response = self._module.Response(response.status_code, headers=response.headers)
        return to_response(response, response.aclose)

    async def aclose(self) -> None:
        """Close a transport that was passed. A client is closed by its caller."""
        if not self._is_client:
            await self._passed.aclose()


def make_request(library: Any, request: TransportRequest, build: Callable[..., Any] | None = None) -> Any:
    """Make a request of the library.

    Args:
        library: The module `httpx` or `httpx2`.
        request: The request.
        build: Makes the request, such as the method of a client; by default the library's class.
    """
    form = request.content if isinstance(request.content, Form) else None
    seconds = request.timeout
    return (build or library.Request)(
        request.method,
        # A URL with a query is not cached: its cursor is used only once.
        library.URL(request.url) if "?" in request.url else parse_url(library, request.url),
        headers=request.headers,
        content=None if form else request.content or None,
        files=form_files(form) if form else None,
        extensions={"timeout": {"connect": seconds, "read": seconds, "write": seconds, "pool": seconds}},
    )


@functools.lru_cache(CACHED_URLS)
def parse_url(library: Any, url: str) -> Any:
    """Return a URL of the library. Parsing it takes longer than everything else that is done for a request."""
    return library.URL(url)


def form_files(form: Form) -> list[tuple[str, tuple[Any, ...]]]:
    """Return a form as the library's files; its texts are files without a name."""
    return [(part.name, (part.filename, part.content, part.media_type)) for part in form.parts]


def to_response(response: Any, close: Callable[[], Awaitable[None]]) -> TransportResponse:
    """Return a response of the library with its body still to be read."""
    headers = response.headers.raw
    if response.is_stream_consumed:
        # The library has decoded a response that was made by hand, or that a hook has read.
        headers = [(name, value) for name, value in headers if name.lower() != b"content-encoding"]
        return TransportResponse(response.status_code, headers, response.aiter_bytes(), close)
    stream = response.stream
    # The stream of an application in the same process may have a form that only the library can read.
    chunks = aiter(stream) if hasattr(stream, "__aiter__") else response.aiter_raw()
    return TransportResponse(response.status_code, headers, chunks, close)


def classify(library: Any, error: Exception) -> FailureKind | None:
    """Return the meaning of an error of the library; see `Transport.classify`."""
    if not isinstance(error, library.HTTPError | library.InvalidURL):
        return None
    if isinstance(error, library.ProxyError) and str(error).startswith("407 "):
        # The library states the status only in the message.
        return FailureKind.PROXY_UNAUTHORIZED
    kinds = {
        library.PoolTimeout: FailureKind.POOL_TIMEOUT,
        library.ConnectTimeout: FailureKind.CONNECT_TIMEOUT,
        library.ConnectError: FailureKind.NOT_CONNECTED,
        library.ProxyError: FailureKind.NOT_CONNECTED,
        library.LocalProtocolError: FailureKind.UNWRITTEN,
        library.InvalidURL: FailureKind.UNWRITTEN,
        library.TimeoutException: FailureKind.TIMEOUT,
    }
    return next((kind for cls, kind in kinds.items() if isinstance(error, cls)), FailureKind.BROKEN_OFF)
