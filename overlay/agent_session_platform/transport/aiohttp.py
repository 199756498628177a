"""The transport of aiohttp: through a session of the SDK or of the caller."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, BinaryIO, cast

import aiohttp
from yarl import URL

from ..configuration import Configuration
from ..network import Proxy, make_context
from ..request.body import FileReader, Form
from .failures import NETWORK_ERRORS, FailureKind, FailureKinds, RefusedRequestError, find_failure_kind
from .protocol import KEEP_ALIVE_SECONDS, TransportRequest, TransportResponse


class FinalError(Exception):
    """Wrapper that hides an error from aiohttp, which might send the request again; it never leaves the transport."""


# No connection was made: to the server, or through the proxy.
CONNECT_ERRORS = (
    aiohttp.ClientHttpProxyError,
    aiohttp.ClientConnectorError,
    aiohttp.ClientSSLError,
)
# These errors say that the request was not sent.
UNSENT_KINDS: FailureKinds = (
    (RefusedRequestError, FailureKind.UNWRITTEN),
    (CONNECT_ERRORS, FailureKind.NOT_CONNECTED),
    (aiohttp.ConnectionTimeoutError, FailureKind.CONNECT_TIMEOUT),
)
# The first class that matches counts: a ServerTimeoutError is both a TimeoutError and a ClientError.
FAILURE_KINDS: FailureKinds = (
    *UNSENT_KINDS,
    (TimeoutError, FailureKind.TIMEOUT),
    ((aiohttp.ClientError, *NETWORK_ERRORS), FailureKind.BROKEN_OFF),
)


class SendOnce:
    """The middlewares around those of a session, for one request: they see what became of it.

    Attributes:
        may_have_arrived: Whether the server may have received the request.
    """

    def __init__(self) -> None:
        self.may_have_arrived = False

    async def outermost(self, request: aiohttp.ClientRequest, handler: Any) -> Any:
        """Send a request, so that only the retry policy decides whether it is sent again."""
        try:
            return await handler(request)
        except Exception as error:
            raise FinalError(error) from None

    async def innermost(self, request: aiohttp.ClientRequest, handler: Any) -> Any:
        """Send a request, and note whether it may have arrived: a middleware may fail, or repeat it, afterwards."""
        try:
            response = await handler(request)
        except (*CONNECT_ERRORS, aiohttp.ConnectionTimeoutError):
            raise
        except BaseException:
            self.may_have_arrived = True
            raise
        self.may_have_arrived = True
        return response


class AiohttpTransport:
    """A transport through an aiohttp session.

    Args:
        session: The session.
        is_own: Whether the session is closed with this transport; the caller closes a session that was passed.
        route: Arguments of a request that lead it through a proxy.
    """

    agent = f"aiohttp/{aiohttp.__version__}"

    def __init__(self, session: aiohttp.ClientSession, *, is_own: bool, route: Mapping[str, Any]) -> None:
        self._session = session
        self._is_own = is_own
        # aiohttp has no public attribute for the middlewares of a session, which those of a request replace.
        self._middlewares = session._middlewares  # pyright: ignore[reportPrivateUsage]
        self._settings: dict[str, Any] = {
            "allow_redirects": False,
            "raise_for_status": False,
            "auto_decompress": False,
            **route,
        }

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        error: Exception
        once = SendOnce()
        middlewares = (once.outermost, *self._middlewares, once.innermost)
        try:
            # No local variable has the arguments: error reporters show local variables.
            response = await self._session.request(**self._arguments(request), middlewares=middlewares)
        except FinalError as final:
            error = final.args[0]
        except Exception as refusal:
            error = RefusedRequestError(str(refusal))
        else:
            chunks = aiter(response.content.iter_any())
            # A connection whose body was not read is closed.
            return TransportResponse(response.status, response.raw_headers, chunks, response.release)
        if once.may_have_arrived and find_failure_kind(error, UNSENT_KINDS) is not None:
            # It is the error of a middleware or a trace of the caller, which may have made a request of its own.
            error = aiohttp.ClientError(f"{type(error).__name__}: {error}")
        # The error that aiohttp has raised is not its context, because the frames of aiohttp have the credential.
        raise error

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of aiohttp; see `Transport.classify`."""
        if isinstance(error, aiohttp.ClientHttpProxyError) and error.status == 407:
            return FailureKind.PROXY_UNAUTHORIZED
        return find_failure_kind(error, FAILURE_KINDS)

    async def aclose(self) -> None:
        """Close the SDK's own connections."""
        if self._is_own:
            await self._session.close()

    def _arguments(self, request: TransportRequest) -> dict[str, Any]:
        """Return the arguments of `ClientSession.request`."""
        seconds = request.timeout
        arguments: dict[str, Any] = {
            "method": request.method,
            "url": URL(request.url, encoded=True),
            "headers": request.headers,
            "timeout": aiohttp.ClientTimeout(total=None, connect=seconds, sock_connect=seconds, sock_read=seconds),
            **self._settings,
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
        return arguments


def open_aiohttp(configuration: Configuration, proxy: Proxy | None) -> AiohttpTransport:
    """Open a session of the SDK's own connections, through a proxy if there is one."""
    is_https = configuration.base_url.startswith("https:")
    context: Any = True
    if is_https or (proxy is not None and proxy.has_tls):
        context = make_context(configuration.verify)
    route: dict[str, Any] = {}
    login: dict[str, str] = {}
    if proxy is not None:
        if proxy.login is not None:
            login["Proxy-Authorization"] = aiohttp.encode_basic_auth(*proxy.login)
        route = {"proxy": proxy.url, "proxy_headers": login}
    # aiohttp sends `proxy_headers` with CONNECT only, and an http request goes to the proxy without CONNECT.
    headers = None if is_https else login
    connector = aiohttp.TCPConnector(
        limit=configuration.max_connections,
        keepalive_timeout=KEEP_ALIVE_SECONDS,
        ssl=context,
        # A host name is looked up for each connection, because the host may have moved.
        ttl_dns_cache=0,
    )
    session = aiohttp.ClientSession(connector=connector, headers=headers, cookie_jar=aiohttp.DummyCookieJar())
    return AiohttpTransport(session, is_own=True, route=route)


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
