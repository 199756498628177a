"""The transport through an aiohttp session that the caller has made and closes, with its middlewares and traces.

aiohttp does not show what came after a response, and a connection that is used again would hand it to the next call as
its response. The SDK's own connections look for themselves; those of the caller are closed after one response each.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import aiohttp

from ..errors import ConfigurationError
from .aiohttp import LIBRARY, SESSION_SETTINGS, RequestArguments, classify, with_header
from .aiohttp_exchange import OneExchange, UsedConnectionError, never_again
from .interface import FailureKind, TransportResponse
from .translate import find_alert

if TYPE_CHECKING:
    from .interface import TransportRequest

# How many connections on which something has come already may be taken from the session, one after the other.
MOST_USED = 10

USED = "every connection had bytes that no request asked for"

OTHER_CREDENTIALS = (
    "the http_client that was passed has trust_env=True, and found credentials for this server in the netrc file, with "
    "which aiohttp sends no token: remove the server from that file, or pass a session without trust_env"
)


class SessionTransport:
    """A transport through a session of the caller.

    Args:
        session: The session, which stays open.
    """

    owned = False
    outlives_callers = False

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.library = LIBRARY
        self._session = session
        self._elsewhere: aiohttp.ClientSession | None = None
        self._arguments = RequestArguments()
        # Those that have a connection.
        self._exchanges: set[OneExchange] = set()

    async def send(self, request: TransportRequest) -> TransportResponse:
        """Send a request once; see `Transport.send`."""
        if self._session.closed:
            raise ConfigurationError("the http_client that was passed is closed")
        # Not public; a test watches it. Those of a request would replace those of the session.
        middlewares = () if request.redirected else self._session._middlewares  # pyright: ignore[reportPrivateUsage]
        session = self._other_session() if request.redirected else self._session
        alert: BaseException | None = None
        for _ in range(MOST_USED):
            exchange = OneExchange(request, self._exchanges)
            arguments = self._arguments.make(request)
            if request.content:
                arguments["data"] = exchange.pieces()
                if isinstance(request.content, bytes) and "content-length" not in arguments["headers"]:
                    arguments["headers"] = with_header(
                        arguments["headers"], "content-length", str(len(request.content))
                    )
            chain = (never_again, *middlewares, exchange.watch)
            try:
                response = await session.request(**arguments, **SESSION_SETTINGS, middlewares=chain)
            except UsedConnectionError as used:
                if exchange.begun:
                    # A middleware has sent it before, and had no response.
                    exchange.end()
                    raise aiohttp.ClientConnectionError(USED) from None
                if find_alert(used) is not None:
                    # The server has refused the client, and would refuse its next connection.
                    alert = used.__cause__
                    break
                continue
            except BaseException as error:
                exchange.end()
                if is_of_other_credentials(error):
                    raise ConfigurationError(OTHER_CREDENTIALS) from None
                raise exchange.judge(error)  # noqa: B904  # with the causes that it has
            close = functools.partial(exchange.close, response)
            exchange.watch_body(response.content)
            return TransportResponse(response.status, response.raw_headers, aiter(response.content.iter_any()), close)
        raise UnusableConnectionError(USED) from alert

    def classify(self, error: Exception) -> FailureKind | None:
        """Return what an error of aiohttp says; see `Transport.classify`."""
        if isinstance(error, UnusableConnectionError):
            return FailureKind.NOT_CONNECTED
        kind = classify(error)
        if kind is FailureKind.CONNECT_TIMEOUT and self._is_full():
            # aiohttp does not tell whether it waited for a connection or for the server.
            return FailureKind.POOL_TIMEOUT
        return kind

    def _is_full(self) -> bool:
        """Return whether the requests of this transport have all connections that the session may make."""
        connector = self._session.connector
        limits = [] if connector is None else [connector.limit, connector.limit_per_host]
        return any(0 < limit <= len(self._exchanges) for limit in limits)

    def _other_session(self) -> aiohttp.ClientSession:
        """Return a session with the connections of the caller's, but without its headers, cookies and middlewares."""
        if self._elsewhere is None:
            self._elsewhere = aiohttp.ClientSession(
                connector=self._session.connector,
                connector_owner=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=self._session.trust_env,
            )
        return self._elsewhere

    async def aclose(self) -> None:
        """Leave the session open: its owner closes it."""
        if self._elsewhere is not None:
            await self._elsewhere.close()


class UnusableConnectionError(aiohttp.ClientConnectionError):
    """Something has come on every connection before the request was sent; never leaves the transport."""


def is_of_other_credentials(error: BaseException) -> bool:
    """Return whether aiohttp has sent nothing, because it has found credentials besides the token."""
    return type(error) is ValueError and str(error).startswith("Cannot combine AUTHORIZATION header with AUTH argument")
