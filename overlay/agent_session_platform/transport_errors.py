"""The errors of calls to which no response came; `errors` has the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._api import AgentPlatformError

if TYPE_CHECKING:
    from ._api import Operation


class TransportError(AgentPlatformError):
    """No response came.

    Check the address and the network: `asp doctor` names the step that fails.
    """


class ConnectionFailedError(TransportError):
    """The server could not be reached, or the exchange broke off.

    Check the address, the proxy and the network: `asp doctor` names the step that fails. For a write that may have been
    received an OutcomeUnknownError is raised instead.

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

    Pass the certificate of its authority with `verify=`, or correct the base URL: its authority is not trusted, it has
    expired, or it is for another host name.
    """


class DeadlineExceededError(TransportError):
    """The deadline of the whole call (`RetryPolicy.deadline`) has passed, or the `timeout` of a download.

    Allow more time, or send fewer calls at once: those that wait for the rate limiter wait within their deadlines.
    """


class PoolTimeoutError(TransportError):
    """No connection became free in time; nothing was sent.

    Send fewer calls at once, read or close what is streamed, or raise `max_connections`.
    """
