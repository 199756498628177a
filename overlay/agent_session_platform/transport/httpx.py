"""The transports of httpx, and of its successor httpx2, which has the same classes: neither is imported here.

Each of the SDK's own connections is in a pool of its own, and carries one request at a time. In a large pool, httpx
looks through all connections for each request, and may give one to two requests at once. It loses the connection of a
request that is cancelled, or whose tunnel fails: such a pool is closed. And over HTTP/2 the requests of one connection
hold each other up: the timeout of one ends all.
"""

from __future__ import annotations

import asyncio
import functools
import math
import traceback
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import ProxyResolver, context_without_tls, make_context
from ..request.body import Form
from .failures import NETWORK_ERRORS, FailureKind
from .protocol import KEEP_ALIVE_SECONDS, TransportRequest, TransportResponse

# How many parsed URLs are kept: many requests repeat a target, such as a session that is polled.
CACHED_URLS = 256

# A connection that was idle for longer may have been closed by the server, so a request may have to connect again.
# Looking at each request for that would make it slower by 3 %.
RECONNECT_SECONDS = 1.0

# The packages of httpx and httpx2. An error of a lower one may come through as it is, such as an error of h2 when a
# server breaks the rules of HTTP/2 in a body.
PACKAGES = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "h11", "h2", "anyio"})

# The code of HTTP/2 with which a server ends a request of which it has done nothing.
REFUSED_STREAM = 7

# The platform among the servers that have pools. Another server is the target of a redirect.
PLATFORM = ""


class Pool:
    """A pool of a single connection to one server, which carries one request at a time, also with HTTP/2.

    Args:
        transport: The transport of the library.
        server: The server, as a key of `PooledTransport`.

    Attributes:
        used_at: When a request was last given back, by the clock of the event loop; before the first one long ago.
        http2_stream: The connection, as a stream of httpcore, if it speaks HTTP/2.
    """

    def __init__(self, transport: Any, server: str) -> None:
        self.transport = transport
        self.server = server
        self.used_at = -math.inf
        self.http2_stream: Any = None

    @property
    def may_be_closed(self) -> bool:
        """True if the server has sent something on an idle connection of HTTP/2, such as its end.

        For HTTP/1.1 the library looks itself, and httpx does not for HTTP/2.
        """
        stream = self.http2_stream
        return stream is not None and bool(stream.get_extra_info("is_readable"))


