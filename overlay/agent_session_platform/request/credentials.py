"""The credential: hidden everywhere, recognised by its prefix, refused early where it cannot be accepted."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from .._api import CREDENTIAL_KINDS, CREDENTIAL_PREFIXES, Operation
from ..errors import ConfigurationError, CredentialMismatchError

KIND_NAMES = {
    **{kind: f"a credential of the kind {kind}" for kind in CREDENTIAL_KINDS},
    "serviceUser": "a service-user credential",
    "personalAccessToken": "a personal access token",
    "enterpriseAdminApiKey": "a personal API key of an enterprise administrator",
    "legacyApiKey": "a legacy API key (v1 and v2 paths)",
}

# Do not redact shorter tokens: the replacement would corrupt other text.
MIN_REDACTED_LENGTH = 8


class Credential:
    """A bearer token that never appears in repr, pickle or messages.

    Attributes:
        kind: The kind that its prefix proves (part Authentication of the API's description); None when it is unknown.

    Raises:
        ConfigurationError: The token cannot be sent as a header; the message shows nothing of it.
    """

    __slots__ = ("_redactor", "_token", "kind")

    def __init__(self, token: str) -> None:
        check_token(token)
        # A function: error reporters show the attributes of objects.
        self._token: Callable[[], str] = lambda: token
        self._redactor: Callable[[str], str] | None = None
        self.kind = kind_of(token)

    @property
    def header(self) -> str:
        """The value of the Authorization header (RFC 6750, section 2.1)."""
        return f"Bearer {self._token()}"

    def redact(self, text: str) -> str:
        """Replace the token in a text of the server, which may have echoed it: also encoded, or a piece of it."""
        if self._redactor is None:
            self._redactor = make_redactor(self._token())
        return self._redactor(text)

    def __repr__(self) -> str:
        return f"Credential({self.kind or 'unknown kind'}, [hidden])"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a credential cannot be pickled or copied; make a new client where it is needed")


def check_token(token: str) -> None:
    """Refuse a token that cannot be sent as a header; no message shows any of it."""
    where = "it is taken from AgentPlatform(token=...) or AGENT_PLATFORM_TOKEN"
    if not token:
        raise ConfigurationError(f"token is empty; {where}")
    if token != token.strip():
        raise ConfigurationError(f"token begins or ends with white space or a line break, strip it; {where}")
    if token.lower().startswith("bearer "):
        raise ConfigurationError(f"token must be given without the word Bearer; {where}")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(f"token has characters that no credential has (spaces, controls, non-ASCII); {where}")


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
