"""How a request leaves: straight through an httpx transport, or through an httpx client of the caller's."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Protocol

import httpx

from ..errors import ConfigurationError
from ..response.compression import ACCEPTED_CODINGS
from ..version import VERSION
from .aiohttp import make_aiohttp_transport
from .pools import Pools
from .tls import shared_ssl_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Mapping

    from ..configuration import Configuration
    from ..request.prepare import PreparedRequest

# The number of the attempt within its call, from 1: for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

PYTHON = ".".join(map(str, sys.version_info[:3]))
USER_AGENT = f"agent-session-platform/{VERSION} python/{PYTHON} httpx/{httpx.__version__}"

# RFC 9110, section 8.6: these methods send a Content-Length also without a body.
METHODS_WITH_BODY = ("POST", "PUT", "PATCH")

# Sizes of the URL and header caches. Parsing a URL takes longer than all else that is done for a request, and many
# repeat a target, such as a session that is polled. A target with a query is not cached: no cursor comes again.
CACHED_URLS = 256
CACHED_HEADERS = 32


class Connections(Protocol):
    """What requests leave through."""

    def write(
        self, prepared: PreparedRequest, attempt: int, files: Mapping[str, Any], timeout: float
    ) -> httpx.Request:
        """Write an attempt of a call; raise httpx.InvalidURL or UnicodeError if it cannot be written."""
        ...

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Send once, and return the response with its body still to be read; raise what httpx raises."""
        ...

    def body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        """Return the body as it comes, with its Content-Encoding still on it."""
        ...

    async def aclose(self) -> None:
        """Close what was opened here."""
        ...


class DirectConnections:
    """The connections of an httpx transport, without what an httpx client adds: cookies, redirects, hooks."""

    def __init__(self, configuration: Configuration, transport: httpx.AsyncBaseTransport | str | None) -> None:
        base_url = configuration.base_url
        address = httpx.URL(base_url)
        if isinstance(transport, str):
            transport = make_aiohttp(configuration.max_connections)
        self._transport = transport or Pools(make_client, address, configuration.max_connections)
        # httpx.Headers hides the credential in its repr.
        self._headers = httpx.Headers(
            [("host", address.netloc.decode("ascii")), ("authorization", configuration.credential.header)]
        )
        self._base_url = base_url
        self._cached_url = functools.lru_cache(CACHED_URLS)(self._parse_url)
        self._cached_headers = functools.lru_cache(CACHED_HEADERS)(self._write_headers)

    def write(
        self, prepared: PreparedRequest, attempt: int, files: Mapping[str, Any], timeout: float
    ) -> httpx.Request:
        """Write an attempt of a call; raise httpx.InvalidURL or UnicodeError if it cannot be written."""
        method, target = prepared.operation.method, prepared.target
        url = self._parse_url(target) if "?" in target else self._cached_url(target)
        extensions = {"timeout": {"connect": timeout, "read": timeout, "write": timeout, "pool": timeout}}
        headers = self._cached_headers(attempt, prepared.accept, prepared.media_type)
        if prepared.extra_headers:
            headers = headers.copy()
            headers.update(prepared.extra_headers)
        if files:
            return httpx.Request(method, url, headers=headers, data=prepared.form, files=files, extensions=extensions)
        body = httpx.ByteStream(prepared.content or b"")
        request = httpx.Request(method, url, headers=headers, stream=body, extensions=extensions)
        # A transport may read the content of a request, which a stream has only after it was read.
        length = len(request.read())
        if length or method in METHODS_WITH_BODY:
            request.headers["content-length"] = str(length)
        return request

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Send once."""
        response = await self._transport.handle_async_request(request)
        response.request = request
        return response

    def _parse_url(self, target: str) -> httpx.URL:
        return httpx.URL(self._base_url + target)

    def _write_headers(self, attempt: int, accept: str, media_type: str | None) -> httpx.Headers:
        headers = self._headers.copy()
        headers.update(sdk_headers(attempt, accept, media_type))
        return headers

    def body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        """Return the body as it comes."""
        stream = response.stream
        # A response that was made by hand, such as that of an application in process, is read by httpx.
        return stream if isinstance(stream, httpx.AsyncByteStream) else response.aiter_raw()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()


class ClientConnections:
    """The connections of an httpx client that the caller has made and closes, with its event hooks."""

    def __init__(self, configuration: Configuration, client: httpx.AsyncClient) -> None:
        self._base_url = configuration.base_url
        self._credential = configuration.credential
        self._client = client

    def write(
        self, prepared: PreparedRequest, attempt: int, files: Mapping[str, Any], timeout: float
    ) -> httpx.Request:
        """Write an attempt of a call; raise httpx.InvalidURL or UnicodeError if it cannot be written."""
        if self._client.is_closed:
            raise ConfigurationError("the http_client that was passed is closed", operation=prepared.operation)
        headers = sdk_headers(attempt, prepared.accept, prepared.media_type)
        request = self._client.build_request(
            prepared.operation.method,
            self._base_url + prepared.target,
            content=prepared.content,
            data=prepared.form if files else None,
            files=files or None,
            headers={**headers, **prepared.extra_headers},
            timeout=timeout,
        )
        request.headers["Authorization"] = self._credential.header
        return request

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Send once, with the hooks of the client."""
        # Following a redirect would carry a write, or the credential, to a server that nobody named.
        return await self._client.send(request, stream=True, auth=None, follow_redirects=False)

    def body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        """Return the body as it comes."""
        return response.aiter_raw()

    async def aclose(self) -> None:
        """Leave the client open: its owner closes it."""


def sdk_headers(attempt: int, accept: str, media_type: str | None) -> dict[str, str]:
    """Return the headers of every request, but for host and credential."""
    headers = {
        "user-agent": USER_AGENT,
        "accept-encoding": ACCEPTED_CODINGS,
        ATTEMPT_HEADER: str(attempt),
        "accept": accept,
    }
    return headers if media_type is None else {**headers, "content-type": media_type}


def make_client(connections: int) -> httpx.AsyncClient:
    """Make an httpx client; raise ConfigurationError if httpx refuses a setting of the environment."""
    try:
        return httpx.AsyncClient(limits=make_limits(connections), verify=shared_ssl_context())
    except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
        raise refused_environment(error) from error


def make_aiohttp(connections: int) -> httpx.AsyncBaseTransport:
    """Make the transport of the extra `aiohttp`; raise ConfigurationError if it cannot be made."""
    try:
        return make_aiohttp_transport(make_limits(connections), shared_ssl_context())
    except (OSError, ImportError, ValueError) as error:
        raise refused_environment(error) from error


def make_limits(connections: int) -> httpx.Limits:
    """Keep every connection alive; httpx counts active ones too."""
    return httpx.Limits(max_connections=connections, max_keepalive_connections=connections)


def refused_environment(error: Exception) -> ConfigurationError:
    """Make the error of certificates and proxies that httpx refuses."""
    return ConfigurationError(f"httpx refuses the certificates or proxies that the environment names: {error}")
