"""The errors of calls to which no response came; `errors` has the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._api import AgentPlatformError

if TYPE_CHECKING:
    from ._api import Operation


class TransportError(AgentPlatformError):
    """No response came."""


class ConnectionFailedError(TransportError):
    """The server could not be reached, or the exchange broke off.

    For a write that may have been received an OutcomeUnknownError is raised instead.

    Attributes:
        received: Whether the server may have received the request.
        timed_out: Whether the server took too long to connect or to respond.
        final: Whether no other attempt helps: a proxy asks for another password. It is not retried.
    """

    def __init__(
        self,
        message: str,
        *,
        operation: Operation | None = None,
        received: bool = False,
        timed_out: bool = False,
        final: bool = False,
    ) -> None:
        super().__init__(message, operation=operation)
        self.received = received
        self.timed_out = timed_out
        self.final = final


class CertificateError(ConnectionFailedError):
    """The server's certificate was refused, so nothing was sent; it is not retried.

    Its authority is not trusted, it has expired, or it is for another host name than that of the base URL.
    """


class DeadlineExceededError(TransportError):
    """The deadline of the whole call (`RetryPolicy.deadline`) has passed, or the `timeout` of a download."""


class PoolTimeoutError(TransportError):
    """No connection became free in time; nothing was sent."""
