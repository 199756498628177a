"""Transports of httpx, and of httpx2, which has the same classes: neither is imported here."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ..errors import ConfigurationError
from .httpx_proxy import send_watched
from .interface import CACHED_HEADERS, CACHED_URLS, FailureKind, TransportResponse, UnwrittenError
from .leftover import close_checked
from .slots import Slots

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

    from .interface import Headers, TransportRequest

# RFC 9110, section 8.6: these methods send Content-Length even with an empty body.
METHODS_WITH_BODY = ("POST", "PUT", "PATCH")

NO_CHUNKS: tuple[bytes, ...] = ()


class DirectTransport:
    """A transport through one of the library's own, without the cookies, redirects and hooks of its client.

    Args:
        library: The module `httpx` or `httpx2`.
        transport: Its transport, or pools of them; closed with this one.
        transport_to: Returns the transport to another server, by its URL.
        owned: Whether it is the SDK's, and not the caller's.
        slots: How many requests may be sent at once; None: the transport is not asked for more than it can.
    """

    outlives_callers = True

    def __init__(
        self,
        library: Any,
        transport: Any,
        transport_to: Callable[[Any], Any] | None = None,
        *,
        owned: bool = False,
        slots: int | None = None,
    ) -> None:
        self.library = f"{library.__name__}/{library.__version__}"
        self.owned = owned
        self._library = library
        self._transport = transport
        self._transport_to = transport_to or self._same
        self._cached_url = functools.lru_cache(CACHED_URLS)(library.URL)
        self._cached_headers = functools.lru_cache(CACHED_HEADERS)(self._make_headers)
        self.classify = functools.partial(classify, library)
        self._slots = None if slots is None else Slots(library, slots)
        # The SDK's own connections watch by themselves where there is a proxy, and in process there is none.
        self._is_watched = not owned and not isinstance(transport, (library.MockTransport, library.ASGITransport))

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        if self._slots is not None and not request.redirected:
            return await in_slot(self._slots, request.timeout, self._send(request))
        return await self._send(request)

    async def _send(self, request: TransportRequest) -> TransportResponse:
        """Send a request through the transport."""
        made = self._make_request(request)
        transport = self._transport_to(made.url) if request.redirected else self._transport
        if self._is_watched:
            response = await send_watched(self._library, made, transport.handle_async_request)
        else:
            response = await transport.handle_async_request(made)
        response.request = made
        return received(response, closer(response))

    def _make_request(self, request: TransportRequest) -> Any:
        """Make the library's request."""
        library, content = self._library, request.content
        try:
            url = library.URL(request.url) if "?" in request.url else self._cached_url(request.url)
            headers = self._cached_headers(url.netloc, request.headers)
            extensions = timeouts(request.timeout)
            if not isinstance(content, bytes):
                return library.Request(
                    request.method, url, headers=form_headers(headers, content), content=content, extensions=extensions
                )
            body = library.ByteStream(content)
            made = library.Request(request.method, url, headers=headers, stream=body, extensions=extensions)
            # A transport may read the content of a request, which a stream has only after it was read.
            length = len(made.read())
            if length or request.method in METHODS_WITH_BODY:
                made.headers["content-length"] = str(length)
        except (library.InvalidURL, UnicodeError) as error:
            raise UnwrittenError(str(error)) from None
        return made

    def _make_headers(self, host: bytes, headers: Headers) -> Any:
        return self._library.Headers([("host", host.decode("ascii")), *headers])

    def _same(self, url: Any) -> Any:
        return self._transport

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()


