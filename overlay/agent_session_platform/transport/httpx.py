"""The transport that sends through httpx."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import httpx

from ..request.upload import open_files
from ..response.compression import BrokenBodyError, decompress
from ..response.response import REDIRECTS, Failure, Outcome, Response, StreamedResponse
from .header_cache import cache_headers
from .headers import read_stream_headers, user_agent
from .leftover import check_leftover
from .pools import Pools
from .translate import ErrorTranslator, is_transport_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator

    from ..configuration import Configuration
    from ..request.credentials import Credential
    from ..request.prepare import PreparedRequest
    from ..response.redirect import Elsewhere

LIBRARY = f"httpx/{httpx.__version__}"

# RFC 9110, section 8.6: these methods send Content-Length even with an empty body.
METHODS_WITH_BODY = ("POST", "PUT", "PATCH")

# Size of the cache of URLs. Parsing a URL takes longer than all else that is done for a request, and many
# repeat a target, such as a session that is polled. A target with a query is not cached: no cursor comes again.
CACHED_URLS = 256

# A lookup in httpx's headers goes through all of them.
READ_HEADERS = (b"content-type", b"content-encoding", b"retry-after", b"location")

# More than this of the body of an error is not read.
MAX_ERROR_BODY = 1024 * 1024

# A server may send a body byte by byte, and many of them may be received at once: the event loop runs after so many.
CHUNKS_OF_A_STEP = 200

# So much of a body is kept for an error about it.
BEGINNING = 64 * 1024

Headers: TypeAlias = dict[bytes, list[str]]

NO_FILES: Mapping[str, Any] = {}


class HttpxTransport:
    """A transport to one address, without the cookies, redirects and hooks of an httpx client.

    Args:
        configuration: The settings of the client.
        transport: The httpx transport; closed with this one.
        owned: Whether the transport is the SDK's, and not the caller's.
    """

    _transport: httpx.AsyncBaseTransport

    def __init__(
        self, configuration: Configuration, transport: httpx.AsyncBaseTransport | None = None, *, owned: bool = False
    ) -> None:
        self._base_url = configuration.base_url
        self._max_body = configuration.max_body
        self._errors = ErrorTranslator(configuration, owned=owned)
        if transport is not None:
            self._transport = transport
        self._address = httpx.URL(configuration.base_url).netloc.decode("ascii")
        self._credential: Credential | None = None
        self._cached_url = functools.lru_cache(CACHED_URLS)(self._parse_url)

    async def exchange(self, request: PreparedRequest, credential: Credential, attempt: int, timeout: float) -> Outcome:
        """Send a request once; see `Transport.exchange`."""
        if credential is not self._credential:
            # No headers with a credential that was replaced are kept.
            self._credential, self._cached_headers = credential, cache_headers(LIBRARY, self._address, credential)
        made = None
        opened: AbstractContextManager[Mapping[str, Any]] = (
            open_files(request.files) if request.files else nullcontext(NO_FILES)
        )
        try:
            with opened as files:
                made = self._make_request(request, attempt, files, timeout)
                response = await self._send(made)
            headers = read_headers(response)
            if request.operation.streamed and (
                response.is_success or (request.redirects and response.status_code in REDIRECTS)
            ):
                return self._streamed(response, headers, request, timeout, self._errors)
            content = await self._read(response, headers, request)
        except httpx.HTTPStatusError as error:
            # Raised by an event hook of the caller's client: the status is all that is needed.
            response, content = error.response, b""
            headers = read_headers(response)
        except Exception as error:
            translate = self._errors.unwritten if made is None else self._errors.translate
            return Failure(translate(error, request.operation, timeout))
        return Response(
            response.status_code,
            ", ".join(headers.get(b"content-type", ())),
            read_wait(response) if b"retry-after" in headers or response.status_code == 429 else None,
            ", ".join(headers.get(b"location", ())),
            content,
        )

    async def fetch(
        self, request: PreparedRequest, address: Elsewhere, headers: Mapping[str, str], timeout: float
    ) -> Outcome:
        """Send a GET to another server once; see `Transport.fetch`."""
        errors = self._errors.elsewhere(address.authority)
        try:
            url = httpx.URL(address.url)
            sent = {"user-agent": user_agent(LIBRARY), "accept-encoding": "identity", "accept": "*/*", **headers}
            made = httpx.Request("GET", url, headers=sent, extensions=timeouts(timeout))
            response = await send_through(self._transport_to(url), made)
            read = read_headers(response)
            if response.is_success or response.status_code in REDIRECTS:
                return self._streamed(response, read, request, timeout, errors)
            await response.aclose()
        except Exception as error:
            # Without its traceback, whose frames have the URL.
            return Failure(errors.translate(error, request.operation, timeout).with_traceback(None))
        return Response(response.status_code, retry_after=read_wait(response))

    def _transport_to(self, url: httpx.URL) -> httpx.AsyncBaseTransport:
        """Return the transport to another server."""
        return self._transport.transport_to(url) if isinstance(self._transport, Pools) else self._transport

    def _make_request(
        self, request: PreparedRequest, attempt: int, files: Mapping[str, Any], timeout: float
    ) -> httpx.Request:
        """Make the httpx request of an attempt."""
        method, target = request.operation.method, request.target
        url = self._parse_url(target) if "?" in target else self._cached_url(target)
        extensions = timeouts(timeout)
        headers = self._cached_headers(attempt, request.accept, request.media_type)
        if request.headers:
            headers = headers.copy()
            headers.update(request.headers)
        if files:
            return httpx.Request(method, url, headers=headers, data=request.form, files=files, extensions=extensions)
        body = httpx.ByteStream(request.content or b"")
        made = httpx.Request(method, url, headers=headers, stream=body, extensions=extensions)
        # A transport may read the content of a request, which a stream has only after it was read.
        length = len(made.read())
        if length or method in METHODS_WITH_BODY:
            made.headers["content-length"] = str(length)
        return made

    async def _send(self, request: httpx.Request) -> httpx.Response:
        """Send once, and return the response with its body still to be read."""
        return await send_through(self._transport, request)

    async def _read(self, response: httpx.Response, headers: Headers, request: PreparedRequest) -> bytes:
        """Read a whole body; that of an error may break off or be too large, because its status is enough."""
        content: bytes | bytearray = b""
        count = 0
        is_error = response.is_error
        limit = min(self._max_body, MAX_ERROR_BODY) if is_error else self._max_body
        content_type = ", ".join(headers.get(b"content-type", ()))
        try:
            async for chunk in self._body(response, headers):
                if not content:
                    content = chunk
                else:
                    # Bytes one by one would take eight times their size in a list.
                    content = bytearray(content) if content.__class__ is bytes else content
                    content += chunk
                if len(content) > limit and is_error:
                    break
                if len(content) > limit:
                    first = bytes(content[:BEGINNING])
                    raise self._errors.too_large(response.status_code, first, content_type, request.operation)
                count += 1
                if count % CHUNKS_OF_A_STEP == 0:
                    await asyncio.sleep(0)
        except BrokenBodyError as error:
            if not is_error:
                error.beginning = bytes(content[:BEGINNING]) or error.beginning
                raise self._errors.broken_body(error, response.status_code, content_type, request.operation) from None
        except Exception as error:
            if not (is_error and is_transport_error(error)):
                raise
        finally:
            await response.aclose()
        return bytes(content if len(content) <= limit else content[:limit])

    async def _close(self, response: httpx.Response) -> None:
        """Close a response that was read, or that nobody wants to read: then the connection may fail."""
        try:
            await response.aclose()
        except Exception as error:
            if not self._errors.covers(error):
                raise

    def _streamed(
        self,
        response: httpx.Response,
        headers: Headers,
        request: PreparedRequest,
        timeout: float,
        errors: ErrorTranslator,
    ) -> StreamedResponse:
        """Return a response whose body is still to be read."""
        chunks = self._stream(response, headers, request, timeout, errors)
        close = functools.partial(self._close, response)
        return StreamedResponse(response.status_code, chunks, close, fields=read_stream_headers(response))

    async def _stream(
        self,
        response: httpx.Response,
        headers: Headers,
        request: PreparedRequest,
        timeout: float,
        errors: ErrorTranslator,
    ) -> AsyncIterator[bytes]:
        count = 0
        try:
            async for chunk in self._body(response, headers):
                yield chunk
                count += 1
                if count % CHUNKS_OF_A_STEP == 0:
                    await asyncio.sleep(0)
            return
        except BrokenBodyError as error:
            content_type = ", ".join(headers.get(b"content-type", ()))
            failure: Exception = errors.broken_body(error, response.status_code, content_type, request.operation)
        except Exception as error:
            failure = errors.translate(error, request.operation, timeout)
        raise failure

    def _body(self, response: httpx.Response, headers: Headers) -> AsyncIterator[bytes]:
        """Return the body, decompressed; iterating raises BrokenBodyError."""
        if response.is_stream_consumed:
            # Mock responses are already read, and decoded by httpx.
            return response.aiter_bytes()
        body = aiter(self._raw_body(response))
        codings = headers.get(b"content-encoding")
        return decompress(body, ",".join(codings)) if codings else body

    def _raw_body(self, response: httpx.Response) -> AsyncIterable[bytes]:
        """Return the body as it comes, with its Content-Encoding still on it."""
        stream = response.stream
        # A response that was made by hand, such as that of an application in process, is read by httpx.
        return stream if isinstance(stream, httpx.AsyncByteStream) else response.aiter_raw()

    def _parse_url(self, target: str) -> httpx.URL:
        return httpx.URL(self._base_url + target)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()


async def send_through(transport: httpx.AsyncBaseTransport, request: httpx.Request) -> httpx.Response:
    """Send a request once; when its response is closed, bytes left over close the connection."""
    response = await transport.handle_async_request(request)
    response.request = request
    if "network_stream" in response.extensions:
        await check_leftover(response)
    return response


def timeouts(seconds: float) -> dict[str, Any]:
    """Return the extensions of a request that is given up after so many seconds of silence in any phase."""
    return {"timeout": {"connect": seconds, "read": seconds, "write": seconds, "pool": seconds}}


def read_headers(response: httpx.Response, names: Collection[bytes] = READ_HEADERS) -> Headers:
    """Return the values of the headers that are used, each as often as it came."""
    found: Headers = {}
    for name, value in response.headers.raw:
        key = name.lower()
        if key in names:
            try:
                text = value.decode()
            except UnicodeDecodeError:
                text = value.decode("latin-1")
            found.setdefault(key, []).append(text)
    return found


def read_wait(response: httpx.Response) -> float | None:
    """Return the seconds that a response asks to wait; None when it does not."""
    # Imported with the first refusal, because it would add to the start-up of every program.
    from ..response.retry_after import WAIT_HEADERS, seconds_to_wait

    return seconds_to_wait(read_headers(response, WAIT_HEADERS), datetime.now(UTC), hints=response.status_code == 429)
