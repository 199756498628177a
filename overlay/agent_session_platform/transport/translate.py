"""Translate the errors of httpx, and of the libraries below it, into errors of the SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from ..errors import AgentPlatformError, ConnectionFailedError, InvalidArgumentError, PoolTimeoutError

if TYPE_CHECKING:
    from .._api import Operation


def translate_error(
    error: Exception, operation: Operation, address: str, message: str, timeout: float
) -> AgentPlatformError:
    """Translate a transport error into an SDK error.

    Args:
        error: The transport error.
        operation: The operation that met it.
        address: Base URL of the server.
        message: The error in a few words, without the credential.
        timeout: Seconds of silence after which the attempt was given up.
    """
    if is_from_aiohttp(error):
        # httpx-aiohttp makes a ConnectTimeout of most failures, also of those after the request was received.
        if is_connect_error(error.__cause__ or error):
            return ConnectionFailedError(f"could not connect to {address} ({message})", operation=operation)
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) or not isinstance(error, httpx.HTTPError):
            return ConnectionFailedError(f"the exchange broke off ({message})", operation=operation, received=True)
    match error:
        case httpx.PoolTimeout():
            return PoolTimeoutError(f"no connection became free within {timeout:g} s", operation=operation)
        case httpx.ConnectTimeout():
            return ConnectionFailedError(f"could not connect to {address} within {timeout:g} s", operation=operation)
        case httpx.ConnectError() | httpx.ProxyError():
            return ConnectionFailedError(f"could not connect to {address} ({message})", operation=operation)
        case httpx.LocalProtocolError():
            # Not all of it was sent: a file, for example, became shorter meanwhile.
            return InvalidArgumentError(f"the request cannot be written ({message})", operation=operation)
        case httpx.TimeoutException():
            return ConnectionFailedError(
                f"no response for {timeout:g} s ({message})", operation=operation, received=True
            )
        case _:
            return ConnectionFailedError(f"the exchange broke off ({message})", operation=operation, received=True)


def is_transport_error(error: BaseException) -> bool:
    """Return whether an error came from httpx or a library below it, and not from an application behind a transport."""
    below = (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError)
    return isinstance(error, below) or type(error).__module__.startswith("aiohttp")


def is_from_aiohttp(error: BaseException) -> bool:
    """Return whether an error is aiohttp's, or one of httpx that was made of one."""
    cause = error.__cause__
    return any(type(each).__module__.startswith("aiohttp") for each in (error, cause) if each is not None)


def is_connect_error(error: BaseException) -> bool:
    """Return whether an error of aiohttp is one of connecting; by name, because aiohttp need not be installed."""
    return any(cls.__name__ in ("ClientConnectorError", "ConnectionTimeoutError") for cls in type(error).__mro__)
