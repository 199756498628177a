"""Close the connections of httpx on which bytes are left over after a response.

A connection that is used again would hand them to the next call as its response. httpcore looks at the socket before it
uses a connection again, but not at what it has read from it already.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from typing import Any

import httpx


class CheckedStream(httpx.AsyncByteStream):
    """The stream of a response; closing it closes its connection, too, if that has more than this response.

    Args:
        stream: The stream.
        network_stream: The connection.
    """

    def __init__(self, stream: Any, network_stream: Any) -> None:
        self._stream = stream
        self._network_stream = network_stream

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._stream)

    async def aclose(self) -> None:
        """Close the stream, after the connection if that must not be used again."""
        try:
            if not is_clean(self._stream):
                # The pool takes a closed socket for readable, and does not use the connection again.
                await self._network_stream.aclose()
        finally:
            await self._stream.aclose()


async def check_leftover(response: httpx.Response) -> None:
    """Check a response that came over a connection when its stream is closed.

    Args:
        response: The response; one of HTTP/2, which has no end of its own on the connection, is left alone.
    """
    if response.extensions.get("http_version") == b"HTTP/2":
        return
    stream = response.stream
    response.stream = CheckedStream(stream, response.extensions["network_stream"])
    # An event hook of the caller's client has read it. If the connection is in use again, it is too late.
    if response.is_closed and is_idle(stream):
        await response.stream.aclose()


def is_clean(stream: Any) -> bool:
    """Return whether nothing is left over after the response that was read from *stream*.

    None of this is public, so a test watches it. Where a name is gone the connection is not clean: without keep-alive a
    client is slow, with the response of another call it is wrong.
    """
    try:
        connection = connection_of(stream)
        if connection._h11_state.trailing_data[0]:
            return False
        received = connection._network_stream._stream
        while hasattr(received, "transport_stream"):
            if has_decrypted(received._ssl_object):
                return False
            received = received.transport_stream
        return not received._protocol.read_queue
    except AttributeError:
        return False


def is_idle(stream: Any) -> bool:
    """Return whether the connection of a response waits for its next request."""
    try:
        return bool(connection_of(stream).is_idle())
    except AttributeError:
        return True


def connection_of(stream: Any) -> Any:
    """Return httpcore's connection: that of its stream, which is below the one of httpx and all that is around it."""
    while not hasattr(stream, "_connection"):
        stream = stream._httpcore_stream if hasattr(stream, "_httpcore_stream") else stream._stream
    return stream._connection


def has_decrypted(connection: ssl.SSLObject) -> bool:
    """Return whether a TLS connection has data, or has ended; the data is lost, so it must be closed then."""
    try:
        connection.read(1)
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:
        return True
    return True
