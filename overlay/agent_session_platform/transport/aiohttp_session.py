"""The transport through an aiohttp session that the caller has made and closes, with its middlewares and traces.

aiohttp does not show what came after a response, and a connection that is used again would hand it to the next call as
its response. The SDK's own connections look for themselves; those of the caller are closed after one response each.
"""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any

import aiohttp

from ..errors import ConfigurationError
from .aiohttp import KINDS, LIBRARY, SESSION_SETTINGS, RequestArguments, in_pieces, release, with_header
from .aiohttp_connector import INCOMPLETE, give_up_writing, poll_of
from .interface import FailureKind, TransportResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .interface import TransportRequest

# How many connections on which something has come already may be taken from the session, one after the other.
MOST_USED = 10

# After so many steps the event loop has read what had come.
STEPS_TO_READ = 3


class SessionTransport:
    """A transport through a session of the caller.

    Args:
        session: The session, which stays open.
    """

    owned = False
    outlives_callers = False

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.library = LIBRARY
        self._session = session
        self._elsewhere: aiohttp.ClientSession | None = None
        self._arguments = RequestArguments()
        # Those that have a connection.
        self._exchanges: set[OneExchange] = set()

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        if self._session.closed:
            raise ConfigurationError("the http_client that was passed is closed")
        # Not public; a test watches it. Those of a request would replace those of the session.
        middlewares = () if request.redirected else self._session._middlewares  # pyright: ignore[reportPrivateUsage]
        session = self._other_session() if request.redirected else self._session
        for _ in range(MOST_USED):
            exchange = OneExchange(request, self._exchanges)
            arguments = self._arguments.make(request)
            if request.content:
                arguments["data"] = exchange.pieces()
                if isinstance(request.content, bytes) and "content-length" not in arguments["headers"]:
                    arguments["headers"] = with_header(
                        arguments["headers"], "content-length", str(len(request.content))
                    )
            chain = (never_again, *middlewares, exchange.watch)
            try:
                response = await session.request(**arguments, **SESSION_SETTINGS, middlewares=chain)
            except UsedConnectionError:
                continue
            except BaseException as error:
                exchange.end()
                if isinstance(error, BrokenOffError):
                    raise error.reason from None
                raise
            close = functools.partial(exchange.close, response)
            exchange.watch_body(response.content)
            return TransportResponse(response.status, response.raw_headers, aiter(response.content.iter_any()), close)
        raise aiohttp.ClientConnectionError("every connection had bytes that no request asked for")

    def classify(self, error: Exception) -> FailureKind | None:
        """Return what an error of aiohttp says; see `Transport.classify`."""
        kind = next((kind for cls, kind in KINDS if isinstance(error, cls)), None)
        if kind is FailureKind.CONNECT_TIMEOUT and self._is_full():
            # aiohttp does not tell whether it waited for a connection or for the server.
            return FailureKind.POOL_TIMEOUT
        return kind

    def _is_full(self) -> bool:
        """Return whether the requests of this transport have all connections that the session may make."""
        connector = self._session.connector
        limits = [] if connector is None else [connector.limit, connector.limit_per_host]
        return any(0 < limit <= len(self._exchanges) for limit in limits)

    def _other_session(self) -> aiohttp.ClientSession:
        """Return a session with the connections of the caller's, but without its headers, cookies and middlewares."""
        if self._elsewhere is None:
            self._elsewhere = aiohttp.ClientSession(
                connector=self._session.connector,
                connector_owner=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=self._session.trust_env,
            )
        return self._elsewhere

    async def aclose(self) -> None:
        """Leave the session open: its owner closes it."""
        if self._elsewhere is not None:
            await self._elsewhere.close()


class UsedConnectionError(Exception):
    """Something has come on a connection before the request was sent; never leaves the transport."""


class BrokenOffError(Exception):
    """An exchange broke off, with an error after which aiohttp would send it again; never leaves the transport."""

    def __init__(self, reason: Exception) -> None:
        super().__init__()
        self.reason = reason


class OneExchange:
    """A request and its response, on a connection that is closed afterwards."""

    def __init__(self, request: TransportRequest, connected: set[OneExchange]) -> None:
        self._request = request
        self._connected = connected
        self._written = 0
        self._timer: asyncio.TimerHandle | None = None
        self._protocol: Any = None

    async def pieces(self) -> AsyncIterator[bytes]:
        """Return the content piece by piece."""
        content = self._request.content
        async for chunk in in_pieces(content) if isinstance(content, bytes) else content:
            self._written += 1
            yield chunk

    async def watch(self, request: aiohttp.ClientRequest, handler: Any) -> aiohttp.ClientResponse:
        """Send as a middleware of aiohttp, the one next to the connection."""
        send = request.send

        async def send_watched(conn: Any) -> aiohttp.ClientResponse:
            protocol = conn.protocol
            if await has_been_used(protocol):
                raise UsedConnectionError
            protocol.force_close()
            self._protocol = protocol
            self._connected.add(self)
            if self._request.content:
                self._look_again(protocol, ())
            return await send(conn)

        # The only place where the connection is known before anything is sent.
        request.send = send_watched  # type: ignore[method-assign]  # of this request only
        response: aiohttp.ClientResponse = await handler(request)
        return response

    def watch_body(self, body: aiohttp.StreamReader) -> None:
        """Fail a body that is not complete when its connection is closed: aiohttp may leave its reader waiting."""

        def fail(closed: asyncio.Future[None] | None = None) -> None:
            if closed is not None and not closed.cancelled():
                closed.exception()
            if not body.is_eof() and body.exception() is None:
                body.set_exception(aiohttp.ClientPayloadError(INCOMPLETE))

        # A middleware may have made the response itself.
        if self._protocol is not None:
            closed = self._protocol.closed
            fail() if closed is None else closed.add_done_callback(fail)

    def _look_again(self, protocol: Any, before: tuple[int, ...]) -> None:
        """Give up when the server has taken nothing of the content since the last time."""
        transport = protocol.transport
        if transport is None:
            return
        size = transport.get_write_buffer_size()
        if size and (self._written, size) == before:
            give_up_writing(protocol)
            return
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._request.timeout, self._look_again, protocol, (self._written, size))

    async def close(self, response: aiohttp.ClientResponse) -> None:
        """Close the response, and its connection."""
        self.end()
        await release(response)

    def end(self) -> None:
        """Forget the exchange."""
        self._connected.discard(self)
        if self._timer is not None:
            self._timer.cancel()


async def has_been_used(protocol: Any) -> bool:
    """Return whether something has come on a connection, or its end: the application uses the session, too."""
    transport = protocol.transport
    if transport is not None and transport.get_extra_info("ssl_object") is None:
        socket = transport.get_extra_info("socket")
        return protocol.should_close or (socket is not None and bool(poll_of(socket)(0)))
    # On a new connection with TLS may be a ticket: the event loop reads what is there, and sees its end.
    for _ in range(STEPS_TO_READ):
        await asyncio.sleep(0)
    return bool(protocol.should_close) or not protocol.is_connected()


async def never_again(request: aiohttp.ClientRequest, handler: Any) -> aiohttp.ClientResponse:
    """Send as a middleware of aiohttp, the first one: it would send again, but the retry policy decides that."""
    try:
        response: aiohttp.ClientResponse = await handler(request)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise BrokenOffError(error) from None
    return response
