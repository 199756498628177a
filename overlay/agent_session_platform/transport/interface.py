"""The interface of every transport: one request out, one outcome back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from ..request.prepare import PreparedRequest
    from ..response.response import Outcome


class Transport(Protocol):
    """A transport that sends prepared requests to one address with one credential."""

    def exchange(self, request: PreparedRequest, attempt: int, timeout: float) -> Awaitable[Outcome]:
        """Send a request once.

        Args:
            request: The request.
            attempt: Number of the attempt within its call, from 1.
            timeout: Seconds without a byte (connect, read, write) after which to give up.

        Returns:
            The whole response; a StreamedResponse for a success of an operation that returns a file; a Failure with
            an AgentPlatformError when no response came.
        """
        ...

    def aclose(self) -> Awaitable[None]:
        """Close the connections."""
        ...
