"""Credentials: how a token is kept, and where a client gets it.

A token is checked and hidden in a `Credential`. A `CredentialSource` keeps the credential of a client, and renews it in
time. There are three sources: one fixed credential (`FixedCredential`), a function of the caller (`TokenFunction`) and
a file (`TokenFile`). Nothing here shows a token in a message, a repr or a log.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import logging
import math
import os
import stat
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import datetime
from inspect import isawaitable
from time import time
from typing import Any, NoReturn, TypeAlias, cast

from ._api import CREDENTIAL_PREFIXES, Operation
from .errors import ConfigurationError, CredentialMismatchError, CredentialUnavailableError
from .identity import identity_of, name_of
from .redaction import redact_secret
from .text import charset_of, plain_text, type_name
from .validators import is_async_function

KIND_NAMES = {
    "serviceUser": "a service-user credential",
    "personalAccessToken": "a personal access token",
    "enterpriseAdminApiKey": "a personal API key of an enterprise administrator",
    "legacyApiKey": "a legacy API key (v1 and v2 paths)",
}

# The longest token. Servers refuse a request whose headers are larger than 8 to 64 KiB.
MAX_TOKEN = 16 * 1024

# How much of a file is read: more than a token of MAX_TOKEN characters in UTF-16.
MAX_TOKEN_FILE = 4 * MAX_TOKEN

# How many recent credentials of a client are redacted: a server may echo an old credential.
MAX_KEPT_CREDENTIALS = 4

# A credential is renewed this long before it expires, or when a tenth of its lifetime is left, whichever is later:
# a request takes time to arrive, and the clocks of two machines differ.
MARGIN_SECONDS = 30.0
MARGIN_SHARE = 0.1

# A function that takes longer is cancelled: otherwise a function that hangs once would block the client forever.
MAX_TOKEN_WAIT = 60.0

# A file is read at most once in this many seconds. If a source fails while its last credential can still be used, it is
# asked again after the same time.
PAUSE_SECONDS = 1.0

logger = logging.getLogger("agent_session_platform")


class HiddenToken:
    """A token that was not checked yet, as a function that returns it; its repr does not show it.

    A function that takes a bare token wraps it in its first statement, because error reporters show local variables.

    Args:
        token: The token.
    """

    __slots__ = ("_token",)

    def __init__(self, token: str) -> None:
        self._token, token = token, ""

    def __call__(self) -> str:
        """Return the token."""
        return self._token

    def __repr__(self) -> str:
        return "[hidden]"


class Credential:
    """A bearer token, which is in no repr, pickle or message, and the time at which it expires.

    Args:
        token: The token, without the word Bearer.
        expires_at: When the server stops accepting it, a datetime with a time zone; None if that is not known.

    Attributes:
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

    __slots__ = ("_token", "expires_at", "kind")

    def __init__(self, token: str, expires_at: datetime | None = None) -> None:
        self._token, token = token, ""
        problem = why_invalid(self._token)
        if problem is not None:
            raise ConfigurationError(f"token {problem}")
        self._token = plain_text(self._token)
        if expires_at is not None and (not isinstance(expires_at, datetime) or expires_at.utcoffset() is None):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            rule = "a datetime with a time zone, as datetime.now(UTC) + timedelta(hours=1) is"
            raise ConfigurationError(f"expires_at must be {rule}, not {type_name(expires_at)}")
        self.expires_at = expires_at
        self.kind = kind_of(self._token)

    @property
    def header(self) -> str:
        """The value of the Authorization header (RFC 6750, section 2.1)."""
        return f"Bearer {self._token}"

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
    if len(token) > MAX_TOKEN:
        return f"has {len(token):,} characters; a header has room for {MAX_TOKEN:,}"
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


