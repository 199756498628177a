"""Decide whether another poll may succeed after one has failed."""

from __future__ import annotations

from ..errors import (
    AgentPlatformError,
    CertificateError,
    ConnectionFailedError,
    DecodeError,
    PagingError,
    RateLimitedError,
    ServerError,
    TransportError,
)


def may_pass(error: AgentPlatformError, *, again: bool) -> bool:
    """Return whether another poll may succeed after an error.

    Args:
        error: Why a poll has failed.
        again: Whether an earlier poll has succeeded: then something that is not a response of the API comes from an
            outage, and not from a wrong base URL.
    """
    if isinstance(error, DecodeError | PagingError):
        return again
    if isinstance(error, CertificateError) or (isinstance(error, ConnectionFailedError) and error.final):
        return False
    return isinstance(error, TransportError | ServerError | RateLimitedError)
