"""Failures of an exchange: what they mean, and the errors of the SDK that they become."""

from __future__ import annotations

import enum
import re
import ssl
from collections.abc import Callable
from functools import partial

import attrs

from .._api import Operation
from ..errors import (
    AgentPlatformError,
    CertificateError,
    ConnectionFailedError,
    InvalidArgumentError,
    PoolTimeoutError,
)
from ..network import ProxyResolver
from ..text import truncate

# Network errors besides the errors of an HTTP library.
NETWORK_ERRORS: tuple[type[Exception], ...] = (OSError, UnicodeError)

MAX_MESSAGE_TEXT = 200

NO_PASSWORD = "; put the user name and the password into the proxy's address, as in http://user:password@..."
OTHER_PASSWORD = "; check the user name and the password in the proxy's address"

# Parts of a URL in a message of a library: aiohttp shows the URL of the request or of the proxy.
USER = re.compile(r"(?<=[a-z]://)[^/?#\s'\"]*@")
PATH = re.compile(r"(?<=[a-z]://)([^/?\s'\"]+)/[^\s'\"]*")
QUERY = re.compile(r"\?[^\s'\"]+")

# What to do about a certificate, by the code of OpenSSL (X509_V_ERR_...). For other codes: trust another authority.
EXPIRED = "renew it on the server, or set the clock of this machine"
OTHER_HOST = "set base_url to a host name of the certificate"
REMEDIES = {9: EXPIRED, 10: EXPIRED, 62: OTHER_HOST, 64: OTHER_HOST}
OTHER_AUTHORITY = (
    "set SSL_CERT_FILE to a file with the certificate of the authority that you trust, or set verify to its path"
)


class FailureKind(enum.Enum):
    """The meaning of an error of an HTTP library for the exchange that it ended."""

    UNWRITTEN = "the request cannot be written"
    NOT_CONNECTED = "no connection was made"
    PROXY_UNAUTHORIZED = "the proxy asks for another user name and password"
    CONNECT_TIMEOUT = "no connection was made in time"
    REFUSED = "the server says that it has done nothing"
    POOL_TIMEOUT = "no connection became free in time"
    TIMEOUT = "a connection was silent for too long"
    BROKEN_OFF = "the exchange broke off"


@attrs.frozen
class ErrorTranslator:
    """Translator of the errors of a transport into errors with the address of the server and without the credential.

    Attributes:
        classify: The method of the transport that says what an error means; see `Transport.classify`.
        proxies: The proxies that the transport sends through.
        redact: Takes the credential out of a text.
        address: The address of the server.
        unix_socket: The socket on which the server listens; None for the network.
    """

    classify: Callable[[Exception], FailureKind | None]
    proxies: ProxyResolver
    redact: Callable[[str], str]
    address: str
    unix_socket: str | None

    def translate(
        self,
        error: Exception,
        operation: Operation,
        timeout: float,
        handled: BaseException | None = None,
        *,
        has_responded: bool = False,
    ) -> Exception:
        """Translate a failure of the network into an SDK error; return any other error unchanged.

        Args:
            error: The error that was raised.
            operation: The operation that was called.
            timeout: Seconds without a byte after which the attempt failed.
            handled: The exception that the caller was handling when the attempt began: Python chains the errors of the
                attempt to it.
            has_responded: Whether the server had begun to respond: then it has not refused the request.

        Returns:
            The error to raise.
        """
        if isinstance(error, AgentPlatformError):
            return error
        kind = self.classify(error)
        if kind is None:
            return error
        if kind is FailureKind.REFUSED and has_responded:
            kind = FailureKind.BROKEN_OFF
        # A transport of the caller may raise the error of OpenSSL as it is.
        if kind is FailureKind.NOT_CONNECTED or isinstance(error, ssl.SSLCertVerificationError):
            refused = find_certificate_error(error, handled)
            if refused is not None:
                return CertificateError(self._describe_refusal(refused), operation=operation)
        return self._make_error(kind, self._describe(error), operation, timeout)

    def _make_error(self, kind: FailureKind, message: str, operation: Operation, timeout: float) -> AgentPlatformError:
        """Make the error of a kind of failure; *message* is what the library says."""
        failed = partial(ConnectionFailedError, operation=operation)
        match kind:
            case FailureKind.POOL_TIMEOUT:
                return pool_timeout_error(operation, timeout)
            case FailureKind.CONNECT_TIMEOUT:
                return failed(f"could not connect to {self._where()} within {timeout:g} s", timed_out=True)
            case FailureKind.NOT_CONNECTED:
                return failed(f"could not connect to {self._where()} ({message})")
            case FailureKind.PROXY_UNAUTHORIZED:
                remedy = OTHER_PASSWORD
                proxy = self.proxies.proxy_for(self.address)
                if proxy is not None and proxy.login is None:
                    remedy = NO_PASSWORD
                reason = f"could not connect to {self._where()} (407 Proxy Authentication Required){remedy}"
                return failed(reason, final=True)
            case FailureKind.REFUSED:
                return failed(f"the server has refused the request, and done nothing ({message})")
            case FailureKind.UNWRITTEN:
                return InvalidArgumentError(f"the request cannot be written ({message})", operation=operation)
            case FailureKind.TIMEOUT:
                return failed(f"no data for {timeout:g} s ({message})", may_have_arrived=True, timed_out=True)
            case FailureKind.BROKEN_OFF:
                return failed(f"the exchange broke off ({message})", may_have_arrived=True)

    def _where(self) -> str:
        """Return the address of the server, and of the proxy or the socket on the way to it."""
        if self.unix_socket is not None:
            return f"{self.address} through the socket {self.unix_socket}"
        place = self.address
        proxy = self.proxies.proxy_for(self.address)
        if proxy is not None:
            place = f"{place} through the proxy {proxy.url}"
        # The address may come from a redirect, and so may repeat the credential.
        return self.redact(place)

    def _describe(self, error: Exception) -> str:
        """Describe an error of a library without credentials, and without paths and queries, which may be signed."""
        message = type(error).__name__
        if str(error):
            message = f"{message}: {error}"
        message = USER.sub("", self.redact(message))
        message = PATH.sub(r"\1/...", message)
        message = QUERY.sub("?...", message)
        return truncate(message, MAX_MESSAGE_TEXT)

    def _describe_refusal(self, error: ssl.SSLCertVerificationError) -> str:
        """Return why a certificate was refused, and what to do about it."""
        reason = truncate(error.verify_message)
        remedy = REMEDIES.get(error.verify_code, OTHER_AUTHORITY)
        whose = "its certificate"
        proxy = self.proxies.proxy_for(self.address)
        if proxy is not None and proxy.has_tls:
            whose = "its certificate or that of the proxy"
        return f"could not connect to {self._where()}: {whose} was refused ({reason}); {remedy}"


def pool_timeout_error(operation: Operation, timeout: float) -> PoolTimeoutError:
    """Make the error of a request that waited in vain for a connection."""
    return PoolTimeoutError(f"no connection became free within {timeout:g} s", operation=operation)


def find_certificate_error(
    error: BaseException | None, handled: BaseException | None
) -> ssl.SSLCertVerificationError | None:
    """Return the certificate error that prevented a connection; None if there was another reason.

    Args:
        error: The error of the HTTP library.
        handled: The caller's own exception, which is no reason.
    """
    while error is not None and error is not handled:
        # aiohttp's own error has the same class, but lacks the reason.
        if isinstance(error, ssl.SSLCertVerificationError) and hasattr(error, "verify_code"):
            return error
        error = error.__cause__ or error.__context__
    return None
