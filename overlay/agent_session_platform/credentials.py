"""Credentials: how a token is kept, and where a client gets it.

A token is checked and hidden in a `Credential`. A `CredentialProvider` keeps the credential of a client, and renews it
in time: it is always the same (`fixed_provider`), or comes from a function of the caller (`function_provider`) or from
a file (`file_provider`). Nothing here shows a token in a message, a repr or a log.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import logging
import math
import os
import stat
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from functools import partial
from inspect import isawaitable
from time import time
from typing import Any, NoReturn, TypeAlias, cast

from ._api import CREDENTIAL_PREFIXES, Operation
from .errors import ConfigurationError, CredentialMismatchError, CredentialUnavailableError
from .redaction import redact_secret
from .text import charset_of, plain_text, type_name
from .validators import is_async_function

# What messages call the kinds of credentials. Their prefixes (`CREDENTIAL_PREFIXES`) are generated from the
# `securitySchemes` of openapi.yaml.
KIND_NAMES = {
    "serviceUser": "a service-user credential",
    "personalAccessToken": "a personal access token",
    "enterpriseAdminApiKey": "a personal API key of an enterprise administrator",
    "legacyApiKey": "a legacy API key (v1 and v2 paths)",
}

# The most characters of a token. Servers refuse a request whose headers are larger than 8 to 64 KiB.
MAX_TOKEN_LENGTH = 16 * 1024

# How much of a file is read: more than a token of MAX_TOKEN_LENGTH characters in UTF-32, with its byte order mark.
MAX_FILE_LENGTH = 4 * MAX_TOKEN_LENGTH + 8

# How many recent credentials of a client are redacted: a server may echo an old credential.
MAX_KEPT_CREDENTIALS = 4

# A credential is renewed this long before it expires, or when a tenth of its lifetime is left, whichever is later:
# a request takes time to arrive, and the clocks of two machines differ.
MARGIN_SECONDS = 30.0
MARGIN_SHARE = 0.1

# A function that takes longer is cancelled: otherwise a function that hangs once would block the client forever.
MAX_TOKEN_WAIT = 60.0

# Part of the identity of a function that names no account: it is another function in another process.
PROCESS = os.urandom(8).hex()

# A file is read at most once in this many seconds. If a provider fails while its last credential can still be used, it
# is asked again after the same time.
PAUSE_SECONDS = 1.0

logger = logging.getLogger("agent_session_platform")


class Hidden:
    """A token that was not checked yet, or a function that may carry one; call it to get the value.

    A function that takes a bare token wraps it in its first statement, because error reporters show local variables.

    Args:
        value: The token or the function, which no repr shows.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value, value = value, None

    def __call__(self) -> Any:
        """Return the value."""
        return self._value

    def __repr__(self) -> str:
        return "[hidden]"


class Credential:
    """A bearer token, which is in no repr, pickle or message, and the time at which it expires.

    Args:
        token: The token, without the word Bearer.
        expires_at: When the server stops accepting it, a datetime with a time zone; None if that is not known.

    Attributes:
        header: The value of the Authorization header (RFC 6750, section 2.1).
        kind: The kind of credential that the prefix of the token proves (part Authentication of the API's description);
            None for an unknown prefix.
        expires_at: When the server stops accepting it; None if that is not known.

    Raises:
        ConfigurationError: The token cannot be sent as a header, or *expires_at* is not a datetime with a time
            zone; the message shows nothing of the token.

    Example:
        async def fetch() -> Credential:
            token, seconds = await vault.issue_token()
            return Credential(token, expires_at=datetime.now(UTC) + timedelta(seconds=seconds))

        platform = AgentPlatform(token=fetch)
    """

    __slots__ = ("_token", "expires_at", "header", "kind")

    def __init__(self, token: str, expires_at: datetime | None = None) -> None:
        self._token, token = token, ""
        problem = why_invalid(self._token)
        if problem is not None:
            raise ConfigurationError(f"token {problem}")
        self._token = plain_text(self._token)
        if expires_at is not None and getattr(expires_at, "tzinfo", None) is None:
            rule = "a datetime with a time zone, as datetime.now(UTC) + timedelta(hours=1) is"
            raise ConfigurationError(f"expires_at must be {rule}, not {type_name(expires_at)}")
        self.header = f"Bearer {self._token}"
        self.expires_at = expires_at
        self.kind = kind_of(self._token)

    def has_same_token(self, other: Credential) -> bool:
        """Return whether another credential has the same token."""
        return self._token == other._token

    def redact(self, text: str) -> str:
        """Replace the token in a text of the server, which may have echoed it."""
        return redact_secret(self._token, text)

    def __repr__(self) -> str:
        # Traceback tools may call repr() during `__init__`.
        return f"Credential({getattr(self, 'kind', None) or 'unknown kind'}, [hidden])"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a credential cannot be pickled or copied; make a new client where it is needed")


