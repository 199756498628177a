"""An httpx transport into a sandbox of this process, without a socket."""

from __future__ import annotations

import httpx

from .middleware import BrokenOffError


class InProcess(httpx.ASGITransport):
    """Transport that raises an httpx error when the sandbox closes a connection without a whole response."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request to the sandbox."""
        try:
            return await super().handle_async_request(request)
        except BrokenOffError:
            raise httpx.ReadError("the sandbox broke the connection off", request=request) from None
