"""The transport of the extra `aiohttp`: its sessions, neither following redirects nor sending anything again."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from ..errors import ConfigurationError
from .aiohttp_connector import NoFreeConnectionError, TcpConnector, UnixSocketConnector
from .interface import FailureKind, TransportResponse, UnwrittenError
from .tls import make_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ..configuration import Configuration
    from .interface import TransportRequest
    from .proxy import Routes

CACHED_URLS = 256
CACHED_HEADERS = 32
CACHED_TIMEOUTS = 16

# As long as httpx keeps an idle connection.
KEEP_ALIVE_SECONDS = 5.0

# As long as httpx takes the head of a response; aiohttp bounds each line and their number.
LONGEST_LINE = 100 * 1024
MOST_HEADERS = 500

SETTINGS: dict[str, Any] = {
    "allow_redirects": False,
    "raise_for_status": False,
    "auto_decompress": False,
    # aiohttp would state media types that the request does not have.
    "skip_auto_headers": ("Content-Type", "User-Agent", "Accept", "Accept-Encoding"),
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
    (aiohttp.ClientHttpProxyError, FailureKind.NOT_CONNECTED),
    (aiohttp.InvalidURL, FailureKind.UNWRITTEN),
    (TimeoutError, FailureKind.SILENCE),
    (aiohttp.ClientError, FailureKind.BROKEN_OFF),
    (ConnectionError, FailureKind.BROKEN_OFF),
)


class AiohttpTransport:
    """A transport through a session of the SDK.

    Args:
        session: The session; closed with this transport.
        routes: The proxies on the way.
    """

    owned = True
    outlives_callers = False

    def __init__(self, session: aiohttp.ClientSession, routes: Routes) -> None:
        self.library = LIBRARY
        self._session = session
        self._routes = routes
        self._arguments = RequestArguments()

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        arguments = self._arguments.make(request)
        if (proxy := self._routes.to(request.url)) is not None:
            arguments["proxy"] = proxy.url
            if proxy.credentials is not None:
                arguments["proxy_headers"] = {"Proxy-Authorization": aiohttp.encode_basic_auth(*proxy.credentials)}
        response = await self._session.request(**arguments)
        return TransportResponse(
            response.status, response.raw_headers, response.content.iter_any(), functools.partial(release, response)
        )

    def classify(self, error: Exception) -> FailureKind | None:
        """Return what an error of aiohttp says; see `Transport.classify`."""
        return next((kind for cls, kind in KINDS if isinstance(error, cls)), None)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.close()


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
                arguments["headers"] = with_length(headers, content.length)
        elif len(content) > LARGE_BODY:
            arguments["data"] = in_pieces(content)
            arguments["headers"] = with_length(headers, len(content))
        elif content:
            # None rather than no bytes, for which aiohttp states a media type.
            arguments["data"] = content
        return arguments


def with_length(headers: CIMultiDict[str], length: int) -> CIMultiDict[str]:
    """Return headers with the length of a body, without which it is sent in chunks."""
    return CIMultiDict([*headers.items(), ("content-length", str(length))])


async def in_pieces(content: bytes) -> AsyncIterator[bytes]:
    """Return a body in pieces."""
    for begin in range(0, len(content), PIECE):
        yield content[begin : begin + PIECE]


async def release(response: aiohttp.ClientResponse) -> None:
    """Give the connection of a response back; of a body that was not read it is closed."""
    response.release()


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
    session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
    # aiohttp would send a request again on a connection that was closed: the retry policy decides that.
    session._retry_connection = False  # pyright: ignore[reportPrivateUsage]  # no public way; a test watches it
    return AiohttpTransport(session, routes)