def why_invalid(token: Any) -> str | None:
    """Return why a token cannot be sent as a header; None if it can."""
    if not isinstance(token, str):
        return f"must be a string, not {type_name(token)}"
    if not token:
        return "is empty"
    if len(token) > MAX_TOKEN_LENGTH:
        return f"has {len(token):,} characters; a header has room for {MAX_TOKEN_LENGTH:,}"
    if token != token.strip():
        return "begins or ends with white space or a line break; strip it"
    if token.lower().startswith("bearer "):
        return "must be given without the word Bearer"
    if not token.isascii() or not token.isprintable() or " " in token:
        return "has characters that no credential has (spaces, controls, non-ASCII)"
    return None


def kind_of(token: str) -> str | None:
    """Return the kind of credential that the prefix of *token* proves; None for an unknown prefix."""
    fitting = [prefix for prefix in CREDENTIAL_PREFIXES if token.startswith(prefix)]
    if not fitting:
        return None
    return CREDENTIAL_PREFIXES[max(fitting, key=len)]


def check_kind(credential: Credential, operation: Operation) -> None:
    """Raise CredentialMismatchError if the credential's prefix proves that *operation* cannot accept it."""
    kind, accepted = credential.kind, operation.credentials
    if kind is None or not accepted or kind in accepted:
        return
    raise CredentialMismatchError(
        f"accepts {describe_kinds(accepted)}, not {describe_kinds((kind,))}; nothing was sent",
        operation=operation,
        kind=kind,
        accepted=accepted,
    )


def describe_kinds(kinds: tuple[str, ...]) -> str:
    """Name kinds of credential in a message."""
    names = [KIND_NAMES.get(kind, f"a credential of the kind {kind}") for kind in kinds]
    return " or ".join(names)


