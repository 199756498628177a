"""How a request leaves: straight through an httpx transport, or through an httpx client of the user's."""

from __future__ import annotations

import functools
import os
import ssl
import sys
from typing import TYPE_CHECKING, Any, Protocol

import httpx

from ..errors import ConfigurationError
from ..response.compression import ACCEPTED
from ..version import VERSION
from .aiohttp import make_aiohttp_transport
from .pools import Pools

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Mapping

    from ..configuration import Configuration
    from ..request.arguments import Prepared

# Which try of its call a request is, from 1: for who reads a server's log.
ATTEMPT = "x-agent-platform-attempt"

PYTHON = ".".join(map(str, sys.version_info[:3]))
USER_AGENT = f"agent-session-platform/{VERSION} python/{PYTHON} httpx/{httpx.__version__}"

# RFC 9110, section 8.6: a body that a method may have is given a length also when there is none.
METHODS_WITH_BODY = ("POST", "PUT", "PATCH")

# Of so many targets the URL is kept, and of so many forms of request the headers. Parsing a URL takes longer than all
# else that is done for a request, and many repeat a target, such as a session that is polled. No cursor comes back.
URLS_KEPT = 256
HEADS_KEPT = 32


class Connections(Protocol):
    """What requests leave through."""

    def write(self, prepared: Prepared, attempt: int, files: Mapping[str, Any], silence: float) -> httpx.Request:
        """Write try number *attempt* of a call; raises httpx.InvalidURL or UnicodeError."""
        ...

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Send once, and give the answer with its body still to be read; raises what httpx raises."""
        ...

    def body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        """The body as it came, with its Content-Encoding still on it."""
        ...

    async def aclose(self) -> None:
        """Close what was opened here."""
        ...


class DirectConnections:
    """Those of an httpx transport. What an httpx client does besides (cookies, redirects, hooks) is not wanted here."""

    def __init__(
        self, configuration: Configuration, max_connections: int, transport: httpx.AsyncBaseTransport | str | None
    ) -> None:
        base_url = configuration.base_url
        address = httpx.URL(base_url)
        if isinstance(transport, str):
            transport = make_aiohttp(max_connections)
        self._transport = transport or Pools(make_client, address, max_connections)
        # httpx.Headers hides the credential in its repr.
        self._headers = httpx.Headers(
            [
                ("host", address.netloc.decode("ascii")),
                ("authorization", configuration.credential.header),
            ]
        )
        self._base_url = base_url
        self._url = functools.lru_cache(URLS_KEPT)(self._parsed)
        self._head = functools.lru_cache(HEADS_KEPT)(self._written_head)

    def write(self, prepared: Prepared, attempt: int, files: Mapping[str, Any], silence: float) -> httpx.Request:
        """Write try number *attempt* of a call; raises httpx.InvalidURL or UnicodeError."""
        method, target = prepared.operation.method, prepared.target
        url = self._parsed(target) if "?" in target else self._url(target)
        extensions = {"timeout": {"connect": silence, "read": silence, "write": silence, "pool": silence}}
        head = self._head(attempt, prepared.accept, prepared.media_type)
        if prepared.extra_headers:
            head = head.copy()
            head.update(prepared.extra_headers)
        if files:
            return httpx.Request(method, url, headers=head, data=prepared.form, files=files, extensions=extensions)
        body = httpx.ByteStream(prepared.content or b"")
        request = httpx.Request(method, url, headers=head, stream=body, extensions=extensions)
        # A transport may ask for the content; a stream has none before it is read.
        length = len(request.read())
        if length or method in METHODS_WITH_BODY:
            request.headers["content-length"] = str(length)
        return request

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Send once, past all that an httpx client would do besides."""
        response = await self._transport.handle_async_request(request)
        response.request = request
        return response

    def _parsed(self, target: str) -> httpx.URL:
        return httpx.URL(self._base_url + target)

    def _written_head(self, attempt: int, accept: str, media_type: str | None) -> httpx.Headers:
        head = self._headers.copy()
        head.update(own_headers(attempt, accept, media_type))
        return head

    def body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        """The body as it came."""
        stream = response.stream
        # One that came whole, of a transport that answers by itself, is no stream of its own making.
        return stream if isinstance(stream, httpx.AsyncByteStream) else response.aiter_raw()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()


class ClientConnections:
    """Those of an httpx client that the user has made, closes, and may have given hooks of his own."""

    def __init__(self, configuration: Configuration, client: httpx.AsyncClient) -> None:
        self._base_url = configuration.base_url
        self._credential = configuration.credential
        self._client = client

    def write(self, prepared: Prepared, attempt: int, files: Mapping[str, Any], silence: float) -> httpx.Request:
        """Write try number *attempt* of a call; raises httpx.InvalidURL or UnicodeError."""
        if self._client.is_closed:
            raise ConfigurationError("the http_client that was passed is closed", operation=prepared.operation)
        headers = own_headers(attempt, prepared.accept, prepared.media_type)
        request = self._client.build_request(
            prepared.operation.method,
            self._base_url + prepared.target,
            content=prepared.content,
            data=prepared.form if files else None,
            files=files or None,
            headers={**headers, **prepared.extra_headers},
            timeout=silence,
        )
        request.headers["Authorization"] = self._credential.header
        return request

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Send once, with the hooks of the client."""
        # Following a redirect would carry a write, or the credential, to where nobody has asked for it.
        return await self._client.send(request, stream=True, auth=None, follow_redirects=False)

    def body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        """The body as it came."""
        return response.aiter_raw()

    async def aclose(self) -> None:
        """Leave the client to its owner."""


def own_headers(attempt: int, accept: str, media_type: str | None) -> dict[str, str]:
    """The headers that every request has whatever it leaves through, but for host and credential."""
    headers = {"user-agent": USER_AGENT, "accept-encoding": ACCEPTED, ATTEMPT: str(attempt), "accept": accept}
    return headers if media_type is None else {**headers, "content-type": media_type}


def make_client(connections: int) -> httpx.AsyncClient:
    """Make an httpx client; raises ConfigurationError where a setting of the machine is no good."""
    try:
        return httpx.AsyncClient(limits=limited(connections), verify=verified())
    except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
        raise unfit(error) from error


def make_aiohttp(connections: int) -> httpx.AsyncBaseTransport:
    """Make the transport of the extra `aiohttp`; raises ConfigurationError."""
    try:
        return make_aiohttp_transport(limited(connections), verified())
    except (OSError, ImportError, ValueError) as error:
        raise unfit(error) from error


def limited(connections: int) -> httpx.Limits:
    """Limits of so many connections, all of which may be kept: httpx compares all with that, not the idle ones."""
    return httpx.Limits(max_connections=connections, max_keepalive_connections=connections)


def unfit(error: Exception) -> ConfigurationError:
    """What to say of certificates and proxies that httpx does not take."""
    return ConfigurationError(f"httpx does not take the certificates or proxies that the environment names: {error}")


def verified() -> ssl.SSLContext:
    """The SSL context, of the certificates that the environment names."""
    return ssl_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@functools.cache
def ssl_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    """Make httpx's SSL context once a process: it takes tens of milliseconds. The variables are those that it reads."""
    return httpx.create_ssl_context()