class CredentialSource(ABC):
    """A source of credentials, which one client uses in one event loop.

    Args:
        identity: A name that stays the same when the credential changes, and is the same in all processes. Clients with
            the same identity share a rate limit. Only a digest of the name leaves the process.
        max_age: After how many seconds a credential is renewed even if it has not expired.

    Attributes:
        identity: The argument of the same name.
    """

    def __init__(self, identity: str, max_age: float = math.inf) -> None:
        self.identity = identity
        self._max_age = max_age
        # The last credentials, the latest one at the end.
        self._known: deque[Credential] = deque(maxlen=MAX_KEPT_CREDENTIALS)
        self._renew_at = self._expires_at = -math.inf
        self._renewal: asyncio.Task[None] | None = None
        self._warning = ""

    @property
    def latest(self) -> Credential:
        """The latest credential; there is one unless a renewal is due."""
        return self._known[-1]

    @property
    def is_due(self) -> bool:
        """True if a renewal is due before the next request."""
        return time() >= self._renew_at

    async def renew(self) -> None:
        """Get a new credential. All calls that wait share one renewal, which continues if a call is cancelled.

        Raises:
            CredentialUnavailableError: The source has failed.
            ConfigurationError: The source gave something that is not a token.
        """
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew())
            # Without this, asyncio logs an error that no call is left to raise.
            self._renewal.add_done_callback(lambda task: task.cancelled() or task.exception())
        renewal = self._renewal
        # `asyncio.wait` neither cancels the task nor raises its error.
        await asyncio.wait((renewal,))
        if renewal.cancelled():
            raise CredentialUnavailableError(f"no credential: {self!r} was cancelled")
        if (error := renewal.exception()) is not None:
            if self._renewal is renewal:
                # The error has frames with this source: kept here, they would stay in memory, with their locals.
                self._renewal = None
            # Each call raises its own copy, because a call adds to the message of its error. The frames of the original
            # may have the token.
            raise copy.copy(error.with_traceback(None)) from error.__cause__

    def mark_refused(self, credential: Credential) -> None:
        """Demand a renewal, because the server refused a credential; do nothing if it was replaced already."""
        if credential.has_same_token(self.latest):
            self._renew_at = self._expires_at = -math.inf

    def close(self) -> None:
        """Cancel a renewal that is under way, because the client is closed."""
        if self._renewal is not None:
            self._renewal.cancel()

    def redact(self, text: str) -> str:
        """Replace the last credentials of this source in a text of the server."""
        for credential in self._known:
            text = credential.redact(text)
        return text

    @abstractmethod
    async def _fetch(self) -> Credential:
        """Get a credential from the function or the file; the errors are those of `renew`."""

    async def _renew(self) -> None:
        """Get a new credential. If that fails, the latest credential is used until it expires."""
        try:
            self._keep(await self._fetch())
            self._warning = ""
        except ConfigurationError as error:
            # A program that renews a file may empty it first, or remove it for a moment.
            if time() >= self._expires_at:
                raise
            self._renew_at = time() + PAUSE_SECONDS
            if self._warning != str(error):
                self._warning = str(error)
                logger.warning("%s; the last credential is used", error)

    def _keep(self, credential: Credential) -> None:
        """Make a credential the latest one."""
        if self._known and credential.has_same_token(self.latest):
            self._known.pop()
        self._known.append(credential)
        now = time()
        self._expires_at = math.inf
        if credential.expires_at is not None:
            self._expires_at = credential.expires_at.timestamp()
        lifetime = self._expires_at - now
        margin = min(MARGIN_SECONDS, MARGIN_SHARE * lifetime)
        self._renew_at = now + min(self._max_age, lifetime - margin)


class FixedCredential(CredentialSource):
    """A source that always gives the same credential.

    Args:
        credential: The credential.
    """

    def __init__(self, credential: Credential) -> None:
        # Use a digest, because `identity` is public.
        super().__init__(hashlib.blake2s(credential.header.encode()).hexdigest())
        self._keep(credential)

    async def _fetch(self) -> Credential:
        return self.latest

    def __repr__(self) -> str:
        return repr(self.latest)


TokenProvider: TypeAlias = Callable[[], str | Credential | Awaitable[str | Credential]]
"""A function that returns a token or a `Credential`, or an awaitable of either."""


class TokenFunction(CredentialSource):
    """A source that calls a function of the caller.

    Args:
        function: A function that returns a token or a `Credential`, or an awaitable of either. A plain function runs in
            a thread.
    """

    def __init__(self, function: TokenProvider) -> None:
        self._name = name_of(function)
        super().__init__(identity_of(function))
        self._function = function

    async def _fetch(self) -> Credential:
        given_as = f"{self._name}, which was passed as AgentPlatform(token=...)"
        limit = asyncio.timeout(MAX_TOKEN_WAIT)
        try:
            async with limit:
                return await self._call()
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
            # It has the task, and the task its error.
            del limit

    async def _call(self) -> Credential:
        """Call the function; a plain one in a thread, because it may block."""
        if is_async_function(self._function):
            token: Any = self._function()
        else:
            token = await asyncio.to_thread(self._function)
        if isawaitable(token):
            token = await token
        if isinstance(token, Credential):
            return token
        return Credential(token)

    def __repr__(self) -> str:
        return f"Credential(of {self._name}, [hidden])"


def read_token(path: str) -> str:
    """Read a file with a token, without the line break at its end, and without a byte order mark.

    Raises:
        OSError: The file cannot be read.
        ConfigurationError: It is not a regular file. A pipe or a device may have no end.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ConfigurationError("token must be in a regular file")
    with open(path, "rb") as file:
        # One byte too many, so that the token is refused, and not cut.
        content = file.read(MAX_TOKEN_FILE)
    return content.decode(charset_of(content, ""), "replace").rstrip("\r\n")


class TokenFile(CredentialSource):
    """A source that reads a file.

    Args:
        path: Path of the file.

    Raises:
        ConfigurationError: *path* is not a path, or seems to be the token itself.
    """

    def __init__(self, path: Any) -> None:
        name = ""
        if isinstance(path, str | os.PathLike):
            name = os.fsdecode(cast("str", path))
        if not name or "\0" in name:
            raise ConfigurationError("token_file must be the path of a file, such as '/run/secrets/token'")
        # The path is made absolute, but its symbolic links are not resolved, because they may change.
        self._path = os.path.abspath(name)
        if kind_of(os.path.basename(self._path)) is not None and not os.path.exists(self._path):
            raise ConfigurationError("token_file must be the path of a file; pass a credential as token=...")
        super().__init__(f"file {self._path}", PAUSE_SECONDS)

    async def _fetch(self) -> Credential:
        source = f"the file {self._path!r} of AgentPlatform(token_file=...) or AGENT_PLATFORM_TOKEN_FILE"
        try:
            return Credential(await asyncio.to_thread(read_token, self._path))
        except OSError as error:
            raise CredentialUnavailableError(f"{source} cannot be read: {error.strerror}") from None
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}; it is taken from {source}") from None

    def __repr__(self) -> str:
        return f"Credential(of the file {self._path!r}, [hidden])"
