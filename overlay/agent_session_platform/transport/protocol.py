"""The protocol of every transport: it sends a request of plain values, and returns a response of plain values."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import attrs

from ..request.body import Form
from .failures import FailureKind

# How long an idle connection is kept. Most servers keep it longer, so few requests meet a connection that closes.
KEEP_ALIVE_SECONDS = 5.0


@attrs.frozen
class TransportRequest:
    """A request as a transport sends it; no tuple, because error reporters show what is in a tuple.

    Attributes:
        method: HTTP method.
        url: The whole URL, percent-encoded; it is sent as it is.
        headers: All headers except Host and the headers of the body, with lower-case names.
        content: The body: bytes, or a form with files.
        timeout: Seconds without a byte (pool, connect, read, write) after which to give up.
    """

    method: str
    url: str = attrs.field(repr=False)
    headers: Mapping[str, str] = attrs.field(repr=False)
    content: bytes | Form = attrs.field(repr=False)
    timeout: float


class TransportResponse(NamedTuple):
    """A response whose body is still to be read.

    Attributes:
        status: HTTP status code.
        headers: Name and value of each header, as they came.
        chunks: The body as it comes, not decompressed yet.
        close: Gives the connection back, or closes it if it cannot be used again.
    """

    status: int
    headers: Sequence[tuple[bytes, bytes]]
    chunks: AsyncIterator[bytes]
    close: Callable[[], Awaitable[None]]

    def __repr__(self) -> str:
        return f"<TransportResponse {self.status}>"


class Transport(Protocol):
    """A way to send requests: one HTTP library, or one of its clients that the caller has made.

    Attributes:
        agent: Name and version of the HTTP library, for User-Agent.
    """

    agent: str

    def send(self, request: TransportRequest) -> Coroutine[Any, Any, TransportResponse]:
        """Send a request once: without retries, and without following a redirect."""
        ...

    def classify(self, error: Exception) -> FailureKind | None:
        """Return the meaning of an error of `send`, or of reading the body.

        It is None for any error that is not known to be a failure of the network, such as an error of an application
        behind the transport, or a defect of this package: the call raises it as it is.
        """
        ...

    def aclose(self) -> Awaitable[None]:
        """Close the SDK's own connections."""
        ...
