"""Credentials: how a token is kept, where a client gets it, and how a call gets another token after a 401.

A token is checked and hidden in a `Credential`. A `CredentialSource` gives the current credential. There are three
sources: one fixed credential (`FixedCredential`), a function of the caller (`TokenFunction`) and a file (`TokenFile`).
A `CallCredential` is the credential of one call. Nothing here shows a token in a message, a repr or a log.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import logging
import math
import os
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import datetime
from inspect import isawaitable, iscoroutinefunction
from pathlib import Path
from time import monotonic, time
from typing import Any, NoReturn, TypeAlias, cast
from urllib.parse import quote

from ._api import CREDENTIAL_PREFIXES, Operation
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    ConfigurationError,
    CredentialMismatchError,
    CredentialUnavailableError,
    DeadlineExceededError,
)
from .text import type_name

KIND_NAMES = {
    "serviceUser": "a service-user credential",
    "personalAccessToken": "a personal access token",
    "enterpriseAdminApiKey": "a personal API key of an enterprise administrator",
    "legacyApiKey": "a legacy API key (v1 and v2 paths)",
}

REPLACEMENT = "[credential]"

# Do not redact shorter tokens: the replacement would corrupt other text.
MIN_REDACTED_LENGTH = 8

# How many recent credentials of a client are redacted: a server may echo an old credential.
MAX_KEPT_CREDENTIALS = 4

# A credential is renewed this long before it expires, or when a tenth of its lifetime is left, whichever is later:
# a request takes time to arrive, and the clocks of two machines differ.
MARGIN_SECONDS = 30.0
MARGIN_SHARE = 0.1

# A function that takes longer is cancelled: otherwise a function that hangs once would block the client forever.
MAX_TOKEN_WAIT = 60.0

# A file is read at most once in this many seconds.
READ_SECONDS = 1.0

logger = logging.getLogger("agent_session_platform")


class UncheckedToken:
    """A token that was not checked yet; its repr does not show it.

    A function that takes a bare token wraps it in its first statement, because error reporters show local variables.

    Args:
        token: The token.
    """

    __slots__ = ("token",)

    def __init__(self, token: str) -> None:
        self.token, token = token, ""

    def __repr__(self) -> str:
        return "[hidden]"


class Credential:
    """A bearer token that never appears in repr, pickle or messages, and the time until which it may be used.

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
    if token != token.strip():
        return "begins or ends with white space or a line break; strip it"
    if token.lower().startswith("bearer "):
        return "must be given without the word Bearer"
    if not token.isascii() or not token.isprintable() or " " in token:
        return "has characters that no credential has (spaces, controls, non-ASCII)"
    return None


def redact_secret(secret: str, text: str) -> str:
    """Replace a secret in a text, both in plain and in percent-encoded form.

    Args:
        secret: A token or a password. A secret of fewer than MIN_REDACTED_LENGTH characters is not replaced.
        text: The text.
    """
    if len(secret) < MIN_REDACTED_LENGTH:
        return text
    return text.replace(secret, REPLACEMENT).replace(quote(secret, safe=""), REPLACEMENT)


def kind_of(token: str) -> str | None:
    """Return the kind of credential that the prefix of *token* proves; None for an unknown prefix."""
    prefix = max((prefix for prefix in CREDENTIAL_PREFIXES if token.startswith(prefix)), key=len, default="")
    return CREDENTIAL_PREFIXES.get(prefix)


def preflight(credential: Credential, operation: Operation) -> None:
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
    return " or ".join(KIND_NAMES.get(kind, f"a credential of the kind {kind}") for kind in kinds)


class CredentialSource:
    """A source of credentials, which one client uses in one event loop.

    Args:
        identity: A name that does not change with the credential, and is the same in all processes: clients with the
            same identity share a rate limit. Only a digest of the name leaves the process.

    Attributes:
        identity: The argument of the same name.
    """

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self._latest: Credential | None = None
        self._known: deque[Credential] = deque(maxlen=MAX_KEPT_CREDENTIALS)

    def current(self) -> Credential | None:
        """Return the credential to send now; None if `fetch` must get a new credential first."""
        return self._latest

    async def fetch(self, deadline: float) -> Credential:
        """Get a new credential.

        Args:
            deadline: When to give up, in seconds of the event loop's clock.

        Raises:
            TimeoutError: The deadline has passed.
            CredentialUnavailableError: The source has failed.
            ConfigurationError: The source gave something that is not a token.
            ClientClosedError: The client was closed.
        """
        raise NotImplementedError("only the credential of a TokenFunction can be missing")

    def refuse(self, credential: Credential) -> None:
        """Record that the server refused a credential, so that another credential replaces it as soon as possible."""

    def close(self) -> None:
        """Stop getting a credential, because the client is closed."""

    def redact(self, text: str) -> str:
        """Replace the last credentials of this source in a text of the server."""
        for credential in self._known:
            text = credential.redact(text)
        return text

    def _keep(self, credential: Credential) -> None:
        """Store a credential as the latest one, which `current` returns."""
        if self._latest is None or not credential.has_same_token(self._latest):
            self._known.append(credential)
        self._latest = credential


