"""The transport of the extra `aiohttp`: its sessions, neither following redirects nor sending anything again."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from ..network.certificates import make_context, trust_nobody
from ..network.settings import check_socks
from .aiohttp_connector import NoFreeConnectionError, TcpConnector, UnixSocketConnector, refused_by_proxy
from .interface import (
    CACHED_HEADERS,
    CACHED_URLS,
    KEEP_ALIVE_SECONDS,
    FailureKind,
    ProxyError,
    TransportResponse,
    UnwrittenError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from ..configuration import Configuration
    from ..network.proxy import Proxy
    from ..network.routes import Routes
    from .interface import TransportRequest

CACHED_TIMEOUTS = 16

# As long as httpx takes the head of a response; aiohttp bounds each line and their number.
LONGEST_LINE = 100 * 1024
MOST_HEADERS = 500

SETTINGS: dict[str, Any] = {"allow_redirects": False, "raise_for_status": False, "auto_decompress": False}

# Of a session of the SDK once, of one of the caller for each request.
SESSION_SETTINGS: dict[str, Any] = {
    # aiohttp would state a media type that the request does not have; it has the other headers that it would add.
    "skip_auto_headers": ("Content-Type",),
    "max_line_size": LONGEST_LINE,
    "max_field_size": LONGEST_LINE,
    "max_headers": MOST_HEADERS,
}

# Of a larger body in one piece aiohttp warns, because copying it holds up the event loop.
LARGE_BODY = 1024 * 1024
PIECE = 64 * 1024

LIBRARY = f"aiohttp/{aiohttp.__version__}"

# The first that fits; a ServerTimeoutError is a ServerDisconnectedError of another kind.
KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (NoFreeConnectionError, FailureKind.POOL_TIMEOUT),
    (aiohttp.ConnectionTimeoutError, FailureKind.CONNECT_TIMEOUT),
    (aiohttp.ClientConnectorError, FailureKind.NOT_CONNECTED),
    (aiohttp.ClientSSLError, FailureKind.NOT_CONNECTED),
    (ProxyError, FailureKind.NOT_CONNECTED),
    (aiohttp.InvalidURL, FailureKind.UNWRITTEN),
    (TimeoutError, FailureKind.SILENCE),
    (aiohttp.ClientError, FailureKind.BROKEN_OFF),
    (ConnectionError, FailureKind.BROKEN_OFF),
)


class AiohttpTransport:
    """A transport through sessions of the SDK.

    Args:
        session: The session; closed with this transport.
        routes: The proxies on the way.
        open_other: Opens the session for other servers than the platform's, which this closes.
    """

    owned = True
    outlives_callers = False

    def __init__(
        self, session: aiohttp.ClientSession, routes: Routes, open_other: Callable[[], aiohttp.ClientSession]
    ) -> None:
        self.library = LIBRARY
        self._session = session
        self._routes = routes
        self._open_other = open_other
        self._other: aiohttp.ClientSession | None = None
        self._arguments = RequestArguments()

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        session = self._session
        if request.redirected:
            session = self._other = self._other or self._open_other()
        arguments = self._arguments.make(request)
        if (proxy := self._routes.to(request.url)) is not None:
            arguments |= through_proxy(proxy, self._routes.named)
            if proxy.authorization is not None and request.url.startswith("http:"):
                # The proxy gets the request itself, and aiohttp sends the headers of a proxy with CONNECT only.
                arguments["headers"] = with_header(arguments["headers"], "proxy-authorization", proxy.authorization)
        try:
            response = await session.request(**arguments)
        except aiohttp.ClientHttpProxyError as error:
            # Its own message has the URL of the request.
            raise refused_by_proxy(error) from None
        if response.content.is_eof():
            content = response.content.read_nowait(-1)
            return TransportResponse(response.status, response.raw_headers, once(content), released, content)
        close = functools.partial(release, response)
        return TransportResponse(response.status, response.raw_headers, aiter(response.content.iter_any()), close)

    def classify(self, error: Exception) -> FailureKind | None:
        """Return what an error of aiohttp says; see `Transport.classify`."""
        return classify(error)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.close()
        if self._other is not None:
            await self._other.close()


class RequestArguments:
    """Makes the arguments of `ClientSession.request`, and keeps those that many requests have in common."""

    def __init__(self) -> None:
        self._parse_url = functools.lru_cache(CACHED_URLS)(functools.partial(URL, encoded=True))
        self._make_headers = functools.lru_cache(CACHED_HEADERS)(CIMultiDict[str])
        self._timeout = functools.lru_cache(CACHED_TIMEOUTS)(make_timeout)

    def make(self, request: TransportRequest) -> dict[str, Any]:
        """Make the arguments of a request."""
        content = request.content
        try:
            url = URL(request.url, encoded=True) if "?" in request.url else self._parse_url(request.url)
            headers = self._make_headers(request.headers)
        except (ValueError, UnicodeError) as error:
            raise UnwrittenError(str(error)) from None
        arguments = {
            "method": request.method,
            "url": url,
            "headers": headers,
            "timeout": self._timeout(request.timeout),
            **SETTINGS,
        }
        if not isinstance(content, bytes):
            arguments["data"] = aiter(content)
            if content.length is not None:
                arguments["headers"] = with_header(headers, "content-length", str(content.length))
        elif len(content) > LARGE_BODY:
            arguments["data"] = in_pieces(content)
            arguments["headers"] = with_header(headers, "content-length", str(len(content)))
        elif content:
            # None rather than no bytes, for which aiohttp states a media type.
            arguments["data"] = content
        return arguments


def classify(error: Exception) -> FailureKind | None:
    """Return what an error of aiohttp says; see `Transport.classify`."""
    if isinstance(error, ProxyError) and error.status == 407:
        return FailureKind.PROXY_UNAUTHORIZED
    return next((kind for cls, kind in KINDS if isinstance(error, cls)), None)


def with_header(headers: CIMultiDict[str], name: str, value: str) -> CIMultiDict[str]:
    """Return headers with another one."""
    return CIMultiDict([*headers.items(), (name, value)])


async def once(content: bytes) -> AsyncIterator[bytes]:
    """Return a body that has come already."""
    yield content


async def in_pieces(content: bytes) -> AsyncIterator[bytes]:
    """Return a body in pieces."""
    for begin in range(0, len(content), PIECE):
        yield content[begin : begin + PIECE]


async def release(response: aiohttp.ClientResponse) -> None:
    """Give the connection of a response back; of a body that was not read it is closed."""
    response.release()


async def released() -> None:
    """Do nothing: aiohttp gives the connection back with the last byte of the body."""


def make_timeout(seconds: float) -> aiohttp.ClientTimeout:
    """Return the timeouts of a request that is given up after so many seconds of silence in any phase."""
    return aiohttp.ClientTimeout(total=None, connect=seconds, sock_connect=seconds, sock_read=seconds)


def through_proxy(proxy: Proxy, named: str) -> dict[str, Any]:
    """Return the parameters of a request that goes through a proxy.

    Args:
        proxy: The proxy.
        named: Where it is from, for the message.

    Raises:
        ConfigurationError: aiohttp cannot use it.
    """
    if proxy.is_socks:
        check_socks("aiohttp", named)
    if proxy.authorization is None:
        return {"proxy": proxy.url}
    return {"proxy": proxy.url, "proxy_headers": {"Proxy-Authorization": proxy.authorization}}


def open_aiohttp(configuration: Configuration, routes: Routes) -> AiohttpTransport:
    """Open the sessions of the SDK.

    Args:
        configuration: The settings of the client.
        routes: The proxies on the way.

    Raises:
        ConfigurationError: Certificates or a proxy cannot be used.
    """
    network, base_url = configuration.network, configuration.base_url
    loop = asyncio.get_running_loop()
    settings: dict[str, Any] = {
        "limit": configuration.max_connections,
        "keepalive_timeout": KEEP_ALIVE_SECONDS,
        "loop": loop,
    }

    def open_other() -> aiohttp.ClientSession:
        """Open the session for other servers: over the network, with the same trust, and showing no certificate."""
        return open_session(TcpConnector(ssl=make_context(network.verify), **settings))

    proxy = routes.to(base_url)
    if proxy is not None:
        through_proxy(proxy, routes.named)
    if network.unix_socket is not None:
        return AiohttpTransport(open_session(UnixSocketConnector(network.unix_socket, **settings)), routes, open_other)
    needs_tls = base_url.startswith("https:") or (proxy is not None and proxy.has_tls)
    context = make_context(network.verify, network.cert) if needs_tls else trust_nobody()
    return AiohttpTransport(open_session(TcpConnector(ssl=context, **settings)), routes, open_other)


def open_session(connector: aiohttp.BaseConnector) -> aiohttp.ClientSession:
    """Open a session that follows no redirect, keeps no cookie and sends nothing again."""
    session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), **SESSION_SETTINGS)
    # aiohttp would send a request again on a connection that was closed: the retry policy decides that.
    session._retry_connection = False  # pyright: ignore[reportPrivateUsage]  # no public way; a test watches it
    return session
