"""The one module that knows httpx: a request goes out, an answer or an error of ours comes back."""

from __future__ import annotations

import functools
import os
import platform
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx

from .errors import (
    ConfigurationError,
    ConnectionFailedError,
    DecodeError,
    InvalidArgumentError,
    PoolTimeoutError,
    TransportError,
)
from .version import VERSION

if TYPE_CHECKING:
    from .arguments import Prepared
    from .configuration import Configuration

USER_AGENT = f"agent-platform/{VERSION} python/{platform.python_version()} httpx/{httpx.__version__}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, the headers that matter, and the whole body."""

    status: int
    content_type: str
    retry_after: str | None
    location: str | None
    content: bytes


class Transport:
    """Sends prepared requests to one address with one credential, by httpx."""

    def __init__(
        self,
        configuration: Configuration,
        *,
        timeout: float,
        max_connections: int,
        max_body: int,
        transport: httpx.AsyncBaseTransport | str | None,
        http_client: httpx.AsyncClient | None,
    ) -> None:
        self._base_url = configuration.base_url
        self._credential = configuration.credential
        self._timeout = timeout
        self._max_body = max_body
        self._owned = http_client is None
        self._client = http_client or make_client(configuration.base_url, max_connections, transport)

    async def send(self, prepared: Prepared, timeout: float | None) -> Answer:
        """Send once and read the whole answer; raises a TransportError, DecodeError or InvalidArgumentError."""
        silence = timeout or self._timeout
        try:
            return await self._exchange(prepared, silence)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            failure = translate(error, prepared, self._base_url, silence)
        # Raised out here, without httpx's error: the frames of that hold the credential, and would go with ours.
        raise failure

    async def _exchange(self, prepared: Prepared, silence: float) -> Answer:
        request = self._client.build_request(
            prepared.operation.method,
            self._base_url + prepared.target,
            content=prepared.content,
            headers={"User-Agent": USER_AGENT, **prepared.headers},
            timeout=silence,
        )
        request.headers["Authorization"] = self._credential.header
        # Following a redirect would carry a write, or the credential, to where nobody has asked for it.
        response = await self._client.send(request, stream=True, auth=None, follow_redirects=False)
        try:
            content = await self._read(response, prepared)
        finally:
            await response.aclose()
        headers = response.headers
        return Answer(
            response.status_code,
            headers.get("Content-Type", ""),
            headers.get("Retry-After"),
            headers.get("Location"),
            self._credential.redact(content) if response.status_code >= 400 else content,
        )

    async def _read(self, response: httpx.Response, prepared: Prepared) -> bytes:
        chunks: list[bytes] = []
        size = 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > self._max_body:
                raise DecodeError(
                    f"{response.status_code} with a body of more than {self._max_body} bytes; "
                    "AgentPlatform(max_body=...) sets the limit",
                    operation=prepared.operation,
                    status=response.status_code,
                )
            chunks.append(chunk)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    async def aclose(self) -> None:
        """Close the connections, unless the httpx client is the user's own."""
        if self._owned:
            await self._client.aclose()


def make_client(
    base_url: str, max_connections: int, transport: httpx.AsyncBaseTransport | str | None
) -> httpx.AsyncClient:
    """Make the httpx client; raises ConfigurationError for a transport that is not installed or not known."""
    # httpx compares all connections, not the idle ones, with max_keepalive_connections.
    limits = httpx.Limits(max_connections=max_connections, max_keepalive_connections=max_connections)
    if isinstance(transport, str):
        transport = make_named_transport(transport, limits)
    verify = ssl_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
    return httpx.AsyncClient(transport=transport, limits=limits, verify=verify, follow_redirects=False)


def make_named_transport(name: str, limits: httpx.Limits) -> httpx.AsyncBaseTransport:
    """Make the transport `aiohttp`, of the extra of the same name."""
    if name != "aiohttp":
        raise ConfigurationError(f"transport must be 'aiohttp' or an httpx transport, not {name!r}")
    try:
        from httpx_aiohttp import AiohttpTransport
    except ImportError:
        raise ConfigurationError(
            "transport='aiohttp' needs the extra of that name: pip install 'agent-platform[aiohttp]'"
        ) from None
    return AiohttpTransport(limits=limits)


@functools.cache
def ssl_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    """Make httpx's SSL context once a process: it takes tens of milliseconds. The variables are those that it reads."""
    return httpx.create_ssl_context()


def translate(
    error: Exception, prepared: Prepared, address: str, silence: float
) -> TransportError | DecodeError | InvalidArgumentError:
    """Make an error of ours of one of httpx's; `received` tells whether bytes may have reached the server."""
    operation = prepared.operation
    told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    match error:
        case httpx.PoolTimeout():
            return PoolTimeoutError(f"no connection became free within {silence:g} s", operation=operation)
        case httpx.ConnectTimeout():
            return ConnectionFailedError(f"could not connect to {address} within {silence:g} s", operation=operation)
        case httpx.ConnectError() | httpx.ProxyError():
            return ConnectionFailedError(f"could not connect to {address} ({told})", operation=operation)
        case httpx.UnsupportedProtocol() | httpx.LocalProtocolError() | httpx.InvalidURL():
            return InvalidArgumentError(f"the request cannot be written ({told})", operation=operation)
        case httpx.DecodingError():
            return DecodeError(f"the body does not fit its Content-Encoding ({told})", operation=operation, status=0)
        case httpx.TimeoutException():
            return ConnectionFailedError(
                f"no sign of life for {silence:g} s ({told})", operation=operation, received=True
            )
        case _:
            return ConnectionFailedError(f"the exchange broke off ({told})", operation=operation, received=True)
