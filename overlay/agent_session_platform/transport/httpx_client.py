"""The transport that sends through an httpx client of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ..errors import ConfigurationError
from .headers import sdk_headers
from .httpx import LIBRARY, HttpxTransport
from .leftover import check_leftover

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Mapping

    from ..configuration import Configuration
    from ..request.prepare import PreparedRequest


class HttpxClientTransport(HttpxTransport):
    """A transport that sends through an httpx client that the caller has made and closes, with its event hooks.

    Args:
        configuration: The settings of the client.
        client: The httpx client.
    """

    def __init__(self, configuration: Configuration, client: httpx.AsyncClient) -> None:
        super().__init__(configuration)
        self._client = client

    def _make_request(
        self, request: PreparedRequest, attempt: int, files: Mapping[str, Any], timeout: float
    ) -> httpx.Request:
        if self._client.is_closed:
            raise ConfigurationError("the http_client that was passed is closed", operation=request.operation)
        made = self._client.build_request(
            request.operation.method,
            self._base_url + request.target,
            content=request.content,
            data=request.form if files else None,
            files=files or None,
            headers={**sdk_headers(LIBRARY, attempt, request.accept, request.media_type), **request.headers},
            timeout=timeout,
        )
        assert self._credential is not None, "it is the one of this exchange"
        made.headers["Authorization"] = self._credential.header
        return made

    async def _send(self, request: httpx.Request) -> httpx.Response:
        # Following a redirect would carry a write, or the credential, to a server that the caller did not choose.
        response = await self._client.send(request, stream=True, auth=None, follow_redirects=False)
        if "network_stream" in response.extensions:
            await check_leftover(response)
        return response

    def _transport_to(self, url: httpx.URL) -> httpx.AsyncBaseTransport:
        if self._client.is_closed:
            raise ConfigurationError("the http_client that was passed is closed")
        # Below the client, whose credential, headers, cookies, hooks and log are not for another server.
        return self._client._transport_for_url(url)  # pyright: ignore[reportPrivateUsage]  # no public way

    def _raw_body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        return response.aiter_raw()

    async def aclose(self) -> None:
        """Leave the httpx client open: its owner closes it."""
