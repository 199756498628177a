"""Credentials in a file, such as a mounted secret: read at first use, and again when the file has changed."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import stat
from contextlib import suppress
from typing import Any, TypeAlias, cast

from ..errors import ConfigurationError, CredentialUnavailableError
from ..text import type_name
from .credential_source import CredentialSource
from .credentials import Credential, check_token, kind_of

# How often the file is looked at, by the clock of the event loop.
CHECK_SECONDS = 1.0

MAX_BYTES = 64 * 1024

FROM = "AgentPlatform(token_file=...) or AGENT_PLATFORM_TOKEN_FILE"

# What differs when a file was written, or when another file is at its path, also by way of a symbolic link.
Version: TypeAlias = tuple[int, int, int, int]

logger = logging.getLogger("agent_session_platform")


class TokenFile(CredentialSource):
    """A source that reads a file. If the file cannot be read later on, the token of before is used.

    Args:
        path: Path of the file.

    Raises:
        ConfigurationError: *path* is no path.
    """

    def __init__(self, path: Any) -> None:
        super().__init__()
        self._path = check_path(path)
        self._where = f"it is taken from the file {self._path!r} of {FROM}"
        self._version: Version | None = None
        self._check_at = -math.inf
        self._warned = ""

    @property
    def identity(self) -> str:
        """The absolute path, before symbolic links are followed."""
        return f"file {self._path}"

    def current(self) -> Credential | None:
        """Return the credential to send now; None if there was none yet."""
        if self._latest is None:
            return None
        now = asyncio.get_running_loop().time()
        if now >= self._check_at:
            self._check_at = now + CHECK_SECONDS
            try:
                self._check()
                self._warned = ""
            except ConfigurationError as error:
                # Whoever writes a file may empty it first, or take it away for a moment.
                if self._warned != str(error):
                    self._warned = str(error)
                    logger.warning("%s; the token of before is used", error)
        return self._latest

    async def get(self, deadline: float) -> Credential:
        """Return the credential to send now; see `CredentialSource.get`."""
        credential = self.current()
        if credential is None:
            self._check()
            self._check_at = asyncio.get_running_loop().time() + CHECK_SECONDS
            credential = self._latest
            assert credential is not None, "it was read"
        return credential

    def refuse(self, credential: Credential) -> None:
        """Read the file before the next request, whether it has changed or not."""
        if credential is self._latest:
            self._version, self._check_at = None, -math.inf

    def _check(self) -> None:
        """Read the file if it has changed."""
        try:
            version = version_of(os.stat(self._path))
            if version == self._version:
                return
            content, version = self._read()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise CredentialUnavailableError(f"the file {self._path!r} of {FROM} cannot be read: {reason}") from None
        token = content.decode("utf-8", "replace").rstrip("\r\n")
        try:
            check_token(token, self._where)
            credential = Credential(token)
        finally:
            # An error reporter shows the local variables of this frame.
            del content, token
        self._version = version
        if self._latest is None or not credential.has_same_token(self._latest):
            self._keep(credential)

    def _read(self) -> tuple[bytes, Version]:
        with open(self._path, "rb", buffering=0, opener=open_at_once) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise CredentialUnavailableError(f"the file {self._path!r} of {FROM} is no regular file")
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise CredentialUnavailableError(f"the file {self._path!r} of {FROM} has more than {MAX_BYTES} bytes")
        return content, version_of(status)

    def __repr__(self) -> str:
        return f"Credential(of the file {self._path!r}, [hidden])"


def check_path(path: Any) -> str:
    """Return the absolute path of a token file.

    Raises:
        ConfigurationError: It is no path, or seems to be the token itself.
    """
    text: object = None
    with suppress(TypeError):
        text = cast("object", os.fspath(path))
    if not isinstance(text, str):
        raise ConfigurationError(f"token_file must be a path, not {type_name(path)}")
    if not text or "\0" in text:
        raise ConfigurationError("token_file must be a path, and not empty or with a null character")
    # The path is in messages.
    if kind_of(text) is not None and not os.path.exists(text):
        raise ConfigurationError("token_file must be the path of a file, not a credential; pass that as token=...")
    return os.path.abspath(text)


def open_at_once(path: str, flags: int) -> int:
    """Open a file; do not wait for somebody to write into a FIFO."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def version_of(status: os.stat_result) -> Version:
    """Return what tells one version of a file from the next."""
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev
