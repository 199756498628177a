"""The transport of the extra `aiohttp`: a session that neither retries nor keeps cookies, behind httpx's interface."""

from __future__ import annotations

from typing import Any

import aiohttp
import httpx
from httpx_aiohttp.transport import AiohttpResponseStream, map_aiohttp_exceptions
from yarl import URL

from .aiohttp_connector import Connector
from .environment import make_limits, read_certificates


class AiohttpTransport(httpx.AsyncBaseTransport):
    """A transport with the given number of connections; made in the event loop that it is used in.

    Args:
        connections: How many connections may be open.

    Raises:
        ConfigurationError: The environment names certificates that cannot be read.
    """

    def __init__(self, connections: int) -> None:
        keep_alive = make_limits(connections).keepalive_expiry
        connector = Connector(limit=connections, keepalive_timeout=keep_alive, ssl=read_certificates())
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            skip_auto_headers=("Content-Type",),
        )
        # aiohttp would send a request again on a connection that was closed: the retry policy decides that.
        self._session._retry_connection = False  # pyright: ignore[reportPrivateUsage]  # no public way; a test watches it

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send once; the connection is in use until the stream of the response is closed."""
        timeout = request.extensions["timeout"]
        data: Any
        try:
            # None rather than no bytes, for which aiohttp states a media type.
            data = request.content or None
        except httpx.RequestNotRead:
            data = request.stream
            request.headers.pop("transfer-encoding", None)
        with map_aiohttp_exceptions():
            response = await self._session.request(
                request.method,
                # As it is written: aiohttp would decode what need not be quoted.
                URL(str(request.url), encoded=True),
                headers=request.headers.multi_items(),
                data=data,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(
                    connect=timeout["pool"], sock_connect=timeout["connect"], sock_read=timeout["read"]
                ),
            )
        return httpx.Response(
            response.status,
            headers=response.raw_headers,
            stream=AiohttpResponseStream(response),
            extensions={
                "http_version": b"HTTP/1.1",
                # Of any bytes; httpx wants ASCII.
                "reason_phrase": (response.reason or "").encode("ascii", "replace"),
            },
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.close()
