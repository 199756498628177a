"""The way into a sandbox of this process: an httpx transport without a socket."""

from __future__ import annotations

import httpx

from .front import BrokenOffError


class InProcess(httpx.ASGITransport):
    """Tells a connection that breaks off as httpx tells it of a socket."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        try:
            return await super().handle_async_request(request)
        except BrokenOffError:
            raise httpx.ReadError("the sandbox broke the connection off", request=request) from None
