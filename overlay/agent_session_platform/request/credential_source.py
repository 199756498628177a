"""Where the calls of a client take their credential from: the interface, and the source of a credential that stays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque

from .credentials import Credential

# A server may echo an old credential: so many of a client are redacted.
KEPT_CREDENTIALS = 4


class CredentialSource(ABC):
    """A source of credentials, which one client uses in one event loop.

    Attributes:
        fixed: The credential if it is always the same one; None where each call asks the source.
    """

    fixed: Credential | None = None
    _latest: Credential | None = None

    def __init__(self) -> None:
        self._known: deque[Credential] = deque(maxlen=KEPT_CREDENTIALS)

    @property
    @abstractmethod
    def identity(self) -> str:
        """A name that stays when the credential changes, and is the same in all processes: for the rate limit."""

    @abstractmethod
    def current(self) -> Credential | None:
        """Return the credential to send now; None if `get` must be awaited for one."""

    @abstractmethod
    async def get(self, deadline: float) -> Credential:
        """Return the credential to send now, a new one if there is none or if its time has passed.

        Args:
            deadline: When to give up, in seconds of the event loop's clock.

        Raises:
            TimeoutError: The deadline has passed.
            CredentialUnavailableError: The source has failed.
            ConfigurationError: What it gave is no token.
            ClientClosedError: The client was closed.
        """

    @abstractmethod
    def refuse(self, credential: Credential) -> None:
        """Record that the server refused a credential: the next `get` asks for another one, unless that is known."""

    def close(self) -> None:  # noqa: B027  # most sources have nothing to end
        """End what is under way: the client is closed."""

    def redact(self, text: str) -> str:
        """Replace the last credentials of this source in a text of the server; see `Credential.redact`."""
        for credential in self._known:
            text = credential.redact(text)
        return text

    def _keep(self, credential: Credential) -> None:
        """Make a credential the latest one."""
        self._latest = credential
        if not any(credential.has_same_token(known) for known in self._known):
            self._known.append(credential)


class FixedCredential(CredentialSource):
    """The source of one credential that stays; no call asks it.

    Args:
        credential: The credential.
    """

    def __init__(self, credential: Credential) -> None:
        super().__init__()
        self.fixed = self._latest = credential
        # Without the way through the others, of which there are none.
        self.redact = credential.redact  # type: ignore[method-assign]

    @property
    def identity(self) -> str:
        """The header: only a digest of it leaves the process."""
        return self.current().header

    def current(self) -> Credential:
        """Return the credential."""
        assert self.fixed is not None, "it was made with one"
        return self.fixed

    async def get(self, deadline: float) -> Credential:
        """Return the credential."""
        return self.current()

    def refuse(self, credential: Credential) -> None:
        """Do nothing: there is no other one."""

    def __repr__(self) -> str:
        return repr(self.fixed)
