"""A connection of aiohttp that knows whether anything has come after the response, and that waits for no silent server.

It also ends a request of which the server takes nothing any more, which aiohttp does not.
"""

from __future__ import annotations

import asyncio
import math
import re
import select
from collections.abc import Callable
from typing import Any

from aiohttp import ClientPayloadError, SocketTimeoutError, StreamReader
from aiohttp.client_proto import ResponseHandler

INCOMPLETE = "the body is malformed, or not complete"

# The end of a head that tells how long the body is, and the length.
LENGTH = re.compile(rb"\r\ncontent-length: *(\d{1,15})\r\n", re.IGNORECASE)

# Looking it up with super() for each packet takes longer.
receive = ResponseHandler.data_received


class CheckedConnection(ResponseHandler):
    """A connection that knows whether anything has come after the response.

    The parser takes all of a packet, and does not tell where in it the response ended. Therefore it gets the last byte
    by itself: a response that has ended before it is not all of the packet. Most packets are one response, and tell it
    by their length.

    aiohttp makes a timer of the silence for each packet. Here a connection has one, which finds out what has come.
    """

    _requested = False
    _poll: Any = None
    _body: StreamReader | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _longest_silence: float | None = None
    _silence_timer: asyncio.Handle | None = None
    # Not asked of the timer: that of uvloop does not know its time if it is due at once.
    _silence_checked_at = 0.0
    # When the silence is too long; never while nobody listens.
    _silent_at = math.inf

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
            self._poll = poll_of(transport.get_extra_info("socket"))
        return bool(self._poll(0))

    def set_response_params(self, *, read_timeout: float | None = None, **parameters: Any) -> None:
        """Begin a response; see `ResponseHandler`."""
        self._requested, self._body = True, None
        self._longest_silence, self._silent_at = read_timeout, math.inf
        super().set_response_params(**parameters)

    def start_timeout(self) -> None:
        """Wait for the server, but not for ever; see `ResponseHandler`."""
        seconds, timer = self._longest_silence, self._silence_timer
        if not seconds:
            return
        self._silent_at = self._loop.time() + seconds
        if timer is None or self._silence_checked_at > self._silent_at:
            if timer is not None:
                timer.cancel()
            self._silence_timer = self._loop.call_at(self._silent_at, self._check_silence)
            self._silence_checked_at = self._silent_at

    def pause_reading(self) -> None:
        """Wait until the body is read; see `ResponseHandler`."""
        super().pause_reading()
        self._silent_at = math.inf

    def resume_reading(self, *arguments: Any, **settings: Any) -> None:
        """Go on; see `ResponseHandler`."""
        super().resume_reading(*arguments, **settings)
        if self._silent_at == math.inf:
            self.start_timeout()

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
        self.start_timeout()
        if self._requested and self._body is None and (length := length_of_response(data)) is not None:
            receive(self, data)
            if not self._has_responded(length):
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
        self._stop_timer()
        if self._silence_timer is not None:
            self._silence_timer.cancel()
        super().connection_lost(exc)
        if self._body is not None and not self._body.is_eof() and self._body.exception() is None:
            self._body.set_exception(ClientPayloadError(INCOMPLETE))

    def pause_writing(self) -> None:
        """Wait until the server takes more, but not for ever; see `asyncio.Protocol`."""
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        """Go on; see `asyncio.Protocol`."""
        self._stop_timer()
        super().resume_writing()

    def _watch_writing(self) -> None:
        """Look again after the timeout whether the server has taken anything."""
        if self.transport is not None and self._longest_silence:
            size = self.transport.get_write_buffer_size()
            self._write_timer = self._loop.call_later(self._longest_silence, self._check_writing, size)

    def _check_writing(self, before: int) -> None:
        # A server may respond, and take no more of the request.
        if self.transport is None or self._body is not None:
            return
        if self.transport.get_write_buffer_size() < before:
            self._watch_writing()
            return
        give_up_writing(self)

    def _stop_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _check_silence(self) -> None:
        """Give up when the server was silent for too long, or look again when that may be."""
        self._silence_timer = None
        if self.transport is None or self._silent_at == math.inf or self._has_responded():
            return
        if self._loop.time() < self._silent_at:
            self._silence_timer = self._loop.call_at(self._silent_at, self._check_silence)
            self._silence_checked_at = self._silent_at
            return
        error = SocketTimeoutError("Timeout on reading data from socket")
        self.set_exception(error)
        if self._body is not None:
            self._body.set_exception(error)

    def _has_responded(self, length: int | None = None) -> bool:
        body = self._body
        return body is not None and body.is_eof() and length in (None, body.total_bytes)


def length_of_response(data: bytes) -> int | None:
    """Return the length of a body that ends with its packet, as far as the packet tells; None if it does not."""
    end = data.find(b"\r\n\r\n") + 4
    told = LENGTH.search(data, 0, end)
    return int(told[1]) if told is not None and end + int(told[1]) == len(data) else None


def give_up_writing(connection: ResponseHandler) -> None:
    """End a request of which the server takes nothing any more."""
    if connection.transport is not None:
        connection.set_exception(SocketTimeoutError("Timeout on writing data to socket"))
        connection.transport.abort()


def poll_of(socket: Any) -> Callable[[int], object]:
    """Return a function of 0 that returns whether something can be read from a socket, or its end."""
    if socket is None or socket.fileno() < 0:
        return lambda seconds: True
    if not hasattr(select, "poll"):
        return lambda seconds: select.select([socket], [], [], seconds)[0]
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return poll.poll
