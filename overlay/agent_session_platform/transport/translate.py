"""Translate the errors of httpx, and of the libraries below it, into errors of the SDK."""

from __future__ import annotations

import copy
import re
import ssl
from typing import TYPE_CHECKING, Self

import httpx

from ..errors import (
    AgentPlatformError,
    CertificateError,
    ConnectionFailedError,
    DecodeError,
    InvalidArgumentError,
    PoolTimeoutError,
)
from ..text import begin_body, quote_body, truncate

if TYPE_CHECKING:
    from .._api import Operation
    from ..configuration import Configuration
    from ..response.compression import BrokenBodyError

MESSAGE_LENGTH = 200

# Of a URL in a message of aiohttp.
QUERY = re.compile(r"\?[^\s'\"]+")
# What to do about a certificate, by the code of OpenSSL (X509_V_ERR_...): another authority unless it is one of these.
EXPIRED = "renew it on the server, or set the clock of this machine"
OTHER_HOST = "use the host name that it is for in base_url"
WAYS_OUT = {9: EXPIRED, 10: EXPIRED, 62: OTHER_HOST, 64: OTHER_HOST}
OTHER_AUTHORITY = "set SSL_CERT_FILE to a file with the certificate of the authority that you trust"


class ErrorTranslator:
    """Translator of the errors of a transport into errors with the address of the server and without the credential.

    Args:
        configuration: The settings of the client.
        owned: Whether the transport is the SDK's, with no application behind it that has errors of its own.
    """

    def __init__(self, configuration: Configuration, *, owned: bool) -> None:
        self._owned = owned
        self._address = configuration.base_url
        self._max_body = configuration.max_body
        self._redact = configuration.credentials.redact

    def translate(self, error: Exception, operation: Operation, timeout: float) -> Exception:
        """Translate a transport error into an SDK error; an error of an application stays what it is.

        Args:
            error: The error that was raised.
            operation: The operation that failed.
            timeout: Seconds without a byte after which the attempt was given up.

        Returns:
            The error to raise.
        """
        if isinstance(error, AgentPlatformError):
            # The locals of the tracebacks hold the credential, in httpx's request.
            error.__cause__ = error.__context__ = None
            return error.with_traceback(None)
        if not self.covers(error):
            return error
        refused = find_certificate_error(error)
        if refused is not None:
            return self._untrusted(refused, operation)
        message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        message = self._shown(message)
        if is_from_aiohttp(error):
            # httpx-aiohttp makes a ConnectTimeout of most failures, also of those after the request was received.
            if is_connect_error(error.__cause__ or error):
                return self._not_connected(message, operation)
            if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) or not isinstance(error, httpx.HTTPError):
                return ConnectionFailedError(f"the exchange broke off ({message})", operation=operation, received=True)
        match error:
            case httpx.PoolTimeout():
                return PoolTimeoutError(f"no connection became free within {timeout:g} s", operation=operation)
            case httpx.ConnectTimeout():
                return ConnectionFailedError(
                    f"could not connect to {self._address} within {timeout:g} s", operation=operation, timed_out=True
                )
            case httpx.ConnectError() | httpx.ProxyError():
                return self._not_connected(message, operation)
            case httpx.LocalProtocolError():
                # Not all of it was sent: a file, for example, became shorter while it was read.
                return InvalidArgumentError(f"the request cannot be written ({message})", operation=operation)
            case httpx.TimeoutException():
                return ConnectionFailedError(
                    f"no data for {timeout:g} s ({message})", operation=operation, received=True, timed_out=True
                )
            case _:
                return ConnectionFailedError(f"the exchange broke off ({message})", operation=operation, received=True)

    def elsewhere(self, authority: str) -> Self:
        """Return a translator for another server."""
        made = copy.copy(self)
        made._address = f"https://{authority}"
        return made

    def covers(self, error: Exception) -> bool:
        """Return whether an error is the transport's, and not one of an application behind it."""
        return self._owned or is_transport_error(error)

    def unwritten(self, error: Exception, operation: Operation, timeout: float) -> Exception:
        """Translate the error of a request that could not be written, so that nothing was sent.

        Args:
            error: The error that was raised.
            operation: The operation that failed.
            timeout: Seconds without a byte after which the attempt was given up.
        """
        if not (isinstance(error, httpx.InvalidURL | UnicodeError) or self._owned) or isinstance(
            error, AgentPlatformError
        ):
            return self.translate(error, operation, timeout)
        message = self._shown(str(error) or type(error).__name__)
        return InvalidArgumentError(f"the request cannot be written ({message})", operation=operation)

    def too_large(self, status: int, beginning: bytes, content_type: str, operation: Operation) -> DecodeError:
        """Make the error of a success whose body is larger than `max_body`.

        Args:
            status: HTTP status code.
            beginning: The first bytes of the body.
            content_type: The Content-Type header.
            operation: The operation that failed.
        """
        return DecodeError(
            f"{status} with a body of more than {self._max_body} bytes, beginning "
            f"{quote_body(beginning, content_type, self._redact)}; AgentPlatform(max_body=...) sets the limit",
            operation=operation,
            status=status,
            body=begin_body(beginning, content_type, self._redact),
        )

    def broken_body(self, error: BrokenBodyError, status: int, content_type: str, operation: Operation) -> DecodeError:
        """Make the error of a success whose body is not what its Content-Encoding states.

        Args:
            error: The error of decompressing.
            status: HTTP status code.
            content_type: The Content-Type header.
            operation: The operation that failed.
        """
        reason = truncate(self._redact(str(error)))
        return DecodeError(
            f"{status} with a body that does not fit its Content-Encoding ({reason})",
            operation=operation,
            status=status,
            body=begin_body(error.beginning, content_type, self._redact),
        )

    def _shown(self, message: str) -> str:
        """Return a message of a library without the credential and without queries, which may be signed."""
        return truncate(QUERY.sub("?...", self._redact(message)), MESSAGE_LENGTH)

    def _untrusted(self, error: ssl.SSLCertVerificationError, operation: Operation) -> CertificateError:
        reason, way_out = truncate(error.verify_message), WAYS_OUT.get(error.verify_code, OTHER_AUTHORITY)
        message = f"could not connect to {self._address}: its certificate was refused ({reason}); {way_out}"
        return CertificateError(message, operation=operation)

    def _not_connected(self, message: str, operation: Operation) -> ConnectionFailedError:
        return ConnectionFailedError(f"could not connect to {self._address} ({message})", operation=operation)


def is_transport_error(error: BaseException) -> bool:
    """Return whether an error came from httpx or a library below it, and not from an application behind a transport."""
    below = (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError)
    return isinstance(error, below) or type(error).__module__.startswith("aiohttp")


def find_certificate_error(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """Return the error of the certificate that kept a connection from being made; None if another one did."""
    if not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | OSError):
        return None
    below: BaseException | None = error
    while below is not None:
        # That of aiohttp is one of these, too, but without the reason.
        if isinstance(below, ssl.SSLCertVerificationError) and hasattr(below, "verify_code"):
            return below
        below = below.__cause__ or below.__context__
    return None


def is_from_aiohttp(error: BaseException) -> bool:
    """Return whether an error is aiohttp's, or one of httpx that was made of one."""
    cause = error.__cause__
    return any(type(each).__module__.startswith("aiohttp") for each in (error, cause) if each is not None)


def is_connect_error(error: BaseException) -> bool:
    """Return whether an error of aiohttp is one of connecting; by name, because aiohttp need not be installed."""
    return any(cls.__name__ in ("ClientConnectorError", "ConnectionTimeoutError") for cls in type(error).__mro__)
