"""The transport of aiohttp: through a session of the SDK or of the caller."""

from __future__ import annotations

import functools
import io
import os
from base64 import b64encode
from typing import Any, BinaryIO, cast

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from ..configuration import Configuration
from ..network import Network, ProxyResolver, make_context
from ..request.body import FileReader, Form
from .failures import NETWORK_ERRORS, FailureKind
from .protocol import KEEP_ALIVE_SECONDS, TransportRequest, TransportResponse

# The first class that matches counts: a ServerTimeoutError is both a TimeoutError and a ClientError.
FAILURE_KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (aiohttp.ClientHttpProxyError, FailureKind.NOT_CONNECTED),
    (aiohttp.ConnectionTimeoutError, FailureKind.CONNECT_TIMEOUT),
    (aiohttp.ClientConnectorError, FailureKind.NOT_CONNECTED),
    (aiohttp.ClientSSLError, FailureKind.NOT_CONNECTED),
    (aiohttp.InvalidURL, FailureKind.UNWRITTEN),
    (TimeoutError, FailureKind.TIMEOUT),
    (aiohttp.ClientError, FailureKind.BROKEN_OFF),
    *((cls, FailureKind.BROKEN_OFF) for cls in NETWORK_ERRORS),
)


class FinalError(Exception):
    """Wrapper that hides an error from aiohttp, which might send the request again; it never leaves the transport."""


async def send_once(request: aiohttp.ClientRequest, handler: Any) -> Any:
    """Send a request as a middleware of aiohttp, so that only the retry policy decides whether it is sent again."""
    try:
        return await handler(request)
    except Exception as error:
        raise FinalError(error) from None


class AiohttpTransport:
    """A transport through aiohttp sessions.

    Args:
        session: The session for the platform.
        other_session: The session for other servers, the targets of redirects; closed with this transport.
        network: The settings of the SDK's own connections; None for a session that the caller has made and closes.
        proxies: The proxies to send through.
    """

    agent = f"aiohttp/{aiohttp.__version__}"

    def __init__(
        self,
        session: aiohttp.ClientSession,
        other_session: aiohttp.ClientSession,
        network: Network | None,
        proxies: ProxyResolver,
    ) -> None:
        self._session = session
        self._other_session = other_session
        self._network = network
        self._proxies = proxies
        # Certificates are read once for a client.
        self._context = functools.cache(make_context)

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        session = self._session
        if request.to_other_server:
            session = self._other_session
        try:
            # No local variable has the arguments: error reporters show local variables.
            response = await session.request(**self._arguments(request))
        except FinalError as final:
            error: Exception = final.args[0]
            raise error from None

        async def release() -> None:
            """Give the connection back; aiohttp closes it if the body was not read."""
            response.release()

        return TransportResponse(response.status, response.raw_headers, aiter(response.content.iter_any()), release)

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of aiohttp; see `Transport.classify`."""
        if isinstance(error, aiohttp.ClientHttpProxyError) and error.status == 407:
            return FailureKind.PROXY_UNAUTHORIZED
        for cls, kind in FAILURE_KINDS:
            if isinstance(error, cls):
                return kind
        return None

    async def aclose(self) -> None:
        """Close the SDK's own connections."""
        await self._other_session.close()
        if self._network is not None:
            await self._session.close()

    def _arguments(self, request: TransportRequest) -> dict[str, Any]:
        """Return the arguments of `ClientSession.request`."""
        seconds = request.timeout
        arguments: dict[str, Any] = {
            "method": request.method,
            "url": URL(request.url, encoded=True),
            "headers": CIMultiDict(request.headers),
            "timeout": aiohttp.ClientTimeout(total=None, connect=seconds, sock_connect=seconds, sock_read=seconds),
            "allow_redirects": False,
            "raise_for_status": False,
            "auto_decompress": False,
        }
        content = request.content
        if isinstance(content, Form):
            arguments["data"] = form_data(content)
        else:
            # Otherwise aiohttp would add a Content-Type to a request that has none.
            arguments["skip_auto_headers"] = ("Content-Type",)
            if content:
                # aiohttp warns of a large body in one piece.
                arguments["data"] = io.BytesIO(content)
        if self._network is not None:
            self._add_route(arguments, request, self._network)
        return arguments

    def _add_route(self, arguments: dict[str, Any], request: TransportRequest, network: Network) -> None:
        """Add the arguments that say how a server is reached: the certificates and the proxy."""
        is_https = request.url.startswith("https:")
        proxy = self._proxies.proxy_for(request.url)
        if is_https or (proxy is not None and proxy.has_tls):
            cert = network.cert
            if request.to_other_server:
                # Another server is shown no certificate.
                cert = None
            arguments["ssl"] = self._context(network.verify, cert)
        if proxy is None:
            return
        arguments["proxy"] = proxy.url
        if proxy.login is not None:
            login = b64encode(":".join(proxy.login).encode()).decode()
            authorization = {"Proxy-Authorization": f"Basic {login}"}
            if is_https:
                arguments["proxy_headers"] = authorization
            else:
                # aiohttp sends `proxy_headers` with CONNECT only, and this request goes to the proxy without CONNECT.
                arguments["headers"].update(authorization)


def open_aiohttp(configuration: Configuration, proxies: ProxyResolver) -> AiohttpTransport:
    """Open the SDK's own sessions.

    Args:
        configuration: The settings of the client.
        proxies: The proxies to send through.
    """
    network = configuration.network
    settings: dict[str, Any] = {"limit": configuration.max_connections, "keepalive_timeout": KEEP_ALIVE_SECONDS}
    # A host name is looked up for each connection, because the host may have moved.
    session = other_session = open_session(aiohttp.TCPConnector(ttl_dns_cache=0, **settings))
    if network.unix_socket is not None:
        session = open_session(aiohttp.UnixConnector(os.fspath(network.unix_socket), **settings))
    return AiohttpTransport(session, other_session, network, proxies)


def wrap_session(session: aiohttp.ClientSession) -> AiohttpTransport:
    """Return the transport through a session that the caller has made and closes."""
    # It has the caller's connections, but not the caller's headers, cookies and middlewares.
    other_session = open_session(session.connector, connector_owner=False, trust_env=session.trust_env)
    return AiohttpTransport(session, other_session, None, ProxyResolver())


def open_session(connector: aiohttp.BaseConnector | None, **settings: Any) -> aiohttp.ClientSession:
    """Open a session that keeps no cookie, and sends nothing twice."""
    jar = aiohttp.DummyCookieJar()
    return aiohttp.ClientSession(connector=connector, cookie_jar=jar, middlewares=(send_once,), **settings)


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
