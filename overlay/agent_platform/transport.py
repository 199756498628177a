"""The one module that knows httpx: a request goes out, an answer or an error of ours comes back."""

from __future__ import annotations

import functools
import os
import platform
import ssl
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from .aiohttp_transport import make_aiohttp_transport
from .answer import Answer
from .errors import (
    AgentPlatformError,
    ConfigurationError,
    DecodeError,
    InvalidArgumentError,
)
from .excerpt import beginning, excerpt
from .foreign import is_foreign, translate
from .inflate import ACCEPTED, BrokenBodyError, decoded
from .retry_after import longest
from .stream import Stream
from .upload import opened
from .version import VERSION

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping

    from .arguments import Prepared
    from .configuration import Configuration

R = TypeVar("R")

TOLD_LENGTH = 200

# Which try of its call a request is, from 1: for who reads a server's log.
ATTEMPT = "x-agent-platform-attempt"

USER_AGENT = f"agent-platform/{VERSION} python/{platform.python_version()} httpx/{httpx.__version__}"


class Transport:
    """Sends prepared requests to one address with one credential, by httpx."""

    def __init__(
        self,
        configuration: Configuration,
        *,
        max_connections: int,
        max_body: int,
        transport: httpx.AsyncBaseTransport | str | None,
        http_client: httpx.AsyncClient | None,
    ) -> None:
        self._base_url = configuration.base_url
        self._credential = configuration.credential
        self._max_body = max_body
        self._owned = http_client is None
        if not isinstance(http_client, httpx.AsyncClient | None):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise ConfigurationError(f"http_client must be an httpx.AsyncClient, not {type(http_client).__name__}")
        if not isinstance(transport, httpx.AsyncBaseTransport | str | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigurationError(f"transport must be an httpx.AsyncBaseTransport, not {type(transport).__name__}")
        self._client = http_client or make_client(max_connections, transport)

    async def send(self, prepared: Prepared, attempt: int, silence: float) -> Answer:
        """Send once, as try number *attempt* of a call, and read the whole answer; raises an AgentPlatformError."""
        return await self._told(self._whole(prepared, attempt, silence), prepared, silence)

    async def stream(self, prepared: Prepared, attempt: int, silence: float) -> Answer | Stream:
        """Send once, and give the body of a success as a stream, any other answer whole; raises as `send` does."""
        return await self._told(self._begun(prepared, attempt, silence), prepared, silence)

    async def _told(self, exchange: Awaitable[R], prepared: Prepared, silence: float) -> R | Answer:
        """What an exchange comes to, with its errors as ours."""
        try:
            return await exchange
        except httpx.HTTPStatusError as error:
            # Raised by a hook of the user's own; the status has said what counts.
            return self._answer(error.response, b"")
        except Exception as error:
            failure = self._translate(error, prepared, silence)
            if failure is None:
                raise
        # Raised out here, without httpx's error: the frames of that hold the credential, and would go with ours.
        try:
            raise failure
        finally:
            del failure

    async def _whole(self, prepared: Prepared, attempt: int, silence: float) -> Answer:
        return await self._read(await self._open(prepared, attempt, silence), prepared, silence)

    async def _begun(self, prepared: Prepared, attempt: int, silence: float) -> Answer | Stream:
        response = await self._open(prepared, attempt, silence)
        if not response.is_success:
            return await self._read(response, prepared, silence)
        return Stream(response.status_code, self._chunks(response, prepared, silence), response.aclose)

    async def _chunks(self, response: httpx.Response, prepared: Prepared, silence: float) -> AsyncIterator[bytes]:
        """The body, decoded, piece by piece; raises an AgentPlatformError."""
        status = response.status_code
        try:
            async for chunk in body_of(response):
                yield chunk
            return
        except BrokenBodyError as error:
            why = excerpt(self._credential.redact(str(error)))
            told = f"{status} with a body that does not fit its Content-Encoding ({why})"
            raise DecodeError(told, operation=prepared.operation, status=status) from None
        except Exception as error:
            failure = self._translate(error, prepared, silence)
            if failure is None:
                raise
        raise failure

    async def _open(self, prepared: Prepared, attempt: int, silence: float) -> httpx.Response:
        if self._client.is_closed:
            raise ConfigurationError("the http_client that was passed is closed", operation=prepared.operation)
        with opened(prepared.files) as files:
            request = self._written(prepared, attempt, files, silence)
            # Following a redirect would carry a write, or the credential, to where nobody has asked for it.
            return await self._client.send(request, stream=True, auth=None, follow_redirects=False)

    def _written(self, prepared: Prepared, attempt: int, files: Mapping[str, Any], silence: float) -> httpx.Request:
        headers = {"user-agent": USER_AGENT, "accept-encoding": ACCEPTED, ATTEMPT: str(attempt), **prepared.headers}
        try:
            request = self._client.build_request(
                prepared.operation.method,
                self._base_url + prepared.target,
                content=prepared.content,
                data=prepared.form if files else None,
                files=files or None,
                headers=headers,
                timeout=silence,
            )
            request.headers["Authorization"] = self._credential.header
        except (httpx.InvalidURL, UnicodeError) as error:
            told = excerpt(self._credential.redact(str(error)), TOLD_LENGTH)
        else:
            return request
        raise InvalidArgumentError(f"the request cannot be written ({told})", operation=prepared.operation)

    async def _read(self, response: httpx.Response, prepared: Prepared, silence: float) -> Answer:
        try:
            content = await self._content(response, prepared, silence)
        finally:
            await response.aclose()
        return self._answer(response, content)

    def _answer(self, response: httpx.Response, content: bytes) -> Answer:
        headers, redact = response.headers, self._credential.redact
        return Answer(
            response.status_code,
            redact(headers.get("Content-Type", "")),
            longest(headers.get_list("Retry-After")),
            redact(response.extensions.get("location") or headers.get("Location", "")),
            content,
        )

    async def _content(self, response: httpx.Response, prepared: Prepared, silence: float) -> bytes:
        chunks: list[bytes] = []
        size = 0
        status = response.status_code
        try:
            async for chunk in self._chunks(response, prepared, silence):
                size += len(chunk)
                if size > self._max_body:
                    told = f"{status} with a body of more than {self._max_body} bytes"
                    media_type = response.headers.get("Content-Type", "")
                    begins = beginning(chunks[0] if chunks else chunk, media_type, self._credential.redact)
                    way_out = "AgentPlatform(max_body=...) sets the limit"
                    raise DecodeError(
                        f"{told}, beginning {begins}; {way_out}", operation=prepared.operation, status=status
                    )
                chunks.append(chunk)
        except AgentPlatformError:
            # Of an error the status has said what counts.
            if status < 400:
                raise
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def _translate(self, error: Exception, prepared: Prepared, silence: float) -> AgentPlatformError | None:
        if not is_foreign(error):
            return None
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return translate(error, prepared, self._base_url, excerpt(self._credential.redact(told), TOLD_LENGTH), silence)

    async def aclose(self) -> None:
        """Close the connections, unless the httpx client is the user's own."""
        if self._owned:
            await self._client.aclose()


def make_client(max_connections: int, transport: httpx.AsyncBaseTransport | str | None) -> httpx.AsyncClient:
    """Make the httpx client; raises ConfigurationError for a transport or a setting of the machine that is no good."""
    # httpx compares all connections, not the idle ones, with max_keepalive_connections.
    limits = httpx.Limits(max_connections=max_connections, max_keepalive_connections=max_connections)
    try:
        verify = ssl_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
        if isinstance(transport, str):
            transport = make_aiohttp_transport(limits, verify)
        return httpx.AsyncClient(
            transport=transport,
            limits=limits,
            verify=verify,
            follow_redirects=False,
            # No cookie is kept: the API shows none, and a jar grows.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            event_hooks={"response": [put_location_aside]},
        )
    except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
        raise ConfigurationError(
            f"httpx does not take the certificates or proxies that the environment names: {error}"
        ) from error


@functools.cache
def ssl_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    """Make httpx's SSL context once a process: it takes tens of milliseconds. The variables are those that it reads."""
    return httpx.create_ssl_context()


async def put_location_aside(response: httpx.Response) -> None:
    """Keep httpx from reading the Location of a redirect: it does so though it does not follow, and fails on some."""
    if response.has_redirect_location:
        response.extensions["location"] = response.headers.pop("Location")


def body_of(response: httpx.Response) -> AsyncIterator[bytes]:
    """The body as it comes, decoded; raises BrokenBodyError."""
    if response.is_stream_consumed:
        # Of a transport that gives bodies as a whole, such as a mock: httpx has decoded it.
        return response.aiter_bytes()
    return decoded(response.aiter_raw(), response.headers.get("Content-Encoding", ""))
