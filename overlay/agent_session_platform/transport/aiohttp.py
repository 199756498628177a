"""The transport of aiohttp: through a session of the SDK or of the caller."""

from __future__ import annotations

import functools
import io
import ssl
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, BinaryIO, cast

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import ProxyResolver, context_without_tls, make_context
from ..request.body import FileReader, Form
from .failures import NETWORK_ERRORS, FailureKind
from .protocol import KEEP_ALIVE_SECONDS, TransportRequest, TransportResponse

# The greatest size of the head of a response, as in httpx. aiohttp limits each line and the number of lines.
MAX_LINE = 100 * 1024
MAX_HEADERS = 500

# aiohttp warns of a larger body in one piece, because copying it blocks the event loop.
MAX_BODY_IN_ONE_PIECE = 1024 * 1024

SETTINGS: dict[str, Any] = {
    "allow_redirects": False,
    "raise_for_status": False,
    "auto_decompress": False,
    "max_line_size": MAX_LINE,
    "max_field_size": MAX_LINE,
    "max_headers": MAX_HEADERS,
}


class FinalError(Exception):
    """Wrapper that hides an error from aiohttp, which might send the request again; it never leaves the transport."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


async def send_once(request: aiohttp.ClientRequest, handler: Any) -> Any:
    """Send a request as a middleware of aiohttp, so that only the retry policy decides whether it is sent again."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except Exception as error:
        raise FinalError(error) from None


class AiohttpTransport:
    """A transport through aiohttp sessions.

    Args:
        session: The session for the platform.
        proxies: The proxies to send through.
        owned: Whether the session belongs to the SDK, and is closed with this transport.
        open_other_session: Opens the session for other servers, the targets of redirects.
    """

    agent = f"aiohttp/{aiohttp.__version__}"

    def __init__(
        self,
        session: aiohttp.ClientSession,
        proxies: ProxyResolver,
        open_other_session: Callable[[], aiohttp.ClientSession],
        *,
        owned: bool,
    ) -> None:
        self._owned = owned
        self._session = session
        self._proxies = proxies
        self._open_other_session = open_other_session
        self._other_session: aiohttp.ClientSession | None = None

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        session = self._session
        if request.to_other_server:
            session = self._other_session = self._other_session or self._open_other_session()
        if session.closed:
            raise ConfigurationError("the http_client that was passed is closed")
        try:
            response = await session.request(**self._arguments(request))
        except FinalError as error:
            raise error.error from None
        close = functools.partial(release, response)
        return TransportResponse(response.status, response.raw_headers, aiter(response.content.iter_any()), close)

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of aiohttp; see `Transport.classify`."""
        if isinstance(error, aiohttp.ClientHttpProxyError):
            if error.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
                return FailureKind.PROXY_UNAUTHORIZED
            return FailureKind.NOT_CONNECTED
        for cls, kind in FAILURE_KINDS:
            if isinstance(error, cls):
                return kind
        return None

    async def aclose(self) -> None:
        """Close the SDK's own connections."""
        if self._owned:
            await self._session.close()
        if self._other_session is not None:
            await self._other_session.close()

    def _arguments(self, request: TransportRequest) -> dict[str, Any]:
        """Return the arguments of `ClientSession.request`."""
        content = request.content
        headers = CIMultiDict(request.headers)
        seconds = request.timeout
        timeout = aiohttp.ClientTimeout(total=None, connect=seconds, sock_connect=seconds, sock_read=seconds)
        url = URL(request.url, encoded=True)
        arguments: dict[str, Any] = {"method": request.method, "url": url, "timeout": timeout}
        proxy = self._proxies.proxy_for(request.url)
        if proxy is not None:
            arguments["proxy"] = proxy.url
            if proxy.authorization is not None:
                arguments["proxy_headers"] = {"Proxy-Authorization": proxy.authorization}
                if request.url.startswith("http:"):
                    # An http request goes to the proxy without CONNECT. aiohttp sends `proxy_headers` only with
                    # CONNECT, so they are added here.
                    headers = CIMultiDict([*headers.items(), *arguments["proxy_headers"].items()])
        if isinstance(content, Form):
            return {**arguments, "data": form_data(content), "headers": headers, **SETTINGS}
        # Otherwise aiohttp would add a Content-Type to a request that has none.
        arguments["skip_auto_headers"] = ("Content-Type",)
        if content:
            arguments["data"] = content
            if len(content) > MAX_BODY_IN_ONE_PIECE:
                arguments["data"] = io.BytesIO(content)
        return {**arguments, "headers": headers, **SETTINGS}


