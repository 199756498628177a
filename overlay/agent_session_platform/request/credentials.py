"""The credential: kept to itself, known by its prefix, and refused early where it cannot be accepted."""

from __future__ import annotations

from typing import NoReturn

from .._api import CREDENTIAL_PREFIXES, Operation
from ..errors import ConfigurationError, CredentialMismatchError

NAMES = {
    "serviceUser": "a service-user credential",
    "personalAccessToken": "a personal access token",
    "enterpriseAdminApiKey": "a personal API key of an enterprise administrator",
    "legacyApiKey": "a legacy API key (v1 and v2 paths)",
}


# A shorter one is no secret, and taking it out would mangle innocent text.
SHORTEST_REDACTED = 8


class Credential:
    """A bearer token that shows itself in no repr, pickle or message.

    `kind` is the kind that its prefix proves (part Authentication of the API's description), or None.
    """

    __slots__ = ("_token", "kind")

    def __init__(self, token: str) -> None:
        self._token = _checked(token)
        self.kind = kind_of(token)

    @property
    def header(self) -> str:
        """The value of the Authorization header."""
        return f"Bearer {self._token}"

    def redact(self, text: str) -> str:
        """Take the token out of what a server sent, should it have echoed it."""
        return text if len(self._token) < SHORTEST_REDACTED else text.replace(self._token, "[credential]")

    def __repr__(self) -> str:
        return f"Credential({self.kind or 'unknown kind'}, [hidden])"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a credential cannot be pickled or copied; make the client anew where it is needed")


def _checked(token: str) -> str:
    """Refuse what cannot be sent as a header; no message may show any of it."""
    where = "it is taken from AgentPlatform(token=...) or AGENT_PLATFORM_TOKEN"
    if not token:
        raise ConfigurationError(f"token is empty; {where}")
    if token != token.strip():
        raise ConfigurationError(f"token begins or ends with white space or a line break, strip it; {where}")
    if token.lower().startswith("bearer "):
        raise ConfigurationError(f"token must be given without the word Bearer; {where}")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(f"token has characters that no credential has (spaces, controls, non-ASCII); {where}")
    return token


def kind_of(token: str) -> str | None:
    """The kind of credential that *token*'s prefix proves; None for a prefix that is not known."""
    fitting = [prefix for prefix in CREDENTIAL_PREFIXES if token.startswith(prefix)]
    return CREDENTIAL_PREFIXES[max(fitting, key=len)] if fitting else None


def preflight(credential: Credential, operation: Operation) -> None:
    """Refuse a credential whose prefix proves that *operation* cannot accept it; raises CredentialMismatchError."""
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
    return " or ".join(NAMES.get(kind, kind) for kind in kinds)
