"""Connections of aiohttp that are not used again when bytes came that no request asked for."""

from __future__ import annotations

import asyncio
import functools
import select
from typing import Any

from aiohttp import BaseConnector, ClientPayloadError, StreamReader, TCPConnector, UnixConnector
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection


# Looking it up with super() for each packet takes longer.
receive = ResponseHandler.data_received


class CheckedConnector(BaseConnector):
    """A connector that closes a connection with bytes left over, and goes on with another one."""

    # Of the classes below; not public, and a test watches it. A connection of another kind is used once.
    _factory: Any

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)  # pyright: ignore[reportUnknownMemberType]  # of aiohttp
        self._factory = functools.partial(CheckedConnection, loop=asyncio.get_running_loop())

    async def connect(self, *request: Any, **settings: Any) -> Connection:
        """Return a connection on which nothing has come yet that would be taken for the response."""
        while True:
            connection = await super().connect(*request, **settings)
            protocol = connection.protocol
            if not isinstance(protocol, CheckedConnection):
                if protocol is not None:
                    protocol.force_close()
                return connection
            if protocol.is_clean():
                return connection
            connection.close()


class TcpConnector(CheckedConnector, TCPConnector):
    """A connector of the network."""


class UnixSocketConnector(CheckedConnector, UnixConnector):
    """A connector of a socket of this machine."""


class CheckedConnection(ResponseHandler):
    """A connection that knows whether anything has come after the response.

    The parser takes all of a packet, and does not tell where in it the response ended. Therefore it gets the last byte
    by itself: a response that has ended before it is not all of the packet.
    """

    _requested = False
    _poll: Any = None
    _body: StreamReader | None = None

    def is_clean(self) -> bool:
        """Return whether a request may be sent: the connection is new, or nothing has come after the last response."""
        if not self._requested:
            return True
        transport = self.transport
        return (
            transport is not None
            and self._has_responded()
            and not self.should_close
            and not self._is_readable(transport)
        )

    def _is_readable(self, transport: Any) -> bool:
        """Return whether the event loop has something to read from the socket, or its end."""
        if self._poll is None:
            socket = transport.get_extra_info("socket")
            if socket is None or socket.fileno() < 0:
                return True
            if not hasattr(select, "poll"):
                return bool(select.select([socket], [], [], 0)[0])
            self._poll = select.poll()
            self._poll.register(socket, select.POLLIN)
        return bool(self._poll.poll(0))

    def set_response_params(self, **parameters: Any) -> None:
        """Begin a response; see `ResponseHandler`."""
        self._requested, self._body = True, None
        super().set_response_params(**parameters)

    def feed_data(self, data: Any, size: int = 0) -> None:
        """Take the head of a response from the parser; see `DataQueue`."""
        message, body = data
        if message.code >= 200:
            self._body = body
        super().feed_data(data, size)

    def data_received(self, data: bytes) -> None:
        """Take a packet, and drop what no request has asked for."""
        responded = self._has_responded()
        if not data:
            # The parser goes on after a pause: a response that ends in it may not be all that there is.
            receive(self, data)
            if not responded and self._has_responded():
                self.force_close()
            return
        if len(data) > 1 and self._requested and not responded:
            receive(self, data[:-1])
            responded = self._has_responded()
        if responded or not self._requested:
            self.force_close()
        else:
            receive(self, data[-1:])

    def connection_lost(self, exc: BaseException | None) -> None:
        """Fail a body that is not complete.

        After bytes that cannot be parsed aiohttp closes the connection, and leaves the reader of the body waiting.
        """
        super().connection_lost(exc)
        if self._body is not None and not self._body.is_eof() and self._body.exception() is None:
            self._body.set_exception(ClientPayloadError("the body is malformed, or not complete"))

    def _has_responded(self) -> bool:
        return self._body is not None and self._body.is_eof()
