"""The credential of one call whose client renews it: the current one for each attempt, and another one after a 401."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ..errors import AgentPlatformError, DeadlineExceededError
from .credentials import Credential, preflight

if TYPE_CHECKING:
    from ..errors import AuthenticationError
    from .credential_source import CredentialSource
    from .prepare import PreparedRequest

logger = logging.getLogger("agent_session_platform")


class Renewal:
    """The credential of a call, from a source in which it changes.

    Args:
        source: The source of the client.
        request: The request of the call.
        check_kind: Whether to refuse a credential that the operation cannot accept.
        seconds: How long the call may take, for the message.
        deadline: When it must end, in seconds of the event loop's clock.

    Attributes:
        resent: How many requests were sent again after a 401: one at most.
    """

    def __init__(
        self, source: CredentialSource, request: PreparedRequest, check_kind: bool, seconds: float, deadline: float
    ) -> None:
        self._source = source
        self._request = request
        self._check_kind = check_kind
        self._seconds = seconds
        self._deadline = deadline
        self._credential: Credential | None = None
        self._is_new = False
        self.resent = 0

    async def get(self) -> Credential:
        """Return the credential of the next attempt.

        Raises:
            AgentPlatformError: There is none, or the operation cannot accept it.
        """
        credential = self._credential
        if credential is None or not self._is_new:
            operation = self._request.operation
            try:
                credential = await self._source.get(self._deadline)
            except TimeoutError:
                raise DeadlineExceededError(
                    f"no credential within {self._seconds:g} s: {self._source!r}", operation=operation
                ) from None
            if self._check_kind:
                preflight(credential, operation)
        self._credential, self._is_new = credential, False
        return credential

    def latest(self) -> Credential:
        """Return the credential of `get`, or the one that has replaced it since."""
        self._credential = credential = self._source.current() or self._credential
        assert credential is not None, "get returned it"
        return credential

    async def replace(self, error: AuthenticationError) -> bool:
        """Return whether the request is to be sent again after a 401, which means that nothing was carried out.

        That is once for a call, whatever its method and its retry policy are, and only with another token.

        Args:
            error: The error of the 401, for the log.
        """
        refused = self._credential
        assert refused is not None, "it was sent"
        self._source.refuse(refused)
        # A file that cannot be rewound is gone after the first attempt.
        if self.resent or not self._request.repeatable:
            return False
        try:
            credential = await self.get()
        except AgentPlatformError as failed:
            failed.response = error.response
            raise
        if credential.has_same_token(refused):
            return False
        logger.info("%s; sending again with another credential", error)
        self.resent, self._is_new = 1, True
        return True
