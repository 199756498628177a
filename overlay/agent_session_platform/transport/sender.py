"""Send a request once, and return its outcome: what every transport has in common."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import nullcontext, suppress
from datetime import UTC, datetime

import attrs

from .._api import Operation, ReceivedResponse
from ..configuration import VERSION, Configuration
from ..errors import DecodeError, InvalidArgumentError
from ..network import Routes
from ..request.body import Form, open_form
from ..request.credentials import Credential
from ..request.prepare import PreparedRequest
from ..response.compression import ACCEPTED_CODINGS, BrokenBodyError, decompress
from ..response.outcome import (
    REDIRECTS,
    AttemptOutcome,
    Failure,
    StreamedResponse,
    WholeResponse,
    describe_response,
    read_headers,
)
from ..response.retry_after import seconds_to_wait
from .errors import ErrorTranslator, no_connection
from .interface import Transport, TransportRequest, TransportResponse

# httpx refuses a longer URL, and no known server accepts one.
LONGEST_URL = 65_536

# More than this of the body of an error is not read.
MAX_ERROR_BODY = 1024 * 1024

# How much of a body is kept for an error about it.
BEGINNING = 64 * 1024

# This header has the number of the attempt, for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

PYTHON = ".".join(map(str, sys.version_info[:3]))


@attrs.frozen
class Attempt:
    """One attempt of a call.

    Attributes:
        operation: The operation that is called.
        number: Number of the attempt within its call, from 1.
        timeout: Seconds without a byte (connect, read, write) after which to give up.
        call_began: When the call began, by the clock of the event loop.
    """

    operation: Operation
    number: int
    timeout: float
    call_began: float

    def head_of(self, response: TransportResponse) -> WholeResponse:
        """Return the response of the attempt without its body."""
        elapsed = asyncio.get_running_loop().time() - self.call_began
        return WholeResponse(response.status, headers=response.headers, attempts=self.number, elapsed=elapsed)


class Sender:
    """The sender of the requests of a client, each of them once.

    No more requests are under way than there may be connections: one that waits in a pool of httpx and is cancelled may
    cost that pool a connection.

    Args:
        configuration: The settings of the client.
        transport: What sends; closed with this one.
        routes: The proxies that the transport sends through.
    """

    def __init__(self, configuration: Configuration, transport: Transport, routes: Routes) -> None:
        self._transport = transport
        self._base_url = configuration.base_url
        self._max_body = configuration.max_body
        self._redact = configuration.redact
        self._errors = ErrorTranslator(configuration, transport, routes)
        self._connections = asyncio.Semaphore(configuration.max_connections)
        self._own_agent = f"agent-session-platform/{VERSION} python/{PYTHON} {transport.library}"
        program = configuration.user_agent
        defaults = {name.lower(): value.strip() for name, value in (configuration.default_headers or {}).items()}
        # Each body states its own media type.
        defaults.pop("content-type", None)
        self._defaults = {
            "user-agent": self._own_agent if program is None else f"{program} {self._own_agent}",
            "accept-encoding": ACCEPTED_CODINGS,
            **defaults,
        }

    async def send(
        self, request: PreparedRequest, credential: Credential, attempt: Attempt, on_sending: Callable[[], None]
    ) -> AttemptOutcome:
        """Send a request once.

        Args:
            request: The request.
            credential: The credential to send; it may be another one at the next attempt.
            attempt: The attempt.
            on_sending: Called as soon as a connection may be used: from then on the server may receive the request.

        Returns:
            The whole response; a StreamedResponse for a success of an operation that returns a file; a Failure with
            an AgentPlatformError when no response came.

        Raises:
            InvalidArgumentError: A file cannot be opened, or the URL is too long.
        """
        with nullcontext() if request.form is None else open_form(request.form) as form:
            outgoing = self._make_request(request, credential, attempt, form)
            # Only the library's work is tried: an error of ours must not pass for one of the network.
            try:
                response = await self._in_turn(outgoing, attempt.operation, on_sending)
            except Exception as error:
                return Failure(self._errors.translate(error, attempt.operation, attempt.timeout))
        status, headers = response.status, read_headers(response.headers)
        if attempt.operation.streamed and (200 <= status < 300 or (request.redirects and status in REDIRECTS)):
            return self._open_stream(response, attempt, self._errors)
        try:
            content = await self._read(response, headers, attempt.operation)
        except Exception as error:
            failed = self._errors.translate(error, attempt.operation, attempt.timeout)
            if not isinstance(failed, DecodeError):
                return Failure(failed)
            # A damaged body: its status and headers did come.
            head = attempt.head_of(response)
            failed.response = describe_response(head, attempt.operation, self._redact)
            return Failure(failed, head)
        return attempt.head_of(response)._replace(
            content_type=joined(headers, "content-type"),
            retry_after=seconds_to_wait(headers, datetime.now(UTC), hints=status == 429),
            location=joined(headers, "location"),
            content=content,
        )

    async def fetch(self, url: str, authority: str, headers: Mapping[str, str], attempt: Attempt) -> AttemptOutcome:
        """Send a GET to another server once: without the credential, and without any cookie or header of the caller.

        Certificates are verified as for the platform. No outcome shows the path or the query of the URL.

        Args:
            url: The whole URL that a download was redirected to.
            authority: Its host, and port unless it is 443.
            headers: Headers besides User-Agent and Accept.
            attempt: The attempt.

        Returns:
            A StreamedResponse for a success or a redirect; a WholeResponse without a body for any other status; a
            Failure when no response came.
        """
        errors = self._errors.for_redirect_target(authority)
        sent = {"user-agent": self._own_agent, "accept-encoding": "identity", "accept": "*/*", **headers}
        outgoing = TransportRequest("GET", url, tuple(sent.items()), b"", attempt.timeout, redirected=True)
        try:
            response = await self._in_turn(outgoing, attempt.operation)
        except Exception as error:
            return Failure(errors.translate(error, attempt.operation, attempt.timeout))
        if 200 <= response.status < 300 or response.status in REDIRECTS:
            return self._open_stream(response, attempt, errors)
        await response.close()
        wait = seconds_to_wait(read_headers(response.headers), datetime.now(UTC), hints=response.status == 429)
        return attempt.head_of(response)._replace(headers=(), retry_after=wait)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    async def _in_turn(
        self, outgoing: TransportRequest, operation: Operation, on_sending: Callable[[], None] = lambda: None
    ) -> TransportResponse:
        """Send as soon as a connection is free; it is in use until the response is closed.

        Raises:
            PoolTimeoutError: None became free in time.
        """
        try:
            # Only a request that waits needs a timer.
            async with asyncio.timeout(outgoing.timeout if self._connections.locked() else None):
                await self._connections.acquire()
        except TimeoutError:
            raise no_connection(operation, outgoing.timeout) from None
        try:
            on_sending()
            response = await self._transport.send(outgoing)
        except BaseException:
            self._connections.release()
            raise
        return response._replace(close=functools.partial(self._close, response))

    async def _close(self, response: TransportResponse) -> None:
        try:
            # Nobody wants to read what is left, and so the connection may fail.
            with suppress(Exception):
                await response.close()
        finally:
            self._connections.release()

    def _make_request(
        self, request: PreparedRequest, credential: Credential, attempt: Attempt, form: Form | None
    ) -> TransportRequest:
        """Make the request of an attempt."""
        headers = {
            "authorization": credential.header,
            ATTEMPT_HEADER: str(attempt.number),
            "accept": request.accept,
            **self._defaults,
            **request.headers,
        }
        # A form states its media type itself, with its boundary.
        if request.media_type is not None and form is None:
            headers.setdefault("content-type", request.media_type)
        url = self._base_url + request.target
        if len(url) > LONGEST_URL:
            why = f"the URL has {len(url)} characters, more than {LONGEST_URL}"
            raise InvalidArgumentError(f"the request cannot be written ({why})", operation=request.operation)
        content = form or request.content or b""
        return TransportRequest(request.operation.method, url, tuple(headers.items()), content, attempt.timeout)

    async def _read(self, response: TransportResponse, headers: Mapping[str, list[str]], operation: Operation) -> bytes:
        """Read a whole body; that of an error may break off or be too large, because its status is enough."""
        is_error = response.status >= 400
        limit = min(self._max_body, MAX_ERROR_BODY) if is_error else self._max_body
        # A bytearray, because a server may send single bytes: each chunk of a list would take many times its size.
        content = bytearray()
        try:
            async for chunk in decompress(response.chunks, joined(headers, "content-encoding")):
                content += chunk
                if len(content) > limit:
                    break
        except BrokenBodyError as error:
            if not is_error:
                raise self._errors.broken_body(error, response.status, operation) from None
        except Exception:
            if not is_error:
                raise
        finally:
            await response.close()
        if len(content) > limit and not is_error:
            beginning = bytes(content[:BEGINNING])
            raise self._errors.too_large(response.status, beginning, joined(headers, "content-type"), operation)
        return bytes(memoryview(content)[:limit])

    def _open_stream(self, response: TransportResponse, attempt: Attempt, errors: ErrorTranslator) -> StreamedResponse:
        """Return a response whose body is still to be read."""
        headers = read_headers(response.headers)
        # Another server may quote the signed URL in a header.
        shown = response if errors is self._errors else response._replace(headers=())
        received = describe_response(attempt.head_of(shown), attempt.operation, self._redact)
        return StreamedResponse(
            response.status,
            stream_body(response, joined(headers, "content-encoding"), received, attempt.timeout, errors),
            response.close,
            received,
            # A header that came with several values is left out.
            single_headers={name: values[0] for name, values in headers.items() if len(set(values)) == 1},
            headers=response.headers,
        )


async def stream_body(
    response: TransportResponse, encoding: str, received: ReceivedResponse, timeout: float, errors: ErrorTranslator
) -> AsyncIterator[bytes]:
    """Yield the body of a response as it comes; iterating raises an AgentPlatformError."""
    try:
        async for chunk in decompress(response.chunks, encoding):
            yield chunk
    except BrokenBodyError as error:
        broken = errors.broken_body(error, response.status, received.operation)
        broken.response = received
        raise broken from None
    except Exception as error:
        raise errors.translate(error, received.operation, timeout) from None


def joined(headers: Mapping[str, list[str]], name: str) -> str:
    """Return the values of a header as one; empty when there is none."""
    return ", ".join(headers.get(name, ()))
