"""Translate the errors of HTTP libraries into errors of the SDK."""

from __future__ import annotations

import copy
import re
import ssl
from functools import partial
from typing import Self

from .._api import Operation
from ..configuration import Configuration
from ..errors import (
    AgentPlatformError,
    CertificateError,
    ConnectionFailedError,
    InvalidArgumentError,
    PoolTimeoutError,
)
from ..network import ProxyResolver
from ..text import truncate
from .interface import FailureKind, Transport

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


class ErrorTranslator:
    """Translator of the errors of a transport into errors with the address of the server and without the credential.

    Args:
        configuration: The settings of the client.
        transport: The transport.
        proxies: The proxies that the transport sends through.
    """

    def __init__(self, configuration: Configuration, transport: Transport, proxies: ProxyResolver) -> None:
        self._transport = transport
        self._proxies = proxies
        self._address = configuration.base_url
        self._unix_socket = configuration.network.unix_socket
        self._redact = configuration.redact

    def for_redirect_target(self, authority: str) -> Self:
        """Return a translator for the server to which a download was redirected."""
        translator = copy.copy(self)
        translator._address = f"https://{authority}"
        translator._unix_socket = None
        return translator

    def translate(self, error: Exception, operation: Operation, timeout: float) -> Exception:
        """Translate a transport error into an SDK error; return an error of an application behind it unchanged.

        Args:
            error: The error that was raised.
            operation: The operation that was called.
            timeout: Seconds without a byte after which the attempt failed.

        Returns:
            The error to raise.
        """
        if isinstance(error, AgentPlatformError):
            return error
        kind = self._classify(error)
        if kind is None:
            return error
        if kind is not FailureKind.TIMEOUT and (refused := find_certificate_error(error)) is not None:
            return CertificateError(self._describe_refusal(refused), operation=operation)
        message = self._public_text(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
        failed = partial(ConnectionFailedError, operation=operation)
        match kind:
            case FailureKind.POOL_TIMEOUT:
                return pool_timeout_error(operation, timeout)
            case FailureKind.CONNECT_TIMEOUT:
                return failed(f"could not connect to {self._where()} within {timeout:g} s", timed_out=True)
            case FailureKind.NOT_CONNECTED:
                return failed(f"could not connect to {self._where()} ({message})")
            case FailureKind.PROXY_UNAUTHORIZED:
                proxy = self._proxies.proxy_for(self._address)
                remedy = NO_PASSWORD if proxy is not None and proxy.credentials is None else OTHER_PASSWORD
                reason = f"could not connect to {self._where()} (407 Proxy Authentication Required){remedy}"
                return failed(reason, final=True)
            case FailureKind.UNWRITTEN:
                return InvalidArgumentError(f"the request cannot be written ({message})", operation=operation)
            case FailureKind.TIMEOUT:
                return failed(f"no data for {timeout:g} s ({message})", may_have_arrived=True, timed_out=True)
            case FailureKind.BROKEN_OFF:
                return failed(f"the exchange broke off ({message})", may_have_arrived=True)

    def _classify(self, error: Exception) -> FailureKind | None:
        kind = self._transport.classify(error)
        if kind is None and isinstance(error, self._transport.network_errors):
            return FailureKind.BROKEN_OFF
        return kind

    def _where(self) -> str:
        """Return the address of the server, and of the proxy or the socket on the way to it."""
        if self._unix_socket is not None:
            return f"{self._address} through the socket {self._unix_socket}"
        proxy = self._proxies.proxy_for(self._address)
        # The address may come from a redirect, and so may repeat the credential.
        return self._redact(self._address if proxy is None else f"{self._address} through the proxy {proxy.url}")

    def _public_text(self, message: str) -> str:
        """Return a message of a library without credentials, and without paths and queries, which may be signed."""
        message = QUERY.sub("?...", PATH.sub(r"\1/...", USER.sub("", self._redact(message))))
        return truncate(message, MAX_MESSAGE_TEXT)

    def _describe_refusal(self, error: ssl.SSLCertVerificationError) -> str:
        """Return why a certificate was refused, and what to do about it."""
        reason, remedy = truncate(error.verify_message), REMEDIES.get(error.verify_code, OTHER_AUTHORITY)
        proxy = self._proxies.proxy_for(self._address)
        whose = "its certificate" if proxy is None or not proxy.has_tls else "its certificate or that of the proxy"
        return f"could not connect to {self._where()}: {whose} was refused ({reason}); {remedy}"


def pool_timeout_error(operation: Operation, timeout: float) -> PoolTimeoutError:
    """Make the error of a request that waited in vain for a connection."""
    return PoolTimeoutError(f"no connection became free within {timeout:g} s", operation=operation)


def find_certificate_error(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """Return the certificate error that prevented a connection; None if there was another reason."""
    while error is not None:
        # aiohttp's own error has the same class, but lacks the reason.
        if isinstance(error, ssl.SSLCertVerificationError) and hasattr(error, "verify_code"):
            return error
        error = error.__cause__ or error.__context__
    return None