class CredentialProvider:
    """The provider of a client's credentials, which one client uses in one event loop.

    Args:
        fetch: Gets a credential; its errors are those of `renew`.
        name: What a repr shows.
        identity: A name that stays the same when the credential changes. Clients with the same identity share a rate
            limit; only a digest of the name leaves the process.
        max_age: After how many seconds a credential is renewed even if it has not expired.

    Attributes:
        identity: A digest of the argument of the same name.
        latest: The latest credential; unset until the first renewal.
        can_renew: Whether a renewal may give another credential.
    """

    latest: Credential
    can_renew = True

    def __init__(
        self,
        fetch: Callable[[], Coroutine[Any, Any, Credential]],
        name: str,
        identity: str,
        max_age: float = math.inf,
    ) -> None:
        self.identity = hashlib.blake2s(identity.encode("utf-8", "backslashreplace")).hexdigest()
        self._fetch = fetch
        self._name = name
        self._max_age = max_age
        self._recent: deque[Credential] = deque(maxlen=MAX_KEPT_CREDENTIALS)
        self._renew_at = self._expires_at = -math.inf
        self._renewal: asyncio.Task[ConfigurationError | None] | None = None
        self._warning = ""

    @property
    def is_due(self) -> bool:
        """True if a renewal is due before the next request."""
        return time() >= self._renew_at

    @property
    def has_expired(self) -> bool:
        """True if the latest credential has expired, by the clock of this machine."""
        return time() >= self._expires_at

    async def renew(self) -> None:
        """Get a new credential. All calls share one renewal, which continues if a call is cancelled.

        While the latest credential is known to be valid, no call waits: a provider that hangs delays nothing.

        Raises:
            CredentialUnavailableError: The provider has failed.
            ConfigurationError: The provider gave something that is not a token.
        """
        renewal = self._renewal
        if renewal is None or renewal.done():
            renewal = self._renewal = asyncio.create_task(self._renew())
        if not self.has_expired and self._expires_at < math.inf:
            return
        error = await asyncio.shield(renewal)
        if error is None:
            return
        if self._renewal is renewal:
            # A task that is kept would keep its error, and the frames of its cause with their variables.
            self._renewal = None
        # Each call raises its own copy, because a call adds to the message of its error.
        raise copy.copy(error) from error.__cause__

    async def _renew(self) -> ConfigurationError | None:
        """Get a new credential. If that fails, the latest credential is used until it expires.

        Returns:
            The error of the provider if there is no credential to use; its frames may have the token, and are left out.
        """
        try:
            # An eager task would end before another call can share it, if the provider has nothing to wait for.
            await asyncio.sleep(0)
            self.replace_latest(await self._fetch())
            self._warning = ""
        except ConfigurationError as error:
            # A program that renews a file may empty it first, or remove it for a moment.
            if self.has_expired:
                return error.with_traceback(None)
            self._renew_at = time() + PAUSE_SECONDS
            if self._warning != str(error):
                self._warning = str(error)
                logger.warning("%s; the last credential is used", error)
        except asyncio.CancelledError:
            # The client was closed, or the function was cancelled: the calls that wait are not.
            return CredentialUnavailableError(f"no credential: {self!r} was cancelled")
        return None

    def replace_latest(self, credential: Credential) -> None:
        """Make a credential the latest one."""
        if not self._recent or not credential.has_same_token(self.latest):
            self._recent.append(credential)
        self.latest = credential
        now = time()
        self._expires_at = math.inf
        if credential.expires_at is not None:
            self._expires_at = credential.expires_at.timestamp()
        lifetime = self._expires_at - now
        margin = min(MARGIN_SECONDS, MARGIN_SHARE * lifetime)
        self._renew_at = now + min(self._max_age, lifetime - margin)

    def mark_refused(self, credential: Credential) -> None:
        """Demand a renewal, because the server refused a credential; do nothing if it was replaced already."""
        if self.can_renew and credential.has_same_token(self.latest):
            self._renew_at = self._expires_at = -math.inf

    def close(self) -> None:
        """Cancel a renewal that is under way, because the client is closed."""
        if self._renewal is not None:
            self._renewal.cancel()

    def redact(self, text: str) -> str:
        """Replace the last credentials of this provider in a text of the server."""
        for credential in self._recent:
            text = credential.redact(text)
        return text

    def __repr__(self) -> str:
        return f"Credential({self._name}, [hidden])"


def fixed_provider(credential: Credential) -> CredentialProvider:
    """Return a provider that always gives the same credential."""

    async def fetch() -> Credential:
        return credential

    provider = CredentialProvider(fetch, credential.kind or "unknown kind", credential.header)
    provider.can_renew = False
    provider.replace_latest(credential)
    return provider


TokenProvider: TypeAlias = Callable[[], str | Credential | Awaitable[str | Credential]]
"""A function that returns a token or a `Credential`, or an awaitable of either."""


def function_provider(function: TokenProvider) -> CredentialProvider:
    """Return a provider that calls a function of the caller."""
    name = name_of(function)
    fetch = partial(call_function, Hidden(function), name)
    return CredentialProvider(fetch, f"of {name}", identity_of(function, name))