# The first class that matches counts: a ServerTimeoutError is both a TimeoutError and a ClientError.
FAILURE_KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (aiohttp.ConnectionTimeoutError, FailureKind.CONNECT_TIMEOUT),
    (aiohttp.ClientConnectorError, FailureKind.NOT_CONNECTED),
    (aiohttp.ClientSSLError, FailureKind.NOT_CONNECTED),
    (aiohttp.InvalidURL, FailureKind.UNWRITTEN),
    (TimeoutError, FailureKind.TIMEOUT),
    (aiohttp.ClientError, FailureKind.BROKEN_OFF),
    *((cls, FailureKind.BROKEN_OFF) for cls in NETWORK_ERRORS),
)


def open_aiohttp(configuration: Configuration, proxies: ProxyResolver) -> AiohttpTransport:
    """Open the SDK's own sessions.

    Args:
        configuration: The settings of the client.
        proxies: The proxies to send through.

    Raises:
        ConfigurationError: Certificates or a proxy cannot be used.
    """
    network, base_url = configuration.network, configuration.base_url
    settings: dict[str, Any] = {"limit": configuration.max_connections, "keepalive_timeout": KEEP_ALIVE_SECONDS}

    def tcp_connector(context: ssl.SSLContext) -> aiohttp.TCPConnector:
        """Make a connector that looks up a host name for each connection, because the host may have moved."""
        return aiohttp.TCPConnector(ssl=context, ttl_dns_cache=0, **settings)

    def open_other_session() -> aiohttp.ClientSession:
        """Open the session for other servers: it trusts the same authorities, but shows no client certificate."""
        return open_session(tcp_connector(make_context(network.verify)))

    proxy = proxies.proxy_for(base_url)
    needs_tls = base_url.startswith("https:") or (proxy is not None and proxy.has_tls)
    connector: aiohttp.BaseConnector
    if network.unix_socket is not None:
        connector = aiohttp.UnixConnector(network.unix_socket, **settings)
    elif needs_tls:
        connector = tcp_connector(make_context(network.verify, network.cert))
    else:
        connector = tcp_connector(context_without_tls())
    return AiohttpTransport(open_session(connector), proxies, open_other_session, owned=True)


def wrap_session(session: aiohttp.ClientSession) -> AiohttpTransport:
    """Return the transport through a session that the caller has made and closes."""

    def open_other_session() -> aiohttp.ClientSession:
        """Open a session with the caller's connections, but without the caller's headers, cookies and middlewares."""
        return aiohttp.ClientSession(
            connector=session.connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=session.trust_env,
            middlewares=(send_once,),
        )

    return AiohttpTransport(session, ProxyResolver(), open_other_session, owned=False)


def open_session(connector: aiohttp.BaseConnector) -> aiohttp.ClientSession:
    """Open a session that keeps no cookie, and sends nothing twice."""
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), middlewares=(send_once,))


def form_data(form: Form) -> aiohttp.FormData:
    """Return a form as aiohttp writes it, always in multipart/form-data."""
    data = aiohttp.FormData(quote_fields=False, default_to_multipart=True)
    for part in form.parts:
        filename = part.filename
        if filename is not None:
            filename = quote_name(filename)
        content: Any = part.content
        if isinstance(content, FileReader):
            content = FilePayload(content, part.media_type)
        data.add_field(quote_name(part.name), content, filename=filename, content_type=part.media_type)
    return data


class FilePayload(aiohttp.IOBasePayload):
    """A file of a form.

    aiohttp's own payload takes the length of a file from its descriptor. And it is closed when the head of the response
    comes, though the file may still be sent.

    Args:
        reader: The file.
        media_type: The Content-Type of its part.
    """

    def __init__(self, reader: FileReader, media_type: str | None) -> None:
        super().__init__(cast("BinaryIO", reader), content_type=media_type)
        self._reader = reader

    @property
    def size(self) -> int | None:
        """How many bytes the file has; None if that is unknown."""
        return self._reader.size

    async def close(self) -> None:
        """Leave the file open for the rest of the attempt."""


def quote_name(name: str) -> str:
    """Write a quotation mark as browsers and httpx do; aiohttp would put a backslash before it."""
    return name.replace('"', "%22")


async def release(response: aiohttp.ClientResponse) -> None:
    """Give the connection of a response back; aiohttp closes it if the body was not read."""
    response.release()
