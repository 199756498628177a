"""One exchange through an aiohttp session of the caller: what its connection and the proxy on the way do meanwhile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import aiohttp

from .aiohttp import in_pieces, release
from .aiohttp_connection import INCOMPLETE, give_up_writing, poll_of
from .aiohttp_connector import refused_by_proxy

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .interface import TransportRequest

# After so many steps the event loop has read what had come.
STEPS_TO_READ = 3


class UsedConnectionError(Exception):
    """Something has come on a connection before the request was sent; never leaves the transport."""


class BrokenOffError(Exception):
    """An exchange broke off, with an error after which aiohttp would send it again; never leaves the transport."""

    def __init__(self, reason: Exception) -> None:
        super().__init__()
        self.reason = reason


class OneExchange:
    """A request and its response, on a connection that is closed afterwards.

    Attributes:
        begun: Whether the request was begun, on any connection: a middleware may send it several times.
    """

    def __init__(self, request: TransportRequest, connected: set[OneExchange]) -> None:
        self._request = request
        self._connected = connected
        self._written = 0
        self._timer: asyncio.TimerHandle | None = None
        self._protocol: Any = None
        self.begun = False
        # How the proxy has failed before the request was begun.
        self._refusal: aiohttp.ClientError | OSError | None = None

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
                raise UsedConnectionError from await why_lost(protocol)
            protocol.force_close()
            self._protocol = protocol
            self._connected.add(self)
            if self._request.content:
                self._look_again(protocol, ())
            self.begun = True
            return await send(conn)

        # The only place where the connection is known before anything is sent.
        request.send = send_watched  # type: ignore[method-assign]  # of this request only
        try:
            response: aiohttp.ClientResponse = await handler(request)
        except (aiohttp.ClientConnectorError, TimeoutError):
            raise
        except (aiohttp.ClientError, OSError) as error:
            if request.proxy is not None and not self.begun:
                self._refusal = error
            raise
        finally:
            # A middleware may send it again.
            request.send = send  # type: ignore[method-assign]
        return response

    def judge(self, error: BaseException) -> BaseException:
        """Return the error to raise: that of a proxy, without its URL, if the request was not begun."""
        if isinstance(error, BrokenOffError):
            error = error.reason
        if self._refusal is not None and error is self._refusal and not self.begun:
            return refused_by_proxy(self._refusal)
        # Raising it where BrokenOffError is handled puts that in the place of what it came from.
        error.__cause__ = error.__cause__ or error.__context__
        return error

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


async def why_lost(protocol: Any) -> BaseException | None:
    """Return why a connection was lost, such as an alert of the server; None if that is not known."""
    for _ in range(STEPS_TO_READ):
        # It is closing before it has been told why.
        if protocol.exception() is not None:
            break
        await asyncio.sleep(0)
    lost: BaseException | None = protocol.exception()
    return lost


async def never_again(request: aiohttp.ClientRequest, handler: Any) -> aiohttp.ClientResponse:
    """Send as a middleware of aiohttp, the first one: it would send again, but the retry policy decides that."""
    try:
        response: aiohttp.ClientResponse = await handler(request)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise BrokenOffError(error) from None
    return response
