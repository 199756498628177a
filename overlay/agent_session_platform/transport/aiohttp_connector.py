"""Connections of aiohttp that are not used again when bytes came that no request asked for."""

from __future__ import annotations

import asyncio
import functools
import select
from typing import Any

from aiohttp import (
    BaseConnector,
    ClientConnectorError,
    ClientError,
    ClientResponseError,
    StreamReader,
    TCPConnector,
    UnixConnector,
)
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection

from .interface import ProxyError


class CheckedConnector(BaseConnector):
    """A connector that closes a connection with bytes left over, and goes on with another one."""

    # Of the classes below; not public, and a test watches it. A connection of another kind is used once.
    _factory: Any

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)  # pyright: ignore[reportUnknownMemberType]  # of aiohttp
        self._factory = functools.partial(CheckedConnection, loop=asyncio.get_running_loop())

    async def connect(self, req: Any, traces: Any, timeout: Any) -> Connection:
        """Return a connection on which nothing has come yet that would be taken for the response."""
        while True:
            try:
                connection = await super().connect(req, traces, timeout)
            except ClientConnectorError:
                raise
            except ClientError as error:
                if req.proxy is None:
                    raise
                # It hung up, for example: the request was not sent.
                raise ProxyError(describe_refusal(error)) from None
            protocol = connection.protocol
            if not isinstance(protocol, CheckedConnection):
                if protocol is not None:
                    protocol.force_close()
                return connection
            if protocol.is_clean():
                return connection
            connection.close()


def describe_refusal(error: ClientError) -> str:
    """Return why a proxy does not connect; the message of an error with a status has the URL of the request."""
    if isinstance(error, ClientResponseError):
        return f"{error.status} {error.message}"
    return f"{type(error).__name__}: {error}"


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
            and not is_readable(transport.get_extra_info("socket"))
        )

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
        if not data:
            # The parser goes on after a pause: a response that ends in it may not be all that there is.
            had_responded = self._has_responded()
            super().data_received(data)
            if self._has_responded() and not had_responded:
                self.force_close()
            return
        for part in (data[:-1], data[-1:]):
            if not self._requested or self._has_responded():
                self.force_close()
            elif part:
                super().data_received(part)

    def _has_responded(self) -> bool:
        return self._body is not None and self._body.is_eof()


def is_readable(socket: Any) -> bool:
    """Return whether the event loop has something to read from a socket, or its end."""
    if socket is None or socket.fileno() < 0:
        return True
    if not hasattr(select, "poll"):
        return bool(select.select([socket], [], [], 0)[0])
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return bool(poll.poll(0))
