"""The errors of httpx, and of what is below it, in words of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from ..errors import AgentPlatformError, ConnectionFailedError, InvalidArgumentError, PoolTimeoutError

if TYPE_CHECKING:
    from ..request.arguments import Prepared


def translate(error: Exception, prepared: Prepared, address: str, told: str, silence: float) -> AgentPlatformError:
    """Make an error of ours of a foreign one, which is *told* in a few words."""
    operation = prepared.operation
    if came_from_aiohttp(error):
        # httpx-aiohttp calls most failures a ConnectTimeout, also those after the request was received.
        if not_connected(error.__cause__ or error):
            return ConnectionFailedError(f"could not connect to {address} ({told})", operation=operation)
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) or not isinstance(error, httpx.HTTPError):
            return ConnectionFailedError(f"the exchange broke off ({told})", operation=operation, received=True)
    match error:
        case httpx.PoolTimeout():
            return PoolTimeoutError(f"no connection became free within {silence:g} s", operation=operation)
        case httpx.ConnectTimeout():
            return ConnectionFailedError(f"could not connect to {address} within {silence:g} s", operation=operation)
        case httpx.ConnectError() | httpx.ProxyError():
            return ConnectionFailedError(f"could not connect to {address} ({told})", operation=operation)
        case httpx.LocalProtocolError():
            # Nothing whole has been sent, such as a file that turned out shorter than it was.
            return InvalidArgumentError(f"the request cannot be written ({told})", operation=operation)
        case httpx.TimeoutException():
            return ConnectionFailedError(
                f"no sign of life for {silence:g} s ({told})", operation=operation, received=True
            )
        case _:
            return ConnectionFailedError(f"the exchange broke off ({told})", operation=operation, received=True)


def is_foreign(error: BaseException) -> bool:
    """Whether an error came out of httpx or of what is below it; a bug in an application behind a transport did not."""
    below = (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError)
    return isinstance(error, below) or type(error).__module__.startswith("aiohttp")


def came_from_aiohttp(error: BaseException) -> bool:
    """Whether an error is aiohttp's, or one of httpx that was made of one."""
    cause = error.__cause__
    return any(type(each).__module__.startswith("aiohttp") for each in (error, cause) if each is not None)


def not_connected(error: BaseException) -> bool:
    """Whether an error of aiohttp is one of connecting; by name, because aiohttp need not be installed."""
    return any(cls.__name__ in ("ClientConnectorError", "ConnectionTimeoutError") for cls in type(error).__mro__)
