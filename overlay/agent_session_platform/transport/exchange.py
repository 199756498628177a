"""Exchange a request for its outcome: what every transport has in common."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

from .._api import Operation
from ..configuration import Configuration
from ..errors import DecodeError, PoolTimeoutError
from ..request.body import Form, open_form
from ..request.credentials import Credential
from ..request.prepare import PreparedRequest
from ..response.compression import ACCEPTED_CODINGS, BrokenBodyError, decompress
from ..response.response import REDIRECTS, Failure, Outcome, Response, StreamedResponse, describe_response
from ..response.retry_after import WAIT_HEADERS, seconds_to_wait
from ..version import VERSION
from .errors import ErrorTranslator
from .interface import CACHED_HEADERS, Headers, Transport, TransportRequest, TransportResponse, UnwrittenError

# httpx refuses a longer one, and no server is known that accepts it.
LONGEST_URL = 65_536

# More than this of the body of an error is not read.
MAX_ERROR_BODY = 1024 * 1024

# So much of a body is kept for an error about it.
BEGINNING = 64 * 1024

# A server may send a body byte by byte, and many of them may be received at once: the event loop runs after so many.
CHUNKS_OF_A_STEP = 200

READ_HEADERS = (b"content-type", b"content-encoding", b"retry-after", b"location")
# From these of a streamed response a download is followed or resumed.
STREAM_HEADERS = (
    *(b"content-encoding", b"content-length", b"content-range", b"date", b"etag", b"last-modified", b"location"),
    b"content-type",
)

# The number of the attempt within its call, from 1: for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

PYTHON = ".".join(map(str, sys.version_info[:3]))
NO_FORM = nullcontext()


class Exchange:
    """The exchanges of a client, each of one request for one outcome.

    No more requests are under way than there may be connections: one that waits in a pool of httpx and is cancelled may
    cost that pool a connection.

    Args:
        configuration: The settings of the client.
        transport: What sends; closed with this one.
        routes: The proxies that the transport sends through.
    """

    def __init__(self, configuration: Configuration, transport: Transport, routes: Any) -> None:
        self._transport = transport
        self._base_url = configuration.base_url
        self._max_body = configuration.max_body
        self._redact = configuration.redact
        self._errors = ErrorTranslator(configuration, transport, routes)
        self._connections = asyncio.Semaphore(configuration.max_connections)
        self._agent = user_agent(transport.library, configuration.user_agent)
        defaults = {name.lower(): value.strip() for name, value in (configuration.default_headers or {}).items()}
        # Each body states its own media type.
        self._defaults = {name: value for name, value in defaults.items() if name != "content-type"}
        self._credential: Credential | None = None
        self._write_headers: Any = None

    async def send(
        self, request: PreparedRequest, credential: Credential, attempt: int, timeout: float, began: float = 0.0
    ) -> Outcome:
        """Send a request once.

        Args:
            request: The request.
            credential: The credential to send; it may be another one at the next attempt.
            attempt: Number of the attempt within its call, from 1.
            timeout: Seconds without a byte (connect, read, write) after which to give up.
            began: When the call began, by the clock of the event loop.

        Returns:
            The whole response; a StreamedResponse for a success of an operation that returns a file; a Failure with
            an AgentPlatformError when no response came.
        """
        operation = request.operation
        response = None
        try:
            with open_form(request.form) if request.form is not None else NO_FORM as form:
                made = self._make_request(request, credential, attempt, form, timeout)
                response = await self._in_turn(made, operation)
            status = response.status
            if self._errors.is_refused_by_proxy(status):
                await response.close()
                return Failure(self._errors.proxy_unauthorized(operation))
            if operation.streamed and (200 <= status < 300 or (request.redirects and status in REDIRECTS)):
                return self._open_stream(response, operation, timeout, self._errors, attempt, began)
            headers = read_headers(response.headers, READ_HEADERS)
            content = await self._read(response, headers, operation)
        except Exception as error:
            failure = self._errors.translate(error, operation, timeout)
            if response is not None and isinstance(failure, DecodeError):
                elapsed = asyncio.get_running_loop().time() - began
                answered = Response(response.status, headers=response.headers, attempts=attempt, elapsed=elapsed)
                failure.response = describe_response(answered, operation, self._redact)
            return Failure(failure)
        return Response(
            status,
            ", ".join(headers.get(b"content-type", ())),
            read_wait(response) if b"retry-after" in headers or status == 429 else None,
            ", ".join(headers.get(b"location", ())),
            content,
            response.headers,
            attempt,
            asyncio.get_running_loop().time() - began,
        )

    async def fetch(
        self, operation: Operation, url: str, authority: str, headers: Mapping[str, str], timeout: float
    ) -> Outcome:
        """Send a GET to another server once: without the credential, and without any cookie or header of the caller.

        Certificates are verified as for the platform. No outcome shows the path or the query of the URL.

        Args:
            operation: The operation of the download that was redirected.
            url: The whole URL that it was redirected to.
            authority: Its host, and port unless it is 443.
            headers: Headers besides User-Agent and Accept.
            timeout: Seconds without a byte (connect, read, write) after which to give up.

        Returns:
            A StreamedResponse for a success or a redirect; a Response without a body for any other status; a Failure
            when no response came.
        """
        began = asyncio.get_running_loop().time()
        errors = self._errors.for_redirect_target(authority)
        try:
            agent = user_agent(self._transport.library)
            sent = {"user-agent": agent, "accept-encoding": "identity", "accept": "*/*", **headers}
            made = TransportRequest("GET", url, tuple(sent.items()), b"", timeout, redirected=True)
            response = await self._in_turn(made, operation)
            if 200 <= response.status < 300 or response.status in REDIRECTS:
                return self._open_stream(response, operation, timeout, errors, 1, began)
            await response.close()
        except Exception as error:
            return Failure(errors.translate(error, operation, timeout))
        return Response(response.status, retry_after=read_wait(response))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    async def _in_turn(self, made: TransportRequest, operation: Operation) -> TransportResponse:
        """Send as soon as a connection is free; it is in use until the response is closed.

        Raises:
            PoolTimeoutError: None became free in time.
        """
        if self._connections.locked():
            try:
                async with asyncio.timeout(made.timeout):
                    await self._connections.acquire()
            except TimeoutError:
                raise PoolTimeoutError(
                    f"no connection became free within {made.timeout:g} s", operation=operation
                ) from None
        else:
            await self._connections.acquire()
        try:
            response = await self._transport.send(made)
        except BaseException:
            self._connections.release()
            raise
        return response._replace(close=functools.partial(self._close, response))

    async def _close(self, response: TransportResponse) -> None:
        try:
            await response.close()
        finally:
            self._connections.release()

    def _make_request(
        self, request: PreparedRequest, credential: Credential, attempt: int, form: Form | None, timeout: float
    ) -> TransportRequest:
        """Make the request of an attempt."""
        if credential is not self._credential:
            # No headers with a credential that was replaced are kept.
            self._credential = credential
            self._write_headers = functools.lru_cache(CACHED_HEADERS)(
                functools.partial(write_headers, self._agent, self._defaults, credential)
            )
        # A form states its media type itself, with its boundary.
        headers: Headers = self._write_headers(attempt, request.accept, None if form else request.media_type)
        if request.headers:
            headers = tuple({**dict(headers), **request.headers}.items())
        url = self._base_url + request.target
        if len(url) > LONGEST_URL:
            raise UnwrittenError("URL too long")
        return TransportRequest(request.operation.method, url, headers, form or request.content or b"", timeout)

    async def _read(
        self, response: TransportResponse, headers: Mapping[bytes, list[str]], operation: Operation
    ) -> bytes:
        """Read a whole body; that of an error may break off or be too large, because its status is enough."""
        is_error = response.status >= 400
        limit = min(self._max_body, MAX_ERROR_BODY) if is_error else self._max_body
        content_type, codings = ", ".join(headers.get(b"content-type", ())), headers.get(b"content-encoding")
        content: bytes | bytearray = b""
        count = 0
        try:
            if not codings and response.content is not None and len(response.content) <= limit:
                return response.content
            async for chunk in decompress(response.chunks, ",".join(codings)) if codings else response.chunks:
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
                    raise self._errors.too_large(response.status, first, content_type, operation)
                count += 1
                if count % CHUNKS_OF_A_STEP == 0:
                    await asyncio.sleep(0)
        except BrokenBodyError as error:
            if not is_error:
                error.beginning = bytes(content[:BEGINNING]) or error.beginning
                raise self._errors.broken_body(error, response.status, content_type, operation) from None
        except Exception as error:
            if not (is_error and self._errors.covers(error)):
                raise
        finally:
            await response.close()
        return bytes(content[:limit])

    def _open_stream(
        self,
        response: TransportResponse,
        operation: Operation,
        timeout: float,
        errors: ErrorTranslator,
        attempt: int,
        began: float,
    ) -> StreamedResponse:
        """Return a response whose body is still to be read."""
        headers = read_headers(response.headers, STREAM_HEADERS)

        async def close() -> None:
            try:
                await response.close()
            except Exception as error:
                # Nobody wants to read what is left, and so the connection may fail.
                if not errors.covers(error):
                    raise

        return StreamedResponse(
            response.status,
            stream_body(response, headers, operation, timeout, errors),
            close,
            # One that came with several values is left out.
            fields={name.decode(): values[0] for name, values in headers.items() if len(set(values)) == 1},
            headers=response.headers,
            attempts=attempt,
            elapsed=asyncio.get_running_loop().time() - began,
        )


async def stream_body(
    response: TransportResponse,
    headers: Mapping[bytes, list[str]],
    operation: Operation,
    timeout: float,
    errors: ErrorTranslator,
) -> AsyncIterator[bytes]:
    """Yield the body of a response as it comes; iterating raises an AgentPlatformError."""
    count = 0
    codings = headers.get(b"content-encoding")
    try:
        async for chunk in decompress(response.chunks, ",".join(codings)) if codings else response.chunks:
            yield chunk
            count += 1
            if count % CHUNKS_OF_A_STEP == 0:
                await asyncio.sleep(0)
    except BrokenBodyError as error:
        content_type = ", ".join(headers.get(b"content-type", ()))
        raise errors.broken_body(error, response.status, content_type, operation) from None
    except Exception as error:
        raise errors.translate(error, operation, timeout) from None


def user_agent(library: str, program: str | None = None) -> str:
    """Return the User-Agent header.

    Args:
        library: Name and version of the HTTP library.
        program: Name of the program that uses the SDK; None without.
    """
    own = f"agent-session-platform/{VERSION} python/{PYTHON} {library}"
    return own if program is None else f"{program} {own}"


def write_headers(
    agent: str, defaults: Mapping[str, str], credential: Credential, attempt: int, accept: str, media_type: str | None
) -> Headers:
    """Return the headers of a request, but for Host.

    Args:
        agent: The User-Agent header.
        defaults: The caller's headers of every call, which win.
        credential: The credential.
        attempt: Number of the attempt within its call, from 1.
        accept: The Accept header.
        media_type: The Content-Type header; None without a body.
    """
    headers = {
        "authorization": credential.header,
        "user-agent": agent,
        "accept-encoding": ACCEPTED_CODINGS,
        ATTEMPT_HEADER: str(attempt),
        "accept": accept,
        **defaults,
    }
    if media_type is not None:
        headers["content-type"] = media_type
    return tuple(headers.items())


def read_wait(response: TransportResponse) -> float | None:
    """Return the seconds that a response asks to wait; None when it does not."""
    headers = read_headers(response.headers, WAIT_HEADERS)
    return seconds_to_wait(headers, datetime.now(UTC), hints=response.status == 429)


def read_headers(headers: Sequence[tuple[bytes, bytes]], names: Collection[bytes]) -> dict[bytes, list[str]]:
    """Return the values of the headers that are asked for, by lower-case name, each as often as it came."""
    found: dict[bytes, list[str]] = {}
    for name, value in headers:
        key = name.lower()
        if key in names:
            try:
                text = value.decode()
            except UnicodeDecodeError:
                text = value.decode("latin-1")
            found.setdefault(key, []).append(text)
    return found