class Handshake:
    """The socket of a connection until TLS is established: httpcore forgets it if the request is cancelled before.

    Attributes:
        stream: The socket, as a stream of httpcore; None before it is connected, and after the handshake.
    """

    stream: Any = None

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Note what httpcore does, as the function of its request extension `trace`."""
        if event.endswith((".connect_tcp.complete", ".connect_unix_socket.complete")):
            self.stream = info["return_value"]
        elif event.endswith(".start_tls.complete"):
            self.stream = None


class PooledTransport:
    """The SDK's own connections through httpx or httpx2.

    Args:
        library: The module `httpx` or `httpx2`.
        configuration: The settings of the client.
        proxies: The proxies to send through.

    Raises:
        ConfigurationError: Certificates or a proxy cannot be used.
    """

    def __init__(self, library: Any, configuration: Configuration, proxies: ProxyResolver) -> None:
        self.agent = f"{library.__name__}/{library.__version__}"
        self._module = library
        self._base_url = configuration.base_url
        self._network = configuration.network
        self._proxies = proxies
        self._max_connections = configuration.max_connections
        # Certificates are read once for a client, not once for a pool. HTTP/2 needs a context of its own, because httpx
        # sets the ALPN protocols of a context.
        self._context = functools.cache(self._make_context)
        # All pools that may have an open connection, and for each server those that are free, the latest at the end.
        self._pools: set[Pool] = set()
        self._free: defaultdict[str, deque[Pool]] = defaultdict(deque)
        self._closing: set[asyncio.Task[None]] = set()
        self._expiry: asyncio.TimerHandle | None = None
        # The first pool is made now, so that a wrong setting is an error when the client is opened.
        self._free[PLATFORM].append(self._open_pool(PLATFORM, self._base_url))

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        outgoing = make_request(self._module, request)
        pool = await self._take_pool(request)
        handshake = Handshake()
        if asyncio.get_running_loop().time() - pool.used_at >= RECONNECT_SECONDS:
            outgoing.extensions["trace"] = handshake.trace
        try:
            response = await pool.transport.handle_async_request(outgoing)
        except BaseException:
            self._close_later(pool)
            if handshake.stream is not None:
                self._await_later(handshake.stream.aclose())
            raise
        if response.extensions.get("http_version") == b"HTTP/2":
            pool.http2_stream = response.extensions["network_stream"]
        response.request = outgoing
        return to_response(response, functools.partial(self._close, pool, response))

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of the library; see `Transport.classify`."""
        return classify(self._module, error)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._expiry is not None:
            self._expiry.cancel()
        for pool in tuple(self._pools):
            self._close_later(pool)
        if self._closing:
            await asyncio.wait(self._closing)

    async def _take_pool(self, request: TransportRequest) -> Pool:
        """Return a pool for a request; of several ones that which was used last."""
        server = PLATFORM
        if request.to_other_server:
            server = server_of(request.url)
        free = self._free[server]
        while free and free[-1].may_be_closed:
            self._close_later(free.pop())
        if not free:
            await self._make_room(free)
        # While this request waited for room, a pool may have been given back.
        if free:
            return free.pop()
        return self._open_pool(server, request.url)

    def _give_back(self, pool: Pool) -> None:
        """Let the next request have a pool."""
        pool.used_at = asyncio.get_running_loop().time()
        self._free[pool.server].append(pool)
        self._expire_later()

    async def _close(self, pool: Pool, response: Any) -> None:
        """Close a response, and give its connection back."""
        try:
            await response.aclose()
        except BaseException:
            self._close_later(pool)
            raise
        self._give_back(pool)

    async def _make_room(self, free: deque[Pool]) -> None:
        """Wait until another connection may be opened, or a pool is free: one that is being closed still counts."""
        while not free and len(self._pools) >= self._max_connections:
            if not self._closing and not self._close_oldest():
                return
            await asyncio.wait(self._closing, return_when=asyncio.FIRST_COMPLETED)

    def _close_oldest(self) -> bool:
        """Close the idle pool that has not been used for the longest time; return whether there was one."""
        idle = self._oldest_idle()
        if not idle:
            return False
        pool = min(idle, key=lambda pool: pool.used_at)
        self._free[pool.server].remove(pool)
        self._close_later(pool)
        return True

    def _oldest_idle(self) -> list[Pool]:
        """Return the pool of each server that has been idle for the longest time."""
        return [free[0] for free in self._free.values() if free]

    def _expire_later(self) -> None:
        """Start the timer that closes idle pools, because httpx closes an idle connection only at the next request."""
        if self._expiry is not None:
            return
        idle = self._oldest_idle()
        if idle:
            oldest = min(pool.used_at for pool in idle)
            self._expiry = asyncio.get_running_loop().call_at(oldest + KEEP_ALIVE_SECONDS, self._expire)

    def _expire(self) -> None:
        """Close the pools that have been idle for KEEP_ALIVE_SECONDS."""
        self._expiry = None
        idle_since = asyncio.get_running_loop().time() - KEEP_ALIVE_SECONDS
        for free in self._free.values():
            while free and free[0].used_at <= idle_since:
                self._close_later(free.popleft())
        self._expire_later()

    def _close_later(self, pool: Pool) -> None:
        """Close a pool in a separate task, because the caller may be cancelled."""
        self._await_later(self._close_pool(pool))

    def _await_later(self, closing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(closing)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _close_pool(self, pool: Pool) -> None:
        try:
            # Nobody waits for this, so nobody could be told of an error.
            with suppress(Exception):
                await pool.transport.aclose()
        finally:
            self._pools.discard(pool)

    def _open_pool(self, server: str, url: str) -> Pool:
        """Open a pool for a server.

        All pools trust the same authorities, but only the platform is shown the client certificate.
        """
        pool = Pool(self._make_transport(url, is_platform=server == PLATFORM), server)
        self._pools.add(pool)
        return pool

    def _make_transport(self, url: str, *, is_platform: bool) -> Any:
        library, http2 = self._module, self._network.http2
        # The value is never False, because then every certificate would be trusted.
        verify = context_without_tls()
        if url.startswith("https:"):
            verify = self._context(is_platform, http2)
        unix_socket = None
        if is_platform:
            unix_socket = self._network.unix_socket
        return library.AsyncHTTPTransport(
            verify=verify,
            trust_env=False,
            http2=http2,
            uds=unix_socket,
            limits=library.Limits(max_connections=1, keepalive_expiry=KEEP_ALIVE_SECONDS),
            proxy=self._make_proxy(url, is_platform=is_platform),
        )

    def _make_proxy(self, url: str, *, is_platform: bool) -> Any:
        """Return the proxy for a URL, as the library has it; None for no proxy."""
        proxy = self._proxies.proxy_for(url)
        if proxy is None:
            return None
        context = None
        if proxy.has_tls:
            # The context has no HTTP/2, because otherwise HTTP/2 would be offered to the proxy as well.
            context = self._context(is_platform, False)
        return self._module.Proxy(proxy.url, auth=proxy.login, ssl_context=context)

    def _make_context(self, shows_cert: bool, http2: bool) -> Any:
        """Make a context; *http2* is only a part of the key under which it is cached."""
        cert = None
        if shows_cert:
            cert = self._network.cert
        return make_context(self._network.verify, cert)


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
        self._in_process = isinstance(passed, library.MockTransport | library.ASGITransport)

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
        build = self._passed.build_request
        if request.to_other_server:
            build = self._module.Request
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

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of the library; see `Transport.classify`."""
        return classify(self._module, error, in_process=self._in_process)

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
    content: bytes | None = None
    files: list[tuple[str, tuple[Any, ...]]] | None = None
    if isinstance(request.content, Form):
        files = form_files(request.content)
    elif request.content:
        content = request.content
    # A URL with a query is not cached: its cursor is used only once.
    url = library.URL(request.url) if "?" in request.url else parse_url(library, request.url)
    seconds = request.timeout
    timeout = {"connect": seconds, "read": seconds, "write": seconds, "pool": seconds}
    make = build or library.Request
    return make(
        request.method, url, headers=request.headers, content=content, files=files, extensions={"timeout": timeout}
    )


def server_of(url: str) -> str:
    """Return the scheme, the host and the port of a URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


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


def classify(library: Any, error: Exception, *, in_process: bool = False) -> FailureKind | None:
    """Return the meaning of an error of the library; see `Transport.classify`.

    Args:
        library: The module `httpx` or `httpx2`.
        error: The error.
        in_process: Whether an application in the same process responds: then only an error of the library is a failure
            of the network.
    """
    if not isinstance(error, library.HTTPError | library.InvalidURL):
        if in_process:
            return None
        return classify_unmapped(error)
    if isinstance(error, library.ProxyError) and str(error).startswith("407 "):
        # The library states the status only in the message.
        return FailureKind.PROXY_UNAUTHORIZED
    if isinstance(error, library.LocalProtocolError):
        # With HTTP/2 the library raises this error also when the server ends a request that is being sent. Only h11
        # checks a request before the first byte is sent. The cause is an error of httpcore.
        origin = error.__cause__ and error.__cause__.__context__
        if type(origin).__name__ == "TooManyStreamsError":
            # The server takes no request now, so nothing was sent.
            return FailureKind.REFUSED
        if package_of(origin) == "h11":
            return FailureKind.UNWRITTEN
        return FailureKind.BROKEN_OFF
    if was_refused(error):
        return FailureKind.REFUSED
    kinds = {
        library.PoolTimeout: FailureKind.POOL_TIMEOUT,
        library.ConnectTimeout: FailureKind.CONNECT_TIMEOUT,
        library.ConnectError: FailureKind.NOT_CONNECTED,
        library.ProxyError: FailureKind.NOT_CONNECTED,
        library.InvalidURL: FailureKind.UNWRITTEN,
        library.TimeoutException: FailureKind.TIMEOUT,
    }
    for cls, kind in kinds.items():
        if isinstance(error, cls):
            return kind
    return FailureKind.BROKEN_OFF


def was_refused(error: Exception) -> bool:
    """Return whether the server says over HTTP/2 that it has done nothing (RFC 9113, sections 6.8 and 8.7)."""
    if error.__cause__ is None or not error.__cause__.args:
        return False
    event = error.__cause__.args[0]
    last_stream = getattr(event, "last_stream_id", None)
    if last_stream is not None:
        # The server goes away, and 0 means that it has carried out no request of the connection.
        return bool(last_stream == 0)
    return bool(getattr(event, "error_code", None) == REFUSED_STREAM)


def classify_unmapped(error: Exception) -> FailureKind | None:
    """Return the meaning of an error that the library has not translated; see `Transport.classify`."""
    package = package_of(error)
    if package == "socksio":
        # The proxy has not connected to the server.
        return FailureKind.NOT_CONNECTED
    if isinstance(error, NETWORK_ERRORS) or package in PACKAGES:
        return FailureKind.BROKEN_OFF
    if isinstance(error, ValueError) and raised_by(error) in PACKAGES:
        # The status of an HTTP/2 response was not a number.
        return FailureKind.BROKEN_OFF
    return None


def package_of(error: BaseException | None) -> str:
    """Return the name of the package that defines the class of an error."""
    return type(error).__module__.partition(".")[0]


def raised_by(error: Exception) -> str:
    """Return the name of the package whose code has raised an error."""
    module = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        module = frame.f_globals["__name__"]
    return module.partition(".")[0]
