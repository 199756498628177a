"""Failures that may pass."""

from __future__ import annotations

from ..errors import AgentPlatformError, RateLimitedError, ServerError, TransportError


def is_transient(error: AgentPlatformError) -> bool:
    """Return whether a poll that failed with *error* may succeed later."""
    return isinstance(error, TransportError | ServerError | RateLimitedError)
