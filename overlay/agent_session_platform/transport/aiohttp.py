"""The transport of the extra `aiohttp`: its sessions, neither following redirects nor sending anything again."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from ..errors import ConfigurationError
from .aiohttp_connector import TcpConnector, UnixSocketConnector
from .interface import FailureKind, TransportResponse, UnwrittenError
from .tls import make_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ..configuration import Configuration
    from .interface import Headers, TransportRequest
    from .proxy import Routes

CACHED_URLS = 256
CACHED_HEADERS = 32
CACHED_TIMEOUTS = 16

# As long as httpx keeps an idle connection.
KEEP_ALIVE_SECONDS = 5.0

# The first that fits; a ServerTimeoutError is a ServerDisconnectedError of another kind.
KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (aiohttp.ConnectionTimeoutError, FailureKind.CONNECT_TIMEOUT),
    (aiohttp.ClientConnectorError, FailureKind.NOT_CONNECTED),
    (aiohttp.ClientSSLError, FailureKind.NOT_CONNECTED),
    (aiohttp.ClientHttpProxyError, FailureKind.NOT_CONNECTED),
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
    """

    outlives_callers = False

    def __init__(self, session: aiohttp.ClientSession, routes: Routes | None = None) -> None:
        self.library = f"aiohttp/{aiohttp.__version__}"
        self.owned = routes is not None
        self._session = session
        self._routes = routes
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
        if not isinstance(content, bytes):
            parameters["data"] = aiter(content)
            if content.length is not None:
                parameters["headers"] = {"content-length": str(content.length)}
        elif content:
            # None rather than no bytes, for which aiohttp states a media type.
            parameters["data"] = content
        if self._routes is not None and (proxy := self._routes.to(request.url)) is not None:
            parameters["proxy"] = proxy.url
            if proxy.credentials is not None:
                parameters["proxy_headers"] = {"Proxy-Authorization": aiohttp.encode_basic_auth(*proxy.credentials)}
        try:
            url = URL(request.url, encoded=True) if "?" in request.url else self._parse_url(request.url)
            headers: Any = self._make_headers(request.headers)
        except (ValueError, UnicodeError) as error:
            raise UnwrittenError(str(error)) from None
        if "headers" in parameters:
            headers = CIMultiDict([*headers.items(), *parameters.pop("headers").items()])
        self._in_use += 1
        try:
            response = await session.request(
                request.method,
                url,
                headers=headers,
                allow_redirects=False,
                raise_for_status=False,
                auto_decompress=False,
                timeout=self._timeout(request.timeout),
                **parameters,
            )
        except BaseException:
            self._in_use -= 1
            raise
        if response.content.is_eof():
            content = response.content.read_nowait(-1)
            return TransportResponse(
                response.status, response.raw_headers, once(content), functools.partial(self._close, response), content
            )
        chunks = aiter(response.content.iter_any())
        if not self.owned:
            chunks = bounded(chunks, request.timeout)
        return TransportResponse(
            response.status, response.raw_headers, chunks, functools.partial(self._close, response)
        )

    async def _close(self, response: aiohttp.ClientResponse) -> None:
        self._in_use -= 1
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


async def once(content: bytes) -> AsyncIterator[bytes]:
    """Return a body that has come already."""
    yield content


async def bounded(chunks: AsyncIterator[bytes], seconds: float) -> AsyncIterator[bytes]:
    """Return a body each of whose chunks comes in time: after bytes that it cannot parse, aiohttp waits for ever."""
    while True:
        async with asyncio.timeout(seconds):
            chunk = await anext(chunks, b"")
        if not chunk:
            return
        yield chunk


def make_timeout(seconds: float) -> aiohttp.ClientTimeout:
    """Return the timeouts of a request that is given up after so many seconds of silence in any phase."""
    return aiohttp.ClientTimeout(total=None, connect=seconds, sock_connect=seconds, sock_read=seconds)


def open_aiohttp(configuration: Configuration, routes: Routes) -> AiohttpTransport:
    """Open a session of the SDK.

    Args:
        configuration: The settings of the client.
        routes: The proxies on the way.

    Raises:
        ConfigurationError: Certificates or a proxy cannot be used.
    """
    network, limit = configuration.network, configuration.max_connections
    proxy = routes.to(configuration.base_url)
    if proxy is not None and proxy.is_socks:
        raise ConfigurationError("a SOCKS proxy needs transport='httpx' or 'httpx2': aiohttp has none")
    loop = asyncio.get_running_loop()
    settings: dict[str, Any] = {"limit": limit, "keepalive_timeout": KEEP_ALIVE_SECONDS, "loop": loop}
    connector: aiohttp.BaseConnector
    if network.unix_socket is not None:
        connector = UnixSocketConnector(network.unix_socket, **settings)
    else:
        connector = TcpConnector(ssl=make_context(network.verify, network.cert), **settings)
    session = aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), skip_auto_headers=("Content-Type",)
    )
    # aiohttp would send a request again on a connection that was closed: the retry policy decides that.
    session._retry_connection = False  # pyright: ignore[reportPrivateUsage]  # no public way; a test watches it
    return AiohttpTransport(session, routes)
