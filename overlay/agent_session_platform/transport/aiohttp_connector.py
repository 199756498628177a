"""Connectors of aiohttp that use no connection again when bytes came that no request asked for.

They also tell a wait for a free connection from one for the server, which aiohttp does not.
"""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from aiohttp import (
    BaseConnector,
    ClientConnectorError,
    ClientError,
    ClientResponseError,
    TCPConnector,
    UnixConnector,
)
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection

from .aiohttp_connection import CheckedConnection
from .interface import ProxyError


class NoFreeConnectionError(ClientError):
    """No connection became free in time; never leaves the transport."""


class CheckedConnector(BaseConnector):
    """A connector that closes a connection with bytes left over, and goes on with another one."""

    # Of the classes below; not public, and a test watches it. A connection of another kind is used once.
    _factory: Any

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)  # pyright: ignore[reportUnknownMemberType]  # of aiohttp
        self._factory = functools.partial(CheckedConnection, loop=asyncio.get_running_loop())
        # The requests for which a connection is being made.
        self._connecting: set[object] = set()

    async def connect(self, req: Any, *rest: Any, **settings: Any) -> Connection:
        """Return a connection on which nothing has come yet that would be taken for the response.

        Raises:
            NoFreeConnectionError: All connections were in use for too long.
            TimeoutError: The server took too long to connect.
            ProxyError: The proxy did not connect.
        """
        while True:
            try:
                connection = await super().connect(req, *rest, **settings)
            except TimeoutError:
                if req in self._connecting:
                    raise
                raise NoFreeConnectionError from None
            except ClientConnectorError:
                raise
            except ClientError as error:
                if req.proxy is None:
                    raise
                # It hung up, for example: the request was not sent.
                raise refused_by_proxy(error) from None
            finally:
                self._connecting.discard(req)
            protocol = connection.protocol
            if not isinstance(protocol, CheckedConnection):
                if protocol is not None:
                    protocol.force_close()
                return connection
            if protocol.is_clean():
                return connection
            connection.close()

    async def _create_connection(self, req: Any, traces: Any, timeout: Any) -> ResponseHandler:
        """Connect. The method is not public, and a test watches it: without it a connect timeout is a pool timeout."""
        self._connecting.add(req)
        return await super()._create_connection(req, traces, timeout)  # pyright: ignore[reportPrivateUsage]  # its own


def refused_by_proxy(error: ClientError | OSError) -> ProxyError:
    """Return the error of a proxy that does not connect; that of aiohttp may show the URL of the proxy."""
    if isinstance(error, ClientResponseError):
        return ProxyError(f"{error.status} {error.message}", error.status)
    return ProxyError(f"{type(error).__name__}: {error}")


class TcpConnector(CheckedConnector, TCPConnector):
    """A connector of the network."""


class UnixSocketConnector(CheckedConnector, UnixConnector):
    """A connector of a socket of this machine."""