async def call_function(hidden: Hidden, name: str) -> Credential:
    """Get a credential from a function of the caller.

    Args:
        hidden: The function; a plain one runs in a thread, because it may block.
        name: Its name, for a message.

    Raises:
        CredentialUnavailableError: The function has failed.
        ConfigurationError: It returned something that is not a token.
    """
    given_as = f"{name}, which was passed as AgentPlatform(token=...)"
    limit = asyncio.timeout(MAX_TOKEN_WAIT)
    try:
        async with limit:
            if is_async_function(hidden()):
                token = hidden()()
            else:
                token = await asyncio.to_thread(hidden())
            if isawaitable(token):
                token = await token
            if isinstance(token, Credential):
                return token
            return Credential(token)
    except CredentialUnavailableError:
        # The caller's function has raised this error, and its message says what to do.
        raise
    except ConfigurationError as error:
        raise ConfigurationError(f"{error}; it is taken from {given_as}") from None
    except Exception as error:
        reason = f"raised {type_name(error)}"
        if limit.expired():
            reason = f"gave no token within {MAX_TOKEN_WAIT:g} s"
        raise CredentialUnavailableError(f"no credential: {given_as}, {reason}") from error
    finally:
        # The timeout keeps its task, and the task its error, whose traceback keeps this frame: a circle.
        del limit


def name_of(function: Any) -> str:
    """Return module and name of a function: of the function of a partial, or of the class of an object."""
    bare: Any = getattr(function, "func", function)
    if not hasattr(bare, "__qualname__"):
        bare = bare.__class__
    return f"{bare.__module__}.{bare.__qualname__}"


def identity_of(function: Any, name: str) -> str:
    """Return the identity of a function that gives tokens.

    An attribute `identity` of the function, or of the object of a method, names the account. Otherwise a function at
    the top of a module is the same one in every process, and any other function is one of its own: nobody can tell
    the account of a closure.
    """
    owner = getattr(function, "__self__", function)
    account = getattr(function, "identity", None) or getattr(owner, "identity", None)
    if isinstance(account, str):
        return f"function {name} of {account}"
    module, _, attribute = name.rpartition(".")
    if module != "__main__" and getattr(sys.modules.get(module), attribute, None) is function:
        return f"function {name}"
    return f"function {name} {id(function)} of {PROCESS}"


def file_provider(path: Any) -> CredentialProvider:
    """Return a provider that reads a file.

    Args:
        path: Path of the file.

    Raises:
        ConfigurationError: *path* is not a path, or seems to be the token itself.
    """
    if not isinstance(path, str | os.PathLike) or not path:
        raise ConfigurationError("token_file must be the path of a file, such as '/run/secrets/token'")
    # The path is made absolute, but its symbolic links are not resolved, because they may change.
    file = os.path.abspath(os.fsdecode(cast("str", path)))
    if kind_of(os.path.basename(file)) is not None and not os.path.exists(file):
        raise ConfigurationError("token_file must be the path of a file; pass a credential as token=...")
    return CredentialProvider(partial(read_file, file), f"of the file {file!r}", f"file {file}", PAUSE_SECONDS)


async def read_file(path: str) -> Credential:
    """Get a credential from a file.

    Raises:
        CredentialUnavailableError: The file cannot be read.
        ConfigurationError: It has something that is not a token.
    """
    source = f"the file {path!r} of AgentPlatform(token_file=...) or AGENT_PLATFORM_TOKEN_FILE"
    try:
        return Credential(await asyncio.to_thread(read_token, path))
    except OSError as error:
        raise CredentialUnavailableError(f"{source} cannot be read: {error.strerror}") from None
    except ConfigurationError as error:
        raise ConfigurationError(f"{error}; it is taken from {source}") from None
    except ValueError as error:
        # The path has a null character.
        raise ConfigurationError(f"{source} cannot be read: {error}") from None


def read_token(path: str) -> str:
    """Read a file with a token, without the line break at its end, and without a byte order mark.

    Raises:
        OSError: The file cannot be read.
        ConfigurationError: It is not a regular file. A pipe or a device may have no end.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ConfigurationError("token must be in a regular file")
    with open(path, "rb") as file:
        # One character too many, so that the token is refused, and not cut.
        content = file.read(MAX_FILE_LENGTH)
    return content.decode(charset_of(content, ""), "replace").rstrip("\r\n")
