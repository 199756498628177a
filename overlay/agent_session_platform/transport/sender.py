"""Send a request once, and return the exchange, in the same way for every transport."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus

import attrs

from .._api import Operation
from ..configuration import VERSION, Configuration
from ..credentials import Credential
from ..errors import AgentPlatformError
from ..options import ATTEMPT_HEADER, normal_headers
from ..request.body import Form, open_form
from ..request.prepare import PreparedRequest
from ..response.body_limits import MAX_ERROR_BODY
from ..response.compression import ACCEPTED_CODING, BrokenBodyError, decompress
from ..response.exchange import Exchange, Failure, Response, StreamedResponse, group_headers
from ..response.retry_after import seconds_to_wait
from ..text import truncate
from .failures import ErrorTranslator, FailureKind
from .protocol import Transport, TransportRequest, TransportResponse

# The Accept header of most calls: some servers choose the error format by it, and respond with 406 if no format fits.
ACCEPT = "application/json, application/problem+json"

PYTHON_VERSION = ".".join(map(str, sys.version_info[:3]))


class Attempt:
    """One attempt of a call: what the sender needs, and how far the attempt has come.

    The call completes it while it waits for a credential and a permit, and the sender notes `sent_at`: so both are
    known also if the attempt is cut off.

    Args:
        operation: The operation that is called.
        timeout: Seconds without a byte (connect, read, write) after which to give up.
        call_began: When the call began, by the clock of the event loop.

    Attributes:
        waits_for: Why the request is not sent if the deadline comes now.
        credential: The credential to send; missing before there is one.
        number: Number of the attempt within its call, from 1; 0 before the sender gets it.
        began: When the sender got it, by the clock of the event loop.
        sent_at: When the server may have received the first byte (UTC); None before.
    """

    waits_for = ""
    credential: Credential
    number = 0
    began = 0.0
    sent_at: datetime | None = None

    def __init__(self, operation: Operation, timeout: float, call_began: float) -> None:
        self.operation = operation
        self.timeout = timeout
        self.call_began = call_began


class Sender:
    """The sender of a client's requests, which sends each attempt once.

    A request waits here for a free connection, and not in a pool of httpx, which may lose a connection if a waiting
    request is cancelled.

    Args:
        configuration: The settings of the client.
        transport: Sends the requests; closed with this sender.
        where: The address of the server, and of the proxy on the way to it, for messages.
    """

    def __init__(self, configuration: Configuration, transport: Transport, where: str) -> None:
        self._transport = transport
        self._now = asyncio.get_running_loop().time
        self._configuration = configuration
        self._errors = ErrorTranslator(transport.classify, configuration.redact, where)
        # The rate limiter does not count open streams; they keep their connections after their permits are given back.
        self._connections = asyncio.Semaphore(configuration.max_connections)
        agent = f"agent-session-platform/{VERSION} python/{PYTHON_VERSION} {transport.agent}"
        if configuration.user_agent is not None:
            agent = f"{configuration.user_agent} {agent}"
        self._defaults = {"user-agent": agent, "accept-encoding": ACCEPTED_CODING}
        self._defaults |= normal_headers(configuration.default_headers or {})
        # Each body has its own Content-Type, so there is no default.
        self._defaults.pop("content-type", None)

    async def send(self, prepared: PreparedRequest, attempt: Attempt) -> Exchange:
        """Send a request once.

        Args:
            prepared: The request.
            attempt: The attempt, with its number and its credential.

        Returns:
            The whole response; a StreamedResponse for a success of an operation whose response is read as it
            comes; a Failure when no response came, or not all of it: with an AgentPlatformError, with the error of a
            file, or with an error of an application behind the transport.

        Raises:
            InvalidArgumentError: A file cannot be opened.
        """
        if prepared.body.form is None:
            request = self._make_request(prepared, attempt, prepared.body.content or b"")
            return await self._exchange(request, attempt)
        with open_form(prepared.body.form) as form:
            request = self._make_request(prepared, attempt, form)
            exchange = await self._exchange(request, attempt)
            if isinstance(exchange, Failure) and form.file_error is not None:
                # The exchange broke off because of the file, whatever the library has made of its error.
                return attrs.evolve(exchange, error=form.file_error)
            return exchange

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    def _make_request(self, prepared: PreparedRequest, attempt: Attempt, content: bytes | Form) -> TransportRequest:
        """Make the request of an attempt."""
        accept = ACCEPT
        if attempt.operation.accept:
            accept = f"{attempt.operation.accept}, application/problem+json"
        if attempt.operation.streamed:
            accept += ", */*;q=0.5"
        # A later header wins: `default_headers` replace the User-Agent and the Accept of the SDK, and `extra_headers`,
        # which are in `prepared.headers`, replace both. Nothing replaces Authorization and the number of the attempt.
        # What a caller must not set is in RESERVED_HEADERS (options.py).
        headers = {
            "accept": accept,
            **self._defaults,
            **prepared.headers,
            "authorization": attempt.credential.header,
            ATTEMPT_HEADER: str(attempt.number),
        }
        if isinstance(content, Form):
            # A form states its media type itself, with its boundary.
            headers.pop("content-type", None)
        elif prepared.body.media_type is not None:
            headers.setdefault("content-type", prepared.body.media_type)
        url = self._configuration.base_url + prepared.target
        return TransportRequest(attempt.operation.method, url, headers, content, attempt.timeout)

    async def _exchange(self, request: TransportRequest, attempt: Attempt) -> Exchange:
        """Send a request as soon as a connection is free, and read its response."""
        try:
            async with asyncio.timeout(attempt.timeout):
                await self._connections.acquire()
        except TimeoutError:
            return Failure(FailureKind.POOL_TIMEOUT.make_error(attempt.operation, timeout=attempt.timeout))
        attempt.sent_at = datetime.now(UTC)
        try:
            # Only errors of the library are translated: an error of the SDK must not look like a network error.
            incoming = await self._transport.send(request)
        except BaseException as error:
            self._connections.release()
            if isinstance(error, Exception):
                return Failure(self._errors.translate(error, attempt.operation, attempt.timeout))
            raise
        # The connection is in use until the response is closed.
        try:
            response = self._make_response(incoming, attempt)
            if attempt.operation.streamed and 200 <= response.status < 300:
                return self._open_stream(incoming, response, attempt)
            exchange = await self._read(incoming, response, attempt)
        except BaseException:
            await self._close(incoming)
            raise
        await self._close(incoming)
        return exchange

    def _make_response(self, incoming: TransportResponse, attempt: Attempt) -> Response:
        """Return a response whose body is still to be read."""
        headers = group_headers(incoming.headers)
        retry_after = None
        is_429 = incoming.status == HTTPStatus.TOO_MANY_REQUESTS
        if is_429 or "retry-after" in headers:
            retry_after = seconds_to_wait(headers, datetime.now(UTC), reads_rate_limit=is_429)
        return Response(
            attempt.operation,
            incoming.status,
            self._configuration.redact,
            content_type=", ".join(headers.get("content-type", ())),
            content_encoding=", ".join(headers.get("content-encoding", ())),
            retry_after=retry_after,
            headers=incoming.headers,
            attempts=attempt.number,
            elapsed=self._now() - attempt.call_began,
        )

    async def _read(self, incoming: TransportResponse, response: Response, attempt: Attempt) -> Response | Failure:
        """Read a whole body. The body of an error may break off or be too large, because its status is enough."""
        is_error = response.status >= 400
        limit = self._configuration.max_body
        if is_error:
            limit = min(limit, MAX_ERROR_BODY)
        chunks = incoming.chunks
        if response.content_encoding:
            chunks = decompress(chunks, response.content_encoding)
        # The body is collected in a bytearray, because a server may send single bytes: in a list, each byte would take
        # many times its size.
        content = bytearray()
        try:
            async for chunk in chunks:
                content += chunk
                if len(content) > limit:
                    break
        except Exception as error:
            if not is_error:
                return Failure(self._body_error(error, response, attempt), response)
        is_too_large = len(content) > limit
        del content[limit:]
        response.content = bytes(content)
        response.elapsed = self._now() - attempt.call_began
        if is_too_large and not is_error:
            beginning = response.quote_body()
            hint = "AgentPlatform(max_body=...) sets the limit"
            reason = f"with a body of more than {limit} bytes, beginning {beginning}; {hint}"
            return Failure(response.make_decode_error(reason), response)
        return response

    def _open_stream(self, incoming: TransportResponse, response: Response, attempt: Attempt) -> StreamedResponse:
        """Return a response whose body is read as it comes; reading raises an AgentPlatformError."""

        async def read() -> AsyncIterator[bytes]:
            try:
                async for chunk in decompress(incoming.chunks, response.content_encoding):
                    yield chunk
            except Exception as error:
                raise self._body_error(error, response, attempt) from None

        return StreamedResponse(response, read(), functools.partial(self._close, incoming))

    async def _close(self, incoming: TransportResponse) -> None:
        """Close a response, and let another request have its connection."""
        try:
            # The call has all that it needs of the response, so an error while closing does not matter.
            with suppress(Exception):
                await incoming.close()
        finally:
            self._connections.release()

    def _body_error(self, error: Exception, response: Response, attempt: Attempt) -> Exception:
        """Return the error for a body that broke off or does not fit its Content-Encoding; it has the response."""
        if isinstance(error, BrokenBodyError):
            reason = truncate(response.redact(str(error)))
            misfit = f"with a body that does not fit its Content-Encoding ({reason})"
            return response.make_decode_error(misfit)
        translated = self._errors.translate(error, attempt.operation, attempt.timeout)
        if isinstance(translated, AgentPlatformError):
            translated.response = response.to_received()
        return translated
