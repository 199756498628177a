"""The transport of the extra `aiohttp`: its sessions, neither following redirects nor sending anything again."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from ..errors import ConfigurationError
from ..network.certificates import make_context, trust_nobody
from ..network.settings import check_socks
from .aiohttp_connector import TcpConnector, UnixSocketConnector, describe_refusal
from .interface import FailureKind, ProxyError, TransportResponse, UnwrittenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..configuration import Configuration
    from ..network.proxy import Proxy
    from ..network.routes import Routes
    from .interface import TransportRequest

CACHED_URLS = 256
CACHED_HEADERS = 32
CACHED_TIMEOUTS = 16

# As long as httpx keeps an idle connection.
KEEP_ALIVE_SECONDS = 5.0

# aiohttp would state media types that the request does not have.
SKIPPED_HEADERS = ("Content-Type", "User-Agent", "Accept", "Accept-Encoding")

# The first that fits; a ServerTimeoutError is a ServerDisconnectedError of another kind.
KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
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
    """A transport through a session.

    Args:
        session: The session.
        routes: The proxies on the way, for a session of the SDK, which this closes; None for one of the caller.
        open_other: Opens a session for other servers than the platform's, which this closes; None: there is only one.
    """

    outlives_callers = False

    def __init__(
        self,
        session: aiohttp.ClientSession,
        routes: Routes | None = None,
        open_other: Callable[[], aiohttp.ClientSession] | None = None,
    ) -> None:
        self.library = f"aiohttp/{aiohttp.__version__}"
        self.owned = routes is not None
        self._session = session
        self._routes = routes
        self._open_other = open_other
        self._other: aiohttp.ClientSession | None = None
        self._in_use = 0
        self._parse_url = functools.lru_cache(CACHED_URLS)(functools.partial(URL, encoded=True))
        self._make_headers = functools.lru_cache(CACHED_HEADERS)(CIMultiDict)
        self._timeout = functools.lru_cache(CACHED_TIMEOUTS)(make_timeout)

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        session, content = self._session, request.content
        if session.closed:
            raise ConfigurationError("the http_client that was passed is closed")
        parameters: dict[str, Any] = {}
        extra: dict[str, str] = {}
        if not isinstance(content, bytes):
            parameters["data"] = aiter(content)
            if content.length is not None:
                extra["content-length"] = str(content.length)
        elif content:
            # None rather than no bytes, for which aiohttp states a media type.
            parameters["data"] = content
        if request.redirected and self._open_other is not None:
            session = self._other = self._other or self._open_other()
        if self._routes is not None and (proxy := self._routes.to(request.url)) is not None:
            parameters |= through_proxy(proxy, self._routes.named)
            if proxy.authorization is not None and request.url.startswith("http:"):
                # The proxy gets the request itself, and aiohttp sends the headers of a proxy with CONNECT only.
                extra["proxy-authorization"] = proxy.authorization
        try:
            url = URL(request.url, encoded=True) if "?" in request.url else self._parse_url(request.url)
            headers: Any = self._make_headers(request.headers)
        except (ValueError, UnicodeError) as error:
            raise UnwrittenError(str(error)) from None
        if extra:
            headers = CIMultiDict([*headers.items(), *extra.items()])
        # Of the platform's connections, not of those to other servers.
        counted = session is self._session
        self._in_use += counted
        try:
            response = await session.request(
                request.method,
                url,
                headers=headers,
                allow_redirects=False,
                raise_for_status=False,
                auto_decompress=False,
                skip_auto_headers=SKIPPED_HEADERS,
                timeout=self._timeout(request.timeout),
                **parameters,
            )
        except BaseException as error:
            self._in_use -= counted
            if isinstance(error, aiohttp.ClientHttpProxyError):
                # Its own message has the URL of the request.
                raise ProxyError(describe_refusal(error)) from None
            raise
        return TransportResponse(
            response.status,
            response.raw_headers,
            response.content.iter_any(),
            functools.partial(self._close, response, counted),
        )

    async def _close(self, response: aiohttp.ClientResponse, counted: bool) -> None:
        self._in_use -= counted
        # Of a body that was not read the connection is closed.
        response.release()

    def classify(self, error: Exception) -> FailureKind | None:
        """Return what an error of aiohttp says; see `Transport.classify`."""
        kind = next((kind for cls, kind in KINDS if isinstance(error, cls)), None)
        connector = self._session.connector
        if kind is FailureKind.CONNECT_TIMEOUT and connector is not None and 0 < connector.limit <= self._in_use:
            # aiohttp does not tell whether it waited for a connection or for the server.
            return FailureKind.POOL_TIMEOUT
        return kind

    async def aclose(self) -> None:
        """Close the connections of a session of the SDK; the owner of another one closes it."""
        if self.owned:
            await self._session.close()
        if self._other is not None:
            await self._other.close()


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
    session = aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), requote_redirect_url=False
    )
    # aiohttp would send a request again on a connection that was closed: the retry policy decides that.
    session._retry_connection = False  # pyright: ignore[reportPrivateUsage]  # no public way; a test watches it
    return session
