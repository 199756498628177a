"""The transport of the extra `aiohttp`: that of httpx-aiohttp, on a session that neither retries nor keeps cookies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from ..errors import ConfigurationError
from .environment import environment_error, make_limits, shared_ssl_context

if TYPE_CHECKING:
    import aiohttp
    from aiohttp.connector import Connection


def make_aiohttp_transport(connections: int) -> httpx.AsyncBaseTransport:
    """Make the transport with the given number of connections.

    Raises:
        ConfigurationError: The extra is not installed, or the environment names certificates that cannot be read.
    """
    try:
        import aiohttp
        from httpx_aiohttp import AiohttpTransport
    except ImportError:
        raise ConfigurationError(
            "transport='aiohttp' needs the extra of that name: pip install 'agent-session-platform[aiohttp]'"
        ) from None
    limits = make_limits(connections)
    try:
        verify = shared_ssl_context()
    except (OSError, ValueError) as error:
        raise environment_error(error) from error

    class Response(aiohttp.ClientResponse):
        """A response whose reason phrase is ASCII: httpx-aiohttp encodes it, and fails if it is not UTF-8."""

        async def start(self, connection: Connection) -> aiohttp.ClientResponse:
            started = await super().start(connection)
            self.reason = (self.reason or "").encode("ascii", "replace").decode()
            return started

    def session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(limit=connections, keepalive_timeout=limits.keepalive_expiry, ssl=verify)
        made = aiohttp.ClientSession(connector=connector, response_class=Response, cookie_jar=aiohttp.DummyCookieJar())
        # aiohttp would send a request again on a connection that was closed: the retry policy decides that.
        made._retry_connection = False  # pyright: ignore[reportPrivateUsage]  # no public way; a test watches it
        return made

    return AiohttpTransport(limits=limits, verify=verify, client=session)
