"""Failures of an exchange: what they mean, and the errors of the SDK that they become.

A transport says what an error means (`Transport.classify`): a FailureKind for an error of its library or of the
network, and None for any other error, which the call raises as it is.

In an exchange there may also be code of the caller, which may make requests of its own: the hooks of a client, the
middlewares of a session, an application behind a transport. Such code may fail to connect elsewhere. Taken for our
error, that would mean "not sent", and the request would be sent again. So `send` of a transport reports it as
BROKEN_OFF.
"""

from __future__ import annotations

import enum
import re
import ssl
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs

from .._api import Operation
from ..errors import (
    AgentPlatformError,
    CertificateError,
    ConnectionFailedError,
    InvalidArgumentError,
    PoolTimeoutError,
)
from ..text import truncate

# Network errors besides the errors of an HTTP library.
NETWORK_ERRORS: tuple[type[Exception], ...] = (OSError, UnicodeError)

MAX_MESSAGE_TEXT = 200

# A URL in a message of a library, which may have a password or be signed: only its scheme, host and port are shown.
URL = re.compile(r"(?<=[a-z]://)(?:[^/\s'\"]*@)?([^/?#\s'\"]+)[^\s'\"]*")

CERTIFICATE_HINT = (
    "to trust its authority, set SSL_CERT_FILE to a file with the certificate of the authority, or verify to its path"
)


class RefusedRequestError(Exception):
    """A library refuses to send a request, such as one of a client that is closed; never leaves the transport."""


class FailureKind(enum.Enum):
    """The meaning of an error of an HTTP library for the exchange that it ended: the error that the call gets.

    Each member has a class of error, its message, and the attributes of the error that are true. The message may have
    `where` (the address of the server), `timeout` (in seconds) and `reason` (what the library says).
    """

    UNWRITTEN = (InvalidArgumentError, "the request cannot be written ({reason})")
    NOT_CONNECTED = (ConnectionFailedError, "could not connect to {where} ({reason})")
    PROXY_UNAUTHORIZED = (
        ConnectionFailedError,
        "could not connect to {where} ({reason}); check the user name and the password in the address of the proxy",
        "final",
    )
    CONNECT_TIMEOUT = (ConnectionFailedError, "could not connect to {where} within {timeout:g} s", "timed_out")
    POOL_TIMEOUT = (PoolTimeoutError, "no connection became free within {timeout:g} s")
    TIMEOUT = (ConnectionFailedError, "no data for {timeout:g} s ({reason})", "may_have_arrived", "timed_out")
    BROKEN_OFF = (ConnectionFailedError, "the exchange broke off ({reason})", "may_have_arrived")

    def make_error(self, operation: Operation, **known: Any) -> AgentPlatformError:
        """Make the error of this kind.

        Args:
            operation: The operation that was called.
            known: What the message may have.
        """
        cls, message, *true_attributes = self.value
        error: AgentPlatformError = cls(
            message.format_map(known), operation=operation, **dict.fromkeys(true_attributes, True)
        )
        return error


# What the errors of a library mean; the first class that matches counts.
FailureKinds: TypeAlias = Sequence[tuple[type[Exception] | tuple[type[Exception], ...], FailureKind]]


def find_failure_kind(error: Exception, kinds: FailureKinds) -> FailureKind | None:
    """Return the meaning of an error; None if none of the classes is its class."""
    for classes, kind in kinds:
        if isinstance(error, classes):
            return kind
    return None


@attrs.frozen
class ErrorTranslator:
    """Translator of the errors of a transport into errors with the address of the server and without the credential.

    Attributes:
        classify: The method of the transport that says what an error means; see `Transport.classify`.
        redact: Takes the credential out of a text.
        where: The address of the server, and of the proxy on the way to it.
    """

    classify: Callable[[Exception], FailureKind | None]
    redact: Callable[[str], str]
    where: str

    def translate(self, error: Exception, operation: Operation, timeout: float) -> Exception:
        """Translate a failure of the network into an SDK error; return any other error unchanged.

        Args:
            error: The error that was raised.
            operation: The operation that was called.
            timeout: Seconds without a byte after which the attempt failed.

        Returns:
            The error to raise.
        """
        if isinstance(error, AgentPlatformError):
            return error
        kind = self.classify(error)
        if kind is None:
            return error
        certificate_error = find_certificate_error(error)
        if certificate_error is not None:
            why = truncate(certificate_error.verify_message)
            reason = f"its certificate was refused ({why}); {CERTIFICATE_HINT}"
            message = f"could not connect to {self.where}: {reason}"
            return CertificateError(message, operation=operation)
        return kind.make_error(operation, where=self.where, timeout=timeout, reason=self._describe(error))

    def _describe(self, error: Exception) -> str:
        """Describe an error of a library without credentials, and without paths and queries, which may be signed."""
        message = type(error).__name__
        if str(error):
            message = f"{message}: {error}"
        return truncate(URL.sub(r"\1/...", self.redact(message)), MAX_MESSAGE_TEXT)


def find_certificate_error(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """Return the certificate error that prevented a connection; None if there was another reason.

    It is an argument of the error of httpcore, the cause, and of that of aiohttp. Contexts are not searched, because
    they may be errors that the caller is handling.
    """
    while error is not None:
        for origin in (error, *error.args):
            # aiohttp's own error has the same class, but lacks the reason.
            if isinstance(origin, ssl.SSLCertVerificationError) and hasattr(origin, "verify_message"):
                return origin
        error = error.__cause__
    return None