class FixedCredential(CredentialSource):
    """A source that always gives the same credential.

    Args:
        credential: The credential.
    """

    def __init__(self, credential: Credential) -> None:
        # Use a digest, because `identity` is public.
        super().__init__(hashlib.blake2s(credential.header.encode()).hexdigest())
        self._keep(credential)

    def __repr__(self) -> str:
        return repr(self._latest)


TokenProvider: TypeAlias = Callable[[], "str | Credential | Awaitable[str | Credential]"]


class TokenFunction(CredentialSource):
    """A source that calls a function of the caller: in a separate task, and only once for all calls that wait.

    Cancelling a call does not cancel the task; closing the client does.

    Args:
        function: A function that returns a token or a `Credential`, or an awaitable of either. A plain function runs in
            a thread.
    """

    def __init__(self, function: TokenProvider) -> None:
        # A partial is named after its function, an object without a name after its class.
        bare: Any = getattr(function, "func", function)
        bare = bare if hasattr(bare, "__qualname__") else bare.__class__
        self._name = f"{bare.__module__}.{bare.__qualname__}"
        super().__init__(f"function {self._name}")
        self._function = function
        self._task: asyncio.Task[Credential | ConfigurationError] | None = None
        self._closed = False
        self._renew_at = self._expires_at = -math.inf

    def current(self) -> Credential | None:
        """Return the credential to send now; see `CredentialSource.current`."""
        return None if time() >= self._renew_at else self._latest

    async def fetch(self, deadline: float) -> Credential:
        """Get a new credential; see `CredentialSource.fetch`."""
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._renew())
        task = self._task
        # `asyncio.wait` neither cancels the task nor raises its exception.
        await asyncio.wait((task,), timeout=max(0.0, deadline - loop.time()))
        if self._closed:
            raise ClientClosedError("the client was closed while the call waited for a credential")
        if not task.done():
            raise TimeoutError
        outcome = task.result()
        if isinstance(outcome, Credential):
            return outcome
        # Each waiting call gets its own copy of the error.
        raise copy.copy(outcome) from outcome.__cause__

    def refuse(self, credential: Credential) -> None:
        """Ask for a new credential before the next request, unless the refused credential was replaced already."""
        if credential is self._latest:
            self._renew_at = self._expires_at = -math.inf

    def close(self) -> None:
        """Cancel the function if it is running."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()

    async def _renew(self) -> Credential | ConfigurationError:
        """Call the function. If it fails, return the last credential, unless that credential has expired.

        A failure is returned, not raised, because there may be no call left that retrieves an exception.
        """
        given_as = f"{self._name}, which was passed as AgentPlatform(token=...)"
        failed: ConfigurationError
        limit = asyncio.timeout(MAX_TOKEN_WAIT)
        try:
            async with limit:
                # A plain function runs in a thread, because it may block.
                is_async = iscoroutinefunction(self._function) or iscoroutinefunction(type(self._function).__call__)
                token: Any = self._function() if is_async else await asyncio.to_thread(self._function)
                token = await token if isawaitable(token) else token
            credential = token if isinstance(token, Credential) else Credential(token)
        except CredentialUnavailableError as error:
            # The caller's function has raised this error, and its message says what to do.
            failed = error
        except ConfigurationError as error:
            failed = ConfigurationError(f"{error}; it is taken from {given_as}")
        except (Exception, asyncio.CancelledError) as error:
            reason = f"gave no token within {MAX_TOKEN_WAIT:g} s" if limit.expired() else f"raised {type_name(error)}"
            failed = CredentialUnavailableError(f"no credential: {given_as}, {reason}")
            failed.__cause__ = error
        else:
            self._keep(credential)
            self._expires_at = math.inf if credential.expires_at is None else credential.expires_at.timestamp()
            self._renew_at = self._expires_at - min(MARGIN_SECONDS, MARGIN_SHARE * (self._expires_at - time()))
            return credential
        if self._latest is None or time() >= self._expires_at:
            return failed
        logger.warning("%s; the last credential is used until it expires", failed)
        return self._latest

    def __repr__(self) -> str:
        return f"Credential(of {self._name}, [hidden])"


class TokenFile(CredentialSource):
    """A source that reads a file. If the file can no longer be read, the last token is used.

    Args:
        path: Path of the file.

    Raises:
        ConfigurationError: *path* is not a path, or seems to be the token itself.
    """

    def __init__(self, path: Any) -> None:
        if not isinstance(path, str | os.PathLike) or path == "":
            raise ConfigurationError("token_file must be the path of a file, such as '/run/secrets/token'")
        self._path = os.path.abspath(os.fsdecode(cast("str", path)))
        if kind_of(os.path.basename(self._path)) is not None and not os.path.exists(self._path):
            raise ConfigurationError("token_file must be the path of a file; pass a credential as token=...")
        # The path is made absolute, but its symbolic links are not resolved, because they may change.
        super().__init__(f"file {self._path}")
        self._read_at = -math.inf
        self._warned = ""

    def current(self) -> Credential:
        """Return the credential to send now.

        Raises:
            ConfigurationError: The file cannot be read, and was never read before.
        """
        latest = self._latest
        if latest is not None and monotonic() < self._read_at:
            return latest
        self._read_at = monotonic() + READ_SECONDS
        try:
            latest = self._read()
            self._warned = ""
        except ConfigurationError as error:
            if latest is None:
                raise
            # A program that renews the file may empty it first, or remove it for a moment.
            if self._warned != str(error):
                self._warned = str(error)
                logger.warning("%s; the last token is used", error)
        return latest

    def refuse(self, credential: Credential) -> None:
        """Read the file before the next request."""
        self._read_at = -math.inf

    def _read(self) -> Credential:
        source = f"the file {self._path!r} of AgentPlatform(token_file=...) or AGENT_PLATFORM_TOKEN_FILE"
        try:
            credential = Credential(Path(self._path).read_text("utf-8", "replace").rstrip("\r\n"))
        except OSError as error:
            raise CredentialUnavailableError(f"{source} cannot be read: {error.strerror}") from None
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}; it is taken from {source}") from None
        self._keep(credential)
        return credential

    def __repr__(self) -> str:
        return f"Credential(of the file {self._path!r}, [hidden])"


class CallCredential:
    """The credential of one call; the source may change it before each attempt.

    Args:
        source: The source of the client.
        operation: The operation that is called.
        repeatable: Whether the request can be sent again.
        deadline: When the call must end, in seconds of the event loop's clock.
    """

    # The credential that was sent with the latest attempt.
    _credential: Credential

    def __init__(self, source: CredentialSource, operation: Operation, repeatable: bool, deadline: float) -> None:
        self._source = source
        self._operation = operation
        self._can_be_replaced = repeatable
        self._deadline = deadline

    async def get(self) -> Credential:
        """Return the credential of the next attempt.

        Raises:
            AgentPlatformError: There is no credential.
        """
        try:
            self._credential = self._source.current() or await self._source.fetch(self._deadline)
        except TimeoutError:
            message = f"no credential before the deadline of the call: {self._source!r}"
            raise DeadlineExceededError(message, operation=self._operation) from None
        return self._credential

    def latest(self) -> Credential:
        """Return the credential that `get` has returned, or the credential that has replaced it meanwhile."""
        self._credential = self._source.current() or self._credential
        return self._credential

    async def replace(self, error: AuthenticationError) -> bool:
        """Return whether to send the request again after a 401, which means that nothing was carried out.

        A call is sent again only once, whatever its method and its retry policy are, and only with another token.

        Args:
            error: The error of the 401, for the log.
        """
        refused = self._credential
        self._source.refuse(refused)
        if not self._can_be_replaced:
            return False
        try:
            credential = await self.get()
        except AgentPlatformError as failed:
            failed.response = error.response
            raise
        if credential.has_same_token(refused):
            return False
        logger.info("%s; sending again with another credential", error)
        self._can_be_replaced = False
        return True
