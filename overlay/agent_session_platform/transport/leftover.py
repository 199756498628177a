"""Close the connections of httpx on which bytes are left over after a response.

A connection that is used again would hand them to the next call as its response. httpcore looks at the socket before it
uses a connection again, but not at what it has read from it already.
"""

from __future__ import annotations

import ssl
from typing import Any


async def close_checked(response: Any) -> None:
    """Close a response, and its connection as well if that has more than this response.

    Args:
        response: A response of httpx or httpx2 that came over a connection. One of HTTP/2 has no end of its own there.
    """
    try:
        if response.extensions.get("http_version") != b"HTTP/2":
            stream = response.stream
            # One that an event hook of the caller's client has read may be in use again: then it is too late.
            if (not response.is_closed or is_idle(stream)) and not is_clean(stream):
                # The pool takes a closed socket for readable, and does not use the connection again.
                await response.extensions["network_stream"].aclose()
    finally:
        await response.aclose()


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
