"""The credential: hidden everywhere, recognised by its prefix, refused early where it cannot be accepted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn, TypeVar

from .._api import CREDENTIAL_KINDS, CREDENTIAL_PREFIXES, Operation
from ..errors import ConfigurationError, CredentialMismatchError
from ..text import type_name

T = TypeVar("T")

KIND_NAMES = {
    **{kind: f"a credential of the kind {kind}" for kind in CREDENTIAL_KINDS},
    "serviceUser": "a service-user credential",
    "personalAccessToken": "a personal access token",
    "enterpriseAdminApiKey": "a personal API key of an enterprise administrator",
    "legacyApiKey": "a legacy API key (v1 and v2 paths)",
}

# Do not redact shorter tokens: the replacement would corrupt other text.
MIN_REDACTED_LENGTH = 8

# For messages about a malformed token.
FROM_SETTINGS = "it is taken from AgentPlatform(token=...) or AGENT_PLATFORM_TOKEN"
FROM_CREDENTIAL = "it is taken from Credential(...)"


class Credential:
    """A bearer token that never appears in repr, pickle or messages, and the time until which it may be used.

    Args:
        token: The token, without the word Bearer.
        expires_at: When the server stops accepting it, a datetime with a time zone; None if that is not known.

    Attributes:
        kind: The kind that its prefix proves (part Authentication of the API's description); None when it is unknown.
        expires_at: When the server stops accepting it; None if that is not known.

    Raises:
        ConfigurationError: The token cannot be sent as a header, or *expires_at* is no datetime with a time zone; the
            message shows nothing of the token.

    Example:
        async def fetch() -> Credential:
            token, seconds = await vault.issue_token()
            return Credential(token, expires_at=datetime.now(UTC) + timedelta(seconds=seconds))

        platform = AgentPlatform(token=fetch)
    """

    __slots__ = ("_redactor", "_token", "expires_at", "kind")

    def __init__(self, token: str, expires_at: datetime | None = None) -> None:
        try:
            check_token(token, FROM_CREDENTIAL)
            check_expiry(expires_at)
            self._token = hidden(token)
            self._redactor: Callable[[str], str] | None = None
            self.kind = kind_of(token)
            self.expires_at = expires_at
        except BaseException as error:
            # Imported with the first error, because it would add to the start-up of every program.
            from ..tracebacks import clear_locals

            clear_locals(error)
            raise
        finally:
            # An error reporter shows the local variables of this frame.
            del token

    @property
    def header(self) -> str:
        """The value of the Authorization header (RFC 6750, section 2.1)."""
        return f"Bearer {self._token()}"

    def has_same_token(self, other: Credential) -> bool:
        """Return whether another credential has the same token."""
        return self._token() == other._token()

    def copy(self) -> Credential:
        """Return another object with the same token and time."""
        return Credential(self._token(), self.expires_at)

    def redact(self, text: str) -> str:
        """Replace the token in a text of the server, which may have echoed it: also encoded, or a piece of it."""
        if self._redactor is None:
            self._redactor = make_redactor(self._token())
        return self._redactor(text)

    def __repr__(self) -> str:
        # Traceback tools may call repr() during `__init__`.
        return f"Credential({getattr(self, 'kind', None) or 'unknown kind'}, [hidden])"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a credential cannot be pickled or copied; make a new client where it is needed")


def hidden(value: T) -> Callable[[], T]:
    """Return a function that returns the value: error reporters show the attributes of objects."""
    return lambda: value


def check_token(token: Any, where: str) -> None:
    """Refuse a token that cannot be sent as a header; no message shows any of it.

    Args:
        token: The token.
        where: Says in the message what the token is taken from.
    """
    if not isinstance(token, str):
        raise ConfigurationError(f"token must be a string, not {type_name(token)}; {where}")
    if not token:
        raise ConfigurationError(f"token is empty; {where}")
    if token != token.strip():
        raise ConfigurationError(f"token begins or ends with white space or a line break, strip it; {where}")
    if token.lower().startswith("bearer "):
        raise ConfigurationError(f"token must be given without the word Bearer; {where}")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(f"token has characters that no credential has (spaces, controls, non-ASCII); {where}")


def check_expiry(expires_at: Any) -> None:
    """Refuse a time that is neither None nor a datetime with a time zone."""
    if expires_at is None:
        return
    if not isinstance(expires_at, datetime):
        raise ConfigurationError(
            f"expires_at must be a datetime with a time zone, not {type_name(expires_at)}; {FROM_CREDENTIAL}"
        )
    if expires_at.utcoffset() is None:
        raise ConfigurationError(
            "expires_at must have a time zone, as datetime.now(UTC) + timedelta(hours=1) has; without one it would be "
            f"another time on another machine; {FROM_CREDENTIAL}"
        )


def make_redactor(token: str) -> Callable[[str], str]:
    """Return the function that replaces a token in a text."""
    if len(token) < MIN_REDACTED_LENGTH:
        return str
    # Imported with the first error, because it would add to the start-up of every program.
    from .redaction import Redactor

    # A function: error reporters show the attributes of objects.
    redactor = Redactor(token, prefix_of(token))
    return lambda text: redactor.redact(text)


def prefix_of(token: str) -> str:
    """Return the known prefix of a token; empty for an unknown one."""
    return max((prefix for prefix in CREDENTIAL_PREFIXES if token.startswith(prefix)), key=len, default="")


def kind_of(token: str) -> str | None:
    """Return the kind of credential that the prefix of *token* proves; None for an unknown prefix."""
    return CREDENTIAL_PREFIXES.get(prefix_of(token))


def preflight(credential: Credential, operation: Operation) -> None:
    """Raise CredentialMismatchError if the credential's prefix proves that *operation* cannot accept it."""
    kind, accepted = credential.kind, operation.credentials
    if kind is None or not accepted or kind in accepted:
        return
    raise CredentialMismatchError(
        f"accepts {describe(accepted)}, not {describe((kind,))}; nothing was sent",
        operation=operation,
        kind=kind,
        accepted=accepted,
    )


def describe(kinds: tuple[str, ...]) -> str:
    """Name kinds of credential in a message."""
    return " or ".join(KIND_NAMES.get(kind, kind) for kind in kinds)