class ClientTransport:
    """A transport through a client that the caller has made and closes, with its event hooks.

    Args:
        library: The module `httpx` or `httpx2`.
        client: Its client.
        slots: How many requests may be sent at once; None: as many as there are.
    """

    owned = False
    outlives_callers = True

    def __init__(self, library: Any, client: Any, *, slots: int | None = None) -> None:
        self._slots = None if slots is None else Slots(library, slots)
        self.library = f"{library.__name__}/{library.__version__}"
        self._library = library
        self._client = client
        self.classify = functools.partial(classify, library)

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        client = self._client
        if client.is_closed:
            raise ConfigurationError("the http_client that was passed is closed")
        if request.redirected:
            # Below the client, whose credential, headers, cookies, hooks and log are not for another server. Private,
            # but as old as httpx's mounts; a test watches it.
            return await DirectTransport(self._library, None, client._transport_for_url).send(request)
        if self._slots is not None:
            return await in_slot(self._slots, request.timeout, self._send(request))
        return await self._send(request)

    async def _send(self, request: TransportRequest) -> TransportResponse:
        """Send a request through the client."""
        client, content = self._client, request.content
        try:
            headers = self._library.Headers(request.headers)
            if not isinstance(content, bytes):
                headers = form_headers(headers, content)
            made = client.build_request(
                request.method,
                request.url,
                content=content or None,
                headers=headers,
                extensions=timeouts(request.timeout),
            )
        except (self._library.InvalidURL, UnicodeError) as error:
            raise UnwrittenError(str(error)) from None
        try:
            # Following a redirect would carry a write, or the credential, to a server that the caller did not choose.
            send = functools.partial(client.send, stream=True, auth=None, follow_redirects=False)
            response = await send_watched(self._library, made, send)
        except self._library.HTTPStatusError as error:
            # Raised by an event hook: the status is all that is needed.
            return TransportResponse(error.response.status_code, error.response.headers.raw, no_body(), nothing)
        return received(response, closer(response))

    async def aclose(self) -> None:
        """Leave the client open: its owner closes it."""


async def in_slot(slots: Slots, seconds: float, sending: Coroutine[Any, Any, TransportResponse]) -> TransportResponse:
    """Send as soon as there is a slot, which is given back when the response is closed."""
    try:
        await slots.take(seconds)
    except BaseException:
        sending.close()
        raise
    try:
        response = await sending
    except BaseException:
        slots.give_back()
        raise

    async def close() -> None:
        try:
            await response.close()
        finally:
            slots.give_back()

    return response._replace(close=close)


def form_headers(headers: Any, form: Any) -> Any:
    """Return headers with those of a form: its length, or that it is sent in chunks."""
    length = {"transfer-encoding": "chunked"} if form.length is None else {"content-length": str(form.length)}
    headers = headers.copy()
    headers.update(length)
    return headers


def timeouts(seconds: float) -> dict[str, Any]:
    """Return the extensions of a request that is given up after so many seconds of silence in any phase."""
    return {"timeout": {"connect": seconds, "read": seconds, "write": seconds, "pool": seconds}}


def closer(response: Any) -> Callable[[], Awaitable[None]]:
    """Return what closes a response, and its connection where that must not be used again."""
    # A response that was made by hand came over no connection.
    return functools.partial(close_checked, response) if "network_stream" in response.extensions else response.aclose


def received(response: Any, close: Callable[[], Awaitable[None]]) -> TransportResponse:
    """Return a response of the library with its body still to be read."""
    headers = response.headers.raw
    if response.is_stream_consumed:
        # A response that was made by hand, or one that a hook has read: it was decoded by the library.
        headers = [(name, value) for name, value in headers if name.lower() != b"content-encoding"]
        chunks = response.aiter_bytes()
    else:
        stream = response.stream
        # A stream of an application in process may be one that only the library can read.
        chunks = aiter(stream) if hasattr(stream, "__aiter__") else response.aiter_raw()
    return TransportResponse(response.status_code, headers, chunks, close)


async def no_body() -> AsyncIterator[bytes]:
    """Return the body of a response that a hook has refused."""
    for chunk in NO_CHUNKS:
        yield chunk


async def nothing() -> None:
    """Close what is closed already."""


def classify(library: Any, error: Exception) -> FailureKind | None:
    """Return what an error of the library says; see `Transport.classify`."""
    if not isinstance(error, library.HTTPError | library.InvalidURL):
        return None
    if isinstance(error, library.ProxyError) and str(error).startswith("407 "):
        # The library tells the status in the message only.
        return FailureKind.PROXY_UNAUTHORIZED
    kinds = {
        library.PoolTimeout: FailureKind.POOL_TIMEOUT,
        library.ConnectTimeout: FailureKind.CONNECT_TIMEOUT,
        library.ConnectError: FailureKind.NOT_CONNECTED,
        library.ProxyError: FailureKind.NOT_CONNECTED,
        library.LocalProtocolError: FailureKind.UNWRITTEN,
        library.InvalidURL: FailureKind.UNWRITTEN,
        library.TimeoutException: FailureKind.SILENCE,
    }
    return next((kind for cls, kind in kinds.items() if isinstance(error, cls)), FailureKind.BROKEN_OFF)
