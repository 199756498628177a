"""The interface of every transport: one request out, one outcome back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine, Mapping

    from ..request.credentials import Credential
    from ..request.prepare import PreparedRequest
    from ..response.redirect import Elsewhere
    from ..response.response import Outcome


class Transport(Protocol):
    """A transport that sends prepared requests to one address."""

    def exchange(
        self, request: PreparedRequest, credential: Credential, attempt: int, timeout: float
    ) -> Awaitable[Outcome]:
        """Send a request once.

        Args:
            request: The request.
            credential: The credential to send; it may be another one at the next attempt.
            attempt: Number of the attempt within its call, from 1.
            timeout: Seconds without a byte (connect, read, write) after which to give up.

        Returns:
            The whole response; a StreamedResponse for a success of an operation that returns a file; a Failure with
            an AgentPlatformError when no response came.
        """
        ...

    def fetch(
        self, request: PreparedRequest, address: Elsewhere, headers: Mapping[str, str], timeout: float
    ) -> Coroutine[Any, Any, Outcome]:
        """Send a GET to another server once: without the credential, and without any cookie or header of the caller.

        Certificates are verified as for the platform. No outcome shows the path or the query of the address.

        Args:
            request: The request of the download that was redirected.
            address: Where it was redirected to.
            headers: Headers besides User-Agent and Accept.
            timeout: Seconds without a byte (connect, read, write) after which to give up.

        Returns:
            A StreamedResponse for a success or a redirect; a Response without a body for any other status; a Failure
            when no response came.
        """
        ...

    def aclose(self) -> Awaitable[None]:
        """Close the connections."""
        ...
